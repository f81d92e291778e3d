// Reads CTranslate2's model.bin through the memory map. A file from anywhere is safe to open: sizes
// and names are checked before any element is touched, and every fault is a UserError that names
// the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/ctranslate2_format.h"
#include "export/file_cursor.h"
#include "export/row_source.h"
#include "util/mapped_file.h"

namespace heed {

class Ctranslate2Reader {
 public:
  explicit Ctranslate2Reader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_.path(); }
  bool Contains(std::string_view name) const { return Find(name) != nullptr; }
  // Of all variables, sorted, without aliases.
  std::vector<std::string> Names() const;
  bool IsAlias(std::string_view name) const { return aliases_.find(name) != aliases_.end(); }
  bool IsScalar(std::string_view name) const;
  // The value of a scalar of any type; nothing if the file has no such variable.
  std::optional<double> Scalar(std::string_view name) const;
  // A vector or matrix as floats; bytes are divided by their row's factor. The reader must outlive
  // the source. Throws UserError if there is none.
  RowSource Rows(const std::string& name) const;

 private:
  struct Variable {
    std::string name;
    std::vector<int64_t> shape;
    Ctranslate2Type type = Ctranslate2Type::kFloat32;
    const std::byte* data = nullptr;  // little-endian, row-major, perhaps not aligned
  };

  Variable ReadVariable(FileCursor& cursor) const;
  void ReadAliases(FileCursor& cursor);
  const Variable* Find(std::string_view name) const;  // through aliases
  std::vector<float> Factors(const Variable& variable) const;

  MappedFile file_;
  std::map<std::string, Variable, std::less<>> variables_;
  std::map<std::string, std::string, std::less<>> aliases_;
};

}  // namespace heed
