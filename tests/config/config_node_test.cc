#include "config/config_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/yaml_tree.h"

namespace heed {
namespace {

using testing::HasSubstr;

ConfigNode Tree(const std::string& text) {
  ProblemList problems;
  ConfigNode tree = ParseYaml(text, "t", problems).value_or(ConfigNode{});
  EXPECT_TRUE(problems.IsEmpty()) << problems.ToString();
  return tree;
}

// Flow-style rendering that tells everything but positions.
std::string Render(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::kNull:
      return "~";
    case ConfigNode::Kind::kScalar:
      return node.text;
    case ConfigNode::Kind::kList: {
      std::string text;
      for (const auto& item : node.items) text += Render(item) + ",";
      return "[" + text + "]";
    }
    case ConfigNode::Kind::kMap: {
      std::string text;
      for (const auto& entry : node.entries) text += entry.key + ":" + Render(entry.value) + ",";
      return "{" + text + "}";
    }
  }
  return "?";
}

std::string Overlaid(const std::string& base, const std::string& top) {
  ConfigNode tree = Tree(base);
  Overlay(tree, Tree(top));
  return Render(tree);
}

TEST(Overlay, MapsMergeAndEverythingElseReplaces) {
  EXPECT_EQ(Overlaid("{a: 1, b: {c: 2, d: 3}}", "{b: {d: 4, e: 5}}"), "{a:1,b:{c:2,d:4,e:5,},}");
  EXPECT_EQ(Overlaid("{a: [1, 2, 3]}", "{a: [4]}"), "{a:[4,],}");
  EXPECT_EQ(Overlaid("{a: {b: 1}}", "{a: 2}"), "{a:2,}");
  EXPECT_EQ(Overlaid("{a: 1}", "{a: {b: 1}}"), "{a:{b:1,},}");
}

TEST(Overlay, NullUnsetsAValueButNotASection) {
  EXPECT_EQ(Overlaid("{a: 1}", "{a: null}"), "{a:~,}");
  EXPECT_EQ(Overlaid("{a: {b: 1}}", "a:"), "{a:{b:1,},}");
}

TEST(Overlay, ValuesKeepTheirPlaceOfOrigin) {
  ConfigNode tree = Tree("a: 1\nb: 2");
  Overlay(tree, Tree("\n\n\n   b: 3"));
  EXPECT_EQ(tree.Find("a")->value.where.line, 1);
  EXPECT_EQ(tree.Find("b")->where.line, 4);
  EXPECT_EQ(tree.Find("b")->value.where.column, 7);
}

std::string Set(const std::string& base, const std::string& path, const std::string& value) {
  ConfigNode tree = Tree(base);
  ProblemList problems;
  SetAtPath(tree, path, Tree(value), problems);
  return problems.IsEmpty() ? Render(tree) : problems.ToString();
}

TEST(SetAtPath, SetsAndMakesSections) {
  EXPECT_EQ(Set("{a: {b: 1}}", "a.b", "2"), "{a:{b:2,},}");
  EXPECT_EQ(Set("{a: 1}", "b.c.d", "2"), "{a:1,b:{c:{d:2,},},}");
  EXPECT_EQ(Set("a:", "a.b", "2"), "{a:{b:2,},}");
  EXPECT_EQ(Set("{a: {b: 1}}", "a", "{c: 2}"), "{a:{b:1,c:2,},}");
}

TEST(SetAtPath, NumbersPickItemsOfLists) {
  EXPECT_EQ(Set("{a: [{b: 1}, {b: 2}]}", "a.1.b", "3"), "{a:[{b:1,},{b:3,},],}");
  EXPECT_EQ(Set("{a: {b: 1}}", "a.0.b", "3"), "{a:{b:3,},}");
}

TEST(SetAtPath, PathsThatLeadNowhereAreReported) {
  EXPECT_THAT(Set("{a: [1, 2]}", "a.2", "3"), HasSubstr("'a' is a list of 2; '2' is not one"));
  EXPECT_THAT(Set("{a: [1, 2]}", "a.b", "3"), HasSubstr("'b' is not one of its numbers"));
  EXPECT_THAT(Set("{a: [1, 2]}", "a.-1", "3"), HasSubstr("'-1' is not one of its numbers"));
  EXPECT_THAT(Set("{a: 1}", "a.b", "3"), HasSubstr("'a' is '1'; 'b' cannot be set below it"));
  EXPECT_THAT(Set("{a: {}}", "a..b", "3"), HasSubstr("not a path of keys joined by dots"));
  EXPECT_THAT(Set("{a: 1}", ".a", "3"), HasSubstr("not a path of keys joined by dots"));
  EXPECT_THAT(Set("{a: 1}", "b.", "3"), HasSubstr("not a path of keys joined by dots"));
}

}  // namespace
}  // namespace heed
