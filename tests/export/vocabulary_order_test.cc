#include "export/vocabulary_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/export/export_fixture.h"
#include "util/check.h"

namespace heed {
namespace {

class VocabularyOrderTest : public testing::Test {
 protected:
  VocabularyOrderTest() {
    for (int32_t id = 0; id < tokenizer_.size(); ++id) pieces_.push_back(tokenizer_.piece(id));
  }
  std::string FaultOf(const std::vector<std::string>& list) const {
    try {
      VocabularyOrder(tokenizer_, list, marks_, "the list");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  const Vocabularies vocabularies_ = MakeVocabularies(SmallRecipe());
  const Tokenizer& tokenizer_ = *vocabularies_.source;
  const MarkNames marks_{.unknown = "<unk>", .end = "</s>", .begin = "<s>"};
  std::vector<std::string> pieces_;
};

TEST_F(VocabularyOrderTest, FindsEachPieceWhereverItStands) {
  std::vector<std::string> list = pieces_;
  std::ranges::reverse(list);
  list.insert(list.begin(), "<blank>");  // not ours
  const std::vector<int64_t> order = VocabularyOrder(tokenizer_, list, marks_, "the list");
  ASSERT_EQ(order.size(), pieces_.size());
  for (size_t id = 0; id < order.size(); ++id) {
    EXPECT_EQ(list[static_cast<size_t>(order[id])], pieces_[id]);
  }
}

TEST_F(VocabularyOrderTest, MarksAreFoundByTheirRole) {
  std::vector<std::string> list = pieces_;
  list[static_cast<size_t>(tokenizer_.eos_id())] = "[END]";
  list[static_cast<size_t>(tokenizer_.unk_id())] = "[UNKNOWN]";
  const MarkNames marks{.unknown = "[UNKNOWN]", .end = "[END]", .begin = "<s>"};
  const std::vector<int64_t> order = VocabularyOrder(tokenizer_, list, marks, "the list");
  EXPECT_EQ(order[static_cast<size_t>(tokenizer_.eos_id())], tokenizer_.eos_id());
  EXPECT_THAT(FaultOf(list), testing::HasSubstr("lacks 2 of the 90 pieces"));
}

TEST_F(VocabularyOrderTest, MissingAndDoublePiecesAreUserErrors) {
  std::vector<std::string> list = pieces_;
  list.pop_back();
  EXPECT_THAT(FaultOf(list), testing::HasSubstr("the list lacks 1 of the 90 pieces of the"));
  EXPECT_THAT(FaultOf(list), testing::HasSubstr(pieces_.back()));
  list.push_back(list[20]);
  EXPECT_EQ(FaultOf(list), "the list has '" + list[20] + "' twice");
  EXPECT_THAT(FaultOf({}), testing::HasSubstr("lacks 90 of the 90 pieces"));
}

}  // namespace
}  // namespace heed
