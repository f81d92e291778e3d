// Reads Marian's vocabularies that are lists. A file from anywhere is safe to read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed {

// The pieces by id: of .yml, .yaml and .json files, which say `piece: id` in any order, and of text
// with a piece a line. Of YAML what writers of vocabularies use: a pair a line, keys plain, in
// single or double quotes, or after "? ". Throws UserError, which names file and line, if an id is
// absent or comes twice. Pieces are not compared.
std::vector<std::string> ReadMarianPieces(const std::filesystem::path& path);

}  // namespace heed
