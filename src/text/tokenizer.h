// Text to ids and back. A line in is a line out: no line ever fails, and no decoded text holds a
// line break.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "util/philox.h"

namespace heed {

class PieceList;

// How training segments the same sentence differently each time: subword regularisation for
// unigram models (Kudo 2018), BPE-dropout for BPE models (Provilkov et al. 2020). Each kind of
// model uses its own fields.
struct SubwordSampling {
  double alpha = 1;    // unigram: exponent on the probability of a segmentation; 0 = uniform
  int64_t nbest = -1;  // unigram: sample among that many best segmentations; -1 = all
  double dropout = 0;  // bpe: probability that a merge is left out
};

// Thread-safe: all functions are const.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // The ids of a line, without marks, in place of what `ids` held. Any bytes are fine: control
  // characters count as spaces (cleanup.h), ill-formed UTF-8 as U+FFFD. A blank line gives no ids.
  virtual void Encode(std::string_view line, std::vector<int32_t>* ids) const = 0;

  // One random segmentation; the same whenever the model, line, sampling and stream are the same.
  virtual void EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                             const RandomStream& stream, std::vector<int32_t>* ids) const = 0;

  // Text without marks and without line breaks (they become spaces). Ids are in [0, size()).
  virtual std::string Decode(std::span<const int32_t> ids) const = 0;

  virtual int64_t size() const = 0;  // ids are in [0, size())
  virtual int32_t eos_id() const = 0;
  virtual int32_t unk_id() const = 0;
  virtual int32_t bos_id() const = 0;  // -1 if there is none

  // The piece that every line is given before its own (prefixed_tokenizer.h); -1 if there is none.
  virtual int32_t prefix_id() const { return -1; }

  // How a piece is written, for reports and attention pictures; "▁" stands for a space.
  virtual const std::string& piece(int32_t id) const = 0;
  // Stands for one byte of a character that has no piece of its own.
  virtual bool IsByte(int32_t id) const = 0;
  // Must never be produced: its text holds a line feed or a carriage return.
  virtual bool BreaksLine(int32_t id) const = 0;

  // The SentencePiece model file, from which (with the list, if any) an equal tokenizer can be
  // made.
  virtual const std::string& serialized() const = 0;
  // What gives the ids if not the SentencePiece model does: piece_list.h.
  virtual const PieceList* list() const { return nullptr; }
  // Itself, or what it adds a prefix to.
  virtual const Tokenizer& base() const { return *this; }
  // Tells models apart: 16 hexadecimal digits.
  virtual std::string fingerprint() const = 0;
};

}  // namespace heed
