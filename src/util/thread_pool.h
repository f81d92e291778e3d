// A fixed set of threads for data-parallel loops. The caller works too, so a pool of one has no
// threads.
//
// Kernels must not let a result depend on the number of threads: split the output, never a sum.
// Non-goals: nested loops, futures, priorities.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace heed {

class ThreadPool {
 public:
  // `num_threads` counts the calling thread; 0 takes every core the process may use.
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(task, thread) for every task in [0, num_tasks), in any order, and waits for all.
  // `thread` in [0, num_threads) names the executing thread, for scratch memory. No heap is
  // touched. The first exception is rethrown here after the loop has ended.
  template <class Body>
  void Run(int64_t num_tasks, Body&& body) {
    RunErased(num_tasks, const_cast<void*>(static_cast<const void*>(&body)),
              [](void* object, int64_t task, int thread) {
                (*static_cast<std::remove_reference_t<Body>*>(object))(task, thread);
              });
  }

 private:
  using Function = void (*)(void* object, int64_t task, int thread);
  void RunErased(int64_t num_tasks, void* object, Function function);
  void Work(int thread);
  void TakeTasks(int thread);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::atomic<uint64_t> generation_{0};  // counts the loops; written under mutex_, as the next two
  std::atomic<int> busy_{0};             // workers that have not left the present loop
  std::atomic<bool> stopping_{false};
  std::atomic<int64_t> next_task_{0};
  int64_t num_tasks_ = 0;
  void* object_ = nullptr;
  Function function_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace heed
