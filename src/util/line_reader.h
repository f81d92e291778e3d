// The lines of a text file, plain, gzip or zstd.
//
// A line ends at byte 0x0A and nowhere else: U+2028, U+0085, form feeds and lone carriage returns
// stay inside it, as `wc -l` counts. One carriage return before the end is dropped, so files from
// Windows read alike. A last line without 0x0A counts. A byte-order mark (EF BB BF) at the start
// of the file is no text and is dropped. Non-goal: knowing about characters; see text/utf8.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "util/byte_source.h"

namespace heed {

inline constexpr int64_t kLongestLine = int64_t{256} << 20;  // bytes

class LineReader {
 public:
  // "-" reads standard input. Throws UserError if the file cannot be read.
  explicit LineReader(const std::filesystem::path& path, int64_t longest_line = kLongestLine);

  // The next line, valid until the next call; false at the end. Throws UserError, naming file and
  // line, for damaged compressed data and for a line of more than `longest_line` bytes.
  bool Next(std::string_view* line);

  // Lines given so far, and so the number of the last one, from 1.
  int64_t line_number() const { return line_number_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  bool Fill();

  std::filesystem::path path_;
  int64_t longest_line_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;  // bytes [begin_, end_) are read and not yet given
  size_t begin_ = 0, end_ = 0;
  int64_t line_number_ = 0;
};

// All lines of a file.
std::vector<std::string> ReadLines(const std::filesystem::path& path);

}  // namespace heed
