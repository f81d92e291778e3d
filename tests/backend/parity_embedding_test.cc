#include <fmt/format.h>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

// Ids from -1 on, many of them repeated.
std::vector<int32_t> RandomIds(int64_t count, int64_t first, int64_t end) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t bits = RandomBits({.seed = 99}, static_cast<uint64_t>(i));
    ids.push_back(static_cast<int32_t>(first + bits % static_cast<uint32_t>(end - first)));
  }
  return ids;
}

TEST_P(Parity, EmbeddingForward) {
  for (const auto& [tokens, width] : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      for (const bool accumulate : {false, true}) {
        SCOPED_TRACE(fmt::format("{} x {} padding {}", tokens, width, padding));
        const std::vector<int32_t> ids = RandomIds(tokens, -1, 11);
        Twin table = Twin::Random(11, width, padding, 1);
        Twin y = Twin::Random(tokens, width, padding, 2);
        OnBoth([&](Backend& backend, Side side) {
          backend.EmbeddingForward(ids, table.On(side), 5.6568, y.On(side), accumulate);
        });
        // The product, up to 6, is rounded before a sum that may cancel.
        ExpectClose(y, {.absolute = accumulate ? 12 * kRounding : 0, .relative = 4 * kRounding},
                    "y");
      }
    }
  }
}

TEST_P(Parity, EmbeddingBackward) {
  for (const auto& [tokens, width] : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      SCOPED_TRACE(fmt::format("{} x {} padding {}", tokens, width, padding));
      const std::vector<int32_t> ids = RandomIds(tokens, -1, 11);
      Twin dy = Twin::Random(tokens, width, padding, 1);
      Twin dtable = Twin::Random(11, width, padding, 2);
      OnBoth([&](Backend& backend, Side side) {
        backend.EmbeddingBackward(ids, dy.On(side), 5.6568, dtable.On(side));
      });
      ExpectClose(dtable, {.absolute = 6 * SumTolerance(tokens).absolute, .relative = 1e-6},
                  "dtable");
    }
  }
}

TEST_P(Parity, GatherRows) {
  for (const auto& [rows, width] : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      SCOPED_TRACE(fmt::format("{} x {} padding {}", rows, width, padding));
      const std::vector<int32_t> from = RandomIds(rows, 0, 13);
      Twin x = Twin::Random(13, width, padding, 1);
      Twin y(rows, width, 5 - padding);
      OnBoth(
          [&](Backend& backend, Side side) { backend.GatherRows(x.On(side), from, y.On(side)); });
      ExpectClose(y, {}, "y");
    }
  }
}

}  // namespace
}  // namespace heed
