#include "config/field_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "config/model_options.h"
#include "config/yaml_tree.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Inner {
  std::string label;
  int64_t count = 7;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("label", label, "Required", NonEmpty{});
    visit("count", count, "Some", AtLeast{1});
  }
};

// One field of each type that recipes may hold.
struct Sample {
  bool flag = true;
  int64_t integer = 1;
  double number = 0.5;
  std::string text = "t";
  NormPosition choice = NormPosition::kAfter;
  std::optional<double> maybe = 2.0;
  std::vector<int64_t> list = {1};
  std::vector<NormPosition> choices;
  Inner section;
  std::vector<Inner> sections;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("flag", flag, "Flag");
    visit("integer", integer, "Integer", AtLeast{1});
    visit("number", number, "Number", InRange{0, 1});
    visit("text", text, "Text");
    visit("choice", choice, "Choice");
    visit("maybe", maybe, "Maybe", Above{0});
    visit("list", list, "List", NonEmpty{}, AtLeast{0});
    visit("choices", choices, "Choices");
    visit("section", section, "Section");
    visit("sections", sections, "Sections");
  }
};

struct ReadResult {
  Sample sample;
  std::string problems;
  KeyPositions positions;
};

ReadResult Read(const std::string& text) {
  const KeyIndex keys;
  ReadResult result;
  ProblemList problems;
  const ConfigNode tree = ParseYaml("section: {label: x}\n" + text, "t", problems).value();
  FieldReader reader(tree, "", {keys, problems, result.positions});
  result.sample.VisitFields(reader);
  reader.ReportUnknownKeys();
  result.problems = problems.ToString();
  return result;
}

TEST(FieldReader, ReadsEachType) {
  const ReadResult result = Read(
      "flag: false\ninteger: 3\nnumber: 1e-1\ntext: no\nchoice: pre\nmaybe: 4\nlist: [5, 6]\n"
      "choices: [post, \"pre\"]\nsections: [{label: a}, {label: b, count: 9}]\n");
  EXPECT_EQ(result.problems, "");
  const Sample& sample = result.sample;
  EXPECT_EQ(sample.flag, false);
  EXPECT_EQ(sample.integer, 3);
  EXPECT_EQ(sample.number, 0.1);
  EXPECT_EQ(sample.text, "no");
  EXPECT_EQ(sample.choice, NormPosition::kBefore);
  EXPECT_EQ(sample.maybe, 4.0);
  EXPECT_THAT(sample.list, ElementsAre(5, 6));
  EXPECT_THAT(sample.choices, ElementsAre(NormPosition::kAfter, NormPosition::kBefore));
  ASSERT_EQ(sample.sections.size(), 2u);
  EXPECT_EQ(sample.sections[1].label, "b");
  EXPECT_EQ(sample.sections[1].count, 9);
}

TEST(FieldReader, WhatIsNotGivenKeepsItsDefault) {
  const ReadResult result = Read("");
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(result.sample.integer, 1);
  EXPECT_EQ(result.sample.maybe, 2.0);
  EXPECT_EQ(result.sample.section.count, 7);
}

TEST(FieldReader, NullUnsetsAnOptionalAndLeavesASection) {
  const ReadResult result = Read("maybe: null\nsections: []\n");
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(result.sample.maybe, std::nullopt);
  EXPECT_THAT(Read("text:\n").problems,
              HasSubstr("t:2:1: 'text' must be text (quote it: \"\"), not"));
  EXPECT_THAT(Read("integer: ~\n").problems, HasSubstr("'integer' must be a whole number"));
  EXPECT_THAT(Read("list:\n").problems, HasSubstr("'list' must be a list; write []"));
}

TEST(FieldReader, ListOfOneMayBeWrittenAsItsItem) {
  const ReadResult result = Read("list: 8\nsections: {label: a}\n");
  EXPECT_EQ(result.problems, "");
  EXPECT_THAT(result.sample.list, ElementsAre(8));
  ASSERT_EQ(result.sample.sections.size(), 1u);
  EXPECT_EQ(result.sample.sections[0].label, "a");
}

TEST(FieldReader, WordsLikeNoAndOnAreTextButNeverBooleans) {
  EXPECT_EQ(Read("text: n\n").sample.text, "n");
  EXPECT_EQ(Read("text: on\n").sample.text, "on");
  EXPECT_EQ(Read("text: 010\n").sample.text, "010");
  for (const char* word : {"y", "n", "yes", "no", "on", "off", "1", "\"true\""}) {
    EXPECT_THAT(Read(std::string("flag: ") + word).problems,
                HasSubstr("t:2:7: 'flag' must be true or false"))
        << word;
  }
}

TEST(FieldReader, WrongTypesAreReportedAndLeaveTheDefault) {
  const ReadResult result =
      Read("integer: 1e3\nnumber: half\nchoice: [pre]\nlist: [1, x]\nsection: 5\ntext: {a: b}\n");
  EXPECT_THAT(result.problems, HasSubstr("t:2:10: 'integer' must be a whole number, in digits "
                                         "only, not '1e3'"));
  EXPECT_THAT(result.problems, HasSubstr("t:3:9: 'number' must be a number, not 'half'"));
  EXPECT_THAT(result.problems, HasSubstr("t:4:9: 'choice' must be one of post, pre, not a list"));
  EXPECT_THAT(result.problems, HasSubstr("t:5:11: 'list[1]' must be a whole number"));
  EXPECT_THAT(result.problems, HasSubstr("t:7:7: 'text' must be text, not a section"));
  EXPECT_EQ(result.sample.integer, 1);
  EXPECT_THAT(result.sample.list, ElementsAre(1));
}

TEST(FieldReader, QuotedNumbersAreTextAndTheMessageSaysSo) {
  EXPECT_THAT(Read("integer: \"3\"\n").problems, HasSubstr("not '3' (the quotes make it text)"));
}

TEST(FieldReader, BadEnumNameGetsTheNearestChoice) {
  EXPECT_THAT(Read("choice: per\n").problems,
              HasSubstr("'choice' must be one of post, pre, not 'per'; did you mean 'pre'?"));
}

TEST(FieldReader, ConstraintsAreCheckedAtTheValue) {
  EXPECT_EQ(Read("integer: 0\n").problems, "t:2:10: 'integer' is 0; it must be at least 1");
  EXPECT_EQ(Read("number: 1.5\n").problems, "t:2:9: 'number' is 1.5; it must be from 0 to 1");
  EXPECT_EQ(Read("maybe: 0\n").problems, "t:2:8: 'maybe' is 0; it must be above 0");
  EXPECT_EQ(Read("list: []\n").problems, "t:2:7: 'list' is []; it must be not empty");
  EXPECT_EQ(Read("list: [1, -1]\n").problems, "t:2:7: 'list' is [1, -1]; it must be at least 0");
  EXPECT_EQ(Read("sections: [{label: \"\"}]\n").problems,
            "t:2:20: 'sections[0].label' is \"\"; it must be not empty");
}

TEST(FieldReader, KeyWhoseDefaultIsNotAllowedMustBeGiven) {
  EXPECT_EQ(Read("sections:\n  - count: 2\n").problems, "t:3:5: 'sections[0].label' is missing");
}

TEST(FieldReader, UnknownKeysAreReportedAtTheKey) {
  EXPECT_THAT(Read("batch_tokens: 5\n").problems,
              HasSubstr("t:2:1: unknown key 'batch_tokens' at the top level"));
}

TEST(FieldReader, PositionsOfGivenKeysAreKept) {
  const ReadResult result = Read("integer: 3\nsections:\n  - label: a\n");
  EXPECT_EQ(result.positions.at("integer").ToString(), "t:2:1");
  EXPECT_EQ(result.positions.at("sections[0].label").ToString(), "t:4:5");
  EXPECT_FALSE(result.positions.contains("number"));
}

}  // namespace
}  // namespace heed
