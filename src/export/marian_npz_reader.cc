#include "export/marian_npz_reader.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "export/file_cursor.h"
#include "export/npy_header.h"
#include "export/zip_format.h"
#include "util/checksum.h"

namespace heed {
namespace {

constexpr const char* kNpzKind = "an .npz file";

// An entry of the directory.
struct NpzEntry {
  std::string name;
  uint32_t crc = 0;
  int64_t bytes = 0;
  int64_t place = 0;  // of its local record
};

void RequireMark(FileCursor& cursor, std::string_view mark, std::string_view what) {
  if (cursor.remaining() < std::ssize(mark) || cursor.NextText(std::ssize(mark)) != mark) {
    cursor.Fail(fmt::format("{} is not where it should be", what));
  }
}

NpzEntry ReadZipEntry(FileCursor& directory) {
  RequireMark(directory, kZipCentralMark, "an entry of its directory");
  directory.Skip(4);  // versions
  const auto flags = directory.Next<uint16_t>();
  const auto method = directory.Next<uint16_t>();
  directory.Skip(4);  // time
  NpzEntry entry;
  entry.crc = directory.Next<uint32_t>();
  const int64_t stored = directory.Next<uint32_t>();
  entry.bytes = directory.Next<uint32_t>();
  const int64_t name = directory.Next<uint16_t>();
  const int64_t extra = directory.Next<uint16_t>();
  const int64_t comment = directory.Next<uint16_t>();
  directory.Skip(8);  // disk and attributes
  entry.place = directory.Next<uint32_t>();
  entry.name = directory.NextText(name);
  directory.Skip(extra + comment);
  constexpr int kEncrypted = 1;
  if (method != 0 || (flags & kEncrypted) != 0 || stored != entry.bytes) {
    directory.Fail(
        fmt::format("'{}' is compressed or encrypted; write it with numpy.savez", entry.name));
  }
  return entry;
}

std::vector<NpzEntry> ReadZipDirectory(const MappedFile& file) {
  FileCursor end(file, kNpzKind, std::max<int64_t>(0, file.size() - kZipEndBytes), file.size());
  RequireMark(end, kZipEndMark, "the end of its directory");
  end.Skip(4);  // disks
  const auto here = end.Next<uint16_t>();
  const auto count = end.Next<uint16_t>();
  const int64_t bytes = end.Next<uint32_t>();
  const int64_t place = end.Next<uint32_t>();
  if (here != count) end.Fail("it is one of several parts");
  FileCursor directory(file, kNpzKind, place, place + bytes);
  std::vector<NpzEntry> entries;
  int64_t total = 0;
  for (int i = 0; i < count; ++i) {
    entries.push_back(ReadZipEntry(directory));
    total += entries.back().bytes;
  }
  if (total > file.size()) directory.Fail("its entries overlap");
  return entries;
}

// The bytes of an entry, whose checksum must fit.
FileCursor OpenZipEntry(const MappedFile& file, const NpzEntry& entry) {
  FileCursor local(file, kNpzKind, entry.place, file.size());
  RequireMark(local, kZipLocalMark, fmt::format("'{}'", entry.name));
  local.Skip(22);  // what the directory says too
  const int64_t name = local.Next<uint16_t>();
  const int64_t extra = local.Next<uint16_t>();
  local.Skip(name + extra);
  const int64_t begin = local.position();
  const auto* bytes = local.Skip(entry.bytes);
  if (!kTrustsChecksums && Crc32(bytes, entry.bytes) != entry.crc) {
    local.Fail(fmt::format("the checksum of '{}' does not fit", entry.name));
  }
  return {file, kNpzKind, begin, begin + entry.bytes};
}

MarianArray ReadNpy(const MappedFile& file, const NpzEntry& entry) {
  FileCursor cursor = OpenZipEntry(file, entry);
  constexpr std::string_view kSuffix = ".npy";
  if (!entry.name.ends_with(kSuffix)) {
    cursor.Fail(fmt::format("'{}' is no array", entry.name));
  }
  MarianArray array;
  array.name = entry.name.substr(0, entry.name.size() - kSuffix.size());
  RequireMark(cursor, std::string_view("\x93NUMPY\x01\x00", 8), "an array of npy version 1.0");
  const auto header = ParseNpyHeader(cursor.NextText(cursor.Next<uint16_t>()));
  if (!header) {
    cursor.Fail(
        fmt::format("'{}' is not a row-major array of float32, float16 or int8", array.name));
  }
  array.type = header->type;
  array.shape = header->shape;
  const int64_t bytes = ArrayBytes(cursor, array.name, SizeOf(array.type), array.shape);
  if (bytes != cursor.remaining()) {
    cursor.Fail(
        fmt::format("'{}' has {} bytes and needs {}", array.name, cursor.remaining(), bytes));
  }
  array.data = cursor.Skip(bytes);
  return array;
}

}  // namespace

std::vector<MarianArray> FindMarianNpzArrays(const MappedFile& file) {
  std::vector<MarianArray> arrays;
  for (const NpzEntry& entry : ReadZipDirectory(file)) arrays.push_back(ReadNpy(file, entry));
  return arrays;
}

}  // namespace heed
