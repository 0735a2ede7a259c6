#include <filesystem>

#include "commands.hpp"
#include "manual.hpp"
#include "output.hpp"
#include "weir/base/error.hpp"
#include "weir/report/page/combinations_page.hpp"
#include "weir/report/page/reference_pages.hpp"

namespace weir::cli {
namespace {

/// Those of every command stand once, above.
void add_options(const CLI::App& command, std::string& text) {
  text += "\n| argument | meaning |\n|---|---|\n";
  for (const CLI::Option* option : command.get_options()) {
    if (command.get_parent() != nullptr && option->check_lname("plugin")) continue;
    text += fmt::format("| `{}` | {} |\n", option_name(*option),
                        report::cell(option->get_description()));
  }
}

/// Every command with its options, and what the program returns.
std::string commands_page(const CLI::App& app) {
  std::string text =
      "# Commands\n\nThis page is written by `weir reference docs/reference`; nothing in it is "
      "typed.\n\n## Before or behind every command <a id=\"every-command\"></a>\n";
  add_options(app, text);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;  // for programs
    text += fmt::format("\n## `weir {}` <a id=\"{}\"></a>\n\n{}.\n", command->get_name(),
                        command->get_name(), report::cell(command->get_description()));
    add_options(*command, text);
    for (const CLI::App* inner : command->get_subcommands([](const CLI::App*) { return true; })) {
      text += fmt::format("| `{} ...` | {} |\n", inner->get_name(),
                          report::cell(inner->get_description()));
    }
  }
  return text + fmt::format(R"(
## Exit statuses <a id="exit-statuses"></a>

| status | meaning |
|---|---|
| {} | everything was done |
| {} | a run failed or was interrupted (the same command goes on), or with `--strict` a claim that is recorded as holding does not |
| {} | the input is wrong: nothing was run |
)",
                            kDone, kRunFailed, kWrongInput);
}

constexpr const char* kIndex = R"(# Reference

* [Keys of an experiment file](keys.md)
* [Models](models.md), by kind
* [Metrics](metrics.md)
* [Combinations](combinations.md): which models work together, and why others do not
* [Commands](commands.md), and what they return
* [Bibliography](bibliography.md)

These pages are written by `weir reference docs/reference`; none of it is written by hand.
)";

int write_reference(const CLI::App& app, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  auto pages = report::reference_pages();
  pages["combinations.md"] = report::combinations_page();
  pages["commands.md"] = commands_page(app);
  pages["README.md"] = kIndex;
  for (const auto& [name, text] : pages)
    write_file((std::filesystem::path(folder) / name).string(), text);
  return kDone;
}

}  // namespace

void add_reference(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "reference",
      "Write what list, describe and --help say as Markdown pages into a folder, or as weir(1)");
  auto folder = std::make_shared<std::string>();
  auto* option = command->add_option("FOLDER", *folder, "folder for the pages, as docs/reference");
  auto is_manual = std::make_shared<bool>(false);
  command->add_flag("--man", *is_manual, "print the manual page instead")->excludes(option);
  command->callback([folder, is_manual, &app, &action] {
    action = [folder, is_manual, &app] {
      if (*is_manual) {
        say(std::string_view(manual(app)));
        return kDone;
      }
      if (folder->empty()) throw InputError("name a FOLDER for the pages, or give --man");
      return write_reference(app, *folder);
    };
  });
}

}  // namespace weir::cli
