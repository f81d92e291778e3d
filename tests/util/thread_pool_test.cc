#include "util/thread_pool.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace heed {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int num_threads : {1, 2, 5}) {
    ThreadPool pool(num_threads);
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<int> count(37, 0);
      pool.Run(37, [&](int64_t task, int thread) {
        ASSERT_LT(thread, num_threads);
        ++count[static_cast<size_t>(task)];
      });
      EXPECT_EQ(count, std::vector<int>(37, 1));
    }
  }
}

TEST(ThreadPool, ZeroTasksReturnAtOnce) {
  ThreadPool pool(3);
  pool.Run(0, [](int64_t, int) { FAIL() << "there is no task"; });
}

TEST(ThreadPool, RethrowsAndGoesOnWorking) {
  ThreadPool pool(2);
  const auto fail = [](int64_t task, int) {
    if (task == 3) throw std::runtime_error("task 3");
  };
  EXPECT_THROW(pool.Run(8, fail), std::runtime_error);
  int64_t sum = 0;
  std::atomic<int64_t> total{0};
  pool.Run(8, [&](int64_t task, int) { total += task; });
  sum = total;
  EXPECT_EQ(sum, 28);
}

}  // namespace
}  // namespace heed
