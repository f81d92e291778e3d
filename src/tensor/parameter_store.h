// All parameters of a model in flat buffers: values, gradients, and whatever optimizers add.
//
// Parameters are declared in the order in which the forward pass uses them first and laid out in
// reverse, so that backward completes the flat gradient buffer from its beginning to its end and a
// prefix of it can be reduced while backward goes on. Each parameter starts at a multiple of 64
// bytes; the gaps are zero for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/matrix_view.h"
#include "tensor/memory.h"

namespace heed {

// How a parameter starts. `scale` is the half-width of a uniform distribution, the standard
// deviation of a normal one, or the constant itself.
struct Initializer {
  enum class Kind : uint8_t { kConstant, kUniform, kNormal };
  Kind kind = Kind::kConstant;
  double scale = 0;

  static Initializer Constant(double value) { return {Kind::kConstant, value}; }
  static Initializer Uniform(double half_width) { return {Kind::kUniform, half_width}; }
  static Initializer Normal(double deviation) { return {Kind::kNormal, deviation}; }
  // Glorot and Bengio 2010, equation 16: +-sqrt(6 / (fan_in + fan_out)), times `gain`.
  static Initializer Xavier(int64_t fan_in, int64_t fan_out, double gain = 1.0);
};

struct Parameter {
  std::string name;  // for instance "encoder.layer1.feed_forward.up.weight"
  int64_t rows = 0;
  int64_t columns = 0;
  Initializer initializer;
  int64_t offset = 0;      // elements from the start of each flat buffer
  MatrixView value;        // [rows, columns]
  MatrixView gradient;     // [rows, columns]; empty if the store holds no gradients
  bool is_frozen = false;  // no update changes it
  int32_t open_uses = 0;   // uses recorded in this step whose gradient is not complete

  int64_t size() const { return rows * columns; }
};

class ParameterStore {
 public:
  using Allocator = std::function<Memory(int64_t bytes)>;

  ParameterStore() = default;
  ParameterStore(const ParameterStore&) = delete;
  ParameterStore& operator=(const ParameterStore&) = delete;

  // Declares a parameter; its address stays valid. Throws InternalError if the name is taken or the
  // store has been allocated.
  Parameter& Add(std::string name, int64_t rows, int64_t columns, Initializer initializer);

  // Lays all parameters out and allocates values and, if asked, gradients, both zero.
  void Allocate(DType type, bool with_gradients, const Allocator& allocator);

  // Draws every value from (seed, name, element): independent of the order and of other parameters.
  void Initialize(uint64_t seed);

  bool allocated() const { return type_.has_value(); }
  DType type() const { return type_.value(); }
  // No update will change the parameters called `name`, or NAME.something. Returns how many.
  int64_t Freeze(std::string_view name);

  // In order of declaration.
  const std::vector<std::unique_ptr<Parameter>>& parameters() const { return parameters_; }
  Parameter* Find(std::string_view name) const;  // nullptr if there is none

  // Elements of a flat buffer, with its gaps; and the count that papers print, without them.
  int64_t flat_size() const { return flat_size_; }
  int64_t num_parameters() const;
  MatrixView flat_values() const { return Flat(values_); }        // [1, flat_size]
  MatrixView flat_gradients() const { return Flat(gradients_); }  // [1, flat_size]

  // Columns [begin, begin + count) of the flat buffers: longest stretches, in order, of what is not
  // frozen.
  struct Stretch {
    int64_t begin = 0, count = 0;
    bool operator==(const Stretch&) const = default;
  };
  std::vector<Stretch> Trainable() const;

  // The part of another flat buffer of this layout that belongs to a parameter.
  MatrixView Slice(const MatrixView& flat, const Parameter& parameter) const;

 private:
  MatrixView Flat(const Memory& memory) const;

  std::vector<std::unique_ptr<Parameter>> parameters_;
  std::optional<DType> type_;
  int64_t flat_size_ = 0;
  Memory values_, gradients_;
};

}  // namespace heed
