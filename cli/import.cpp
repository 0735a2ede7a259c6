#include <filesystem>

#include "commands.hpp"
#include "output.hpp"
#include "weir/routing/import_fabric.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
  std::string file;
  routing::SubnetFiles subnet;
  std::string output = "-";
};

/// The comments that a text begins with.
std::string remarks(const std::string& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] == '#') end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

std::string folder_of(const std::string& output) {
  return output == "-" ? std::string(".") : fs::path(output).parent_path().string();
}

int import_ibnetdiscover(const ImportOptions& options) {
  routing::SubnetFiles files = options.subnet;
  files.topology = options.file;
  const std::string text = routing::fabric_experiment(files, folder_of(options.output));
  write_file(options.output, text);
  if (options.output != "-") {
    say("{}", remarks(text));
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
    auto& subnet = options->subnet;
    auto* tables = command->add_option(
        "--lft", subnet.tables,
        "forwarding tables, as dump_lfts prints them (default: up-down routing)");
    auto* paths =
        command->add_option("--paths", subnet.paths,
                            "service levels: path records, as saquery PathRecord prints them, or "
                            "opensm-path-records.dump (default: all on one lane)");
    paths->needs(tables);
    command
        ->add_option("--sl2vl", subnet.sl2vl,
                     "SL2VL tables: opensm-sl2vl.dump, or as saquery SL2VL or smpquery sl2vl print "
                     "them (default: the VL is the service level)")
        ->needs(paths);
    command
        ->add_option("--vlarb", subnet.arbitration,
                     "VL arbitration tables, as saquery VLAR or smpquery vlarb print them")
        ->needs(paths);
    command
        ->add_option("--missing-sl", subnet.missing_level,
                     "service level of pairs without a path record (default: an error)")
        ->needs(paths)
        ->check(CLI::Range(0, 14));
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
