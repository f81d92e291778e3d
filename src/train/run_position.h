// The position in the data as a run state keeps it.
#pragma once

#include "checkpoint/run_state.h"
#include "data/data_position.h"

namespace heed {

DataPosition ToDataPosition(const RunState& state);
void StorePosition(const DataPosition& position, RunState* state);

}  // namespace heed
