// The learning rate as a pure function of the update's number, so that a resumed run cannot differ.
#pragma once

#include <cstdint>
#include <string>

#include "config/training_options.h"

namespace heed {

class Schedule {
 public:
  // `model_width` enters the paper's formula; `stop_updates` ends linear and cosine decay where the
  // recipe names no end of its own (0 = not given; then those kinds throw UserError).
  Schedule(const ScheduleOptions& options, int64_t model_width, int64_t stop_updates);

  // The rate of update s = 1, 2, ...; with w warm-up updates:
  //   inverse_sqrt  peak * min(s / w, sqrt(w / s)); without warm-up peak / sqrt(s)
  //   paper         scale * model_width^-0.5 * min(s^-0.5, s w^-1.5)  (Vaswani et al. 2017, eq. 3)
  //   linear        up to peak, then a straight line to final_rate at total_updates
  //   cosine        up to peak, then half a cosine (Loshchilov and Hutter 2017) to final_rate
  //   constant      up to peak, then peak
  double Rate(int64_t update) const;

 private:
  double Decayed(double s) const;

  ScheduleOptions options_;
  double model_width_;
  double total_updates_;
};

}  // namespace heed
