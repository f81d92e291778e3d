#include "cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "config/key_index.h"
#include "config/text_wrap.h"

namespace heed {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kTextColumn = 30;

std::string Wrap(const std::string& text) {
  return fmt::format("{}", fmt::join(WrapText(text, kWidth - kTextColumn), "\n"));
}

class HelpLayout final : public CLI::Formatter {
 public:
  HelpLayout() {
    column_width(kTextColumn);
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "VERB");
  }
  // Without the second empty line that CLI11 leaves between groups of options.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n")) {
      text.erase(at, 1);
    }
    return text;
  }
  // What is in place of a value: "N", or the choices, "text|jsonl".
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();  // with its checks: "N:POSITIVE", ":{a,b}"
    std::string value = type.substr(0, type.find(':'));
    if (const size_t brace = type.find('{'); brace != std::string::npos) {
      value = type.substr(brace + 1, type.find('}') - brace - 1);
      std::replace(value.begin(), value.end(), ',', '|');
    }
    return value.empty() ? "" : " " + value;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (!option->get_positional() && option->get_required()) text += " (needed)";
    if (!option->get_positional() && !option->get_default_str().empty()) {
      text += fmt::format(" (default: {})", option->get_default_str());
    }
    return Wrap(text);
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    std::string name = "  " + verb->get_name();
    name.resize(kTextColumn, ' ');
    std::string text = Wrap(verb->get_description());
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
      text.insert(end + 1, kTextColumn, ' ');
    }
    return name + text + "\n";
  }
};

std::vector<std::string> OptionsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> VerbsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = NearestWord(word, known);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace

std::shared_ptr<CLI::Formatter> MakeHelpLayout() {
  return std::make_shared<HelpLayout>();
}

std::string ExplainWrongUse(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& place = chosen.empty() ? app : *chosen.front();
  const std::string command = chosen.empty() ? "heed" : "heed " + place.get_name();
  const std::string advice = fmt::format("\nSee '{} --help'.", command);
  for (const std::string& word : app.remaining(true)) {
    if (word.size() > 1 && word.front() == '-') {
      const std::string name = word.substr(0, word.find('='));
      return fmt::format("{} has no option '{}'{}{}", command, name,
                         DidYouMean(name, OptionsOf(place)), advice);
    }
    if (chosen.empty()) {
      return fmt::format("no verb is called '{}'{}\nThe verbs are {}; see 'heed --help'.", word,
                         DidYouMean(word, VerbsOf(app)), fmt::join(VerbsOf(app), ", "));
    }
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return fmt::format("{} cannot use '{}'{}", command, fmt::join(app.remaining(true), "' '"),
                       advice);
  }
  return fmt::format("{}: {}{}", command, error.what(), advice);
}

}  // namespace heed
