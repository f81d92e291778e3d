#include "export/marian_npz.h"

#include <fmt/ranges.h>

#include <string>
#include <string_view>

#include "export/file_numbers.h"
#include "export/zip_format.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

constexpr int64_t kZipVersion = 20;  // of ZIP, that a reader needs
constexpr int64_t kZipJanuary1980 = 0x21;

std::string EntryName(const MarianItem& item) {
  return item.name + ".npy";
}

// Magic, version 1.0, and a Python dictionary, padded with spaces to a multiple of 16 bytes.
std::string MakeNpyHeader(const MarianItem& item) {
  const char* type = item.type == MarianType::kInt8 ? "|i1" : "<f4";
  HEED_CHECK(item.type != MarianType::kFloat16, "{} in float16", item.name);
  const char* comma = item.shape.size() == 1 ? "," : "";
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 type, fmt::join(item.shape, ", "), comma);
  constexpr size_t kPrefix = 10;
  constexpr size_t kMultiple = 16;
  const size_t unpadded = kPrefix + text.size() + 1;
  text.append((kMultiple - unpadded % kMultiple) % kMultiple, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  AppendNumber<uint16_t>(header, std::ssize(text));
  return header + text;
}

// What the local and the central record share: from the version needed to the name's length.
std::string DescribeEntry(const MarianItem& item, int64_t bytes, uint32_t crc) {
  std::string record;
  AppendNumber<uint16_t>(record, kZipVersion);
  AppendNumber<uint16_t>(record, 0);  // flags
  AppendNumber<uint16_t>(record, 0);  // stored
  AppendNumber<uint16_t>(record, 0);  // midnight
  AppendNumber<uint16_t>(record, kZipJanuary1980);
  AppendNumber<uint32_t>(record, crc);
  AppendNumber<uint32_t>(record, bytes);  // as stored
  AppendNumber<uint32_t>(record, bytes);
  AppendNumber<uint16_t>(record, std::ssize(EntryName(item)));
  AppendNumber<uint16_t>(record, 0);  // extra fields
  return record;
}

// Writes an entry and returns its record for the central directory.
std::string WriteZipEntry(AtomicFile& file, const MarianItem& item) {
  const std::string header = MakeNpyHeader(item);
  const std::string data = item.make();
  HEED_CHECK(std::ssize(data) == item.bytes(), "{} has {} bytes instead of {}", item.name,
             data.size(), item.bytes());
  const uint32_t crc =
      Crc32(data.data(), std::ssize(data), Crc32(header.data(), std::ssize(header)));
  const std::string description = DescribeEntry(item, std::ssize(header) + std::ssize(data), crc);
  const int64_t place = file.bytes();
  file.Write(kZipLocalMark);
  file.Write(description);
  file.Write(EntryName(item));
  file.Write(header);
  file.Write(data);
  std::string record(kZipCentralMark);
  AppendNumber<uint16_t>(record, kZipVersion);
  record += description;
  AppendNumber<uint16_t>(record, 0);  // comment
  AppendNumber<uint16_t>(record, 0);  // disk
  AppendNumber<uint16_t>(record, 0);  // internal attributes
  AppendNumber<uint32_t>(record, 0);  // external attributes
  AppendNumber<uint32_t>(record, place);
  return record + EntryName(item);
}

void WriteZipEnd(AtomicFile& file, int64_t entries, const std::string& directory) {
  const int64_t place = file.bytes();
  file.Write(directory);
  std::string record(kZipEndMark);
  AppendNumber<uint16_t>(record, 0);  // this disk
  AppendNumber<uint16_t>(record, 0);  // the directory's
  AppendNumber<uint16_t>(record, entries);
  AppendNumber<uint16_t>(record, entries);
  AppendNumber<uint32_t>(record, std::ssize(directory));
  AppendNumber<uint32_t>(record, place);
  AppendNumber<uint16_t>(record, 0);  // comment
  file.Write(record);
}

}  // namespace

int64_t MarianNpzBytes(const std::vector<MarianItem>& items) {
  int64_t bytes = kZipEndBytes;
  for (const MarianItem& item : items) {
    bytes += kZipLocalBytes + kZipCentralBytes + 2 * std::ssize(EntryName(item)) +
             std::ssize(MakeNpyHeader(item)) + item.bytes();
  }
  return bytes;
}

void WriteMarianNpz(const std::filesystem::path& path, const std::vector<MarianItem>& items) {
  const int64_t bytes = MarianNpzBytes(items);
  if (bytes > kLargestNpz) {
    ThrowUserError("{} would need {}, and Marian reads no .npz above {}; use its .bin",
                   path.string(), FormatBytes(bytes), FormatBytes(kLargestNpz));
  }
  AtomicFile file(path);
  std::string directory;
  for (const MarianItem& item : items) directory += WriteZipEntry(file, item);
  WriteZipEnd(file, std::ssize(items), directory);
  HEED_CHECK(file.bytes() == bytes, "{} bytes instead of {}", file.bytes(), bytes);
  file.Commit();
}

}  // namespace heed
