// heed help: verbs, and the recipe's keys.
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "config/recipe_help.h"
#include "util/check.h"

namespace heed {

void AddHelp(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "help",
      "Explain a verb, or with 'heed help recipe [SECTION or KEY]' what may stand in a recipe");
  auto topic = std::make_shared<std::string>();
  auto key = std::make_shared<std::string>();
  command->add_option("TOPIC", *topic, "'recipe', or a verb")->type_name("");
  command->add_option("KEY", *key, "For recipe: a section or key, such as training.schedule")
      ->type_name("");
  command->footer(
      "Examples:\n"
      "  heed help translate\n"
      "  heed help recipe training.schedule");
  command->callback([&app, topic, key] {
    if (*topic == "recipe") {
      std::cout << RecipeHelp(*key);
      return;
    }
    if (topic->empty()) {
      std::cout << app.help();
      return;
    }
    for (const CLI::App* verb : app.get_subcommands({})) {
      if (verb->check_name(*topic)) {
        std::cout << verb->help("heed");
        return;
      }
    }
    ThrowUserError(
        "no verb is called '{}'; see 'heed --help', or 'heed help recipe {}' if it is a recipe key",
        *topic, *topic);
  });
}

}  // namespace heed
