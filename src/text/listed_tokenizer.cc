#include "text/listed_tokenizer.h"

#include <algorithm>
#include <utility>

#include "util/check.h"
#include "util/checksum.h"

namespace heed {
namespace {

constexpr std::string_view kSpaceMark = "▁";  // SentencePiece's U+2581

// As transformers' MarianTokenizer does: SentencePiece leaves the marks in pieces that its model
// lacks.
std::string WithoutSpaceMarks(std::string_view text) {
  if (text.find(kSpaceMark) == std::string::npos) return std::string(text);
  std::string spaced;
  for (size_t i = 0; i < text.size();) {
    const bool is_mark = text.substr(i).starts_with(kSpaceMark);
    spaced += is_mark ? ' ' : text[i];
    i += is_mark ? kSpaceMark.size() : 1;
  }
  const size_t begin = spaced.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return spaced.substr(begin, spaced.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

ListedTokenizer::ListedTokenizer(std::unique_ptr<const SentencePieceTokenizer> cutter,
                                 std::shared_ptr<const PieceList> list)
    : cutter_(std::move(cutter)),
      list_(std::move(list)),
      is_byte_(static_cast<size_t>(list_->size())),
      fingerprint_(HexDigits(Fnv1a64(list_->ToJson(), Fnv1a64(cutter_->serialized())))) {
  for (int32_t id = 0; id < cutter_->size(); ++id) {
    const int32_t listed = list_->Find(cutter_->piece(id));
    const bool is_text = id != cutter_->unk_id() && listed >= 0;
    ids_.push_back(is_text ? listed : list_->unknown_id());
    if (is_text && cutter_->IsByte(id)) is_byte_[static_cast<size_t>(listed)] = true;
  }
}

std::string_view ListedTokenizer::TakePrefix(std::string_view line,
                                             std::vector<int32_t>* ids) const {
  ids->clear();
  const int32_t prefix = list_->MatchPrefix(line);
  if (prefix < 0) return line;
  ids->push_back(prefix);
  return line.substr(list_->piece(prefix).size());
}

void ListedTokenizer::Encode(std::string_view line, std::vector<int32_t>* ids) const {
  // By their text: the list may have pieces that the model does not know.
  for (const std::string& piece : cutter_->Cut(TakePrefix(line, ids))) {
    const int32_t id = list_->Find(piece);
    ids->push_back(id >= 0 ? id : unk_id());
  }
}

void ListedTokenizer::EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                                    const RandomStream& stream, std::vector<int32_t>* ids) const {
  std::vector<int32_t> cut;
  cutter_->EncodeSampled(TakePrefix(line, ids), sampling, stream, &cut);
  for (const int32_t id : cut) ids->push_back(ids_[static_cast<size_t>(id)]);
}

std::string ListedTokenizer::Decode(std::span<const int32_t> ids) const {
  std::vector<std::string> pieces;
  for (const int32_t id : ids) {
    if (id == eos_id() || id == bos_id()) continue;
    const std::string& text = piece(id);
    if (list_->IsPrefix(id)) continue;
    pieces.push_back(id == unk_id() ? cutter_->piece(cutter_->unk_id()) : text);
  }
  return WithoutSpaceMarks(cutter_->Join(pieces));
}

const std::string& ListedTokenizer::piece(int32_t id) const {
  HEED_CHECK(id >= 0 && id < size(), "id {} of a vocabulary of {}", id, size());
  return list_->piece(id);
}

bool ListedTokenizer::IsByte(int32_t id) const {
  HEED_CHECK(id >= 0 && id < size(), "id {} of a vocabulary of {}", id, size());
  return is_byte_[static_cast<size_t>(id)];
}

bool ListedTokenizer::BreaksLine(int32_t id) const {
  const std::string& text = piece(id);
  if (IsByte(id)) return text == "<0x0A>" || text == "<0x0D>";
  return text.find_first_of("\n\r") != std::string::npos;
}

std::filesystem::path PieceListPath(const std::filesystem::path& model) {
  return std::filesystem::path(model).replace_extension(".pieces.json");
}

std::shared_ptr<const Tokenizer> LoadTokenizer(const std::filesystem::path& model) {
  auto cutter = SentencePieceTokenizer::Load(model);
  const std::filesystem::path list = PieceListPath(model);
  std::error_code ignored;
  if (!std::filesystem::exists(list, ignored)) return cutter;
  return std::make_shared<ListedTokenizer>(std::move(cutter), PieceList::Load(list));
}

}  // namespace heed
