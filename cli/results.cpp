#include "results.hpp"

#include <unistd.h>

#include <cstdlib>

#include "output.hpp"
#include "ranks.hpp"

namespace weir::cli {
namespace {

using experiment::RunRecord;

/// mpirun gives its ranks a terminal, wherever its own output goes.
bool is_terminal() { return isatty(STDOUT_FILENO) != 0 && launched_processes() == 1; }

/// How long the runs took, whenever that was: CPU time, and wall time beside it.
std::string time_line(const std::vector<RunRecord>& records) {
  double seconds = 0;
  double wall = 0;
  double hops = 0;
  for (const RunRecord& record : records) {
    const double* all = record.result.scalar("packet_hops");
    if (all == nullptr) continue;
    const metrics::RunResult& result = record.result;
    // Runs that an older version recorded have wall time alone.
    seconds += result.cpu_seconds > 0 ? result.cpu_seconds : result.wall_seconds;
    wall += result.wall_seconds;
    hops += *all;
  }
  if (seconds <= 0) return "";
  return fmt::format("Time:    {} on one core ({} by the clock), {:.1f} million packet-hops/s\n",
                     duration_text(seconds), duration_text(wall), hops / seconds * 1e-6);
}

}  // namespace

bool has_color() {
  // https://no-color.org: set, and not to nothing.
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && is_terminal();
}

std::size_t table_width() { return is_terminal() ? line_width() : 0; }

report::TableSpace table_space() { return {has_color(), table_width(), line_width()}; }

void write_files(const ResultsWriter& writer, const std::vector<RunRecord>& records,
                 const experiment::ResultsStore& store, bool has_report, const std::string& folder,
                 bool is_told) {
  const report::WrittenFiles written = writer.write_all(store, records, has_report);
  if (!is_told) {
    if (written.undrawn) throw *written.undrawn;
    return;
  }
  say("\n");
  if (!written.figures.empty()) say("Plots:   {}\n", fmt::join(written.figures, " "));
  const std::string names = fmt::format("{}", fmt::join(written.names, ","));
  say("Results: {}/{}\n", folder, written.names.size() > 1 ? "{" + names + "}" : names);
  if (written.lacks_report)
    say("No report.html: this program was built without it (see weir report).\n");
  say(std::string_view(time_line(records)));
  if (written.undrawn) throw *written.undrawn;
}

}  // namespace weir::cli
