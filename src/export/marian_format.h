// Marian's two model files (github.com/marian-nmt/marian-dev), which hold the same named arrays.
//
// model.npz is a ZIP archive, all entries stored, of NAME.npy files (npy format version 1.0).
// model.bin, little-endian:
//   u64 version = 1, u64 arrays
//   each array: u64 bytes of its name with the zero that ends it, u64 type, u64 axes, u64 bytes of
//   its data with padding
//   all names, each ended by a zero; all shapes, an i32 per axis
//   u64 n, n zeros, so that what follows begins at a multiple of 256
//   all data, each padded with zeros to a multiple of 256
// One array is text, "special:model.yml": the options that the model was trained with.
//
// Source: marian-dev 1.12, common/binary.cpp, common/io.cpp, 3rd_party/cnpy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heed {

inline constexpr const char* kMarianConfig = "special:model.yml";
inline constexpr const char* kMarianNpzFile = "model.npz";
inline constexpr const char* kMarianBinFile = "model.bin";
inline constexpr const char* kMarianDecoderFile = "decoder.yml";

inline constexpr uint64_t kMarianBinVersion = 1;
inline constexpr int64_t kMarianBlock = 256;  // bytes

// Of elements, as numbered in model.bin: class and size. Others exist, such as packed int8.
enum class MarianType : uint64_t { kInt8 = 0x101, kFloat16 = 0x402, kFloat32 = 0x404 };

// Bytes of an element; 0 = a type that is not read.
constexpr int64_t SizeOf(MarianType type) {
  switch (type) {
    case MarianType::kInt8:
      return 1;
    case MarianType::kFloat16:
      return 2;
    case MarianType::kFloat32:
      return 4;
  }
  return 0;
}

// An array inside a file that is mapped into memory.
struct MarianArray {
  std::string name;
  MarianType type = MarianType::kFloat32;
  std::vector<int64_t> shape;
  const std::byte* data = nullptr;  // little-endian, row-major, perhaps not aligned
};

// Marian's constant in layer norm, whatever a model was trained with: layers/generic.h.
inline constexpr double kMarianEpsilon = 1e-6;

}  // namespace heed
