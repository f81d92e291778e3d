// What a person sees of a running training: a line that is rewritten on a terminal, plain log lines
// elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "train/train_step.h"

namespace heed {

// Sums since the last line of the log.
struct ProgressWindow {
  double loss_sum = 0, nll_sum = 0, gradient_norm_sum = 0;  // of updates
  int64_t target_tokens = 0, source_tokens = 0, sentences = 0, updates = 0;
  double compute_seconds = 0, data_seconds = 0;  // of updates, and waiting for batches

  void Add(const UpdateReport& report, double compute, double data);
  double tokens_per_second() const;  // target tokens over all the time
};

struct ProgressPlace {
  int64_t update = 0;
  double epoch = 0;  // passes, with a fraction
  double learning_rate = 0;
  std::optional<int64_t> last_update;  // where training will stop, as far as that is known
};

// "update 300/8000 · epoch 2.9 · loss 3.412 · ppl 21.9 · rate 7.5e-04 · norm 0.62 · 4,310 tok/s ·
// 0:42 left".
std::string DescribeProgress(const ProgressPlace& place, const ProgressWindow& window,
                             double seconds_per_update);
std::string FormatDuration(double seconds);  // "1:02:03", "0:42"

class ProgressLine {
 public:
  ProgressLine();
  // Rewrites the line, at most five times a second; does nothing if stderr is no terminal.
  void Show(const std::string& text);
  // Ends the line, so that a log line can follow.
  void Clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace heed
