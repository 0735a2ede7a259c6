#include "weir/metrics/link_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/statistics/bivariate_statistics.hpp>
#include <cmath>
#include <numeric>
#include <string_view>

#include "weir/base/error.hpp"
#include "weir/metrics/link_monitor.hpp"

namespace weir::metrics {
namespace {

using topology::CounterState;
using topology::LinkCount;

constexpr std::size_t kFewestForACoefficient = 3;
/// A measured share of time above this is no rounding of clocks.
constexpr double kMoreThanAllTime = 1.05;

using Quantities = std::vector<ComparedQuantity*>;

/// Ranks from 1, the highest value; equal ones share the mean of their ranks.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double rank = static_cast<double>(first + end + 1) / 2;
    for (; first < end; ++first) ranks[order[first]] = rank;
  }
  return ranks;
}

bool are_all_equal(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

/// Pearson's coefficient of the ranks.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < kFewestForACoefficient || are_all_equal(a) || are_all_equal(b)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return boost::math::statistics::correlation_coefficient(a, b);
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Shares and ranks among the links whose counter is known. `simulated`: parallel to `all`.
Agreement set_beside(const Quantities& all, const std::vector<double>& simulated) {
  std::vector<double> a;
  std::vector<double> b;
  Quantities known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i]->state != CounterState::counted) continue;
    known.push_back(all[i]);
    a.push_back(all[i]->count);
    b.push_back(simulated[i]);
  }
  const std::vector<double> measured_ranks = ranks_of(a);
  const std::vector<double> simulated_ranks = ranks_of(b);
  const double measured_sum = sum_of(a);
  const double simulated_sum = sum_of(b);
  for (std::size_t i = 0; i < known.size(); ++i) {
    known[i]->measured = measured_sum > 0 ? a[i] / measured_sum : 0;
    known[i]->simulated = simulated_sum > 0 ? b[i] / simulated_sum : 0;
    known[i]->measured_rank = measured_ranks[i];
    known[i]->simulated_rank = simulated_ranks[i];
  }
  return {rank_correlation(measured_ranks, simulated_ranks), known.size()};
}

/// Where a share of the interval is more than all of it.
void tell_of_too_much(const Quantities& all, std::string_view what, std::string_view why,
                      std::vector<std::string>& notes) {
  const auto is_more = [](const ComparedQuantity* q) {
    return q->measured_time > kMoreThanAllTime;
  };
  const auto count = std::count_if(all.begin(), all.end(), is_more);
  if (count == 0) return;
  notes.push_back(fmt::format("{} link{} {} more than the whole interval: {}.", count,
                              count == 1 ? "" : "s", what, why));
}

}  // namespace

double ComparedLink::rank_difference() const {
  return std::abs(wait.measured_rank - wait.simulated_rank);
}

LinkComparison compare_links(const topology::Graph& graph, const topology::SubnetCounters& counters,
                             const topology::CounterFiles& files, const RunResult& run) {
  if (run.links.empty()) throw InputError("the run has no numbers of single links");
  const std::vector<PortId> ports = links_by_name(graph);
  LinkComparison out;
  out.notes = counters.notes;
  out.has_sent_time = files.interval.has_value();
  out.has_wait_time = files.interval.has_value() && files.tick.has_value();
  const double interval = files.interval ? to_seconds(*files.interval) : 0;
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    const LinkSummary& link = run.links[i];
    if (run.links.size() != ports.size() || graph.name(ports[i]) != link.name) {
      throw InputError("the file of the fabric has changed since the run: its links are others");
    }
    const topology::LinkCounters& measured = counters.links[ports[i].index()];
    ComparedLink compared{link.name, link.group, {}, {}};
    compared.sent.state = measured.words.state;
    compared.sent.simulated_time = link.utilization;
    if (measured.words.state == CounterState::counted) {
      compared.sent.count = static_cast<double>(measured.words.count) * topology::kBytesPerWord;
      const auto rate = static_cast<double>(graph.port(ports[i]).link.rate.count);
      if (out.has_sent_time)
        compared.sent.measured_time = compared.sent.count * 8 / rate / interval;
    }
    compared.wait.state = measured.ticks.state;
    compared.wait.simulated_time = link.wait;
    if (measured.ticks.state == CounterState::counted) {
      compared.wait.count = static_cast<double>(measured.ticks.count);
      if (out.has_wait_time) {
        compared.wait.measured_time = compared.wait.count * to_seconds(*files.tick) / interval;
      }
    }
    out.links.push_back(std::move(compared));
  }
  Quantities sent;
  Quantities waits;
  std::vector<double> bytes;
  std::vector<double> wait;
  for (std::size_t i = 0; i < out.links.size(); ++i) {
    sent.push_back(&out.links[i].sent);
    waits.push_back(&out.links[i].wait);
    bytes.push_back(static_cast<double>(run.links[i].bytes));
    wait.push_back(run.links[i].wait);
  }
  out.sent = set_beside(sent, bytes);
  out.wait = set_beside(waits, wait);
  tell_of_too_much(sent, "sent for", "the snapshots are farther apart than that", out.notes);
  tell_of_too_much(waits, "waited for", "a tick is shorter than that, or the interval longer",
                   out.notes);
  return out;
}

}  // namespace weir::metrics
