#include "export/vocabulary_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>

#include "util/check.h"

namespace heed {
namespace {

const std::string& NameOf(const Tokenizer& tokenizer, int32_t id, const MarkNames& marks) {
  if (id == tokenizer.unk_id()) return marks.unknown;
  if (id == tokenizer.eos_id()) return marks.end;
  if (id == tokenizer.bos_id()) return marks.begin;
  return tokenizer.piece(id);
}

}  // namespace

std::vector<int64_t> VocabularyOrder(const Tokenizer& tokenizer,
                                     const std::vector<std::string>& list, const MarkNames& marks,
                                     const std::string& list_name) {
  std::unordered_map<std::string, int64_t> places;
  for (int64_t place = 0; place < std::ssize(list); ++place) {
    const std::string& name = list[static_cast<size_t>(place)];
    if (!places.emplace(name, place).second) ThrowUserError("{} has '{}' twice", list_name, name);
  }
  std::vector<int64_t> order;
  std::vector<std::string> missing;
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    const std::string& name = NameOf(tokenizer, id, marks);
    const auto found = places.find(name);
    if (found == places.end()) {
      missing.push_back(fmt::format("'{}'", name));
    } else {
      order.push_back(found->second);
    }
  }
  if (missing.empty()) return order;
  const size_t count = missing.size();
  constexpr size_t kMostNamed = 5;
  if (count > kMostNamed) missing.resize(kMostNamed);
  ThrowUserError(
      "{} lacks {} of the {} pieces of the SentencePiece model, for instance {}: is this the model "
      "that it was trained with?",
      list_name, count, tokenizer.size(), fmt::join(missing, ", "));
}

}  // namespace heed
