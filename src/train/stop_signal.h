// SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP ask a run to save and leave; a second
// one ends it at once.
#pragma once

namespace heed {

// While one exists, the signals only set a flag; after it, the default handlers are back.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // The number of the signal that arrived, 0 if none.
  static int Received();
  // True while a guard exists, so that a signal does not kill.
  static bool IsActive();
};

}  // namespace heed
