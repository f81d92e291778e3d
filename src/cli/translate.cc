// heed translate: text in, text out, line by line.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_options.h"
#include "util/check.h"
#include "util/line_reader.h"
#include "util/logging.h"

namespace heed {
namespace {

struct TranslateArguments {
  ModelArguments model;
  DecodingArguments decoding;
  std::vector<std::string> inputs;
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

void Report(const TranslationStatistics& done) {
  HEED_LOG(info, "{} lines in {:.1f} s, {:.0f} target tokens/s; {} blank", done.lines, done.seconds,
           static_cast<double>(done.target_tokens) / std::max(1e-9, done.seconds),
           done.blank_lines);
  if (done.cut_lines > 0) {
    HEED_LOG(warn, "only the beginnings of lines that are too long are translated: {} of {} lines",
             done.cut_lines, done.lines);
  }
}

void Translate(const TranslateArguments& arguments) {
  ModelBundle bundle(arguments.model);
  const Recipe& recipe = bundle.models.front()->recipe;
  DecodingOptions options = arguments.decoding.Apply(recipe);
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
  Report(translator.statistics());
}

}  // namespace

void AddTranslate(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "translate", "Translate text: one line of standard input or of the files gives one line");
  auto arguments = std::make_shared<TranslateArguments>();
  arguments->inputs = {"-"};
  arguments->model.AddTo(*command, true);
  arguments->decoding.AddTo(*command);
  command->add_option("input", arguments->inputs, "Files (plain, .gz, .zst); - = standard input")
      ->capture_default_str();
  command->add_option("--prefixes", arguments->prefixes,
                      "File of texts, line by line, with which the translations must begin");
  command
      ->add_option("--format", arguments->format,
                   "text; n-best: 'line ||| text ||| LogProbability= x ||| score'; or jsonl")
      ->check(CLI::IsMember({"text", "n-best", "jsonl"}))
      ->capture_default_str();
  command->callback([arguments] { Translate(*arguments); });
}

}  // namespace heed
