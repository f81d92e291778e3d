#include "text/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "text/bpe_sampler.h"
#include "text/cleanup.h"
#include "text/piece_table.h"
#include "text/subword_pieces.h"
#include "text/unigram_sampler.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

SubwordPieces ParseNamed(std::string_view model, std::string_view name) {
  try {
    return ParseSubwordPieces(model);
  } catch (const UserError& error) {
    ThrowUserError("{}: {}", name, error.what());
  }
}

// SentencePiece fails on no line; a failure is a bug of ours.
void Check(const sentencepiece::util::Status& status) {
  HEED_CHECK(status.ok(), "SentencePiece: {}", status.ToString());
}

// Loads a model; returns what is wrong with it, if anything.
std::string LoadFault(const std::string& model, sentencepiece::SentencePieceProcessor* processor) {
  try {
    const auto status = processor->LoadFromSerializedProto(model);
    return status.ok() ? "" : std::string(status.message());
  } catch (const std::exception& error) {  // of its index of the pieces
    return error.what();
  }
}

std::string WithoutLineBreaks(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

struct SentencePieceTokenizer::Parts {
  Parts(std::string model_bytes, std::string_view name)
      : model(std::move(model_bytes)), pieces(ParseNamed(model, name)), table(pieces) {}

  // Whose pieces spell the normalised text at the least cost: SentencePiece has no function for it
  // before version 0.2, and its unigram encoder is the fastest. Made when first needed.
  const sentencepiece::SentencePieceProcessor& speller() {
    if (pieces.kind == SubwordKind::kUnigram) return processor;
    std::call_once(speller_once_, [this] {
      // Protocol buffers merge, so a later trainer_spec {model_type: UNIGRAM} wins over the
      // model's.
      Check(speller_.LoadFromSerializedProto(model + "\x12\x02\x18\x01"));
    });
    return speller_;
  }

  std::string model;
  SubwordPieces pieces;
  PieceTable table;
  sentencepiece::SentencePieceProcessor processor;

 private:
  sentencepiece::SentencePieceProcessor speller_;
  std::once_flag speller_once_;
};

SentencePieceTokenizer::SentencePieceTokenizer(std::string model, std::string_view name)
    : parts_(std::make_unique<Parts>(std::move(model), name)) {
  auto& processor = parts_->processor;
  if (const std::string fault = LoadFault(parts_->model, &processor); !fault.empty()) {
    ThrowUserError("{}: SentencePiece cannot load this model ({}); train it again", name, fault);
  }
  if (processor.eos_id() < 0) {
    ThrowUserError("{}: this SentencePiece model has no end mark; train it with --eos_id=0", name);
  }
  const auto is_clash = [&](int id) {
    return id == processor.eos_id() || id == processor.unk_id();
  };
  if (processor.eos_id() == processor.unk_id() || is_clash(processor.bos_id()) ||
      is_clash(processor.pad_id())) {
    ThrowUserError(
        "{}: two marks of this SentencePiece model have the same id (end {}, unknown {}, begin {}, "
        "padding {}); train it again",
        name, processor.eos_id(), processor.unk_id(), processor.bos_id(), processor.pad_id());
  }
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

std::unique_ptr<SentencePieceTokenizer> SentencePieceTokenizer::Load(
    const std::filesystem::path& path) {
  return std::make_unique<SentencePieceTokenizer>(ReadFile(path), path.string());
}

void SentencePieceTokenizer::Encode(std::string_view line, std::vector<int32_t>* ids) const {
  std::string buffer;
  Check(parts_->processor.Encode(CleanLine(line, &buffer), ids));
}

std::vector<std::string> SentencePieceTokenizer::Cut(std::string_view line) const {
  std::string buffer;
  std::vector<std::string> pieces;
  Check(parts_->processor.Encode(CleanLine(line, &buffer), &pieces));
  return pieces;
}

std::string SentencePieceTokenizer::Normalize(std::string_view line) const {
  std::string buffer, normalized;
  const auto encoded = parts_->speller().EncodeAsImmutableProto(CleanLine(line, &buffer));
  for (const auto& piece : encoded.pieces()) {
    if (IsByte(static_cast<int32_t>(piece.id()))) {
      normalized += static_cast<char>(std::stoi(piece.piece().substr(1), nullptr, 16));
    } else {
      normalized += piece.piece();
    }
  }
  return normalized;
}

void SentencePieceTokenizer::EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                                           const RandomStream& stream,
                                           std::vector<int32_t>* ids) const {
  const bool is_unigram = parts_->pieces.kind == SubwordKind::kUnigram;
  if (parts_->pieces.kind == SubwordKind::kBpe && sampling.dropout > 0) {
    *ids = SampleBpe(parts_->table, Normalize(line), sampling.dropout, stream);
  } else if (is_unigram && sampling.nbest < 0) {
    *ids = SampleUnigram(parts_->table, Normalize(line), sampling.alpha, stream);
  } else if (is_unigram && sampling.nbest > 1) {
    SampleNbest(line, sampling, stream, ids);
  } else {
    Encode(line, ids);
  }
}

void SentencePieceTokenizer::SampleNbest(std::string_view line, const SubwordSampling& sampling,
                                         const RandomStream& stream,
                                         std::vector<int32_t>* ids) const {
  constexpr int64_t kMostCandidates = 1024;  // SentencePiece allows no more
  std::string buffer;
  const auto candidates = parts_->processor.NBestEncodeAsImmutableProto(
      CleanLine(line, &buffer), static_cast<int>(std::min(sampling.nbest, kMostCandidates)));
  ids->clear();
  if (candidates.nbests_size() == 0) return;  // a blank line
  std::vector<double> cumulative;
  const double best = candidates.nbests(0).score();
  for (const auto& candidate : candidates.nbests()) {
    const double weight = std::exp(sampling.alpha * (candidate.score() - best));
    cumulative.push_back(weight + (cumulative.empty() ? 0 : cumulative.back()));
  }
  const double wanted = RandomUniform(stream, 0) * cumulative.back();
  const auto chosen = std::lower_bound(cumulative.begin(), cumulative.end(), wanted);
  const auto index = static_cast<int>(chosen - cumulative.begin());
  for (const auto& piece : candidates.nbests(index).pieces()) {
    ids->push_back(static_cast<int32_t>(piece.id()));
  }
}

std::string SentencePieceTokenizer::Decode(std::span<const int32_t> ids) const {
  for (const int32_t id : ids) {
    HEED_CHECK(id >= 0 && id < size(), "id {} of a vocabulary of {}", id, size());
  }
  std::string text;
  Check(parts_->processor.Decode(std::vector<int>(ids.begin(), ids.end()), &text));
  return WithoutLineBreaks(std::move(text));
}

std::string SentencePieceTokenizer::Join(const std::vector<std::string>& pieces) const {
  std::string text;
  Check(parts_->processor.Decode(pieces, &text));
  return WithoutLineBreaks(std::move(text));
}

int64_t SentencePieceTokenizer::size() const {
  return static_cast<int64_t>(parts_->pieces.pieces.size());
}

int32_t SentencePieceTokenizer::eos_id() const {
  return parts_->processor.eos_id();
}

int32_t SentencePieceTokenizer::unk_id() const {
  return parts_->processor.unk_id();
}

int32_t SentencePieceTokenizer::bos_id() const {
  return parts_->processor.bos_id();
}

const std::string& SentencePieceTokenizer::piece(int32_t id) const {
  HEED_CHECK(id >= 0 && id < size(), "id {} of a vocabulary of {}", id, size());
  return parts_->pieces.pieces[static_cast<size_t>(id)].text;
}

bool SentencePieceTokenizer::IsByte(int32_t id) const {
  HEED_CHECK(id >= 0 && id < size(), "id {} of a vocabulary of {}", id, size());
  return parts_->pieces.pieces[static_cast<size_t>(id)].kind == PieceKind::kByte;
}

bool SentencePieceTokenizer::BreaksLine(int32_t id) const {
  const std::string& text = piece(id);
  if (IsByte(id)) return text == "<0x0A>" || text == "<0x0D>";
  return text.find_first_of("\n\r") != std::string::npos;
}

const std::string& SentencePieceTokenizer::serialized() const {
  return parts_->model;
}

std::string SentencePieceTokenizer::fingerprint() const {
  return HexDigits(Fnv1a64(parts_->model));
}

}  // namespace heed
