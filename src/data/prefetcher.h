// Batches made ahead by a thread, so that training does not wait for its data.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "data/batch.h"

namespace heed {

class Prefetcher {
 public:
  // Fills a batch (which may hold an old one); returns false at the end. Called by one thread at a
  // time, in order.
  using Producer = std::function<bool(Batch* batch)>;

  // Up to `capacity` batches wait; with 0 there is no thread and Next calls the producer itself.
  Prefetcher(Producer produce, int64_t capacity);
  // Waits for the batch that is being made, if any; the rest is thrown away.
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // The batches in the producer's order; false at the end. What `batch` held is used again for a
  // later one. An exception of the producer is thrown here, after the batches made before it, and
  // again by each later call.
  bool Next(Batch* batch);

 private:
  void Work();

  Producer produce_;
  int64_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> ready_;  // this and all below: guarded by mutex_
  std::vector<Batch> used_;
  std::exception_ptr error_;
  bool ended_ = false;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace heed
