#include "data/prefetcher.h"

#include <utility>

#include "util/check.h"

namespace heed {

Prefetcher::Prefetcher(Producer produce, int64_t capacity)
    : produce_(std::move(produce)), capacity_(capacity) {
  HEED_CHECK(capacity >= 0, "room for {} batches", capacity);
  if (capacity > 0) thread_ = std::thread([this] { Work(); });
}

Prefetcher::~Prefetcher() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Prefetcher::Work() {
  Batch batch;
  while (true) {
    bool has_batch = false;
    std::exception_ptr error;
    try {
      has_batch = produce_(&batch);
    } catch (...) {
      error = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    if (has_batch) ready_.push_back(std::exchange(batch, {}));
    ended_ = !has_batch;
    error_ = error;
    changed_.notify_all();
    changed_.wait(lock, [&] {
      return stopping_ || ended_ || static_cast<int64_t>(ready_.size()) < capacity_;
    });
    if (stopping_ || ended_) return;
    if (!used_.empty()) {
      batch = std::move(used_.back());
      used_.pop_back();
    }
  }
}

bool Prefetcher::Next(Batch* batch) {
  if (capacity_ == 0) return produce_(batch);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !ready_.empty(); });
    if (ready_.empty()) {
      if (error_) std::rethrow_exception(error_);
      return false;
    }
    std::swap(*batch, ready_.front());
    used_.push_back(std::move(ready_.front()));
    ready_.pop_front();
  }
  changed_.notify_all();
  return true;
}

}  // namespace heed
