#include "text/piece_list.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "text/utf8.h"
#include "util/check.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

using Json = nlohmann::json;

constexpr int64_t kLargestListFile = int64_t{1} << 27;  // bytes; lists have 1 to 5 MB
constexpr size_t kLongestPrefix = 256;                  // bytes
constexpr size_t kMostShown = 40;                       // bytes of a piece in a message

// For messages; pieces may hold anything.
std::string Shown(std::string_view piece) {
  std::string shown = ReplaceBadUtf8(piece.substr(0, kMostShown));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return shown;
}

using Prefixes = std::vector<std::pair<std::string_view, int32_t>>;

std::vector<std::string> StringsAt(const Json& file, const char* key) {
  return file.contains(key) ? file.at(key).get<std::vector<std::string>>()
                            : std::vector<std::string>();
}

}  // namespace

PieceList::PieceList(std::vector<std::string> pieces, const PieceMarks& marks,
                     const std::vector<std::string>& prefixes, std::string_view name)
    : pieces_(std::move(pieces)),
      ends_source_(marks.ends_source),
      is_prefix_(pieces_.size()),
      prefixes_(Prefixes{}) {
  if (pieces_.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    ThrowUserError("{} has {} pieces, more than ids can tell apart", name, pieces_.size());
  }
  ids_.reserve(pieces_.size());
  for (int32_t id = 0; id < size(); ++id) {
    if (piece(id).empty()) ThrowUserError("{}: piece {} is empty", name, id);
    if (FindBadUtf8(piece(id))) ThrowUserError("{}: piece {} is not UTF-8", name, id);
    const auto [found, is_new] = ids_.emplace(piece(id), id);
    if (is_new) continue;
    ThrowUserError("{}: '{}' is piece {} and piece {}", name, Shown(piece(id)), found->second, id);
  }
  end_id_ = Require(marks.end, "the end mark", name);
  unknown_id_ = Require(marks.unknown, "the unknown piece", name);
  if (!marks.begin.empty()) begin_id_ = Require(marks.begin, "the begin mark", name);
  if (unknown_id_ == end_id_ || unknown_id_ == begin_id_) {
    ThrowUserError("{}: '{}' is the unknown piece and a mark", name, Shown(marks.unknown));
  }
  Prefixes entries;
  for (const std::string& prefix : prefixes) {
    if (prefix.size() > kLongestPrefix) {
      ThrowUserError("{}: the prefix '{}' is too long", name, Shown(prefix));
    }
    const int32_t id = Require(prefix, "a prefix", name);
    is_prefix_[static_cast<size_t>(id)] = true;
    entries.emplace_back(piece(id), id);
  }
  prefixes_ = PieceTrie(std::move(entries));
}

int32_t PieceList::Require(const std::string& piece, std::string_view role,
                           std::string_view name) const {
  const int32_t id = Find(piece);
  if (id < 0) ThrowUserError("{} does not list {}, '{}'", name, role, Shown(piece));
  return id;
}

std::shared_ptr<const PieceList> PieceList::Load(const std::filesystem::path& path) {
  if (FileSize(path) > kLargestListFile) {
    ThrowUserError("{} has {}; no list of pieces is that large", path.string(),
                   FormatBytes(FileSize(path)));
  }
  const Json file = ReadJsonFile(path);
  try {
    PieceMarks marks;
    file.at("end").get_to(marks.end);
    file.at("unknown").get_to(marks.unknown);
    if (file.contains("begin")) file.at("begin").get_to(marks.begin);
    if (file.contains("source_end")) file.at("source_end").get_to(marks.ends_source);
    return std::make_shared<const PieceList>(file.at("pieces").get<std::vector<std::string>>(),
                                             marks, StringsAt(file, "prefixes"), path.string());
  } catch (const Json::exception& error) {
    ThrowUserError("{} is no list of pieces: {}", path.string(), error.what());
  }
}

std::string PieceList::ToJson() const {
  nlohmann::ordered_json file;
  file["end"] = piece(end_id_);
  file["unknown"] = piece(unknown_id_);
  if (begin_id_ >= 0) file["begin"] = piece(begin_id_);
  if (!ends_source_) file["source_end"] = false;
  auto prefixes = nlohmann::ordered_json::array();
  for (int32_t id = 0; id < size(); ++id) {
    if (IsPrefix(id)) prefixes.push_back(piece(id));
  }
  if (!prefixes.empty()) file["prefixes"] = prefixes;
  file["pieces"] = pieces_;
  constexpr int kIndent = 1;
  return file.dump(kIndent) + "\n";
}

int32_t PieceList::Find(std::string_view piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? -1 : found->second;
}

int32_t PieceList::MatchPrefix(std::string_view line) const {
  int32_t longest = -1;
  prefixes_.ForEachPrefix(line, [&](int64_t /*length*/, int32_t id) { longest = id; });
  return longest;
}

bool PieceList::operator==(const PieceList& other) const {
  return pieces_ == other.pieces_ && end_id_ == other.end_id_ && unknown_id_ == other.unknown_id_ &&
         begin_id_ == other.begin_id_ && ends_source_ == other.ends_source_ &&
         is_prefix_ == other.is_prefix_;
}

}  // namespace heed
