#include "weir/metrics/traffic_slices.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::metrics {

namespace {

constexpr Time kFirstLength(1'000);

void add(std::vector<std::int64_t>& sum, const std::vector<std::int64_t>& values) {
  if (sum.size() < values.size()) sum.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

TrafficSlices::TrafficSlices(std::size_t records, Time begin)
    : before_(records), begin_(begin), next_(begin) {
  closed_.reserve(records);
  for (std::size_t r = 0; r < records; ++r) closed_.emplace_back(kMost);
}

bool TrafficSlices::close(std::span<const TrafficTotals> totals) {
  bool is_collapsed = false;
  for (std::size_t r = 0; r < closed_.size(); ++r) {
    if (has_begun_) is_collapsed = closed_[r].push(totals[r].since(before_[r]));
    before_[r] = totals[r];
  }
  has_begun_ = true;
  next_ += length();
  return is_collapsed;
}

Time TrafficSlices::length() const { return kFirstLength * closed_.front().scale(); }

std::size_t TrafficSlices::count() const { return closed_.front().closed().size(); }

void TrafficSlices::add_to(SliceSequence& sum, std::size_t record, const TrafficTotals& totals,
                           Time now) const {
  sum.begin = begin_;
  sum.length = length();
  sum.end = std::max(now, begin_);
  if (!has_begun_) return;
  const auto closed = closed_[record].closed();
  sum.slices.resize(std::max<std::size_t>(closed.size(), 1));
  for (std::size_t k = 0; k < closed.size(); ++k) sum.slices[k].merge(closed[k]);
  sum.slices.back().merge(totals.since(before_[record]));
}

void TrafficSlices::merge(const TrafficSlices& other) {
  if (count() != other.count() || length() != other.length())
    throw std::logic_error("slices of different times cannot be added");
  for (std::size_t r = 0; r < closed_.size(); ++r) {
    const auto sum = closed_[r].closed();
    const auto values = other.closed_[r].closed();
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k].merge(values[k]);
    before_[r].merge(other.before_[r]);
  }
}

TrafficSlices TrafficSlices::emptied() const {
  TrafficSlices empty = *this;
  for (CollapsingSlices<TrafficTotals>& one : empty.closed_)
    for (TrafficTotals& slice : one.closed()) slice = {};
  std::fill(empty.before_.begin(), empty.before_.end(), TrafficTotals{});
  return empty;
}

WindowGroups::WindowGroups(std::size_t records, std::size_t hosts, std::size_t size_classes)
    : groups_(kMost) {
  for (Group& group : groups_) {
    group.records.resize(records);
    for (WindowRecord& record : group.records) {
      record.source_delivered.assign(hosts, -1);
      record.completions.resize(size_classes);
    }
  }
}

void WindowGroups::close(std::span<ClassRecord> records,
                         std::vector<std::int64_t>& flow_delivered) {
  Group& group = groups_[count_++];
  for (std::size_t r = 0; r < records.size(); ++r) {
    std::swap(group.records[r], records[r].window);
    records[r].window.clear();
  }
  std::swap(group.flow_delivered, flow_delivered);
  flow_delivered.assign(group.flow_delivered.size(), 0);
}

void WindowGroups::merge(const WindowGroups& other) {
  if (count_ != other.count_) throw std::logic_error("stretches differ");
  for (std::size_t g = 0; g < count_; ++g) {
    for (std::size_t r = 0; r < groups_[g].records.size(); ++r)
      groups_[g].records[r].merge(other.groups_[g].records[r]);
  }
}

void WindowGroups::collapse() {
  for (std::size_t g = 0; 2 * g + 1 < count_; ++g) {
    if (g != 0) std::swap(groups_[g], groups_[2 * g]);
    Group& kept = groups_[g];
    const Group& next = groups_[2 * g + 1];
    for (std::size_t r = 0; r < kept.records.size(); ++r) kept.records[r].merge(next.records[r]);
    add(kept.flow_delivered, next.flow_delivered);
  }
  count_ /= 2;
  for (std::size_t g = count_; g < groups_.size(); ++g) {
    for (WindowRecord& record : groups_[g].records) record.clear();
    groups_[g].flow_delivered.clear();
  }
}

}  // namespace weir::metrics
