#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output.hpp"
#include "ranks.hpp"
#include "revision.hpp"
#include "weir/base/error.hpp"
#include "weir/base/version.hpp"

namespace weir::cli {
namespace {

constexpr const char* kShortHelp =
    R"(weir simulates congestion in lossless interconnects, packet by packet.

  weir run experiments/quickstart.toml     run an experiment: table, results, plots
  weir check experiments/quickstart.toml   what it would do, without running
  weir reproduce                           documents whose claims it checks
  weir list                                models, metrics and sections of experiment files

weir --help shows all commands, weir COMMAND --help one of them.
)";

/// Messages of errors are for people: one, without the program's name twice.
int fail(int status, std::string_view message) {
  std::fflush(stdout);
  std::fprintf(stderr, "weir: %.*s\n", static_cast<int>(message.size()), message.data());
  return status;
}

/// Each mistake in a line of its own, as an editor takes them.
int refuse(const InputError& error) {
  constexpr std::size_t kMost = 100;
  const std::vector<InputError> problems = error.all();
  for (std::size_t i = 0; i < std::min(kMost, problems.size()); ++i)
    fail(kWrongInput, problems[i].what());
  if (problems.size() > kMost) {
    fail(kWrongInput, fmt::format("and {} more", problems.size() - kMost));
  } else if (problems.size() > 1) {
    fail(kWrongInput, fmt::format("{} problems", problems.size()));
  }
  return kWrongInput;
}

std::string version_text() {
  const std::string revision = WEIR_REVISION;
  return std::string("weir ") + version() + (revision.empty() ? "" : " (" + revision + ")");
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Simulates congestion in lossless interconnects, packet by packet.", "weir");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  Action action;
  add_run(app, action);
  add_compare(app, action);
  add_reproduce(app, action);
  add_calibrate(app, action);
  add_check(app, action);
  add_list(app, action);
  add_describe(app, action);
  add_topology(app, action);
  add_rates(app, action);
  add_workload(app, action);
  add_queue(app, action);
  add_import(app, action);
  add_watch(app, action);
  add_merge(app, action);
  add_export(app, action);
  add_plot(app, action);
  add_report(app, action);
  add_counters(app, action);
  add_reference(app, action);
  add_completion(app, action);
  const auto plugins = add_plugins(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    say(std::string_view(fitted_help(app.help())));
  } catch (const CLI::CallForAllHelp&) {
    say(std::string_view(fitted_help(app.help("", CLI::AppFormatMode::All))));
  } catch (const CLI::CallForVersion&) {
    say("{}\n", version_text());
  } catch (const CLI::ParseError& error) {
    throw InputError(std::string(error.what()) + " (weir --help shows the commands)");
  }
  int status = kDone;
  if (action) {
    load_plugins(*plugins);
    status = action();
  } else if (argc == 1) {
    say(std::string_view(kShortHelp));
  }
  finish_output();
  return status;
}

int run_program(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const InputError& error) {
    return refuse(error);
  } catch (const RunError& error) {
    return fail(kRunFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kRunFailed, "not enough memory");
  } catch (const std::exception& error) {
    return fail(kRunFailed, std::string("internal error: ") + error.what());
  }
}

}  // namespace
}  // namespace weir::cli

int main(int argc, char** argv) {
  if (const auto status = weir::cli::join_ranks(argc, argv)) return *status;
  const int status = weir::cli::run_program(argc, argv);
  weir::cli::leave_ranks();
  return status;
}
