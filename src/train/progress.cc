#include "train/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace heed {

void ProgressWindow::Add(const UpdateReport& report, double compute, double data) {
  loss_sum += report.loss_sum;
  nll_sum += report.nll_sum;
  gradient_norm_sum += report.gradient_norm;
  target_tokens += report.target_tokens;
  source_tokens += report.source_tokens;
  sentences += report.sentences;
  ++updates;
  compute_seconds += compute;
  data_seconds += data;
}

double ProgressWindow::tokens_per_second() const {
  const double seconds = compute_seconds + data_seconds;
  return seconds > 0 ? static_cast<double>(target_tokens) / seconds : 0;
}

std::string FormatDuration(double seconds) {
  const auto whole = static_cast<int64_t>(std::max(0.0, seconds));
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string DescribeProgress(const ProgressPlace& place, const ProgressWindow& window,
                             double seconds_per_update) {
  const auto tokens = static_cast<double>(std::max<int64_t>(1, window.target_tokens));
  std::string text = fmt::format("update {}", place.update);
  if (place.last_update) text += fmt::format("/{}", *place.last_update);
  text += fmt::format(
      " · epoch {:.2f} · loss {:.4f} · ppl {:.2f} · rate {:.2e} · norm {:.2f} · {:.0f} tok/s",
      place.epoch, window.loss_sum / tokens, std::exp(window.nll_sum / tokens), place.learning_rate,
      window.gradient_norm_sum / static_cast<double>(std::max<int64_t>(1, window.updates)),
      window.tokens_per_second());
  if (place.last_update && seconds_per_update > 0) {
    const auto left = static_cast<double>(*place.last_update - place.update);
    text += fmt::format(" · {} left", FormatDuration(left * seconds_per_update));
  }
  return text;
}

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::Show(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || (is_shown_ && now - last_ < std::chrono::milliseconds(200))) return;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  // Cutting may split a "·"; one column less than the width keeps the terminal from wrapping.
  const std::string cut = text.substr(0, known ? static_cast<size_t>(size.ws_col - 1) : 79);
  std::fprintf(stderr, "\r\x1b[K%s", cut.c_str());
  std::fflush(stderr);
  is_shown_ = true;
  last_ = now;
}

void ProgressLine::Clear() {
  if (!is_shown_) return;
  std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
  is_shown_ = false;
}

}  // namespace heed
