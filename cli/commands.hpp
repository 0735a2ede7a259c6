#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "exit_status.hpp"

namespace weir::cli {

/// The command that the user chose; returns the exit status.
using Action = std::function<int()>;

/// Adds the option --plugin to the program and to all its commands, after these; and loads what it
/// names, for every experiment. Throws InputError.
inline constexpr const char* kPluginOption = "--plugin";
std::shared_ptr<const std::vector<std::string>> add_plugins(CLI::App& app);
void load_plugins(const std::vector<std::string>& files);

/// Each adds one command to the program. When the command line names it, its work is put into
/// `action`.
void add_run(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_calibrate(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_describe(CLI::App& app, Action& action);
void add_topology(CLI::App& app, Action& action);
void add_rates(CLI::App& app, Action& action);
void add_workload(CLI::App& app, Action& action);
void add_queue(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_watch(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_counters(CLI::App& app, Action& action);
void add_reference(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

/// What `weir describe KIND NAME` shows.
void print_model(const std::string& kind, const std::string& name);

}  // namespace weir::cli
