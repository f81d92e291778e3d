#include "train/stop_signal.h"

#include <atomic>
#include <csignal>

namespace heed {
namespace {

// Handlers can reach nothing but globals.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t received = 0;
std::atomic<bool> active = false;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void Remember(int signal) {
  received = signal;
  std::signal(signal, SIG_DFL);  // the next one kills
}

}  // namespace

StopSignal::StopSignal() {
  received = 0;
  std::signal(SIGINT, Remember);
  std::signal(SIGTERM, Remember);
  if (std::signal(SIGHUP, Remember) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  active = true;
}

StopSignal::~StopSignal() {
  active = false;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

int StopSignal::Received() {
  return received;
}

bool StopSignal::IsActive() {
  return active;
}

}  // namespace heed
