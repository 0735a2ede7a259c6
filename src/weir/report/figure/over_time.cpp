#include <algorithm>

#include "weir/report/figure/kinds.hpp"

namespace weir::report {

namespace {

/// Adds the bins of a series at their middles. Returns its end, ns.
double add_series(LineTable::Cells& cells, const metrics::Series& series) {
  const double bin = to_nanoseconds(series.bin);
  const double start = to_nanoseconds(series.start);
  for (std::size_t k = 0; k < series.values.size(); ++k) {
    const double middle = start + bin * (static_cast<double>(k) + 0.5);
    LineTable::Cell& cell = cells[middle];
    cell.x.add(middle);
    cell.y.add(series.values[k]);
  }
  return start + bin * static_cast<double>(series.values.size());
}

}  // namespace

void draw_over_time(const FigureSource& source, Figure& figure) {
  const PlotSpec& spec = source.spec;
  LineTable lines;
  double end = 0;
  for (const experiment::RunRecord* run : source.runs) {
    for (const MetricName& name : spec.metrics) {
      const metrics::Series* series = run->result.find_series(name.metric, name.label);
      if (series == nullptr) continue;
      auto& cells = lines.line(source.panel(*run, name), source.label(*run, name, {}));
      end = std::max(end, add_series(cells, *series));
    }
  }
  lines.write(figure);
  const Unit unit = source.unit(spec.x_unit, "ns", end, "x_unit");
  figure.x_per_base = unit.per_base;
  for (FigurePanel& panel : figure.panels) {
    for (FigureLine& line : panel.lines) {
      for (FigurePoint& point : line.points) point.x *= unit.per_base;
    }
  }
  figure.has_bands = true;
  figure.x_label = with_unit("simulated time", unit.name);
  figure.x_range = {0, end * unit.per_base};
  if (!spec.shade) return;
  figure.shade = {to_nanoseconds(spec.shade->first) * unit.per_base,
                  to_nanoseconds(spec.shade->second) * unit.per_base};
  figure.shade_label = spec.shade_label;
}

}  // namespace weir::report
