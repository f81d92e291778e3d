#include "export/marian_bin_reader.h"

#include <string>
#include <string_view>
#include <utility>

#include "export/file_cursor.h"

namespace heed {
namespace {

constexpr int64_t kHeaderBytes = 32;
constexpr int64_t kMostAxes = 8;

struct BinHeader {
  int64_t name_bytes, type, axes, data_bytes;
};

std::vector<BinHeader> ReadBinHeaders(FileCursor& cursor) {
  const int64_t version = cursor.NextSize();
  if (version != static_cast<int64_t>(kMarianBinVersion)) {
    cursor.Fail(fmt::format("its version is {}, Heed reads {}", version, kMarianBinVersion));
  }
  const int64_t count = cursor.NextSize();
  if (count > cursor.remaining() / kHeaderBytes) {
    cursor.Fail(fmt::format("it is too short for the {} arrays that it promises", count));
  }
  std::vector<BinHeader> headers(static_cast<size_t>(count));
  for (BinHeader& header : headers) {
    header.name_bytes = cursor.NextSize();
    header.type = cursor.NextSize();
    header.axes = cursor.NextSize();
    header.data_bytes = cursor.NextSize();
  }
  return headers;
}

MarianArray DescribeArray(FileCursor& cursor, const BinHeader& header, std::string name) {
  MarianArray array;
  array.name = std::move(name);
  array.type = static_cast<MarianType>(header.type);
  if (SizeOf(array.type) == 0) {
    cursor.Fail(fmt::format(
        "'{}' has type {:#x}, and Heed reads floats (a model packed for one kind of processor "
        "cannot be unpacked; take the one that it was made from)",
        array.name, header.type));
  }
  if (header.axes < 1 || header.axes > kMostAxes) {
    cursor.Fail(fmt::format("'{}' has {} axes", array.name, header.axes));
  }
  for (int64_t axis = 0; axis < header.axes; ++axis) {
    array.shape.push_back(cursor.Next<int32_t>());
  }
  const int64_t bytes = ArrayBytes(cursor, array.name, SizeOf(array.type), array.shape);
  if (bytes > header.data_bytes) {
    cursor.Fail(
        fmt::format("'{}' has {} bytes and needs {}", array.name, header.data_bytes, bytes));
  }
  return array;
}

}  // namespace

std::vector<MarianArray> FindMarianBinArrays(const MappedFile& file) {
  FileCursor cursor(file, "a Marian model");
  const std::vector<BinHeader> headers = ReadBinHeaders(cursor);
  std::vector<std::string> names;
  names.reserve(headers.size());
  for (const BinHeader& header : headers) names.push_back(cursor.NextName(header.name_bytes));
  std::vector<MarianArray> arrays;
  for (size_t i = 0; i < headers.size(); ++i) {
    arrays.push_back(DescribeArray(cursor, headers[i], std::move(names[i])));
  }
  cursor.Skip(cursor.NextSize());
  for (size_t i = 0; i < headers.size(); ++i) {
    arrays[i].data = cursor.Skip(headers[i].data_bytes);
  }
  if (cursor.remaining() > 0) {
    cursor.Fail(fmt::format("{} bytes follow its end", cursor.remaining()));
  }
  return arrays;
}

}  // namespace heed
