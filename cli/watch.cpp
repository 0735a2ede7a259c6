#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>

#include "commands.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "results.hpp"
#include "screen.hpp"
#include "weir/experiment/store/results_store.hpp"

namespace weir::cli {
namespace {

using experiment::CampaignState;
using experiment::RunAtWork;
using Stage = CampaignState::Stage;

constexpr int kLookPeriodMs = 500;
constexpr std::size_t kMostLines = 16;

/// All programs that bring runs into one store, at one moment.
struct View {
  std::vector<CampaignState> campaigns;

  [[nodiscard]] bool is_over() const {
    return std::none_of(campaigns.begin(), campaigns.end(),
                        [](const CampaignState& one) { return one.is_alive(); });
  }
};

std::string runs_of(const CampaignState& state) {
  std::string text = fmt::format("{} of {} runs", with_commas(state.done), with_commas(state.runs));
  if (state.failed > 0) text += fmt::format(", {} failed", with_commas(state.failed));
  return text;
}

/// Where there are several programs, which it is.
std::string who(const CampaignState& state, const View& view) {
  if (view.campaigns.size() < 2) return "";
  return fmt::format("{}, process {}: ", state.host, state.process);
}

/// How it stands with one that is not at work.
std::string end_text(const CampaignState& state) {
  if (state.stage == Stage::ended) return "ended";
  if (state.stage == Stage::interrupted) return "interrupted; the same command goes on from there";
  const auto silent = experiment::seconds_now() - state.told;
  return fmt::format("died {} ago; the same command goes on from there",
                     duration_text(std::max(0.0, silent)));
}

void add_bars(const CampaignState& state, const View& view, std::vector<std::string>& lines) {
  if (!state.is_alive()) {
    lines.push_back(fmt::format("{}{}, {}", who(state, view), runs_of(state), end_text(state)));
    return;
  }
  for (const RunAtWork& run : state.at_work) {
    if (lines.size() == kMostLines) break;
    const std::string where =
        run.share > 0 ? fmt::format("{} {:4.0f} %", bar_text(run.share), run.share * 100) : "";
    lines.push_back(fmt::format("{}  {:33}  {}", left_text(run.seconds_left), where, run.name));
  }
  lines.push_back(fmt::format("{}  {} {:4.0f} %  {}{}", left_text(state.seconds_left),
                              bar_text(state.share), state.share * 100, who(state, view),
                              runs_of(state)));
}

std::vector<std::string> bars(const View& view) {
  std::vector<std::string> lines;
  for (const CampaignState& state : view.campaigns) add_bars(state, view, lines);
  return lines;
}

std::string names_text(const std::vector<RunAtWork>& runs) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, runs.size()); ++i) {
    text += (i > 0 ? ", " : "") + runs[i].name;
    if (runs[i].share > 0) text += fmt::format(" ({:.0f} %)", runs[i].share * 100);
  }
  if (runs.size() > kMost) text += fmt::format(" and {} more", runs.size() - kMost);
  return text;
}

std::string line_of(const CampaignState& state, const View& view) {
  if (!state.is_alive())
    return fmt::format("{}{}, {}", who(state, view), runs_of(state), end_text(state));
  std::string text = who(state, view);
  if (state.seconds_left >= 0) text += duration_text(state.seconds_left) + " left; ";
  text += runs_of(state);
  if (!state.at_work.empty()) text += "; at work: " + names_text(state.at_work);
  return text;
}

/// What a line is worth: runs that began or ended, and programs that came or went.
std::string change_key(const CampaignState& state) {
  std::set<std::string> names;
  for (const RunAtWork& run : state.at_work) names.insert(run.name);
  return fmt::format("{} {} {} {} {} {} {}", state.host, state.process, state.started, state.done,
                     state.failed, state.is_alive(), fmt::join(names, "\n"));
}

/// Prints a line for each program of which something has changed.
class Lines {
 public:
  void show(const View& view) {
    std::set<std::string> now;
    for (const CampaignState& state : view.campaigns) {
      const std::string key = change_key(state);
      now.insert(key);
      if (shown_.count(key) == 0) say("{}\n", line_of(state, view));
    }
    shown_ = std::move(now);
    finish_output();
  }

 private:
  std::set<std::string> shown_;
};

/// 0 when everything was done, 1 when something failed or is unfinished.
int status_of(const View& view) {
  const bool is_well =
      std::all_of(view.campaigns.begin(), view.campaigns.end(),
                  [](const auto& one) { return one.stage == Stage::ended && one.failed == 0; });
  return is_well ? kDone : kRunFailed;
}

/// So that a wait ends when the terminal has another size.
void on_resize(int) {}

int watch(const std::string& results) {
  const std::string path = results_file(results);
  if (!std::filesystem::exists(path)) {
    throw InputError(path + ": there are no results; weir run makes them");
  }
  const std::atomic<bool>& interrupted = watch_interrupts();
  const experiment::ResultsStore store(path, experiment::ResultsStore::Mode::existing);
  View view{store.campaigns()};
  if (view.campaigns.empty()) {
    throw InputError(path + ": no program has said that it works here");
  }
  std::signal(SIGWINCH, on_resize);
  const bool has_bars = isatty(STDOUT_FILENO) != 0;
  Screen screen(stdout);
  Lines lines;
  while (true) {
    if (has_bars) {
      screen.draw(bars(view));
    } else {
      lines.show(view);
    }
    if (view.is_over() || interrupted) break;
    (void)poll(nullptr, 0, kLookPeriodMs);
    view.campaigns = store.campaigns();
  }
  screen.keep();
  return interrupted && !view.is_over() ? kRunFailed : status_of(view);
}

}  // namespace

void add_watch(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "watch", "What is done, at work and left of a run that goes on elsewhere, until it ends");
  auto results = std::make_shared<std::string>();
  command->add_option("RESULTS", *results, "results folder or database")->required();
  command->callback([results, &action] { action = [results] { return watch(*results); }; });
}

}  // namespace weir::cli
