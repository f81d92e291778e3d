#include "data/token_shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Ids = std::vector<int32_t>;

struct Pair {
  Ids source, target;
  std::string source_text, target_text;
  int64_t line;
};

const std::vector<Pair> kPairs = {{{1, 2, 3}, {4}, "abc", "d", 1},
                                  {{}, {}, "", "", 2},
                                  {{65535}, {0, 65535}, "\xC3\xA4", "xyz", 5},
                                  {{7, 7, 7, 7, 7}, {}, "77777", "", 6}};

void Write(const std::filesystem::path& path, const std::vector<Pair>& pairs,
           const ShardWriter::Options& options) {
  ShardWriter writer(path, options);
  for (const Pair& pair : pairs) {
    writer.Add({pair.source, pair.target, pair.source_text, pair.target_text, pair.line});
  }
  writer.Finish();
}

TEST(TokenShard, HoldsWhatWasWritten) {
  const TemporaryDirectory directory;
  for (const int64_t vocabulary : {65536, 65537}) {
    for (const bool keep_text : {false, true}) {
      Write(directory / "shard", kPairs, {vocabulary, keep_text, "finger"});
      const TokenShard shard(directory / "shard");
      ASSERT_EQ(shard.size(), 4);
      EXPECT_EQ(shard.has_text(), keep_text);
      EXPECT_EQ(shard.fingerprint(), "finger");
      for (int64_t i = 0; i < 4; ++i) {
        const Pair& pair = kPairs[static_cast<size_t>(i)];
        const ShardEntry& entry = shard.entries()[static_cast<size_t>(i)];
        Ids source = {-1}, target;
        shard.AppendSourceIds(i, &source);
        shard.AppendTargetIds(i, &target);
        EXPECT_EQ(source.front(), -1);
        EXPECT_EQ(Ids(source.begin() + 1, source.end()), pair.source);
        EXPECT_EQ(target, pair.target);
        EXPECT_EQ(shard.source_text(i), keep_text ? pair.source_text : "");
        EXPECT_EQ(shard.target_text(i), keep_text ? pair.target_text : "");
        EXPECT_EQ(entry.line, static_cast<uint64_t>(pair.line));
        EXPECT_EQ(entry.source_tokens, pair.source.size());
        EXPECT_EQ(entry.target_tokens, pair.target.size());
      }
    }
  }
}

TEST(TokenShard, SmallVocabulariesTakeTwoBytesPerId) {
  const TemporaryDirectory directory;
  const std::vector<Pair> pairs = {{Ids(1000, 3), Ids(1000, 4), "", "", 1}};
  Write(directory / "small", pairs, {65536, false, ""});
  Write(directory / "large", pairs, {65537, false, ""});
  EXPECT_EQ(FileSize(directory / "large") - FileSize(directory / "small"), 2 * 2000);
}

TEST(TokenShard, MayBeEmpty) {
  const TemporaryDirectory directory;
  const std::string longest(64, 'f');
  Write(directory / "shard", {}, {100, true, longest});
  const TokenShard shard(directory / "shard");
  EXPECT_EQ(shard.size(), 0);
  EXPECT_EQ(shard.fingerprint(), longest);
}

TEST(TokenShard, NothingAppearsBeforeFinish) {
  const TemporaryDirectory directory;
  {
    ShardWriter writer(directory / "shard", {100, false, ""});
    writer.Add({kPairs[0].source, kPairs[0].target, "", "", 1});
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(TokenShard, EveryDamagedByteAndEveryCutIsFound) {
  const TemporaryDirectory directory;
  Write(directory / "shard", kPairs, {65536, true, "finger"});
  const std::string whole = ReadFile(directory / "shard");
  const std::filesystem::path damaged = directory / "damaged";
  std::filesystem::copy_file(directory / "shard", damaged);
  std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](size_t position, char byte) {
    file.seekp(static_cast<std::streamoff>(position));
    file.put(byte).flush();
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    put(i, static_cast<char>(whole[i] ^ 0x10));
    EXPECT_THROW(TokenShard{damaged}, UserError) << "byte " << i;
    put(i, whole[i]);
  }
  EXPECT_EQ(TokenShard{damaged}.size(), 4);
  for (size_t length = whole.size(); length-- > 0;) {
    std::filesystem::resize_file(damaged, length);
    EXPECT_THROW(TokenShard{damaged}, UserError) << "cut at " << length;
  }
  EXPECT_THROW(TokenShard{directory / "absent"}, UserError);
}

TEST(TokenShard, MessagesSayWhatToDo) {
  const TemporaryDirectory directory;
  WriteFile(directory / "shard", std::string(1000, 'x'));
  try {
    TokenShard{directory / "shard"};
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("shard: not a shard of encoded sentences; delete it"));
  }
}

TEST(TokenShard, IdsOutOfRangeAreBugs) {
  const TemporaryDirectory directory;
  ShardWriter writer(directory / "shard", {100, false, ""});
  EXPECT_THROW(writer.Add({Ids{100}, Ids{}, "", "", 1}), InternalError);
  EXPECT_THROW(writer.Add({Ids{}, Ids{-1}, "", "", 1}), InternalError);
  Write(directory / "good", kPairs, {65536, false, ""});
  const TokenShard shard(directory / "good");
  EXPECT_THROW(shard.source_text(4), InternalError);
  EXPECT_THROW(shard.target_text(-1), InternalError);
}

}  // namespace
}  // namespace heed
