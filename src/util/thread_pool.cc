#include "util/thread_pool.h"

#include <sched.h>

#include <utility>

#include "util/check.h"

namespace heed {
namespace {

int UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) {
    return static_cast<int>(std::thread::hardware_concurrency());
  }
  return CPU_COUNT(&set);
}

void Pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

// Kernels follow one another within microseconds, and waking a sleeping thread takes longer than
// that: whoever waits looks often for a moment before it sleeps.
template <class Condition>
void SpinUntil(const Condition& condition) {
  constexpr int kLooks = 2000;  // about 50 microseconds
  for (int look = 0; look < kLooks && !condition(); ++look) Pause();
}

}  // namespace

ThreadPool::ThreadPool(int num_threads) {
  HEED_CHECK(num_threads >= 0, "{} threads", num_threads);
  const int total = num_threads == 0 ? UsableCores() : num_threads;
  for (int thread = 1; thread < total; ++thread) {
    workers_.emplace_back([this, thread] { Work(thread); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::RunErased(int64_t num_tasks, void* object, Function function) {
  if (num_tasks <= 0) return;
  if (workers_.empty() || num_tasks == 1) {
    for (int64_t task = 0; task < num_tasks; ++task) function(object, task, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    object_ = object;
    function_ = function;
    num_tasks_ = num_tasks;
    next_task_.store(0, std::memory_order_relaxed);
    busy_ = static_cast<int>(workers_.size());
    ++generation_;
  }
  start_.notify_all();
  TakeTasks(0);
  SpinUntil([this] { return busy_ == 0; });
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::TakeTasks(int thread) {
  for (;;) {
    const int64_t task = next_task_.fetch_add(1, std::memory_order_relaxed);
    if (task >= num_tasks_) return;
    try {
      function_(object_, task, thread);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
}

void ThreadPool::Work(int thread) {
  uint64_t seen = 0;
  for (;;) {
    SpinUntil([&] { return stopping_ || generation_ != seen; });
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
    }
    TakeTasks(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace heed
