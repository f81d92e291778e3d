// The cpu backend as a whole: what it says of itself, and that it leaves the heap alone.
#include "backend/cpu/cpu_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/backend/twin.h"
#include "tests/support/heap_counter.h"

namespace heed {
namespace {

constexpr Side kSide = Side::kSubject;

TEST(CpuBackend, SaysWhatItRunsOn) {
  EXPECT_EQ(CpuBackend(3, PortableKernels()).Describe(), "cpu (portable, 3 threads)");
  EXPECT_THAT(CpuBackend(1).Describe(), testing::EndsWith(", 1 thread)"));
}

// One step of each kernel family.
class Step {
 public:
  void Run(Backend& backend) {
    backend.Linear(x_.On(kSide), w_.On(kSide), {}, Activation::kRelu, y_.On(kSide));
    backend.LinearBackwardInput(y_.On(kSide), w_.On(kSide), x_.On(kSide), false);
    backend.LinearBackwardWeight(y_.On(kSide), x_.On(kSide), w_.On(kSide));
    backend.LinearBackwardBias(y_.On(kSide), gamma_.On(kSide));
    backend.ActivationForward(Activation::kGelu, x_.On(kSide), y_.On(kSide));
    backend.DropoutAdd(x_.On(kSide), {}, {.rate = 0.1, .stream = {}}, y_.On(kSide));
    backend.LayerNormForward(x_.On(kSide), gamma_.On(kSide), beta_.On(kSide), 1e-5, y_.On(kSide),
                             statistics_.On(kSide));
    backend.LayerNormBackwardWeight(y_.On(kSide), x_.On(kSide), statistics_.On(kSide),
                                    gamma_.On(kSide), beta_.On(kSide));
    Attend(backend);
    backend.EmbeddingBackward(ids_, x_.On(kSide), 2, w_.On(kSide));
    backend.CrossEntropy(y_.On(kSide), ids_, 0.1, 1, true, statistics_.On(kSide));
    backend.SumOfSquares(flat_[0].On(kSide));
    backend.Adam({.value = flat_[0].On(kSide),
                  .gradient = flat_[1].On(kSide),
                  .first_moment = flat_[2].On(kSide),
                  .second_moment = flat_[3].On(kSide)});
    backend.LogSoftmax(y_.On(kSide));
    backend.TopK(y_.On(kSide), 2, statistics_.On(kSide), columns_);
  }

 private:
  static constexpr int64_t kTokens = 300, kWidth = 64;

  void Attend(Backend& backend) {
    AttentionArguments arguments{.q = x_.On(kSide),
                                 .k = x_.On(kSide),
                                 .v = x_.On(kSide),
                                 .queries = &layout_,
                                 .keys = &layout_,
                                 .heads = 2,
                                 .mask = AttentionMask::kCausal,
                                 .dropout = {.rate = 0.1, .stream = {}}};
    backend.AttentionForward(arguments, y_.On(kSide), log_sums_.On(kSide));
    backend.AttentionBackward(arguments, y_.On(kSide), log_sums_.On(kSide), y_.On(kSide),
                              dq_.On(kSide), dk_.On(kSide), dv_.On(kSide));
    backend.CachedAttention({.q = x_.On(kSide),
                             .k = x_.On(kSide),
                             .v = x_.On(kSide),
                             .history = ids_,
                             .steps = 1,
                             .heads = 2},
                            y_.On(kSide));
  }

  const std::vector<int32_t> lengths_ = {270, 30};
  const SequenceLayout layout_ = SequenceLayout::FromLengths(lengths_);
  const std::vector<int32_t> ids_ = std::vector<int32_t>(kTokens, 3);
  std::vector<int32_t> columns_ = std::vector<int32_t>(2 * kTokens);
  Twin x_ = Twin::Random(kTokens, kWidth, 0, 1), w_ = Twin::Random(kWidth, kWidth, 0, 2);
  Twin y_ = Twin(kTokens, kWidth), dq_ = Twin(kTokens, kWidth), dk_ = Twin(kTokens, kWidth),
       dv_ = Twin(kTokens, kWidth);
  Twin gamma_ = Twin(1, kWidth), beta_ = Twin(1, kWidth);
  Twin statistics_ = Twin(kTokens, 2), log_sums_ = Twin(kTokens, 2);
  Twin flat_[4] = {Twin(1, 100000), Twin(1, 100000), Twin(1, 100000), Twin(1, 100000)};
};

TEST(CpuBackend, TouchesNoHeapOnceItIsWarm) {
  CpuBackend backend(3);
  Step step;
  step.Run(backend);
  step.Run(backend);  // by now each thread has met each kernel, most likely; see below
  int64_t fewest = 1;
  for (int attempt = 0; attempt < 5 && fewest > 0; ++attempt) {
    const int64_t before = NumHeapAllocations();
    step.Run(backend);
    fewest = std::min(fewest, NumHeapAllocations() - before);
  }
  EXPECT_EQ(fewest, 0);
}

}  // namespace
}  // namespace heed
