#include "util/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>
#include <string>

#include "tests/util/compression.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Reads in steps of `step` bytes; the fault, if any, is appended in brackets.
std::string ReadAll(const std::filesystem::path& path, int64_t step) {
  const auto source = OpenByteSource(path);
  std::string content, piece(static_cast<size_t>(step), '\0');
  while (const int64_t count = source->Read(piece.data(), step)) {
    content.append(piece, 0, static_cast<size_t>(count));
  }
  if (!source->fault().empty()) content += "[" + source->fault() + "]";
  return content;
}

// Half noise, half repetition: several buffers long, whatever the format.
std::string LongText() {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < 700'000) {
    text += static_cast<char>(random());
    if (random() % 50 == 0) text.append(random() % 2000, 'x');
  }
  return text;
}

TEST(ByteSource, EveryFormatGivesTheSameBytesInAnySteps) {
  const TemporaryDirectory directory;
  const std::string text = LongText();
  WriteFile(directory / "plain", text);
  WriteFile(directory / "gzip", Gzip(text));
  WriteFile(directory / "zstd", Zstd(text));
  for (const int64_t step : {13, 1000, 1 << 20}) {
    for (const char* name : {"plain", "gzip", "zstd"}) {
      EXPECT_TRUE(ReadAll(directory / name, step) == text) << name << " in steps of " << step;
    }
  }
}

TEST(ByteSource, EmptyInputGivesNoBytes) {
  const TemporaryDirectory directory;
  for (const std::string& content : {std::string(), Gzip(""), Zstd("")}) {
    WriteFile(directory / "file", content);
    EXPECT_EQ(ReadAll(directory / "file", 10), "");
  }
}

TEST(ByteSource, MembersAndFramesFollowEachOther) {
  const TemporaryDirectory directory;
  WriteFile(directory / "gzip", Gzip("one") + Gzip("") + Gzip("two") + std::string(300'000, '\0'));
  EXPECT_EQ(ReadAll(directory / "gzip", 100), "onetwo");
  const std::string skippable("P*M\x18\x02\0\0\0ab", 10);
  WriteFile(directory / "zstd", skippable + Zstd("one") + skippable + Zstd("two"));
  EXPECT_EQ(ReadAll(directory / "zstd", 100), "onetwo");
}

TEST(ByteSource, TextThatStartsLikeAnotherFormatIsText) {
  const TemporaryDirectory directory;
  for (const std::string text :
       {"\x1F", "P*M", "PK\x03", "BZh91AY&S", "BZh91AY&S-", "\xFF", "P\n"}) {
    WriteFile(directory / "file", text);
    EXPECT_EQ(ReadAll(directory / "file", 3), text);
  }
}

TEST(ByteSource, TruncationIsFoundAtEveryLength) {
  const TemporaryDirectory directory;
  for (const std::string& whole : {Gzip("some text, some more"), Zstd("some text, some more")}) {
    for (size_t length = 4; length < whole.size(); ++length) {
      WriteFile(directory / "file", whole.substr(0, length));
      EXPECT_THAT(ReadAll(directory / "file", 100),
                  HasSubstr(fmt::format("data end too early at byte {}]", length)));
    }
  }
}

TEST(ByteSource, DamageIsFound) {
  const TemporaryDirectory directory;
  std::string gzip = Gzip(LongText());
  gzip[gzip.size() - 6] ^= 1;  // in the checksum
  WriteFile(directory / "file", gzip);
  EXPECT_THAT(ReadAll(directory / "file", 1000), HasSubstr("[damaged gzip data at byte "));
  WriteFile(directory / "file", Gzip("text") + "garbage");
  EXPECT_THAT(ReadAll(directory / "file", 1000), HasSubstr("text[damaged gzip data at byte "));
  std::string zstd = Zstd(LongText());
  zstd[20] = static_cast<char>(zstd[20] ^ 0xFF);
  zstd[zstd.size() / 2] = static_cast<char>(zstd[zstd.size() / 2] ^ 0xFF);
  WriteFile(directory / "file", zstd + "garbage");
  EXPECT_THAT(ReadAll(directory / "file", 1000), HasSubstr("[damaged zstd data at byte "));
}

TEST(ByteSource, OtherFormatsAreRefusedWithTheirCommand) {
  const TemporaryDirectory directory;
  const std::pair<std::string, std::string> cases[] = {
      {std::string("\xFD\x37zXZ\0\0\4", 8), "an xz file; Heed reads plain, gzip and zstd files"},
      {"BZh91AY&SY??", "bzip2 -d"},
      {"PK\x03\x04??", "unzip"},
      {std::string("\xFF\xFEh\0i\0", 6), "UTF-16 text"},
      {std::string("\xFE\xFF\0h\0i", 6), "iconv -f UTF-16 -t UTF-8"}};
  for (const auto& [content, message] : cases) {
    WriteFile(directory / "file", content);
    try {
      OpenByteSource(directory / "file");
      ADD_FAILURE() << message;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_THAT(error.what(), HasSubstr((directory / "file").string()));
    }
  }
}

TEST(ByteSource, AbsentFilesAndDirectoriesAreUserErrors) {
  const TemporaryDirectory directory;
  EXPECT_THROW(OpenByteSource(directory / "absent"), UserError);
  EXPECT_THROW(ReadAll(directory.path(), 10), UserError);
}

TEST(ByteSource, PipesGiveWhatIsThereWithoutWaiting) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  ASSERT_EQ(write(ends[1], "P\n", 2), 2);
  const auto source = OpenByteSource("-");
  std::string bytes;
  char piece[10];
  while (bytes.size() < 2) bytes.append(piece, static_cast<size_t>(source->Read(piece, 10)));
  EXPECT_EQ(bytes, "P\n");
  close(ends[1]);
  EXPECT_EQ(source->Read(piece, 10), 0);
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(ends[0]);
}

}  // namespace
}  // namespace heed
