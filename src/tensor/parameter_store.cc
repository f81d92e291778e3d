#include "tensor/parameter_store.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "util/check.h"
#include "util/philox.h"

namespace heed {
namespace {

constexpr int64_t kAlignedElements = 16;  // 64 bytes of float32

// FNV-1a: a stable stream number for a parameter's name.
uint64_t HashName(std::string_view name) {
  uint64_t hash = 14695981039346656037ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

// One draw; the normal one is Box and Muller's.
double Draw(const Initializer& initializer, const RandomStream& stream, uint64_t element) {
  switch (initializer.kind) {
    case Initializer::Kind::kConstant:
      return initializer.scale;
    case Initializer::Kind::kUniform:
      return initializer.scale * (2 * RandomUniform(stream, element) - 1);
    case Initializer::Kind::kNormal: {
      const double radius = std::sqrt(-2 * std::log(RandomUniform(stream, 2 * element)));
      const double angle = 2 * std::numbers::pi * RandomUniform(stream, 2 * element + 1);
      return initializer.scale * radius * std::cos(angle);
    }
  }
  HEED_CHECK(false, "an initializer of no kind");
  return 0;
}

template <class Real>
void DrawAll(const Parameter& parameter, const RandomStream& stream) {
  Real* value = parameter.value.Row<Real>(0);
  for (int64_t i = 0; i < parameter.size(); ++i) {
    value[i] = static_cast<Real>(Draw(parameter.initializer, stream, static_cast<uint64_t>(i)));
  }
}

}  // namespace

Initializer Initializer::Xavier(int64_t fan_in, int64_t fan_out, double gain) {
  return Uniform(gain * std::sqrt(6.0 / static_cast<double>(fan_in + fan_out)));
}

Parameter& ParameterStore::Add(std::string name, int64_t rows, int64_t columns,
                               Initializer initializer) {
  HEED_CHECK(!allocated(), "parameter {} comes after Allocate", name);
  HEED_CHECK(Find(name) == nullptr, "two parameters are called {}", name);
  HEED_CHECK(rows > 0 && columns > 0, "parameter {} is {} x {}", name, rows, columns);
  parameters_.push_back(std::make_unique<Parameter>());
  Parameter& parameter = *parameters_.back();
  parameter.name = std::move(name);
  parameter.rows = rows;
  parameter.columns = columns;
  parameter.initializer = initializer;
  return parameter;
}

void ParameterStore::Allocate(DType type, bool with_gradients, const Allocator& allocator) {
  HEED_CHECK(!allocated(), "the store is allocated already");
  type_ = type;
  std::for_each(parameters_.rbegin(), parameters_.rend(), [&](const auto& parameter) {
    parameter->offset = flat_size_;
    flat_size_ += (parameter->size() + kAlignedElements - 1) / kAlignedElements * kAlignedElements;
  });
  values_ = allocator(flat_size_ * SizeOf(type));
  if (with_gradients) gradients_ = allocator(flat_size_ * SizeOf(type));
  for (const auto& parameter : parameters_) {
    parameter->value = Slice(flat_values(), *parameter);
    if (with_gradients) parameter->gradient = Slice(flat_gradients(), *parameter);
  }
}

void ParameterStore::Initialize(uint64_t seed) {
  for (const auto& parameter : parameters_) {
    const RandomStream stream{.seed = seed ^ HashName(parameter->name)};
    if (type() == DType::kFloat64) {
      DrawAll<double>(*parameter, stream);
    } else {
      DrawAll<float>(*parameter, stream);
    }
  }
}

int64_t ParameterStore::Freeze(std::string_view name) {
  int64_t count = 0;
  for (const auto& parameter : parameters_) {
    const std::string_view whole = parameter->name;
    const bool begins = whole.starts_with(name);
    if (!begins || (whole.size() > name.size() && whole[name.size()] != '.')) continue;
    parameter->is_frozen = true;
    ++count;
  }
  return count;
}

Parameter* ParameterStore::Find(std::string_view name) const {
  for (const auto& parameter : parameters_) {
    if (parameter->name == name) return parameter.get();
  }
  return nullptr;
}

int64_t ParameterStore::num_parameters() const {
  int64_t count = 0;
  for (const auto& parameter : parameters_) count += parameter->size();
  return count;
}

// Gaps belong to the parameter before them.
std::vector<ParameterStore::Stretch> ParameterStore::Trainable() const {
  std::vector<Stretch> stretches;
  int64_t end = flat_size_;
  for (const auto& parameter : parameters_) {  // from the last offset to the first
    const int64_t begin = parameter->offset;
    if (!parameter->is_frozen) {
      const bool continues = !stretches.empty() && stretches.back().begin == end;
      if (!continues) stretches.push_back({.begin = end, .count = 0});
      stretches.back().begin = begin;
      stretches.back().count += end - begin;
    }
    end = begin;
  }
  std::ranges::reverse(stretches);
  return stretches;
}

MatrixView ParameterStore::Slice(const MatrixView& flat, const Parameter& parameter) const {
  HEED_CHECK(flat.size() == flat_size_, "a flat buffer of {} elements, not {}", flat.size(),
             flat_size_);
  return {static_cast<std::byte*>(flat.data) + parameter.offset * SizeOf(flat.type), flat.type,
          parameter.rows, parameter.columns, parameter.columns};
}

MatrixView ParameterStore::Flat(const Memory& memory) const {
  if (memory.data() == nullptr) return {};
  return {memory.data(), type(), 1, flat_size_, flat_size_};
}

}  // namespace heed
