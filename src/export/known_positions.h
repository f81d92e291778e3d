// Tells whether a table of positions is one of the sinusoids that we compute by formula, so that an
// imported model need not store it and is not bound to its length.
#pragma once

#include <optional>

#include "config/model_options.h"
#include "export/row_source.h"

namespace heed {

// Of table [positions, width]: the formula whose values it holds, to 5e-4; or, if all are zero, no
// positions; or nothing: it has been learned.
std::optional<PositionOptions> RecognisePositions(const RowSource& table);

}  // namespace heed
