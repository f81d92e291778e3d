// heed translate: text in, text out, line by line.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/model_options.h"
#include "config/recipe_reader.h"
#include "config/recipe_writer.h"
#include "util/check.h"
#include "util/line_reader.h"
#include "util/logging.h"

namespace heed {
namespace {

struct TranslateArguments {
  ModelArguments model;
  DecodingArguments decoding;
  std::vector<std::string> inputs, settings;
  std::optional<int64_t> n_best;
  std::string prefixes, format = "text";
};

void Print(const std::vector<Translation>& translations, const std::string& format, int64_t line) {
  if (format == "text") {
    for (const Translation& translation : translations) std::cout << translation.text << '\n';
    return;
  }
  for (const Translation& translation : translations) {
    if (format == "n-best") {  // the layout of Moses and Marian
      std::cout << fmt::format("{} ||| {} ||| LogProbability= {:.6f} ||| {:.6f}\n", line,
                               translation.text, translation.log_probability, translation.score);
      continue;
    }
    const nlohmann::ordered_json json = {
        {"line", line},
        {"translation", translation.text},
        {"score", translation.score},
        {"log_probability_nats", translation.log_probability},
        {"token_log_probabilities_nats", translation.token_log_probabilities}};
    std::cout << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
}

// Reads a window of lines, translates, prints, until the input ends.
void TranslateFile(Translator& translator, const std::string& path, LineReader* prefixes,
                   const std::string& format, int64_t& line) {
  constexpr size_t kWindow = 2048;  // lines: enough to sort by length, little to lose
  if (path == "-" && isatty(STDIN_FILENO) != 0) {
    HEED_LOG(info, "reading standard input; Ctrl-D ends it");
  }
  LineReader reader(path);
  std::string_view text;
  for (bool more = true; more;) {
    std::vector<std::string> lines, starts;
    while (lines.size() < kWindow && (more = reader.Next(&text))) {
      lines.emplace_back(text);
      if (prefixes == nullptr) continue;
      if (!prefixes->Next(&text)) {
        ThrowUserError("{} ends before line {} of {}", prefixes->path().string(),
                       reader.line_number(), path);
      }
      starts.emplace_back(text);
    }
    for (const auto& translations : translator.Translate(lines, starts)) {
      Print(translations, format, line++);
    }
    std::cout.flush();
    if (!std::cout) ThrowUserError("cannot write the translations to standard output");
  }
}

DecodingOptions OptionsOf(const TranslateArguments& arguments, const Recipe& recipe) {
  std::vector<std::string> settings;
  for (const std::string& setting : arguments.settings) {
    settings.push_back(setting.starts_with("decoding.") ? setting : "decoding." + setting);
  }
  if (arguments.n_best) settings.push_back(fmt::format("decoding.n_best={}", *arguments.n_best));
  for (std::string& setting : arguments.decoding.Settings()) settings.push_back(std::move(setting));
  if (settings.empty()) return recipe.decoding;
  return ParseRecipe(WriteRecipe(recipe), "the model's recipe", settings).decoding;
}

void Report(const TranslationStatistics& done, const MaxLengthOptions& longest) {
  if (done.lines == 0) {
    HEED_LOG(warn, "the input has no lines, so there is nothing to translate");
    return;
  }
  HEED_LOG(info, "{} lines in {:.1f} s, {:.0f} target tokens/s; {} blank", done.lines, done.seconds,
           static_cast<double>(done.target_tokens) / std::max(1e-9, done.seconds),
           done.blank_lines);
  if (done.cut_lines > 0) {
    HEED_LOG(warn, "only the beginnings of lines that are too long are translated: {} of {} lines",
             done.cut_lines, done.lines);
  }
  if (done.ended_lines > 0) {
    HEED_LOG(warn,
             "{} of {} translations were ended at the longest length allowed, {} * source tokens + "
             "{} (decoding.max_length)",
             done.ended_lines, done.lines, longest.ratio, longest.extra);
  }
}

void Translate(const TranslateArguments& arguments) {
  ModelBundle bundle(arguments.model);
  const Recipe& recipe = bundle.models.front()->recipe;
  const DecodingOptions options = OptionsOf(arguments, recipe);
  if (arguments.format == "text" && options.n_best > 1) {
    HEED_LOG(warn, "{} lines a sentence; --format n-best numbers them", options.n_best);
  }
  Translator translator(bundle.system, options, static_cast<uint64_t>(recipe.seed),
                        *bundle.backend);
  std::unique_ptr<LineReader> prefixes;
  if (!arguments.prefixes.empty()) prefixes = std::make_unique<LineReader>(arguments.prefixes);
  int64_t line = 0;
  for (const std::string& input : arguments.inputs) {
    TranslateFile(translator, input, prefixes.get(), arguments.format, line);
  }
  if (std::string_view text; prefixes && prefixes->Next(&text)) {
    ThrowUserError("{} has more lines than the input, which has {}; give one prefix per line",
                   arguments.prefixes, line);
  }
  Report(translator.statistics(), options.max_length);
}

}  // namespace

void AddTranslate(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "translate", "Translate text: one line of standard input or of the files gives one line");
  auto arguments = std::make_shared<TranslateArguments>();
  arguments->inputs = {"-"};
  arguments->model.AddTo(*command, true);
  arguments->decoding.AddTo(*command);
  command->add_option("--n-best", arguments->n_best, "Translations per sentence, at most --beam")
      ->type_name("N")
      ->group("Decoding");
  command
      ->add_option("--set", arguments->settings,
                   "Any key of the recipe's decoding section, for instance "
                   "length_penalty.alpha=1; see 'heed help recipe decoding'; may be repeated")
      ->type_name("KEY=VALUE")
      ->group("Decoding")
      ->allow_extra_args(false);
  command->add_option("INPUT", arguments->inputs, "Files (plain, .gz, .zst); - = standard input")
      ->type_name("")
      ->capture_default_str();
  command
      ->add_option("--prefixes", arguments->prefixes,
                   "File of texts, line by line, with which the translations must begin")
      ->type_name("FILE");
  command
      ->add_option("--format", arguments->format,
                   "text; n-best: 'line ||| text ||| LogProbability= x ||| score'; or jsonl")
      ->type_name("")
      ->check(CLI::IsMember({"text", "n-best", "jsonl"}))
      ->capture_default_str();
  command->footer(
      "Every line gives a line, an empty one an empty one. Decoding is as in the model's recipe\n"
      "where no option says otherwise.\n"
      "Examples:\n"
      "  heed translate --model runs/debian_ende < input.en > output.de\n"
      "  heed translate input.en.gz --model runs/debian_ende --beam 8 --n-best 4 --format n-best\n"
      "  heed translate input.en --model runs/a --model runs/b --set method=sampling");
  command->callback([arguments] { Translate(*arguments); });
}

}  // namespace heed
