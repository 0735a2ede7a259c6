#include <algorithm>

#include "weir/report/figure/kinds.hpp"

namespace weir::report {

using experiment::RunRecord;

namespace {

/// What stands under the bars of a run: its case, the value of a swept key, or (without cases) all
/// that tells it from other runs.
std::string group_of(const FigureSource& source, const RunRecord& run) {
  const std::string& x = source.spec.x;
  if (x != RunNames::kCase) return RunNames::value(run, x);
  if (!run.case_name.empty()) return run.case_name;
  const std::string text = source.names.text(run, {source.spec.panel});
  return text.empty() ? run.experiment : text;
}

/// Key that is along x, so that colours do not tell it again.
std::vector<std::string> keys_in_group(const FigureSource& source) {
  const bool by_case = source.spec.x == RunNames::kCase;
  const bool no_cases = std::all_of(source.runs.begin(), source.runs.end(),
                                    [](const RunRecord* run) { return run->case_name.empty(); });
  return by_case && no_cases ? source.names.keys() : std::vector<std::string>{source.spec.x};
}

}  // namespace

void draw_bars(const FigureSource& source, Figure& figure) {
  figure.kind = Figure::Kind::bars;
  const std::vector<std::string> along = keys_in_group(source);
  LineTable lines;
  for (const RunRecord* run : source.runs) {
    const std::string group = group_of(source, *run);
    if (group.empty()) continue;
    auto at = std::find(figure.bar_groups.begin(), figure.bar_groups.end(), group);
    if (at == figure.bar_groups.end()) at = figure.bar_groups.insert(at, group);
    const auto x = static_cast<double>(at - figure.bar_groups.begin());
    for (const MetricName& name : source.spec.metrics) {
      const metrics::Scalar* scalar = find_scalar(*run, name);
      if (scalar == nullptr) continue;
      const std::string label = source.label(*run, name, along);
      auto& cell = lines.line(source.panel(*run, name), label)[x];
      cell.x.add(x);
      add_scalar(cell.y, scalar);
    }
  }
  lines.write(figure);
  figure.x_range = {-0.5, static_cast<double>(figure.bar_groups.size()) - 0.5};
}

}  // namespace weir::report
