// Runs the real program, as a user's shell does.
#pragma once

#include <filesystem>
#include <string>

#include "config/recipe.h"
#include "tests/train/corpus_fixture.h"

namespace heed {

struct CommandResult {
  int status = -1;     // exit status
  std::string output;  // standard output
  std::string errors;  // standard error
};

// `arguments` as typed behind "heed", for the shell; `input` on standard input.
CommandResult RunHeed(const std::string& arguments, const std::string& input = "");

// A corpus with two short runs, trained once for the whole test program. Their translations are
// poor; only what the command line makes of them counts.
class TrainedRuns {
 public:
  static const TrainedRuns& Get();

  std::string first() const { return recipe_.output; }
  std::string other_vocabulary() const { return other_.output; }
  std::string recipe_file() const { return Path("first.yaml"); }
  std::string Path(const std::string& name) const { return corpus_.Path(name); }
  // Writes a file beside the corpus and returns its path.
  std::string Write(const std::string& name, const std::string& text) const;

 private:
  TrainedRuns();
  void Train(const Recipe& recipe) const;

  CorpusFixture corpus_;
  Recipe recipe_, other_;
};

// Lines in a text, as `wc -l` counts.
int64_t CountLines(const std::string& text);

}  // namespace heed
