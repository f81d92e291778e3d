// Unpacks ZIP archives, in which OPUS-MT and Argos Translate give their models out. An archive from
// anywhere is safe to unpack: nothing is written outside the directory or beyond the sizes that
// the archive states, and those may not be out of proportion.
#pragma once

#include <filesystem>

namespace heed {

// Writes all files of the archive, stored or deflated, below a directory that exists. Checks every
// checksum. Throws UserError, which names the archive, if it is damaged or encrypted, or if a name
// leaves the directory, comes twice or is a link.
void UnpackZip(const std::filesystem::path& archive, const std::filesystem::path& directory);

// The directory that holds what is in `unpacked`: itself, or its only entry if that is a directory.
std::filesystem::path RootOfUnpacked(const std::filesystem::path& unpacked);

}  // namespace heed
