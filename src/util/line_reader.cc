#include "util/line_reader.h"

#include <algorithm>
#include <cstring>

#include "util/check.h"

namespace heed {
namespace {

constexpr size_t kInitialBytes = size_t{256} << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(const std::filesystem::path& path, int64_t longest_line)
    : path_(path),
      longest_line_(longest_line),
      source_(OpenByteSource(path)),
      buffer_(kInitialBytes, '\0') {}

bool LineReader::Next(std::string_view* line) {
  size_t scanned = begin_;
  const char* newline = nullptr;
  while (newline == nullptr) {
    newline = static_cast<const char*>(std::memchr(buffer_.data() + scanned, '\n', end_ - scanned));
    const size_t length =
        newline == nullptr ? end_ - begin_ : static_cast<size_t>(newline - buffer_.data()) - begin_;
    if (static_cast<int64_t>(length) > longest_line_) {
      ThrowUserError("{}:{}: a line of more than {} bytes; is this a text file?", path_.string(),
                     line_number_ + 1, longest_line_);
    }
    if (newline == nullptr) {
      const bool is_last = !Fill();  // moves the bytes to the front of the buffer
      if (is_last && begin_ == end_) return false;
      if (is_last) newline = buffer_.data() + end_;
      scanned = begin_ + length;
    }
  }
  const char* start = buffer_.data() + begin_;
  *line = {start, static_cast<size_t>(newline - start)};
  begin_ = std::min(end_, begin_ + line->size() + 1);
  if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
  if (line_number_ == 0 && line->starts_with(kByteOrderMark)) {
    line->remove_prefix(kByteOrderMark.size());
  }
  ++line_number_;
  return true;
}

// Reads more bytes behind those that wait; false at the end of the file.
bool LineReader::Fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const int64_t count =
      source_->Read(buffer_.data() + end_, static_cast<int64_t>(buffer_.size() - end_));
  end_ += static_cast<size_t>(count);
  if (count == 0 && !source_->fault().empty()) {
    ThrowUserError("{}:{}: {}; fetch or compress the file again", path_.string(), line_number_ + 1,
                   source_->fault());
  }
  return count > 0;
}

std::vector<std::string> ReadLines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  LineReader reader(path);
  for (std::string_view line; reader.Next(&line);) lines.emplace_back(line);
  return lines;
}

}  // namespace heed
