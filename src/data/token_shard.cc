#include "data/token_shard.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "util/check.h"
#include "util/checksum.h"

namespace heed {
namespace {

constexpr uint64_t kMagic = 0x4453'4B4F'5444'4548;  // "HEDTOKSD" on little-endian machines
constexpr uint64_t kShardFormat = 1;
constexpr size_t kLongestFingerprint = 64;

struct Head {
  uint64_t magic = kMagic;
  uint64_t format = kShardFormat;
};

struct Foot {
  uint64_t index_offset = 0;
  uint64_t num_pairs = 0;
  uint32_t id_bytes = 0;
  uint32_t has_text = 0;
  char fingerprint[kLongestFingerprint] = {};  // filled up with zeros
  uint32_t content_crc32 = 0;                  // of everything before the foot
  uint32_t foot_crc32 = 0;                     // of the foot up to here
  uint64_t magic = kMagic;
};
constexpr size_t kCheckedFootBytes = offsetof(Foot, foot_crc32);

static_assert(std::is_trivially_copyable_v<Foot> && sizeof(Foot) % 8 == 0);
static_assert(std::has_unique_object_representations_v<Foot>);
static_assert(std::has_unique_object_representations_v<ShardEntry>);

template <class Value>
std::string_view BytesOf(const Value& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

uint32_t FootChecksum(const Foot& foot) {
  return Crc32(&foot, static_cast<int64_t>(kCheckedFootBytes));
}

[[noreturn]] void ThrowDamaged(const MappedFile& file, std::string_view what) {
  ThrowUserError("{}: {}; delete it, and it will be made again from the corpus",
                 file.path().string(), what);
}

Foot ReadFoot(const MappedFile& file) {
  const std::string_view bytes = file.text();
  if (bytes.size() < sizeof(Head) + sizeof(Foot)) ThrowDamaged(file, "too short for a shard");
  Head head;
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (head.magic != kMagic) ThrowDamaged(file, "not a shard of encoded sentences");
  if (head.format != kShardFormat) ThrowDamaged(file, "written by another version of Heed");
  Foot foot;
  std::memcpy(&foot, bytes.data() + bytes.size() - sizeof(foot), sizeof(foot));
  if (foot.magic != kMagic || foot.foot_crc32 != FootChecksum(foot)) {
    ThrowDamaged(file, "the shard is damaged or cut off at its end");
  }
  const auto content_bytes = static_cast<int64_t>(bytes.size() - sizeof(foot));
  if (Crc32(bytes.data(), content_bytes) != foot.content_crc32) {
    ThrowDamaged(file, "the shard is damaged");
  }
  return foot;
}

}  // namespace

ShardWriter::ShardWriter(const std::filesystem::path& path, const Options& options)
    : options_(options), file_(path) {
  HEED_CHECK(options_.fingerprint.size() <= kLongestFingerprint, "fingerprint of {} bytes",
             options_.fingerprint.size());
  file_.Write(BytesOf(Head{}));
}

void ShardWriter::WriteIds(std::span<const int32_t> ids) {
  for (const int32_t id : ids) {
    HEED_CHECK(id >= 0 && id < options_.largest_vocabulary, "id {} of a vocabulary of {}", id,
               options_.largest_vocabulary);
    if (options_.largest_vocabulary <= 65536) {
      record_ += BytesOf(static_cast<uint16_t>(id));
    } else {
      record_ += BytesOf(id);
    }
  }
}

void ShardWriter::Add(const ShardPair& pair) {
  ShardEntry entry{.offset = static_cast<uint64_t>(file_.bytes()),
                   .line = static_cast<uint64_t>(pair.line),
                   .source_tokens = static_cast<uint32_t>(pair.source_ids.size()),
                   .target_tokens = static_cast<uint32_t>(pair.target_ids.size())};
  record_.clear();
  WriteIds(pair.source_ids);
  WriteIds(pair.target_ids);
  if (options_.keep_text) {
    entry.source_bytes = static_cast<uint32_t>(pair.source_text.size());
    entry.target_bytes = static_cast<uint32_t>(pair.target_text.size());
    record_ += pair.source_text;
    record_ += pair.target_text;
  }
  record_.append((4 - record_.size() % 4) % 4, '\0');
  file_.Write(record_);
  entries_.push_back(entry);
}

void ShardWriter::Finish() {
  file_.Write(std::string_view("\0\0\0\0\0\0\0", static_cast<size_t>((8 - file_.bytes() % 8) % 8)));
  Foot foot;
  foot.index_offset = static_cast<uint64_t>(file_.bytes());
  foot.num_pairs = entries_.size();
  foot.id_bytes = options_.largest_vocabulary <= 65536 ? 2 : 4;
  foot.has_text = options_.keep_text ? 1 : 0;
  options_.fingerprint.copy(foot.fingerprint, kLongestFingerprint);
  file_.Write(entries_.data(), static_cast<int64_t>(entries_.size() * sizeof(ShardEntry)));
  foot.content_crc32 = file_.crc32();
  foot.foot_crc32 = FootChecksum(foot);
  file_.Write(BytesOf(foot));
  file_.Commit();
}

TokenShard::TokenShard(const std::filesystem::path& path) : file_(path) {
  const Foot foot = ReadFoot(file_);
  id_bytes_ = foot.id_bytes;
  has_text_ = foot.has_text != 0;
  fingerprint_.assign(foot.fingerprint, strnlen(foot.fingerprint, kLongestFingerprint));
  entries_ = {reinterpret_cast<const ShardEntry*>(file_.data() + foot.index_offset),
              foot.num_pairs};
}

const ShardEntry& TokenShard::entry(int64_t index) const {
  HEED_CHECK(index >= 0 && index < size(), "pair {} of {}", index, size());
  return entries_[static_cast<size_t>(index)];
}

void TokenShard::AppendIds(uint64_t offset, uint32_t count, std::vector<int32_t>* ids) const {
  if (id_bytes_ == 2) {
    const auto* begin = reinterpret_cast<const uint16_t*>(file_.data() + offset);
    ids->insert(ids->end(), begin, begin + count);
  } else {
    const auto* begin = reinterpret_cast<const int32_t*>(file_.data() + offset);
    ids->insert(ids->end(), begin, begin + count);
  }
}

void TokenShard::AppendSourceIds(int64_t index, std::vector<int32_t>* ids) const {
  const ShardEntry& pair = entry(index);
  AppendIds(pair.offset, pair.source_tokens, ids);
}

void TokenShard::AppendTargetIds(int64_t index, std::vector<int32_t>* ids) const {
  const ShardEntry& pair = entry(index);
  AppendIds(pair.offset + uint64_t{id_bytes_} * pair.source_tokens, pair.target_tokens, ids);
}

std::string_view TokenShard::source_text(int64_t index) const {
  const ShardEntry& pair = entry(index);
  const uint64_t tokens = uint64_t{pair.source_tokens} + pair.target_tokens;
  return file_.text().substr(pair.offset + id_bytes_ * tokens, pair.source_bytes);
}

std::string_view TokenShard::target_text(int64_t index) const {
  const ShardEntry& pair = entry(index);
  const uint64_t tokens = uint64_t{pair.source_tokens} + pair.target_tokens;
  return file_.text().substr(pair.offset + id_bytes_ * tokens + pair.source_bytes,
                             pair.target_bytes);
}

}  // namespace heed
