#include "weir/experiment/config/plugins.hpp"
#include "commands.hpp"

namespace weir::cli {

std::shared_ptr<const std::vector<std::string>> add_plugins(CLI::App& app) {
  auto files = std::make_shared<std::vector<std::string>>();
  app.fallthrough();  // the option may stand behind a command
  app.footer("With every command: --plugin FILE, a shared library with models of its own.");
  app.add_option("--plugin", *files, "shared library with models of its own; may be repeated")
      ->type_name("FILE")
      ->take_all()
      ->expected(1);
  return files;
}

void load_plugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) experiment::load_plugin_for_all(file, "--plugin");
}

}  // namespace weir::cli
