#include "export/zip_archive.h"

#include <zip.h>

#include <array>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/cleanup.h"
#include "text/utf8.h"
#include "util/check.h"
#include "util/directories.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostEntries = 10000;
// Unpacked bytes for each byte of the archive, and besides. Models hardly shrink, vocabularies to a
// third; what shrinks to a thousandth is made to fill disks.
constexpr int64_t kLargestRatio = 100;
constexpr int64_t kFreeBytes = int64_t{16} << 20;

using ZipHandle = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using ZipFileHandle = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

struct ZipEntry {
  uint64_t index = 0;
  std::string name;
  int64_t bytes = 0;
  bool is_directory = false;
};

class ZipUnpacker {
 public:
  explicit ZipUnpacker(const fs::path& path) : path_(path), zip_(nullptr, &zip_discard) {
    const int64_t bytes = FileSize(path);  // throws if it is absent
    int code = 0;
    zip_.reset(zip_open(path.c_str(), ZIP_RDONLY, &code));
    if (zip_ == nullptr) {
      zip_error_t error;
      zip_error_init_with_code(&error, code);
      const std::string reason = zip_error_strerror(&error);
      zip_error_fini(&error);
      Fail(reason);
    }
    limit_ = bytes * kLargestRatio + kFreeBytes;
  }

  void Unpack(const fs::path& directory) {
    const std::vector<ZipEntry> entries = FindEntries();
    int64_t total = 0;
    for (const ZipEntry& entry : entries) total += entry.bytes;
    RequireFreeBytes(directory, total, path_.string() + " unpacked");
    for (const ZipEntry& entry : entries) {
      const fs::path path = directory / entry.name;
      MakeDirectories(entry.is_directory ? path : path.parent_path());
      if (!entry.is_directory) Write(entry, path);
    }
  }

 private:
  [[noreturn]] void Fail(std::string_view reason) const {
    ThrowUserError("{} is not a ZIP archive that can be unpacked: {}", path_.string(), reason);
  }

  std::vector<ZipEntry> FindEntries() const {
    const int64_t count = zip_get_num_entries(zip_.get(), 0);
    if (count < 0 || count > kMostEntries) Fail(fmt::format("it has {} entries", count));
    std::vector<ZipEntry> entries;
    std::set<std::string> names;
    int64_t total = 0;
    for (uint64_t index = 0; index < static_cast<uint64_t>(count); ++index) {
      ZipEntry entry = Inspect(index);
      if (!names.insert(entry.name).second) Fail(fmt::format("'{}' comes twice", entry.name));
      if (entry.bytes > limit_ - total) {
        Fail(fmt::format("its files would have more than {}, {} times its own size",
                         FormatBytes(limit_), kLargestRatio));
      }
      total += entry.bytes;
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  ZipEntry Inspect(uint64_t index) const {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(zip_.get(), index, ZIP_FL_ENC_RAW, &about) != 0) Fail("an entry is damaged");
    constexpr zip_uint64_t kWanted =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((about.valid & kWanted) != kWanted) Fail("an entry is damaged");
    ZipEntry entry{.index = index, .name = about.name};
    entry.is_directory = entry.name.ends_with('/');
    if (entry.is_directory) entry.name.pop_back();
    RequirePlainName(entry.name);
    if (about.encryption_method != ZIP_EM_NONE) Fail(fmt::format("'{}' is encrypted", entry.name));
    if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE) {
      Fail(fmt::format("'{}' is compressed by method {}, not deflated", entry.name,
                       about.comp_method));
    }
    if (IsLink(index)) Fail(fmt::format("'{}' is a link", entry.name));
    if (about.size > static_cast<uint64_t>(limit_))
      Fail(fmt::format("'{}' is too large", entry.name));
    entry.bytes = entry.is_directory ? 0 : static_cast<int64_t>(about.size);
    return entry;
  }

  // Parts of a path below the directory, however it is read.
  void RequirePlainName(std::string_view name) const {
    bool is_plain = !FindBadUtf8(name) && !HasControlCharacters(name) &&
                    name.find('\t') == std::string_view::npos &&
                    name.find('\\') == std::string_view::npos && !name.empty();
    for (size_t begin = 0; is_plain && begin <= name.size();) {
      const size_t end = std::min(name.find('/', begin), name.size());
      const std::string_view part = name.substr(begin, end - begin);
      is_plain = !part.empty() && part != "." && part != "..";
      begin = end + 1;
    }
    if (is_plain) return;
    Fail(fmt::format("'{}' is no name of a file in it", ReplaceBadUtf8(name)));
  }

  bool IsLink(uint64_t index) const {
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(zip_.get(), index, 0, &system, &attributes) != 0) {
      return false;
    }
    constexpr uint32_t kTypeMask = 0170000, kLink = 0120000;  // of Unix, in the upper half
    return system == ZIP_OPSYS_UNIX && (attributes >> 16 & kTypeMask) == kLink;
  }

  void Write(const ZipEntry& entry, const fs::path& path) const {
    const ZipFileHandle file(zip_fopen_index(zip_.get(), entry.index, 0), &zip_fclose);
    if (file == nullptr) Fail(fmt::format("'{}' cannot be read", entry.name));
    AtomicFile output(path);
    std::array<char, 1 << 16> buffer;
    for (;;) {
      const int64_t count = zip_fread(file.get(), buffer.data(), buffer.size());
      if (count < 0) Fail(fmt::format("'{}' is damaged", entry.name));
      if (count == 0) break;
      if (output.bytes() + count > entry.bytes) {
        Fail(fmt::format("'{}' is larger than it says", entry.name));
      }
      output.Write(buffer.data(), count);
    }
    if (output.bytes() != entry.bytes) {
      Fail(fmt::format("'{}' is smaller than it says", entry.name));
    }
    output.Commit();
  }

  fs::path path_;
  ZipHandle zip_;
  int64_t limit_ = 0;  // unpacked bytes
};

}  // namespace

void UnpackZip(const fs::path& archive, const fs::path& directory) {
  ZipUnpacker(archive).Unpack(directory);
}

fs::path RootOfUnpacked(const fs::path& unpacked) {
  fs::directory_iterator entries(unpacked);
  if (entries == fs::directory_iterator()) return unpacked;
  const fs::directory_entry first = *entries;
  return ++entries == fs::directory_iterator() && first.is_directory() ? first.path() : unpacked;
}

}  // namespace heed
