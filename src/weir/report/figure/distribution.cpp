#include <algorithm>
#include <cmath>

#include "weir/report/figure/kinds.hpp"

namespace weir::report {

using experiment::RunRecord;
using metrics::Histogram;

namespace {

/// Histograms of a line's runs, added up.
struct Distribution {
  std::string panel;
  std::string label;
  Histogram histogram;
};

std::vector<Distribution> distributions(const FigureSource& source) {
  std::vector<Distribution> all;
  for (const RunRecord* run : source.runs) {
    for (const MetricName& name : source.spec.metrics) {
      for (const metrics::NamedHistogram& one : run->result.histograms) {
        if (one.name != name || one.histogram.empty()) continue;
        Distribution here{source.panel(*run, name), source.label(*run, name, {}), one.histogram};
        const auto known = std::find_if(all.begin(), all.end(), [&](const Distribution& d) {
          return d.panel == here.panel && d.label == here.label;
        });
        if (known == all.end()) {
          all.push_back(std::move(here));
        } else {
          known->histogram.merge(one.histogram);
        }
      }
    }
  }
  return all;
}

/// Points of the share of values at or below x (or above it), exact at every point: the upper ends
/// of the buckets.
void add_points(LineTable::Cells& cells, const Histogram& histogram, double per_value,
                bool is_complement) {
  const auto add = [&](std::int64_t value, double below) {
    LineTable::Cell& cell = cells[static_cast<double>(cells.size())];
    cell.x.add(static_cast<double>(value) * per_value);
    cell.y.add(is_complement ? 1 - below : below);
  };
  add(histogram.minimum(), 0);
  std::uint64_t seen = 0;
  for (const auto& [bucket, times] : histogram.stored().buckets) {
    seen += times;
    const std::int64_t end = Histogram::lower_bound(bucket + 1) - 1;
    add(std::min(end, histogram.maximum()),
        static_cast<double>(seen) / static_cast<double>(histogram.count()));
  }
}

}  // namespace

void draw_distribution(const FigureSource& source, Figure& figure) {
  const PlotSpec& spec = source.spec;
  figure.kind = Figure::Kind::steps;
  const std::string& base = metric_kind(spec.metrics.front().metric).unit;
  const double per_value = base == "ns" ? 1e-3 : 1;  // histograms of times count picoseconds
  const std::vector<Distribution> all = distributions(source);
  if (all.empty()) return;
  double largest = 0;
  double smallest = static_cast<double>(all.front().histogram.maximum()) * per_value;
  for (const Distribution& one : all) {
    largest = std::max(largest, static_cast<double>(one.histogram.maximum()) * per_value);
    smallest = std::min(smallest, static_cast<double>(one.histogram.minimum()) * per_value);
  }
  const Unit unit = source.unit(spec.x_unit, base, largest, "x_unit");
  figure.x_per_base = unit.per_base;
  LineTable lines;
  for (const Distribution& one : all) {
    add_points(lines.line(one.panel, one.label), one.histogram, per_value * unit.per_base,
               spec.draw == PlotSpec::Draw::ccdf);
  }
  lines.write(figure);
  figure.x_label = with_unit(common_title(spec.metrics), unit.name);
  figure.x_range = linear_range(0, largest * unit.per_base);
  if (spec.x_log) {
    const double low = std::max(smallest * unit.per_base, largest * unit.per_base * 1e-6);
    figure.x_range = log_range(low, largest * unit.per_base);
  }
}

}  // namespace weir::report
