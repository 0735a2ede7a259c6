#include "weir/metrics/mechanism_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "weir/base/metric_registry.hpp"
#include "weir/metrics/batch_means.hpp"
#include "weir/metrics/readings_log.hpp"

namespace weir::metrics {

/// Writes one sample down.
class MechanismMonitor::Reader final : public fabric::Readings {
 public:
  Reader(MechanismMonitor& monitor, Sample& sample, bool is_end)
      : monitor_(monitor), cells_(sample.cells), at_(sample.at), is_end_(is_end) {}

  [[nodiscard]] std::size_t traffic_classes() const override { return monitor_.classes_.size(); }
  void count(std::string_view metric, double total, std::string_view label) override {
    cell(metric, label, kNone, Form::count).part.add(total);
  }
  void count_of(std::size_t traffic_class, std::string_view metric, double total) override {
    cell(metric, {}, traffic_class, Form::count).part.add(total);
  }
  void mean(std::string_view metric, ExactSum part, ExactSum whole) override {
    add(cell(metric, {}, kNone, Form::mean), part, whole);
  }
  void mean_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
               ExactSum whole) override {
    add(cell(metric, {}, traffic_class, Form::mean), part, whole);
  }
  void mean_over_time(std::string_view metric, ExactSum integral) override {
    Cell& mean = cell(metric, {}, kNone, Form::mean);
    mean.part += integral;
    mean.whole = at_.count;
  }
  void average_at(std::string_view metric, std::string_view label, ExactSum integral,
                  std::uint32_t number) override {
    numbered(metric, label, Form::average, number).part += integral;
  }
  void mean_at(std::string_view metric, std::string_view label, ExactSum part, ExactSum whole,
               std::uint32_t number) override {
    add(numbered(metric, label, Form::estimate, number), part, whole);
  }
  void ratio_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
                ExactSum whole) override {
    add(cell(metric, {}, traffic_class, Form::ratio), part, whole);
  }
  void level(std::string_view metric, double now, std::string_view largest) override {
    add(cell(metric, {}, kNone, Form::level, largest), now);
  }
  void level_of_most(std::string_view metric, double now, std::string_view largest) override {
    double& most = cell(metric, {}, kNone, Form::level, largest).number;
    most = std::fmax(most, now);
  }
  void level_at(std::string_view metric, std::string_view label, double now,
                std::uint32_t number) override {
    add(numbered(metric, label, Form::level, number), now);
  }
  [[nodiscard]] bool wants_values() const override { return is_end_; }
  void value(std::string_view metric, double value, std::string_view label) override {
    if (is_end_) add(cell(metric, label, kNone, Form::value), value);
  }
  void value_of_sum(std::string_view metric, ExactSum sum, double unit) override {
    if (!is_end_) return;
    Cell& value = cell(metric, {}, kNone, Form::value);
    value.part += sum;
    value.number = value.part.value() * unit;
  }
  void value_of_mean(std::string_view metric, ExactSum sum, double unit, ExactSum count) override {
    if (!is_end_) return;
    Cell& value = cell(metric, {}, kNone, Form::value);
    add(value, sum, count);
    if (value.whole.value() > 0) value.number = value.part.value() * unit / value.whole.value();
  }
  void smallest(std::string_view metric, double value, std::string_view label) override {
    if (!is_end_) return;
    double& least = cell(metric, label, kNone, Form::smallest).number;
    least = std::fmin(least, value);
  }
  void largest(std::string_view metric, double value, std::string_view label) override {
    if (!is_end_) return;
    double& most = cell(metric, label, kNone, Form::largest).number;
    most = std::fmax(most, value);
  }
  void most_at_once(std::string_view metric, std::span<const fabric::Change> changes) override {
    if (!is_end_) return;
    (void)cell(metric, {}, kNone, Form::largest);
    std::vector<fabric::Change>& all = changes_[std::string(metric)];
    all.insert(all.end(), changes.begin(), changes.end());
  }
  void ranked(std::string_view metric, double value, std::string_view label,
              std::uint32_t number) override {
    if (is_end_)
      monitor_.ranked_.push_back({std::string(metric), std::string(label), number, value});
  }

  /// What is known when all instances have told theirs.
  void finish() {
    for (auto& [metric, changes] : changes_) {
      largest(metric, static_cast<double>(most_at_once(changes)), {});
    }
  }

 private:
  [[nodiscard]] static std::int64_t most_at_once(std::vector<fabric::Change>& changes) {
    std::sort(changes.begin(), changes.end(), [](const auto& one, const auto& other) {
      return one.at != other.at ? one.at < other.at : one.by > other.by;
    });
    std::int64_t now = 0;
    std::int64_t most = 0;
    for (const fabric::Change& change : changes) most = std::max(most, now += change.by);
    return most;
  }
  static void add(Cell& cell, const ExactSum& part, const ExactSum& whole) {
    cell.part += part;
    cell.whole += whole;
  }
  static void add(Cell& cell, double number) {
    cell.number = std::isnan(cell.number) ? number : cell.number + number;
  }
  Cell& numbered(std::string_view metric, std::string_view label, Form form, std::uint32_t number) {
    const std::size_t known = monitor_.rows_.size();
    Cell& its = cell(metric, label, kNone, form);
    if (monitor_.rows_.size() > known) monitor_.rows_.back().number = number;
    return its;
  }
  Cell& cell(std::string_view metric, std::string_view label, std::size_t traffic_class, Form form,
             std::string_view largest = {}) {
    const auto [found, is_new] = monitor_.row_of_.try_emplace(
        {std::string(metric), std::string(label), traffic_class}, monitor_.rows_.size());
    const std::size_t row = found->second;
    if (is_new) {
      monitor_.rows_.push_back(
          {std::string(metric), std::string(label), traffic_class, form, std::string(largest)});
    }
    if (row >= cells_.size()) cells_.resize(row + 1);
    return cells_[row];
  }

  MechanismMonitor& monitor_;
  std::vector<Cell>& cells_;
  Time at_;
  bool is_end_;
  std::map<std::string, std::vector<fabric::Change>> changes_;
};

MechanismMonitor::Cell MechanismMonitor::cell_of(const Sample& sample, std::size_t row) const {
  Cell cell = sample.cell(row);
  if (rows_[row].form == Form::average) cell.whole = sample.at.count;
  return cell;
}

MechanismMonitor::Sample MechanismMonitor::read(Time at, bool is_end) {
  Sample sample{at, {}};
  sample.cells.reserve(rows_.size());
  const std::size_t known = rows_.size();
  Reader reader(*this, sample, is_end);
  if (ranks_ == nullptr) {
    for (const fabric::Mechanism* instance : instances_) instance->read(reader, at);
  } else {
    ReadingsLog log(reader);
    for (const fabric::Mechanism* instance : instances_) instance->read(log, at);
    for (const Ranks::Parcel& one : ranks_->gather(log.bytes())) ReadingsLog::tell(one, reader);
  }
  reader.finish();
  put_in_order(known, sample);
  return sample;
}

void MechanismMonitor::put_in_order(std::size_t from, Sample& sample) {
  const auto is_before = [](const Row& one, const Row& other) { return one.number < other.number; };
  if (std::is_sorted(rows_.begin() + static_cast<std::ptrdiff_t>(from), rows_.end(), is_before))
    return;
  std::vector<std::size_t> order(rows_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(from), order.end(),
                   [&](std::size_t a, std::size_t b) { return is_before(rows_[a], rows_[b]); });
  const std::vector<Row> rows = rows_;
  const std::vector<Cell> cells = sample.cells;
  for (std::size_t r = from; r < order.size(); ++r) {
    rows_[r] = rows[order[r]];
    sample.cells[r] = cells[order[r]];
    row_of_[{rows_[r].metric, rows_[r].label, rows_[r].traffic_class}] = r;
  }
}

void MechanismMonitor::sample(Time at, Time period) {
  if (samples_.empty()) period_ = period;
  samples_.push_back(read(at));
}

void MechanismMonitor::open_window(Time at) { opening_ = read(at); }

MechanismMonitor::Sample MechanismMonitor::before_window(Time warm_up) const {
  if (warm_up == Time(0)) return {};
  if (opening_ && opening_->at == warm_up) return *opening_;
  const auto first = std::find_if(samples_.begin(), samples_.end(),
                                  [&](const Sample& sample) { return sample.at >= warm_up; });
  return first == samples_.end() ? samples_.back() : *first;
}

namespace {

double share(const ExactSum& part, const ExactSum& whole) {
  const double all = whole.value();
  return all > 0 ? part.value() / all : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void MechanismMonitor::add_series(RunResult& result, const std::string& metric,
                                  const Group& group) const {
  const Form form = rows_[group.rows.front()].form;
  const bool has_series = (metric_kind(metric).forms & metric_form::kSeries) != 0;
  if (!has_series || samples_.empty()) return;
  std::vector<double> values;
  const Sample none;
  const Sample* before = &none;
  for (const Sample& sample : samples_) {
    ExactSum part;
    ExactSum whole;
    for (const std::size_t row : group.rows) {
      part += cell_of(sample, row).part - cell_of(*before, row).part;
      whole += cell_of(sample, row).whole - cell_of(*before, row).whole;
    }
    const bool is_mean = form == Form::mean || form == Form::average || form == Form::estimate;
    values.push_back(is_mean ? share(part, whole) : part.value());
    before = &sample;
  }
  result.add_series(metric, group.label, samples_.front().at - period_, period_, std::move(values));
}

void MechanismMonitor::report(RunResult& result, const std::string& metric, const Group& group,
                              const Sample& begin, const Sample& end) const {
  ExactSum total;
  ExactSum part;
  ExactSum whole;
  const Form form = rows_[group.rows.front()].form;
  for (const std::size_t row : group.rows) {
    total += end.cell(row).part;
    if (form == Form::ratio) {
      part += end.cell(row).part;
      whole += end.cell(row).whole;
    }
    if (form != Form::mean || samples_.empty()) continue;
    part += samples_.back().cell(row).part - begin.cell(row).part;
    whole += samples_.back().cell(row).whole - begin.cell(row).whole;
  }
  const bool is_share = form == Form::mean || form == Form::ratio;
  const double value = is_share ? share(part, whole) : total.value();
  if (!std::isnan(value)) result.add_scalar(metric, group.label, value);
  add_series(result, metric, group);
}

void MechanismMonitor::report_level(RunResult& result, std::size_t row, Time warm_up) const {
  const Row& level = rows_[row];
  const std::uint8_t forms = metric_kind(level.metric).forms;
  std::vector<double> values;
  double sum = 0;
  double measured = 0;
  double largest = 0;
  for (const Sample& sample : samples_) {
    const double now = sample.cell(row).number;
    values.push_back(std::isnan(now) ? 0 : now);
    largest = std::max(largest, values.back());
    if (sample.at <= warm_up) continue;
    sum += values.back();
    ++measured;
  }
  if (measured > 0 && (forms & metric_form::kScalar) != 0)
    result.add_scalar(level.metric, level.label, sum / measured, Reading::sampled);
  if (!level.largest.empty()) result.add_scalar(level.largest, "", largest, Reading::sampled);
  if (samples_.empty() || (forms & metric_form::kSeries) == 0) return;
  result.add_series(level.metric, level.label, samples_.front().at - period_, period_,
                    std::move(values), Reading::sampled);
}

void MechanismMonitor::report_estimate(RunResult& result, std::size_t row,
                                       const Sample& begin) const {
  const std::string& metric = rows_[row].metric;
  const std::string& label = rows_[row].label;
  if ((metric_kind(metric).forms & metric_form::kScalar) != 0 && !samples_.empty()) {
    std::vector<RatioSlice> slices;
    Cell before = cell_of(begin, row);
    for (const Sample& sample : samples_) {
      if (sample.at <= begin.at) continue;
      const Cell now = cell_of(sample, row);
      slices.push_back({(now.part - before.part).value(), (now.whole - before.whole).value()});
      before = now;
    }
    const BatchMeans means = batch_means(slices);
    if (!std::isnan(means.mean)) result.add_scalar(metric, label, means.mean);
    if (means.verdict == Verdict::estimated) {
      result.scalars.back().half_width = means.half_width;
      result.scalars.back().quality = Quality::estimated;
    }
  }
  add_series(result, metric, {label, {row}});
}

void MechanismMonitor::report(RunResult& result, Time now, Time warm_up) {
  const Sample end = read(now, true);
  if (rows_.empty()) return;
  const Sample begin = samples_.empty() ? Sample{} : before_window(warm_up);
  std::vector<std::string> by_class;
  for (const Row& row : rows_) {
    const bool is_new = std::find(by_class.begin(), by_class.end(), row.metric) == by_class.end();
    if (row.traffic_class != kNone && is_new) by_class.push_back(row.metric);
  }
  for (const TrafficGroup& traffic : traffic_groups(classes_, false)) {
    for (const std::string& metric : by_class) {
      Group group{traffic.label, {}};
      for (const std::size_t c : traffic.members) {
        const auto found = row_of_.find({metric, {}, c});
        if (found != row_of_.end()) group.rows.push_back(found->second);
      }
      if (!group.rows.empty()) report(result, metric, group, begin, end);
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].traffic_class != kNone) continue;
    if (rows_[r].form == Form::level) {
      report_level(result, r, warm_up);
    } else if (rows_[r].form == Form::average || rows_[r].form == Form::estimate) {
      report_estimate(result, r, begin);
    } else if (rows_[r].form == Form::value || rows_[r].form == Form::smallest ||
               rows_[r].form == Form::largest) {
      const double number = end.cell(r).number;
      if (!std::isnan(number)) result.add_scalar(rows_[r].metric, rows_[r].label, number);
    } else {
      report(result, rows_[r].metric, {rows_[r].label, {r}}, begin, end);
    }
  }
  report_ranked(result);
}

void MechanismMonitor::report_ranked(RunResult& result) {
  std::stable_sort(ranked_.begin(), ranked_.end(), [](const Ranked& one, const Ranked& other) {
    if (one.metric != other.metric) return one.metric < other.metric;
    return one.value != other.value ? one.value > other.value : one.number < other.number;
  });
  std::size_t told = 0;
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    if (i > 0 && ranked_[i].metric != ranked_[i - 1].metric) told = 0;
    if (told++ < kMostRanked)
      result.add_scalar(ranked_[i].metric, ranked_[i].label, ranked_[i].value);
  }
}

}  // namespace weir::metrics
