// What is wrong with a recipe, and where: collected, so that one run reports everything.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heed {

// A place in a file (line and column from 1, the column in bytes), or just the source's name.
struct SourcePosition {
  std::string file{};
  int line = 0;
  int column = 0;

  // "recipe.yaml:12:5", or "command line".
  std::string ToString() const;
};

// Where each given key of a recipe stands, by path, such as "data.train[0].source".
using KeyPositions = std::map<std::string, SourcePosition>;

class ProblemList {
 public:
  void Add(SourcePosition where, std::string message);
  bool IsEmpty() const { return problems_.empty(); }

  // One line "file:line:column: message" per problem, by file (in order of appearance) and place;
  // of more than 30 the rest is only counted.
  std::string ToString() const;

  // Throws UserError with ToString() unless empty.
  void ThrowIfAny() const;

 private:
  struct Problem {
    SourcePosition where;
    std::string message;
  };
  std::vector<Problem> problems_;
};

}  // namespace heed
