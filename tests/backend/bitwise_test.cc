// Equal to the last bit: what translation and resuming stand on. A row's result depends neither on
// the other rows nor on their number; no result depends on the number of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "tests/backend/row_kernels.h"
#include "tests/backend/subjects.h"
#include "tests/backend/twin.h"

namespace heed {
namespace {

constexpr Side kSide = Side::kSubject;

class Bitwise : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      MakeSubject(GetParam(), 1);
    } catch (const UserError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  std::unique_ptr<Backend> Make(int num_threads) { return MakeSubject(GetParam(), num_threads); }
};

INSTANTIATE_TEST_SUITE_P(Backends, Bitwise, SubjectNames(), SubjectName);

TEST_P(Bitwise, RowsDoNotDependOnTheNumberOfRows) {
  const auto backend = Make(2);
  for (const RowKernel& kernel : RowKernels()) {
    const RowBits whole = kernel.run(*backend, 0, kernel.rows);
    for (const int64_t count : {1, 2, 3, 4, 6, 7, 16, 33, 64, 100}) {
      for (int64_t begin = 0; begin < kernel.rows; begin += count) {
        const int64_t size = std::min(count, kernel.rows - begin);
        const RowBits part = kernel.run(*backend, begin, size);
        for (int64_t row = 0; row < size; ++row) {
          ASSERT_EQ(part[static_cast<size_t>(row)], whole[static_cast<size_t>(begin + row)])
              << kernel.name << ": row " << begin + row << " differs in a call with " << size
              << " rows";
        }
      }
    }
  }
}

TEST_P(Bitwise, RowKernelsDoNotDependOnThreads) {
  const auto one = Make(1);
  for (const int num_threads : {2, 3, 7}) {
    const auto several = Make(num_threads);
    for (const RowKernel& kernel : RowKernels()) {
      const RowBits expected = kernel.run(*one, 0, kernel.rows);
      EXPECT_EQ(kernel.run(*several, 0, kernel.rows), expected)
          << kernel.name << " with " << num_threads << " threads";
      EXPECT_EQ(kernel.run(*several, 0, 1).front(), expected.front())
          << kernel.name << ", one row, with " << num_threads << " threads";
    }
  }
}

// The kernels that sum over rows, and the flat ones.
std::vector<uint32_t> Reductions(Backend& backend, int64_t rows, int64_t in, int64_t out) {
  Twin x = Twin::Random(rows, in, 0, 1), dy = Twin::Random(rows, out, 0, 2);
  Twin dw = Twin::Random(out, in, 0, 3), db = Twin::Random(1, out, 0, 4);
  Twin statistics = Twin::Random(rows, 2, 0, 5), dgamma(1, in), dbeta(1, in), dtable(11, in);
  Twin other = Twin::Random(rows, in, 0, 6);
  std::vector<int32_t> ids;
  for (int64_t row = 0; row < rows; ++row) ids.push_back(static_cast<int32_t>(row * 7 % 12 - 1));
  backend.LinearBackwardWeight(dy.On(kSide), x.On(kSide), dw.On(kSide));
  backend.LinearBackwardBias(dy.On(kSide), db.On(kSide));
  backend.LayerNormBackwardWeight(other.On(kSide), x.On(kSide), statistics.On(kSide),
                                  dgamma.On(kSide), dbeta.On(kSide));
  backend.EmbeddingBackward(ids, x.On(kSide), 3.3, dtable.On(kSide));
  std::vector<uint32_t> bits;
  for (Twin* result : {&dw, &db, &dgamma, &dbeta, &dtable}) AppendBits(result->On(kSide), bits);
  return bits;
}

std::vector<uint32_t> FlatKernels(Backend& backend, int64_t n) {
  Twin value = Twin::Random(1, n, 0, 1), gradient = Twin::Random(1, n, 0, 2);
  Twin first = Twin::Random(1, n, 0, 3), second = Twin::Random(1, n, 0, 4, 0, 1);
  Twin average = Twin::Random(1, n, 0, 5), dropped(1, n);
  backend.Adam({.value = value.On(kSide),
                .gradient = gradient.On(kSide),
                .first_moment = first.On(kSide),
                .second_moment = second.On(kSide),
                .learning_rate = 0.01,
                .weight_decay = 0.1});
  backend.MovingAverage(value.On(kSide), 0.99, average.On(kSide));
  backend.DropoutAdd(value.On(kSide), gradient.On(kSide), {.rate = 0.3, .stream = {.seed = 1}},
                     dropped.On(kSide));
  const auto sum = std::bit_cast<uint64_t>(backend.SumOfSquares(gradient.On(kSide)));
  std::vector<uint32_t> bits = {static_cast<uint32_t>(sum), static_cast<uint32_t>(sum >> 32)};
  for (Twin* result : {&value, &first, &second, &average, &dropped}) {
    AppendBits(result->On(kSide), bits);
  }
  return bits;
}

TEST_P(Bitwise, SumsAndFlatKernelsDoNotDependOnThreads) {
  const auto one = Make(1);
  for (const int num_threads : {2, 3, 7}) {
    const auto several = Make(num_threads);
    for (const int64_t rows : {1, 5, 64, 513}) {
      for (const int64_t width : {7, 64, 129}) {
        EXPECT_EQ(Reductions(*several, rows, width, 65), Reductions(*one, rows, width, 65))
            << num_threads << " threads, " << rows << " x " << width;
      }
    }
    for (const int64_t n : {1, 17, 4099, 300007}) {
      EXPECT_EQ(FlatKernels(*several, n), FlatKernels(*one, n)) << num_threads << " threads, " << n;
    }
  }
}

TEST_P(Bitwise, SameCallSameBits) {
  const auto backend = Make(3);
  const std::vector<uint32_t> first = Reductions(*backend, 257, 129, 65);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Reductions(*backend, 257, 129, 65), first);
}

TEST_P(Bitwise, DropoutWithRateZeroIsTheIdentity) {
  const auto backend = Make(2);
  Twin x = Twin::Random(33, 65, 0, 1), y(33, 65);
  backend->DropoutAdd(x.On(kSide), {}, {}, y.On(kSide));
  std::vector<uint32_t> before, after;
  AppendBits(x.On(kSide), before);
  AppendBits(y.On(kSide), after);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace heed
