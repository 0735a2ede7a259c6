#include "weir/experiment/config/plugins.hpp"
#include "commands.hpp"

namespace weir::cli {
namespace {

using Files = std::vector<std::string>;

/// To the program and to each command: the option may stand before and behind a command's name.
void add_option(CLI::App& app, const std::shared_ptr<Files>& files) {
  app.add_option_function<Files>(
         kPluginOption,
         [files](const Files& given) { files->insert(files->end(), given.begin(), given.end()); },
         "shared library with models of its own; may be repeated")
      ->type_name("FILE")
      ->take_all()
      ->expected(1);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    add_option(*command, files);
  }
}

}  // namespace

std::shared_ptr<const std::vector<std::string>> add_plugins(CLI::App& app) {
  auto files = std::make_shared<Files>();
  add_option(app, files);
  return files;
}

void load_plugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) experiment::load_plugin_for_all(file, kPluginOption);
}

}  // namespace weir::cli
