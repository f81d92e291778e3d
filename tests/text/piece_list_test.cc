#include "text/piece_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::string ErrorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> Pieces() {
  return {"</s>", "<unk>", "▁a", ">>deu<<", ">>d", "b", "<pad>"};
}

TEST(PieceList, IdsAreThePlaces) {
  const PieceList list(Pieces(), {.begin = "<pad>"}, {}, "list");
  EXPECT_EQ(list.size(), 7);
  EXPECT_EQ(list.Find("b"), 5);
  EXPECT_EQ(list.Find("c"), -1);
  EXPECT_EQ(list.piece(2), "▁a");
  EXPECT_EQ(list.end_id(), 0);
  EXPECT_EQ(list.unknown_id(), 1);
  EXPECT_EQ(list.begin_id(), 6);
}

TEST(PieceList, TheLongestPrefixCounts) {
  const PieceList list(Pieces(), {}, {">>d", ">>deu<<"}, "list");
  EXPECT_EQ(list.MatchPrefix(">>deu<< a"), 3);
  EXPECT_EQ(list.MatchPrefix(">>deu"), 4);
  EXPECT_EQ(list.MatchPrefix(" >>deu<<"), -1);
  EXPECT_EQ(list.MatchPrefix("b"), -1);  // a piece, but no prefix
  EXPECT_TRUE(list.IsPrefix(3));
  EXPECT_FALSE(list.IsPrefix(5));
}

TEST(PieceList, FilesAreReadBack) {
  const TemporaryDirectory directory;
  auto pieces = Pieces();
  pieces.push_back(std::string("\0\"\\\n\xF0\x9F\x98\x80", 8));
  const PieceList list(pieces, {.begin = "</s>"}, {">>deu<<"}, "list");
  WriteFile(directory / "x.pieces.json", list.ToJson());
  const auto read = PieceList::Load(directory / "x.pieces.json");
  EXPECT_TRUE(*read == list);
  EXPECT_EQ(read->begin_id(), 0);
  EXPECT_EQ(read->MatchPrefix(">>deu<<"), 3);
  EXPECT_FALSE(*read == PieceList(pieces, {}, {">>deu<<"}, "list"));
  EXPECT_FALSE(*read == PieceList(pieces, {.begin = "</s>"}, {}, "list"));
}

struct BadList {
  std::vector<std::string> pieces;
  PieceMarks marks;
  std::vector<std::string> prefixes;
  std::string message;
};

TEST(PieceList, FaultsAreNamed) {
  const std::vector<BadList> faults = {
      {{"</s>", "<unk>", "a", "b", "a"}, {}, {}, "list: 'a' is piece 2 and piece 4"},
      {{"</s>", "<unk>", ""}, {}, {}, "list: piece 2 is empty"},
      {{"</s>", "<unk>", "\xC3"}, {}, {}, "list: piece 2 is not UTF-8"},
      {{"<unk>", "a"}, {}, {}, "list does not list the end mark, '</s>'"},
      {{"</s>", "a"}, {}, {}, "list does not list the unknown piece, '<unk>'"},
      {{"</s>", "<unk>"}, {.begin = "<s>"}, {}, "does not list the begin mark, '<s>'"},
      {{"</s>", "<unk>"}, {.begin = "<unk>"}, {}, "'<unk>' is the unknown piece and a mark"},
      {{"</s>", "<unk>"}, {.unknown = "</s>"}, {}, "'</s>' is the unknown piece and a mark"},
      {{"</s>", "<unk>"}, {}, {">>x<<"}, "does not list a prefix, '>>x<<'"},
      {{"</s>", "<unk>", std::string(300, 'x')}, {}, {std::string(300, 'x')}, "is too long"},
      {{}, {}, {}, "does not list the end mark"}};
  for (const BadList& fault : faults) {
    EXPECT_THAT(ErrorOf([&] { PieceList(fault.pieces, fault.marks, fault.prefixes, "list"); }),
                HasSubstr(fault.message));
  }
}

TEST(PieceList, FilesFromAnywhereAreSafe) {
  const TemporaryDirectory directory;
  const auto path = directory / "x.pieces.json";
  const auto error_of = [&](const std::string& text) {
    WriteFile(path, text);
    return ErrorOf([&] { PieceList::Load(path); });
  };
  const std::string whole = PieceList(Pieces(), {}, {">>deu<<"}, "list").ToJson();
  for (size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) {
    EXPECT_THAT(error_of(whole.substr(0, bytes)), HasSubstr(path.string())) << bytes;
  }
  const std::string marks = R"("end": "</s>", "unknown": "<unk>")";
  for (const std::string& text : std::vector<std::string>{
           "[]", "{}", "{" + marks + "}", "{" + marks + R"(, "pieces": 1})",
           "{" + marks + R"(, "pieces": ["</s>", "<unk>", 7]})",
           "{" + marks + R"(, "pieces": ["</s>", "<unk>"], "prefixes": {"a": "b"}})",
           R"({"end": 0, "unknown": "<unk>", "pieces": ["</s>", "<unk>"]})",
           "{" + marks + R"(, "pieces": ["</s>", "<unk>"], "begin": null})",
           std::string(100000, '[')}) {
    EXPECT_THAT(error_of(text), HasSubstr(path.string())) << text.substr(0, 80);
  }
}

}  // namespace
}  // namespace heed
