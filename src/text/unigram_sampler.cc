#include "text/unigram_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr int32_t kUnknownCharacter = -1;

double LogAdd(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

// A piece (or kUnknownCharacter) that covers bytes [begin, end) of the text.
struct Edge {
  size_t begin = 0, end = 0;
  int32_t id = kUnknownCharacter;
  double log_weight = 0;  // alpha * score
};

// All segmentations of a text without user symbols.
class Lattice {
 public:
  Lattice(const PieceTable& pieces, std::string_view text, double alpha)
      : pieces_(pieces),
        text_(text),
        alpha_(alpha),
        log_total_(text.size() + 1, kImpossible),
        edges_to_(text.size() + 1) {
    log_total_[0] = 0;
    for (size_t begin = 0; begin < text.size();
         begin += static_cast<size_t>(CharacterLength(text[begin]))) {
      AddEdgesFrom(begin);
    }
  }

  // Draws number `*draw` and the following ones of the stream.
  void Sample(const RandomStream& stream, uint64_t* draw, std::vector<int32_t>* ids) const {
    std::vector<const Edge*> path;
    for (size_t end = text_.size(); end > 0; end = path.back()->begin) {
      path.push_back(&SampleEdgeTo(end, RandomUniform(stream, (*draw)++)));
    }
    for (auto edge = path.rbegin(); edge != path.rend(); ++edge) {
      if ((*edge)->id == kUnknownCharacter) {
        pieces_.AppendUnknown(text_.substr((*edge)->begin, (*edge)->end - (*edge)->begin), ids);
      } else {
        ids->push_back((*edge)->id);
      }
    }
  }

 private:
  void AddEdgesFrom(size_t begin) {
    const auto character = static_cast<size_t>(CharacterLength(text_[begin]));
    bool covers_character = false;
    pieces_.ordinary().ForEachPrefix(text_.substr(begin), [&](int64_t length, int32_t id) {
      covers_character |= static_cast<size_t>(length) == character;
      AddEdge({begin, begin + static_cast<size_t>(length), id, alpha_ * pieces_.score(id)});
    });
    if (!covers_character) {
      AddEdge({begin, begin + character, kUnknownCharacter, alpha_ * pieces_.unknown_score()});
    }
  }

  void AddEdge(const Edge& edge) {
    log_total_[edge.end] = LogAdd(log_total_[edge.end], log_total_[edge.begin] + edge.log_weight);
    edges_to_[edge.end].push_back(edge);
  }

  const Edge& SampleEdgeTo(size_t end, double uniform) const {
    double sum = 0;
    for (const Edge& edge : edges_to_[end]) {
      sum += std::exp(log_total_[edge.begin] + edge.log_weight - log_total_[end]);
      if (uniform < sum) return edge;
    }
    return edges_to_[end].back();  // rounding kept the sum below 1
  }

  const PieceTable& pieces_;
  std::string_view text_;
  double alpha_;
  std::vector<double> log_total_;  // of the weights of all ways to get to a byte
  std::vector<std::vector<Edge>> edges_to_;
};

}  // namespace

std::vector<int32_t> SampleUnigram(const PieceTable& pieces, std::string_view normalized,
                                   double alpha, const RandomStream& stream) {
  std::vector<int32_t> ids;
  uint64_t draw = 0;
  const auto sample_up_to = [&](size_t begin, size_t end) {
    if (begin < end) {
      Lattice(pieces, normalized.substr(begin, end - begin), alpha).Sample(stream, &draw, &ids);
    }
  };
  size_t start = 0;  // of the text since the last user symbol
  for (size_t position = 0; position < normalized.size();) {
    const PieceTable::Match match = pieces.MatchUserSymbol(normalized.substr(position));
    if (match.length > 0) {
      sample_up_to(start, position);
      ids.push_back(match.id);
      position += static_cast<size_t>(match.length);
      start = position;
    } else {
      position += static_cast<size_t>(CharacterLength(normalized[position]));
    }
  }
  sample_up_to(start, normalized.size());
  return ids;
}

}  // namespace heed
