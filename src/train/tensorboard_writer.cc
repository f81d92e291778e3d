#include "train/tensorboard_writer.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <chrono>
#include <optional>

#include "util/files.h"

namespace heed {
namespace {

// ---- protocol buffers: field numbers of tensorflow/core/util/event.proto and summary.proto ----

constexpr uint64_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;  // wire types

template <class Integer>
void AppendLittleEndian(std::string& out, Integer value) {
  for (size_t i = 0; i < sizeof(Integer); ++i) {
    out.push_back(static_cast<char>(static_cast<uint8_t>(value >> (8 * i))));
  }
}

void AppendVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<char>(static_cast<uint8_t>(value | 0x80)));
  }
  out.push_back(static_cast<char>(value));
}

void AppendKey(std::string& out, uint64_t field, uint64_t wire_type) {
  AppendVarint(out, field << 3 | wire_type);
}

void AppendText(std::string& out, uint64_t field, std::string_view text) {
  AppendKey(out, field, kBytes);
  AppendVarint(out, text.size());
  out += text;
}

// An Event without content.
std::string EventAt(int64_t update) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::string event;
  AppendKey(event, 1, kFixed64);  // wall_time, seconds
  AppendLittleEndian(event, std::bit_cast<uint64_t>(std::chrono::duration<double>(now).count()));
  AppendKey(event, 2, kVarint);  // step
  AppendVarint(event, static_cast<uint64_t>(update));
  return event;
}

std::string VersionEvent() {
  std::string event = EventAt(0);
  AppendText(event, 3, "brain.Event:2");  // file_version
  return event;
}

// Tells a TensorBoard that is watching to forget what it has seen from `update` on.
std::string RestartEvent(int64_t update) {
  std::string event = EventAt(update), session;
  AppendKey(session, 1, kVarint);  // status
  AppendVarint(session, 1);        // START
  AppendText(event, 7, session);   // session_log
  return event;
}

std::string ScalarEvent(int64_t update, const std::string& kind,
                        const std::map<std::string, double>& values) {
  std::string summary;
  for (const auto& [name, number] : values) {
    std::string value;
    AppendText(value, 1, fmt::format("{}/{}", kind, name));  // tag
    AppendKey(value, 2, kFixed32);                           // simple_value
    AppendLittleEndian(value, std::bit_cast<uint32_t>(static_cast<float>(number)));
    AppendText(summary, 1, value);
  }
  std::string event = EventAt(update);
  AppendText(event, 5, summary);
  return event;
}

// Reads what this file has written, and stops at anything else.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }
  std::optional<std::string_view> Take(uint64_t count) {
    if (count > bytes_.size()) return std::nullopt;
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <class Integer>
  std::optional<Integer> LittleEndian() {
    const auto taken = Take(sizeof(Integer));
    if (!taken) return std::nullopt;
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(Integer); ++i) {
      value |= static_cast<uint64_t>(static_cast<uint8_t>((*taken)[i])) << (8 * i);
    }
    return static_cast<Integer>(value);
  }
  std::optional<uint64_t> Varint() {
    uint64_t value = 0;
    for (uint64_t shift = 0; shift < 64; shift += 7) {
      const auto byte = LittleEndian<uint8_t>();
      if (!byte) return std::nullopt;
      value |= static_cast<uint64_t>(*byte & 0x7F) << shift;
      if (*byte < 0x80) return value;
    }
    return std::nullopt;
  }

 private:
  std::string_view bytes_;
};

struct Field {
  uint64_t number = 0;
  uint64_t value = 0;      // of a varint or of four or eight bytes
  std::string_view bytes;  // of text or of a message
};

std::optional<Field> TakeField(Reader& reader) {
  const auto key = reader.Varint();
  if (!key) return std::nullopt;
  const uint64_t type = *key & 7;
  if (type == kBytes) {
    const auto length = reader.Varint();
    const auto bytes = length ? reader.Take(*length) : std::nullopt;
    return bytes ? std::optional(Field{*key >> 3, 0, *bytes}) : std::nullopt;
  }
  std::optional<uint64_t> value;
  if (type == kVarint) value = reader.Varint();
  if (type == kFixed64) value = reader.LittleEndian<uint64_t>();
  if (type == kFixed32) value = reader.LittleEndian<uint32_t>();
  return value ? std::optional(Field{*key >> 3, *value, {}}) : std::nullopt;
}

// The first field of that number; without value or bytes if there is none.
Field FindField(std::string_view message, uint64_t number) {
  Reader reader(message);
  for (auto field = TakeField(reader); field; field = TakeField(reader)) {
    if (field->number == number) return *field;
  }
  return {};
}

bool IsKept(std::string_view event, int64_t last_update, int64_t last_validation) {
  const std::string_view tag = FindField(FindField(FindField(event, 5).bytes, 1).bytes, 1).bytes;
  const int64_t last = tag.starts_with("valid/") ? last_validation : last_update;
  return static_cast<int64_t>(FindField(event, 2).value) <= last;
}

// ---- TFRecord: length, its checksum, content, its checksum ----

// Checksums are stored rotated and shifted, since a record may hold records.
uint32_t MaskedCrc(std::string_view bytes) {
  return std::rotr(Crc32c(bytes), 15) + 0xA282EAD8U;
}

std::string RecordOf(std::string_view content) {
  std::string record;
  AppendLittleEndian(record, static_cast<uint64_t>(content.size()));
  AppendLittleEndian(record, MaskedCrc(record));
  record += content;
  AppendLittleEndian(record, MaskedCrc(content));
  return record;
}

// The content of an intact record at the reader's place.
std::optional<std::string_view> TakeRecord(Reader& reader) {
  const auto length = reader.Take(8);
  const auto length_crc = reader.LittleEndian<uint32_t>();
  if (!length || length_crc != MaskedCrc(*length)) return std::nullopt;
  const auto content = reader.Take(*Reader(*length).LittleEndian<uint64_t>());
  const auto content_crc = reader.LittleEndian<uint32_t>();
  if (!content || content_crc != MaskedCrc(*content)) return std::nullopt;
  return content;
}

// Bytes of the intact events that are kept, which are at the start since updates only grow.
uint64_t KeptBytes(std::string_view bytes, int64_t last_update, int64_t last_validation) {
  constexpr uint64_t kFraming = 8 + 4 + 4;
  uint64_t kept = 0;
  for (Reader reader(bytes); !reader.done();) {
    const auto event = TakeRecord(reader);
    if (!event || !IsKept(*event, last_update, last_validation)) break;
    kept += event->size() + kFraming;
  }
  return kept;
}

constexpr std::array<uint32_t, 256> CrcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0);
    table[i] = crc;
  }
  return table;
}

}  // namespace

uint32_t Crc32c(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = CrcTable();
  uint32_t crc = ~uint32_t{0};
  for (const char byte : bytes) {
    crc = kTable[(crc ^ static_cast<uint8_t>(byte)) & 0xFF] ^ (crc >> 8);
  }
  return ~crc;
}

TensorboardWriter::TensorboardWriter(const std::filesystem::path& directory, int64_t last_update,
                                     int64_t last_validation)
    : file_(directory / kEventFile) {
  const std::filesystem::path& path = file_.path();
  if (!std::filesystem::exists(path)) {
    WriteFile(path, RecordOf(VersionEvent()));
    return;
  }
  // In place, not replaced: a TensorBoard that is watching has the file open.
  const uint64_t kept = KeptBytes(ReadFile(path), last_update, last_validation);
  std::filesystem::resize_file(path, kept);
  file_.Append(RecordOf(kept == 0 ? VersionEvent() : RestartEvent(last_update + 1)));
}

void TensorboardWriter::Write(int64_t update, const std::string& kind,
                              const std::map<std::string, double>& values) {
  file_.Append(RecordOf(ScalarEvent(update, kind, values)));
}

}  // namespace heed
