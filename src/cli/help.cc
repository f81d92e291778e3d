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
      "Explain: 'heed help recipe [SECTION or KEY]' lists recipe keys, 'heed help VERB' a verb");
  auto topic = std::make_shared<std::string>();
  auto key = std::make_shared<std::string>();
  command->add_option("topic", *topic, "recipe, or a verb");
  command->add_option("key", *key, "For recipe: a section or key, such as training.schedule");
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
        std::cout << verb->help();
        return;
      }
    }
    ThrowUserError("no verb is called '{}'; see heed --help", *topic);
  });
}

}  // namespace heed
