// Every key of a recipe and the section it belongs to, for messages about keys that do not exist.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heed {

class KeyIndex {
 public:
  // Collects the keys from the field lists. Items of lists count as one section, "data.train[]".
  KeyIndex();

  // What to say about `key` in `section` ("training.schedule", "data.train[3]", "" for the top):
  //   unknown key 'batch_token' in 'training'; did you mean 'batch_tokens'?
  // A key of another section, of another toolkit, or near one of ours is told where it belongs.
  std::string ExplainUnknown(const std::string& key, const std::string& section) const;

  // Full paths, such as "training.batch_tokens", in the order of the field lists.
  const std::vector<std::string>& paths() const& { return paths_; }
  std::vector<std::string> paths() && { return std::move(paths_); }

 private:
  std::string Suggest(const std::string& key, const std::string& section) const;
  std::vector<std::string> KeysOf(const std::string& section) const;

  std::vector<std::string> paths_;
};

// The candidate nearest to `word` if it is near enough to be a slip of the keyboard, else "".
// Case and the difference between '-' and '_' do not count.
std::string NearestWord(const std::string& word, const std::vector<std::string>& candidates);

// The keys of other toolkits that we explain: pairs of their name and our path.
struct ForeignKey {
  const char* name;
  const char* path;
};
const std::vector<ForeignKey>& ForeignKeys();

}  // namespace heed
