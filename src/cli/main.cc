// The command line, and the only place that catches: errors become one message and an exit status.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/version.h"
#include "util/check.h"
#include "util/logging.h"

namespace {

constexpr int kUserFault = 2;
constexpr int kOurFault = 3;

constexpr const char* kExamples = R"(Examples:
  heed train recipes/debian_ende/transformer_tiny.yaml
  heed translate --model runs/debian_ende/best < input.en > output.de
  heed evaluate recipes/debian_ende/transformer_tiny.yaml
  heed help recipe                 every recipe key with type, default and meaning
  heed help recipe training        the keys of one section
  heed help recipe decoding.beam   one key
Run 'heed VERB --help' for the options and examples of a verb.)";

void AddVerbs(CLI::App& app) {
  heed::AddPrepare(app);
  heed::AddTrain(app);
  heed::AddTranslate(app);
  heed::AddScore(app);
  heed::AddEvaluate(app);
  heed::AddAverage(app);
  heed::AddExport(app);
  heed::AddImport(app);
  heed::AddInspect(app);
  heed::AddHelp(app);
  for (CLI::App* verb : app.get_subcommands({})) {
    verb->group("Verbs")->fallthrough();  // --log-level may stand behind the verb
  }
}

// A closed standard stream would lend its number to the next file that is opened, and the log would
// be written into that.
void OpenStandardStreams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDWR) < 0) std::abort();  // takes the lowest free number, this one
  }
}

int Run(int argc, char** argv) {
  CLI::App app("Heed trains, evaluates and translates with encoder-decoder sequence models.",
               "heed");
  app.formatter(heed::MakeHelpLayout());
  app.require_subcommand(1);
  app.set_version_flag("--version", heed::VersionText());
  app.footer(kExamples);
  std::string level = "info";
  app.add_option("--log-level", level, "How much is logged (to standard error)")
      ->type_name("")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}))
      ->capture_default_str();
  app.parse_complete_callback([&] { heed::StartLogging(level); });
  AddVerbs(app);
  if (argc == 1) {
    std::fputs(app.help().c_str(), stderr);
    return kUserFault;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    app.exit(request);
  } catch (const CLI::ParseError& error) {
    throw heed::UserError(heed::ExplainWrongUse(app, error));
  }
  std::cout.flush();
  if (!std::cout) heed::ThrowUserError("cannot write to standard output; is a disk full?");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  OpenStandardStreams();
  std::signal(SIGXFSZ, SIG_IGN);  // a full quota shall be an error of the write, not a kill
  try {
    return Run(argc, argv);
  } catch (const heed::Interrupted& stop) {
    return 128 + stop.signal;
  } catch (const heed::UserError& error) {
    std::fprintf(stderr, "heed: error: %s\n", error.what());
    return kUserFault;
  } catch (const heed::DeviceError& error) {
    std::fprintf(stderr, "heed: device error: %s\n", error.what());
    return kOurFault;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "heed: error: %s; check the path and its permissions\n", error.what());
    return kUserFault;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr,
                 "heed: error: not enough memory; lower training.batch_tokens or "
                 "decoding.batch_sentences, or use a machine with more\n");
    return kUserFault;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "heed: internal error: %s\nThis is a bug in Heed; please report it with the "
                 "command and the recipe.\n",
                 error.what());
    return kOurFault;
  }
}
