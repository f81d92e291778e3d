#include "config/yaml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "error_text.h"

namespace heed {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using Kind = ConfigNode::Kind;

ConfigNode Parse(const std::string& text) {
  ProblemList problems;
  ConfigNode tree = ParseYaml(text, "t", problems).value_or(ConfigNode{});
  EXPECT_TRUE(problems.IsEmpty()) << problems.ToString();
  return tree;
}

std::string Problems(const std::string& text) {
  ProblemList problems;
  ParseYaml(text, "t", problems);
  return problems.ToString();
}

std::string TextOf(const ConfigNode& map, const char* key) {
  const ConfigNode::Entry* entry = map.Find(key);
  return entry == nullptr ? "(absent)" : entry->value.text;
}

TEST(ParseYaml, KeysAndValuesKeepTheirPlaces) {
  const ConfigNode tree = Parse("a: 1\nb:\n  c:   x\n");
  const ConfigNode::Entry& b = *tree.Find("b");
  EXPECT_EQ(b.where.ToString(), "t:2:1");
  EXPECT_EQ(b.value.Find("c")->where.ToString(), "t:3:3");
  EXPECT_EQ(b.value.Find("c")->value.where.ToString(), "t:3:8");
}

TEST(ParseYaml, ByteOrderMarkAndCarriageReturnsAreHarmless) {
  const ConfigNode tree = Parse("\xEF\xBB\xBF"s + "a: 1\r\nb: x y\r\n");
  EXPECT_EQ(tree.Find("a")->where.ToString(), "t:1:1");
  EXPECT_EQ(TextOf(tree, "a"), "1");
  EXPECT_EQ(TextOf(tree, "b"), "x y");
}

TEST(ParseYaml, WordsOfYaml11StayText) {
  const ConfigNode tree = Parse("{a: n, b: on, c: yes, d: 010, e: 1:30}");
  EXPECT_EQ(TextOf(tree, "a"), "n");
  EXPECT_EQ(TextOf(tree, "b"), "on");
  EXPECT_EQ(TextOf(tree, "d"), "010");
  EXPECT_EQ(TextOf(tree, "e"), "1:30");
}

TEST(ParseYaml, NullIsTheWordOrNothingButNotTheQuotedWord) {
  const ConfigNode tree = Parse("a: ~\nb: null\nc:\nd: \"null\"\ne: ''\n");
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(tree.Find(key)->value.kind, Kind::kNull) << key;
  for (const char* key : {"d", "e"}) EXPECT_EQ(tree.Find(key)->value.kind, Kind::kScalar) << key;
  EXPECT_EQ(tree.Find("c")->value.where.ToString(), "t:3:1");
}

TEST(ParseYaml, NothingButCommentsIsNull) {
  EXPECT_EQ(Parse("").kind, Kind::kNull);
  EXPECT_EQ(Parse("# only a comment\n").kind, Kind::kNull);
  EXPECT_EQ(Parse("---\n").kind, Kind::kNull);
}

TEST(ParseYaml, BlockScalarsAreText) {
  const ConfigNode tree = Parse("a: |\n  one\n  two\nb: >-\n  one\n  two\n");
  EXPECT_EQ(TextOf(tree, "a"), "one\ntwo\n");
  EXPECT_EQ(TextOf(tree, "b"), "one two");
}

TEST(ParseYaml, AnchorsAliasesAndMergeKeysWork) {
  const ConfigNode tree = Parse(
      "a: &base {x: 1, y: 2}\n"
      "b: *base\n"
      "c:\n  y: 3\n  <<: *base\n"
      "d:\n  <<: [{x: 7, z: 8}, *base]\n");
  EXPECT_EQ(TextOf(tree.Find("b")->value, "x"), "1");
  EXPECT_EQ(tree.Find("b")->value.where.ToString(), "t:2:4");
  EXPECT_EQ(TextOf(tree.Find("c")->value, "y"), "3");
  EXPECT_EQ(TextOf(tree.Find("c")->value, "x"), "1");
  EXPECT_EQ(TextOf(tree.Find("d")->value, "x"), "7");
  EXPECT_EQ(TextOf(tree.Find("d")->value, "y"), "2");
  EXPECT_EQ(tree.Find("c")->value.Find("<<"), nullptr);
}

TEST(ParseYaml, BadAnchorsAndMergesAreReported) {
  EXPECT_THAT(Problems("a: *nowhere\n"), HasSubstr("t:1:4: "));
  EXPECT_THAT(Problems("a: &x\n  b: *x\n"), HasSubstr("t:2:6: this alias stands inside"));
  EXPECT_THAT(Problems("a:\n  <<: 5\n"), HasSubstr("t:2:7: '<<' merges a section"));
}

TEST(ParseYaml, AliasesCannotMultiplyWithoutEnd) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) text += (j > 0 ? ", *a" : "*a") + std::to_string(i - 1);
    text += "]\n";
  }
  EXPECT_THAT(Problems(text), HasSubstr("more than 20000 values"));
}

TEST(ParseYaml, DuplicateKeysAreReportedWithBothLines) {
  EXPECT_EQ(Problems("m:\n  a: 1\n  b: 2\n  a: 3\nm: 4\n"),
            "t:4:3: key 'a' is given twice in 'm'; it stands in line 2 already\n"
            "t:5:1: key 'm' is given twice at the top level; it stands in line 1 already");
  EXPECT_THAT(Problems("l:\n  - {x: {a: 1, a: 2}}\n"), HasSubstr("given twice in 'l[0].x'"));
}

TEST(ParseYaml, SyntaxErrorsHaveTheirPlace) {
  EXPECT_THAT(Problems("a: [1, 2\nb: 3\n"), HasSubstr("t:"));
  EXPECT_THAT(Problems("a: 1\n  b: 2\n"), HasSubstr("t:2:4: not valid YAML"));
  EXPECT_THAT(Problems("a: 1\n- b\n"), HasSubstr("t:2:1: not valid YAML"));
  EXPECT_THAT(Problems("a: 1\n}\n"), HasSubstr("t:2:"));
  EXPECT_THAT(Problems("@a: 1\n"), HasSubstr("t:1:1: not valid YAML"));
}

TEST(ParseYaml, OpenQuoteCannotSwallowTheKeysBelow) {
  EXPECT_EQ(Problems("a: \"x\nb: 1\n"), "t:1:4: the quote that opens here is never closed");
  EXPECT_EQ(Problems("c: 1\r\na: \xC3\xA4\nb: 'x\n"),
            "t:3:4: the quote that opens here is never closed");
  EXPECT_EQ(Problems("a: &x !!str 'x\n"), "t:1:4: the quote that opens here is never closed");
  EXPECT_EQ(TextOf(Parse("a: \"x\n  y\"\nb: 'it''s'\n"), "a"), "x y");
}

TEST(ParseYaml, DirectivesAreRefused) {
  EXPECT_THAT(Problems("a: 1\n%b: 2\n"), HasSubstr("t:2:1: a line that begins with '%'"));
}

TEST(ParseYaml, TabIndentationIsNamed) {
  EXPECT_THAT(Problems("a:\n\tb: 1\n"), HasSubstr("line 2 is indented with a tab"));
  EXPECT_THAT(Problems("a:\n  c: 1\n \tb: 1\n"), HasSubstr("line 3 is indented with a tab"));
}

TEST(ParseYaml, KeysMustBeWords) {
  EXPECT_THAT(Problems("? [a, b]\n: c\n"), HasSubstr("a key must be a word, not a list"));
  EXPECT_THAT(Problems("? {a: b}\n: c\n"), HasSubstr("a key must be a word"));
  EXPECT_THAT(Problems("~: c\n"), HasSubstr("a key must be a word, not nothing"));
}

TEST(ParseYaml, ForeignTagsAreRefusedAndYamlsOwnAreNot) {
  EXPECT_THAT(Problems("a: !secret x\n"), HasSubstr("t:1:4: the tag '!secret'"));
  EXPECT_THAT(Problems("a: !!python/object {}\n"), testing::Not(HasSubstr("\n")));
  const ConfigNode tree = Parse("{a: !!str 5, b: !!int 6}");
  EXPECT_TRUE(tree.Find("a")->value.quoted);
  EXPECT_FALSE(tree.Find("b")->value.quoted);
}

TEST(ParseYaml, OneDocumentOnly) {
  EXPECT_THAT(Problems("a: 1\n---\nb: 2\n"), HasSubstr("t:3:1: a second document"));
  EXPECT_EQ(TextOf(Parse("---\na: 1\n...\n"), "a"), "1");
}

TEST(ParseYaml, BytesThatYamlCppSwallowsAreReported) {
  EXPECT_EQ(Problems("a: 1\nb: \x04\nc: 2\n"), "t:2:4: control character 0x04");
  EXPECT_EQ(Problems("a: 1\nb: \xE4\n"), "t:2:4: byte 0xE4 is not UTF-8");
  EXPECT_EQ(Problems("\xFF\xFE"s + "a\0:\0"s), "t:1:1: byte 0xFF is not UTF-8");
}

TEST(ParseYaml, DeepNestingIsAnErrorNotACrash) {
  EXPECT_NE(Problems(std::string(50'000, '[')), "");
  EXPECT_NE(Problems(std::string(50'000, '{')), "");
  std::string text;
  for (int i = 0; i < 1'000; ++i) text += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_NE(Problems(text), "");
}

// Cuts and changes of a good text either parse or are reported; nothing else may happen.
TEST(ParseYaml, DamagedTextNeverEscapesAsAnotherException) {
  const std::string good =
      "a: &x {b: [1, 'two', \"th\\tree\"], c: ~}\nd:\n  - e: |\n      f\n    g: >-\n      h\n"
      "  - <<: *x\n    i: !!str 5\n# end\n";
  const std::string alphabet = "\t\n\"'#&*[]{}:,-?|>!%@`~ \\\xC3";
  for (size_t i = 0; i < good.size(); ++i) {
    ProblemList problems;
    EXPECT_NO_THROW(ParseYaml(good.substr(0, i), "t", problems));
    for (const char c : alphabet) {
      std::string damaged = good;
      damaged[i] = c;
      EXPECT_NO_THROW(ParseYaml(damaged, "t", problems)) << damaged;
      EXPECT_NO_THROW(ParseYaml(good.substr(0, i) + c + good.substr(i), "t", problems));
    }
  }
}

TEST(ReadRecipeText, SaysWhatIsWrongWithTheFile) {
  const std::string folder = testing::TempDir();
  EXPECT_THAT(ErrorText([&] { ReadRecipeText(folder + "/no_such.yaml"); }),
              HasSubstr("no_such.yaml: no such file"));
  EXPECT_THAT(ErrorText([&] { ReadRecipeText(folder); }), HasSubstr("this is a folder"));

  const std::string path = folder + "/yaml_tree_test.yaml";
  std::ofstream(path, std::ios::binary) << "a: 1\r\n";
  EXPECT_EQ(ReadRecipeText(path), "a: 1\r\n");
  std::ofstream(path, std::ios::binary) << std::string((1 << 20) + 1, '#');
  EXPECT_THAT(ErrorText([&] { ReadRecipeText(path); }), HasSubstr("above 1 MiB"));
}

}  // namespace
}  // namespace heed
