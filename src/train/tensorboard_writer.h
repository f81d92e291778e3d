// A TensorBoard event file with the numbers of metrics.jsonl as curves: "train/loss_nats",
// "valid/bleu". The framing is TFRecord's and the content is TensorFlow's Event message; both are
// small enough to encode here.
//
// Non-goal: histograms, images, text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "train/appended_file.h"

namespace heed {

inline constexpr std::string_view kEventFile = "events.out.tfevents.heed";

// CRC-32C (Castagnoli; RFC 3720, appendix B.4), which guards the records.
uint32_t Crc32c(std::string_view bytes);

class TensorboardWriter {
 public:
  // Goes on behind the events of `directory`/kEventFile up to `last_update`, those of kind "valid"
  // up to `last_validation`; later ones, which an interrupted run has left, and a torn last record
  // are cut off. Throws UserError if the file cannot be written.
  TensorboardWriter(const std::filesystem::path& directory, int64_t last_update,
                    int64_t last_validation);

  // One point on the curve KIND/NAME of each value, in the file at once or, while a disk is full,
  // with a later call.
  void Write(int64_t update, const std::string& kind, const std::map<std::string, double>& values);

 private:
  AppendedFile file_;
};

}  // namespace heed
