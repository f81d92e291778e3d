// The container model.bin of CTranslate2, binary version 6, little-endian, without padding:
//
//   u32 version, string spec, u32 revision, u32 variables,
//     each: string name, u8 rank, u32 size of each axis, u8 type, u32 bytes, data (row-major)
//   u32 aliases, each: string alias, string name of a variable
//   string: u16 length with the zero that ends it, characters, zero
//
// Source: CTranslate2 4.8, python/ctranslate2/specs/model_spec.py, src/models/model.cc.
#pragma once

#include <cstdint>

namespace heed {

inline constexpr uint32_t kCtranslate2Version = 6;
inline constexpr const char* kCtranslate2Spec = "TransformerSpec";
inline constexpr uint32_t kCtranslate2Revision = 7;  // of that spec
inline constexpr const char* kCtranslate2ModelFile = "model.bin";
inline constexpr const char* kCtranslate2ConfigFile = "config.json";
inline constexpr const char* kCtranslate2SharedVocabulary = "shared_vocabulary.json";
inline constexpr const char* kCtranslate2SourceVocabulary = "source_vocabulary.json";
inline constexpr const char* kCtranslate2TargetVocabulary = "target_vocabulary.json";
inline constexpr const char* kCtranslate2Factors = "_scale";  // after the name of an int8 weight

enum class Ctranslate2Type : uint8_t {
  kFloat32 = 0,
  kInt8 = 1,
  kInt16 = 2,
  kInt32 = 3,
  kFloat16 = 4,
  kBfloat16 = 5
};

// Bytes of an element; 0 = no such type.
constexpr int64_t SizeOf(Ctranslate2Type type) {
  switch (type) {
    case Ctranslate2Type::kInt8:
      return 1;
    case Ctranslate2Type::kInt16:
    case Ctranslate2Type::kFloat16:
    case Ctranslate2Type::kBfloat16:
      return 2;
    case Ctranslate2Type::kFloat32:
    case Ctranslate2Type::kInt32:
      return 4;
  }
  return 0;
}

}  // namespace heed
