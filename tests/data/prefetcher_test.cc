#include "data/prefetcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace heed {
namespace {

// Batches numbered from 0 to count - 1.
Prefetcher::Producer Counting(int64_t count) {
  return [count, next = int64_t{0}](Batch* batch) mutable {
    if (next == count) return false;
    batch->sentence_ids.assign(1, next++);
    return true;
  };
}

TEST(Prefetcher, KeepsTheOrderForAnyCapacity) {
  for (const int64_t capacity : {0, 1, 2, 7, 1000}) {
    Prefetcher prefetcher(Counting(200), capacity);
    Batch batch;
    for (int64_t i = 0; i < 200; ++i) {
      ASSERT_TRUE(prefetcher.Next(&batch));
      EXPECT_EQ(batch.sentence_ids.front(), i);
    }
    EXPECT_FALSE(prefetcher.Next(&batch));
    EXPECT_FALSE(prefetcher.Next(&batch));
  }
}

TEST(Prefetcher, WorksAheadUpToItsCapacity) {
  std::atomic<int64_t> made{0};
  Prefetcher prefetcher(
      [&](Batch* batch) {
        batch->sentence_ids.assign(1, made++);
        return true;
      },
      3);
  const auto wait_for = [&](int64_t count) {
    for (int i = 0; i < 10000 && made < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // time to make too many
    EXPECT_EQ(made, count);
  };
  wait_for(3);
  Batch batch;
  ASSERT_TRUE(prefetcher.Next(&batch));
  wait_for(4);
}

TEST(Prefetcher, CanBeDestroyedAtAnyTime) {
  for (int consumed = 0; consumed < 20; ++consumed) {
    Prefetcher prefetcher(Counting(10), 3);
    Batch batch;
    for (int i = 0; i < consumed; ++i) prefetcher.Next(&batch);
  }
}

TEST(Prefetcher, ErrorsArriveAfterTheBatchesBeforeThem) {
  for (const int64_t capacity : {0, 2, 50}) {
    Prefetcher prefetcher(
        [next = int64_t{0}](Batch* batch) mutable {
          if (next == 10) throw std::runtime_error("batch 10");
          batch->sentence_ids.assign(1, next++);
          return true;
        },
        capacity);
    Batch batch;
    for (int64_t i = 0; i < 10; ++i) {
      ASSERT_TRUE(prefetcher.Next(&batch));
      EXPECT_EQ(batch.sentence_ids.front(), i);
    }
    EXPECT_THROW(prefetcher.Next(&batch), std::runtime_error);
    EXPECT_THROW(prefetcher.Next(&batch), std::runtime_error);
  }
}

TEST(Prefetcher, BatchesAreUsedAgain) {
  std::atomic<int64_t> fresh{0};
  Prefetcher prefetcher(
      [&](Batch* batch) {
        if (batch->source_ids.capacity() == 0) ++fresh;
        batch->source_ids.assign(100, 1);
        return true;
      },
      4);
  Batch batch;
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(prefetcher.Next(&batch));
  EXPECT_LE(fresh, 8);
}

}  // namespace
}  // namespace heed
