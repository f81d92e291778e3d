// How the command line explains itself: the layout of --help, and what it says about wrong use.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace heed {

// Descriptions beside the options, wrapped to 100 columns.
std::shared_ptr<CLI::Formatter> MakeHelpLayout();

// One message for a command line that cannot be understood: what is wrong, the nearest verb or
// option, and where to read on.
std::string ExplainWrongUse(const CLI::App& app, const CLI::ParseError& error);

}  // namespace heed
