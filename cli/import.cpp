#include <filesystem>

#include "commands.hpp"
#include "output.hpp"
#include "weir/routing/import_fabric.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
  std::string file;
  std::string tables;
  std::string output = "-";
};

std::string folder_of(const std::string& output) {
  return output == "-" ? std::string(".") : fs::path(output).parent_path().string();
}

int import_ibnetdiscover(const ImportOptions& options) {
  const std::string text =
      routing::fabric_experiment(options.file, options.tables, folder_of(options.output));
  write_file(options.output, text);
  if (options.output != "-") {
    say("{}\n", text.substr(0, text.find('\n')));
    say("wrote {}: use it with include = [\"{}\"]\n", options.output, options.output);
  }
  return kDone;
}

int import_edge_list(const ImportOptions& options) {
  const std::string text = routing::edge_list_experiment(options.file, folder_of(options.output));
  write_file(options.output, text);
  if (options.output != "-") {
    say("{}\nwrote {}\n", text.substr(0, text.find('\n')), options.output);
  }
  return kDone;
}

void add_format(CLI::App& import, const std::string& name, const std::string& help, bool has_tables,
                Action& action) {
  auto* command = import.add_subcommand(name, help);
  auto options = std::make_shared<ImportOptions>();
  command->add_option("FILE", options->file, "file to read")->required();
  if (has_tables) {
    command->add_option("--lft", options->tables,
                        "forwarding tables, as dump_lfts prints them (default: shortest paths)");
  }
  command->add_option("-o,--output", options->output,
                      "experiment file to write (default: standard output)");
  command->callback([options, has_tables, &action] {
    action = [options, has_tables] {
      return has_tables ? import_ibnetdiscover(*options) : import_edge_list(*options);
    };
  });
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("import", "Turn a real fabric into sections of an experiment file");
  command->require_subcommand(1);
  add_format(*command, "ibnetdiscover", "Output of ibnetdiscover, with forwarding tables", true,
             action);
  add_format(*command, "edge-list", "A list of hosts, switches and links", false, action);
}

}  // namespace weir::cli
