// What prepared data depends on, as lines "what: value": equal keys mean that it can be used again,
// and the first line that differs tells why it cannot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/recipe.h"

namespace heed {

using PrepareKey = std::vector<std::string>;

// Hash of a file's content: of all of it up to 64 MiB, else of its size and 64 blocks of 1 MiB
// spread evenly, the first and the last among them.
std::string ContentHash(const std::filesystem::path& path);

// One line for each training corpus: files, columns, sizes and content.
PrepareKey TrainingCorpusKey(const Recipe& recipe);

// What decides the vocabularies: the training corpora, the rules about text, and the options of
// `vocabulary` but sampling.
PrepareKey VocabularyKey(const Recipe& recipe, const PrepareKey& training_corpora);

// What decides the shards: all corpora, the filters and the vocabularies.
PrepareKey ShardKey(const Recipe& recipe, const PrepareKey& training_corpora,
                    const std::string& source_vocabulary, const std::string& target_vocabulary);

// 16 hexadecimal digits.
std::string HashOfKey(const PrepareKey& key);

// What has changed ("data.filters.max_length"), if anything.
std::optional<std::string> FirstChange(const PrepareKey& before, const PrepareKey& now);

}  // namespace heed
