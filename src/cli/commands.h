// The verbs of the command line; each Add... function declares one and what it does when chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace heed {

// A command was stopped by a signal after saving its work; the program ends with 128 + signal.
struct Interrupted {
  int signal;
};

void AddPrepare(CLI::App& app);
void AddTrain(CLI::App& app);
void AddTranslate(CLI::App& app);
void AddScore(CLI::App& app);
void AddEvaluate(CLI::App& app);
void AddAverage(CLI::App& app);
void AddExport(CLI::App& app);
void AddImport(CLI::App& app);
void AddInspect(CLI::App& app);
void AddHelp(CLI::App& app);

}  // namespace heed
