// Encoded sentence pairs in one file, read through the memory map.
//
// Layout, in the machine's byte order: a 16-byte head (magic, format); a record for each pair
// (source ids, target ids, source text, target text; ids of 2 or 4 bytes; each record starts at a
// multiple of 4); the index, a ShardEntry for each pair; and a foot with sizes, fingerprint and
// checksums. The text is kept where it is needed again: for validation and for subword sampling.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "util/files.h"
#include "util/mapped_file.h"

namespace heed {

struct ShardEntry {
  uint64_t offset = 0;                            // of the record in the file
  uint64_t line = 0;                              // in the corpus, from 1
  uint32_t source_tokens = 0, target_tokens = 0;  // without end marks
  uint32_t source_bytes = 0, target_bytes = 0;    // of the text; 0 if it is not kept

  bool operator==(const ShardEntry&) const = default;
};

// What a shard is made of.
struct ShardPair {
  std::span<const int32_t> source_ids, target_ids;  // without end marks
  std::string_view source_text, target_text;        // left out if the shard keeps no text
  int64_t line = 0;                                 // in the corpus, from 1
};

class ShardWriter {
 public:
  struct Options {
    int64_t largest_vocabulary = 0;  // of both sides; up to 65,536 ids take 2 bytes each
    bool keep_text = false;
    std::string fingerprint;  // of what the shard is made from; at most 64 bytes
  };

  // The file appears under its name at Finish. Its directory must exist.
  ShardWriter(const std::filesystem::path& path, const Options& options);

  // Throws InternalError for an id outside [0, largest_vocabulary).
  void Add(const ShardPair& pair);
  void Finish();

 private:
  void WriteIds(std::span<const int32_t> ids);

  Options options_;
  AtomicFile file_;
  std::vector<ShardEntry> entries_;
  std::string record_;
};

class TokenShard {
 public:
  // Reads the whole file once to verify it. Throws UserError if it is missing, damaged or of
  // another format.
  explicit TokenShard(const std::filesystem::path& path);

  int64_t size() const { return static_cast<int64_t>(entries_.size()); }
  std::span<const ShardEntry> entries() const { return entries_; }
  bool has_text() const { return has_text_; }
  const std::string& fingerprint() const { return fingerprint_; }

  // Appends the ids of pair `index`, without end mark.
  void AppendSourceIds(int64_t index, std::vector<int32_t>* ids) const;
  void AppendTargetIds(int64_t index, std::vector<int32_t>* ids) const;
  // The lines as they stand in the corpus; empty if no text is kept.
  std::string_view source_text(int64_t index) const;
  std::string_view target_text(int64_t index) const;

 private:
  void AppendIds(uint64_t offset, uint32_t count, std::vector<int32_t>* ids) const;
  const ShardEntry& entry(int64_t index) const;

  MappedFile file_;
  std::span<const ShardEntry> entries_;
  uint32_t id_bytes_ = 0;
  bool has_text_ = false;
  std::string fingerprint_;
};

}  // namespace heed
