#include "text/bpe_sampler.h"

#include <queue>

namespace heed {
namespace {

constexpr int32_t kNone = -1;

// A run of characters that is one symbol for now; merged away if its text is empty.
struct Symbol {
  std::string_view text;
  int32_t previous = kNone, next = kNone;
  int32_t user_symbol = kNone;  // its id
};

// A merge of two neighbours that may be due.
struct Merge {
  float score = 0;
  int32_t left = 0, right = 0;
  size_t bytes = 0;  // of the merged text; tells merges apart that came too late

  // The best comes first: the higher score, then the one further left.
  bool operator<(const Merge& other) const {
    return score < other.score || (score == other.score && left > other.left);
  }
};

class Merger {
 public:
  Merger(const PieceTable& pieces, std::string_view text) : pieces_(pieces) {
    while (!text.empty()) {
      const PieceTable::Match match = pieces.MatchUserSymbol(text);
      const auto length =
          static_cast<size_t>(match.length > 0 ? match.length : CharacterLength(text.front()));
      const auto index = static_cast<int32_t>(symbols_.size());
      symbols_.push_back({text.substr(0, length), index - 1, index + 1, match.id});
      text.remove_prefix(length);
    }
    if (!symbols_.empty()) symbols_.back().next = kNone;
    for (size_t i = 1; i < symbols_.size(); ++i) {
      Propose(static_cast<int32_t>(i) - 1, static_cast<int32_t>(i));
    }
  }

  void Run(double dropout, const RandomStream& stream) {
    for (uint64_t draw = 0; !agenda_.empty();) {
      const Merge merge = agenda_.top();
      agenda_.pop();
      const bool is_stale = At(merge.left).text.empty() || At(merge.right).text.empty() ||
                            At(merge.left).text.size() + At(merge.right).text.size() != merge.bytes;
      if (is_stale || (dropout > 0 && RandomUniform(stream, draw++) < dropout)) continue;
      Apply(merge);
    }
  }

  std::vector<int32_t> Ids() const {
    std::vector<int32_t> ids;
    for (const Symbol& symbol : symbols_) {
      if (symbol.text.empty()) continue;
      const int32_t id =
          symbol.user_symbol >= 0 ? symbol.user_symbol : pieces_.ordinary().Find(symbol.text);
      if (id >= 0) {
        ids.push_back(id);
      } else {
        pieces_.AppendUnknown(symbol.text, &ids);
      }
    }
    return ids;
  }

 private:
  Symbol& At(int32_t index) { return symbols_[static_cast<size_t>(index)]; }

  void Propose(int32_t left, int32_t right) {
    if (left == kNone || right == kNone) return;
    if (At(left).user_symbol >= 0 || At(right).user_symbol >= 0) return;
    const size_t bytes = At(left).text.size() + At(right).text.size();
    const int32_t id = pieces_.ordinary().Find({At(left).text.data(), bytes});
    if (id >= 0) agenda_.push({pieces_.score(id), left, right, bytes});
  }

  void Apply(const Merge& merge) {
    Symbol& left = At(merge.left);
    Symbol& right = At(merge.right);
    left.text = {left.text.data(), merge.bytes};
    left.next = right.next;
    if (right.next != kNone) At(right.next).previous = merge.left;
    right.text = {};
    Propose(left.previous, merge.left);
    Propose(merge.left, left.next);
  }

  const PieceTable& pieces_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Merge> agenda_;
};

}  // namespace

std::vector<int32_t> SampleBpe(const PieceTable& pieces, std::string_view normalized,
                               double dropout, const RandomStream& stream) {
  Merger merger(pieces, normalized);
  merger.Run(dropout, stream);
  return merger.Ids();
}

}  // namespace heed
