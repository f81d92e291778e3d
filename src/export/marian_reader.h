// Reads Marian's model files, .npz and .bin alike, through the memory map. A file from anywhere is
// safe to open: sizes and names are checked before any element is touched, and every fault is a
// UserError that names the file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "export/marian_format.h"
#include "export/row_source.h"
#include "util/mapped_file.h"

namespace heed {

class MarianReader {
 public:
  // The first bytes tell which kind of file it is.
  explicit MarianReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_.path(); }
  bool Contains(std::string_view name) const { return arrays_.find(name) != arrays_.end(); }
  // A matrix or vector ([n] or [1, n]) of floats, as stored. The reader must outlive the source.
  // Throws UserError if there is none.
  RowSource Rows(const std::string& name) const;
  // Row i is column i of the stored matrix.
  RowSource Columns(const std::string& name) const;
  // An array of bytes up to its first zero.
  std::string Text(const std::string& name) const;

 private:
  const MarianArray& Get(const std::string& name) const;

  MappedFile file_;
  std::map<std::string, MarianArray, std::less<>> arrays_;
};

}  // namespace heed
