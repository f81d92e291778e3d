#include "util/byte_source.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "util/check.h"
#include "util/files.h"
#include "util/posix_file.h"

namespace heed {
namespace {

using std::string_view_literals::operator""sv;

constexpr size_t kInputBytes = size_t{128} << 10;

enum class Format { kPlain, kGzip, kZstd, kXz, kBzip2, kZip, kUtf16 };

struct Magic {
  std::string_view bytes;
  Format format;
};
constexpr Magic kMagics[] = {
    {"\x1F\x8B"sv, Format::kGzip},    {"\x28\xB5\x2F\xFD"sv, Format::kZstd},
    {"P*M\x18"sv, Format::kZstd},  // a skippable frame, with which pzstd begins
    {"\xFD\x37zXZ\0"sv, Format::kXz}, {"BZh91AY&SY"sv, Format::kBzip2},
    {"PK\x03\x04"sv, Format::kZip},   {"\xFF\xFE"sv, Format::kUtf16},
    {"\xFE\xFF"sv, Format::kUtf16},
};

// A file descriptor, and the bytes that were read to find out what it is.
class PlainSource : public ByteSource {
 public:
  explicit PlainSource(const std::filesystem::path& path)
      : path_(path),
        descriptor_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_.get() < 0) ThrowFileError("read", path, errno);
  }

  int64_t Read(char* data, int64_t capacity) override {
    if (!pushed_back_.empty()) {
      const auto count = std::min(static_cast<size_t>(capacity), pushed_back_.size());
      std::memcpy(data, pushed_back_.data(), count);
      pushed_back_.erase(0, count);
      return static_cast<int64_t>(count);
    }
    ssize_t count;
    do {
      count = read(descriptor_.get(), data, static_cast<size_t>(capacity));
    } while (count < 0 && errno == EINTR);
    if (count < 0) ThrowFileError("read", path_, errno);
    return count;
  }

  void PushBack(std::string bytes) { pushed_back_ = std::move(bytes); }

 private:
  std::filesystem::path path_;
  internal::Descriptor descriptor_;
  std::string pushed_back_;
};

// Compressed bytes and how far they have been used.
class CompressedSource : public ByteSource {
 protected:
  explicit CompressedSource(std::unique_ptr<ByteSource> input) : input_(std::move(input)) {}

  // Reads more compressed bytes once all are used; false at the end of the file.
  bool Fill() {
    if (used_ < filled_) return true;
    before_buffer_ += static_cast<int64_t>(filled_);
    used_ = 0;
    filled_ = static_cast<size_t>(input_->Read(buffer_.data(), static_cast<int64_t>(kInputBytes)));
    return filled_ > 0;
  }

  int64_t offset() const { return before_buffer_ + static_cast<int64_t>(used_); }

  std::string buffer_ = std::string(kInputBytes, '\0');
  size_t used_ = 0, filled_ = 0;

 private:
  std::unique_ptr<ByteSource> input_;
  int64_t before_buffer_ = 0;
};

// RFC 1952: members one after the other, then zeros (tapes and tar leave them).
class GzipSource : public CompressedSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> input) : CompressedSource(std::move(input)) {
    HEED_CHECK(inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK, "zlib does not start");
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  int64_t Read(char* data, int64_t capacity) override {
    const auto room = static_cast<uInt>(std::min(capacity, int64_t{1} << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(data);
    stream_.avail_out = room;
    while (stream_.avail_out == room && fault_.empty()) {
      if (!Fill()) {
        if (inside_member_) fault_ = fmt::format("gzip data end too early at byte {}", offset());
        break;
      }
      if (!inside_member_ && buffer_[used_] == '\0') {
        ++used_;
        continue;
      }
      inside_member_ = true;
      Inflate();
    }
    return room - stream_.avail_out;
  }

 private:
  void Inflate() {
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data() + used_);
    stream_.avail_in = static_cast<uInt>(filled_ - used_);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    used_ = filled_ - stream_.avail_in;
    if (status == Z_STREAM_END) {
      inside_member_ = false;
      inflateReset(&stream_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fault_ = fmt::format("damaged gzip data at byte {} ({})", offset(),
                           stream_.msg == nullptr ? "no details" : stream_.msg);
    }
  }

  z_stream stream_{};
  bool inside_member_ = false;
};

class ZstdSource : public CompressedSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> input)
      : CompressedSource(std::move(input)), context_(ZSTD_createDCtx()) {
    HEED_CHECK(context_ != nullptr, "zstd does not start");
    // Files made with --long are welcome.
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax,
                           ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
  }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { ZSTD_freeDCtx(context_); }

  int64_t Read(char* data, int64_t capacity) override {
    ZSTD_outBuffer output{data, static_cast<size_t>(capacity), 0};
    while (output.pos == 0 && fault_.empty()) {
      // Output may be waiting inside zstd when all input is used.
      if (!has_pending_output_ && !Fill()) {
        if (inside_frame_) fault_ = fmt::format("zstd data end too early at byte {}", offset());
        break;
      }
      ZSTD_inBuffer input{buffer_.data(), filled_, used_};
      const size_t status = ZSTD_decompressStream(context_, &output, &input);
      used_ = input.pos;
      if (ZSTD_isError(status) != 0) {
        fault_ =
            fmt::format("damaged zstd data at byte {} ({})", offset(), ZSTD_getErrorName(status));
      }
      inside_frame_ = status != 0;
      has_pending_output_ = output.pos == output.size && inside_frame_;
    }
    return static_cast<int64_t>(output.pos);
  }

 private:
  ZSTD_DCtx* context_;
  bool inside_frame_ = false;
  bool has_pending_output_ = false;
};

// Reads no further than needed to tell the formats apart, since more may never come.
std::string ReadStart(ByteSource& source) {
  std::string start;
  const auto undecided = [&] {
    return std::any_of(std::begin(kMagics), std::end(kMagics), [&](const Magic& magic) {
      return start.size() < magic.bytes.size() && magic.bytes.starts_with(start);
    });
  };
  char byte;
  while (undecided() && source.Read(&byte, 1) == 1) start += byte;
  return start;
}

Format FormatOf(std::string_view start) {
  for (const Magic& magic : kMagics) {
    if (start.starts_with(magic.bytes)) return magic.format;
  }
  return Format::kPlain;
}

[[noreturn]] void Refuse(const std::filesystem::path& path, std::string_view what,
                         std::string_view command) {
  ThrowUserError("{} is {}; Heed reads plain, gzip and zstd files: convert it first ({})",
                 path.string(), what, command);
}

}  // namespace

std::unique_ptr<ByteSource> OpenByteSource(const std::filesystem::path& path) {
  auto plain = std::make_unique<PlainSource>(path);
  std::string start = ReadStart(*plain);
  const Format format = FormatOf(start);
  plain->PushBack(std::move(start));
  switch (format) {
    case Format::kPlain:
      return plain;
    case Format::kGzip:
      return std::make_unique<GzipSource>(std::move(plain));
    case Format::kZstd:
      return std::make_unique<ZstdSource>(std::move(plain));
    case Format::kXz:
      Refuse(path, "an xz file", "xz -d");
    case Format::kBzip2:
      Refuse(path, "a bzip2 file", "bzip2 -d");
    case Format::kZip:
      Refuse(path, "a zip file", "unzip");
    case Format::kUtf16:
      Refuse(path, "UTF-16 text", "iconv -f UTF-16 -t UTF-8");
  }
  return plain;
}

}  // namespace heed
