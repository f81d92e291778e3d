#include "data/filters.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "util/check.h"

namespace heed {
namespace {

using Reason = std::optional<DropReason>;

FilterOptions Strict() {
  FilterOptions options;
  options.max_characters = 20;
  options.drop_identical = true;
  options.heuristics.min_letter_share = 0.5;
  options.heuristics.max_word_length = 10;
  options.heuristics.source_script = "Latin";
  options.heuristics.target_script = "Cyrillic";
  return options;
}

constexpr const char* kRussian = "\xD0\xB4\xD0\xBE\xD0\xBC";

TEST(PairFilter, EachTextRuleHasItsReason) {
  const PairFilter filter(Strict());
  const std::string long_word(11, 'a'), long_line = "aa aa aa aa aa aa aaa";
  EXPECT_EQ(filter.CheckText("house", kRussian), std::nullopt);
  EXPECT_EQ(filter.CheckText("hou\xFFse", kRussian), Reason(DropReason::kBadUtf8));
  EXPECT_EQ(filter.CheckText("house", "\xD0"), Reason(DropReason::kBadUtf8));
  EXPECT_EQ(filter.CheckText("", kRussian), Reason(DropReason::kEmpty));
  EXPECT_EQ(filter.CheckText("house", " \xC2\xA0\t"), Reason(DropReason::kEmpty));
  EXPECT_EQ(filter.CheckText(std::string_view("\0\r", 2), kRussian), Reason(DropReason::kEmpty));
  EXPECT_EQ(filter.CheckText(long_line, kRussian), Reason(DropReason::kTooManyCharacters));
  EXPECT_EQ(filter.CheckText(long_line.substr(1), kRussian), std::nullopt);
  EXPECT_EQ(filter.CheckText("house", "house"), Reason(DropReason::kIdentical));
  EXPECT_EQ(filter.CheckText("a 12", kRussian), Reason(DropReason::kFewLetters));
  EXPECT_EQ(filter.CheckText("ab 12", kRussian), std::nullopt);
  EXPECT_EQ(filter.CheckText(long_word, kRussian), Reason(DropReason::kLongWord));
  EXPECT_EQ(filter.CheckText(long_word.substr(1), kRussian), std::nullopt);
  EXPECT_EQ(filter.CheckText("house", "dom"), Reason(DropReason::kOtherScript));
  EXPECT_EQ(filter.CheckText(kRussian, kRussian), Reason(DropReason::kIdentical));
}

TEST(PairFilter, CharactersAreNotBytes) {
  FilterOptions options;
  options.max_characters = 3;
  const PairFilter filter(options);
  EXPECT_EQ(filter.CheckText(kRussian, "abc"), std::nullopt);
  EXPECT_EQ(filter.CheckText("abcd", "abc"), Reason(DropReason::kTooManyCharacters));
}

TEST(PairFilter, ByDefaultOnlyHarmfulTextIsDropped) {
  const PairFilter filter({});
  EXPECT_EQ(filter.CheckText("same", "same"), std::nullopt);
  EXPECT_EQ(filter.CheckText("123", kRussian), std::nullopt);
  EXPECT_EQ(filter.CheckText(std::string(5000, 'a'), "-"), std::nullopt);
  EXPECT_EQ(filter.CheckText(std::string(5001, 'a'), "-"), Reason(DropReason::kTooManyCharacters));
}

TEST(PairFilter, TheFirstBrokenRuleCounts) {
  const PairFilter filter(Strict());
  EXPECT_EQ(filter.CheckText("aaaaaaaaaaaa", "1234"), Reason(DropReason::kFewLetters));
  EXPECT_EQ(filter.CheckText("1234", "\xFF"), Reason(DropReason::kBadUtf8));
}

TEST(PairFilter, LengthsAndTheirRatio) {
  FilterOptions options;
  options.min_length = 3;
  options.max_length = 12;
  options.max_ratio = 2;
  const PairFilter filter(options);
  EXPECT_EQ(filter.CheckLengths(3, 3), std::nullopt);
  EXPECT_EQ(filter.CheckLengths(12, 12), std::nullopt);
  EXPECT_EQ(filter.CheckLengths(2, 12), Reason(DropReason::kTooShort));
  EXPECT_EQ(filter.CheckLengths(12, 2), Reason(DropReason::kTooShort));
  EXPECT_EQ(filter.CheckLengths(13, 12), Reason(DropReason::kTooLong));
  EXPECT_EQ(filter.CheckLengths(3, 13), Reason(DropReason::kTooLong));
  EXPECT_EQ(filter.CheckLengths(3, 6), std::nullopt);
  EXPECT_EQ(filter.CheckLengths(3, 7), Reason(DropReason::kRatio));
  EXPECT_EQ(filter.CheckLengths(7, 3), Reason(DropReason::kRatio));
}

TEST(PairFilter, UnknownScriptsAreUserErrors) {
  FilterOptions options;
  options.heuristics.target_script = "Klingonish";
  EXPECT_THROW(PairFilter{options}, UserError);
}

TEST(PairFilter, ReasonsHaveNames) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kNumDropReasons; ++i) names.insert(NameOf(static_cast<DropReason>(i)));
  EXPECT_EQ(names.size(), kNumDropReasons);
  EXPECT_EQ(NameOf(DropReason::kRatio), "length ratio");
}

}  // namespace
}  // namespace heed
