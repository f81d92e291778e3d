#include "text/normalizer_rules.h"

#include "text/subword_pieces.h"
#include "util/protobuf_reader.h"

namespace heed {
namespace {

// Field numbers of sentencepiece_model.proto.
constexpr uint32_t kModelNormalizerSpec = 3;
constexpr uint32_t kNormalizerMap = 2, kNormalizerPrefix = 3, kNormalizerJoins = 4;

}  // namespace

NormalizerRules ParseNormalizerRules(std::string_view model) {
  NormalizerRules rules;
  ProtobufReader reader(model, kNoSentencePieceModel);
  while (const auto field = reader.Next()) {
    if (field->id != kModelNormalizerSpec) continue;
    ProtobufReader spec = reader.Inside(*field);
    while (const auto entry = spec.Next()) {
      if (entry->id == kNormalizerMap) rules.character_map = entry->bytes;
      if (entry->id == kNormalizerPrefix) rules.begins_with_space = entry->number != 0;
      if (entry->id == kNormalizerJoins) rules.joins_spaces = entry->number != 0;
    }
  }
  return rules;
}

}  // namespace heed
