// JSON files whose faults are told to the user, and doubles that survive JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace heed {

// Throws UserError if the file cannot be read or is not JSON.
nlohmann::json ReadJsonFile(const std::filesystem::path& path);

// Doubles in their shortest form that reads back as the same bits; "nan", "inf" and "-inf", which
// JSON lacks, as strings. NumberFromJson throws nlohmann::json::exception for anything else.
nlohmann::json NumberToJson(double value);
double NumberFromJson(const nlohmann::json& value);

}  // namespace heed
