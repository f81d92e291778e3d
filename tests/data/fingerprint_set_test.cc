#include "data/fingerprint_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace heed {
namespace {

TEST(FingerprintSet, AgreesWithStdSet) {
  FingerprintSet set;
  std::set<uint64_t> expected;
  std::mt19937_64 random(1);
  for (int i = 0; i < 50000; ++i) {
    // Few values, many values, and neighbours that collide in a table.
    const uint64_t hash = i % 3 == 0 ? random() % 1000 : i % 3 == 1 ? random() : random() << 40;
    if (hash == 0) continue;
    EXPECT_EQ(set.Insert(hash), expected.insert(hash).second);
  }
  EXPECT_EQ(set.size(), static_cast<int64_t>(expected.size()));
}

TEST(FingerprintSet, ZeroIsAHashLikeAnyOther) {
  FingerprintSet set;
  EXPECT_TRUE(set.Insert(0));
  EXPECT_FALSE(set.Insert(0));
}

TEST(FingerprintSet, PairsHashByBothSides) {
  EXPECT_EQ(HashOfPair("ab", "c"), HashOfPair("ab", "c"));
  const std::set<uint64_t> hashes = {HashOfPair("ab", "c"), HashOfPair("a", "bc"),
                                     HashOfPair("c", "ab"), HashOfPair("", "abc"),
                                     HashOfPair("abc", ""), HashOfPair("", "")};
  EXPECT_EQ(hashes.size(), 6U);
}

}  // namespace
}  // namespace heed
