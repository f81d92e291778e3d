#include "util/posix_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/util/temporary_directory.h"
#include "util/check.h"

namespace heed::internal {
namespace {

TEST(PosixFile, TemporaryNamesLieBesideTheirTargetAndDiffer) {
  const auto first = TemporaryBeside("folder/name");
  EXPECT_EQ(first.parent_path(), "folder");
  EXPECT_TRUE(first.filename().string().starts_with(".tmp-name-"));
  EXPECT_NE(first, TemporaryBeside("folder/name"));
  EXPECT_EQ(TemporaryBeside("name").parent_path(), ".");
}

TEST(PosixFile, DescriptorsAreClosed) {
  const TemporaryDirectory directory;
  int number = -1;
  {
    const Descriptor file(open(directory.path().c_str(), O_RDONLY));
    number = file.get();
    EXPECT_GE(fcntl(number, F_GETFD), 0);
  }
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
}

TEST(PosixFile, FailuresAreUserErrors) {
  const TemporaryDirectory directory;
  EXPECT_THROW(Rename(directory / "a", directory / "b"), UserError);
  EXPECT_THROW(SyncPath(directory / "a"), UserError);
  EXPECT_THROW(Sync(-1, directory / "a"), UserError);
}

}  // namespace
}  // namespace heed::internal
