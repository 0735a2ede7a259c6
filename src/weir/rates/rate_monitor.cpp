#include "weir/rates/rate_monitor.hpp"

#include <algorithm>

namespace weir::rates {
namespace {

/// Sums of doubles that fill a link exactly do not count as too much.
constexpr double kFull = 1 + 1e-6;

}  // namespace

RateMonitor::RateMonitor(const ControlPlane& plane)
    : plane_(plane),
      rates_(plane.flow_count(), 0),
      sums_(plane.link_count(), 0),
      is_touched_(plane.link_count(), false),
      is_over_(plane.link_count(), false) {
  std::vector<bool> has_flows(plane.link_count(), false);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    for (const LinkIndex l : plane.route(f)) has_flows[l] = true;
  }
  links_with_flows_ =
      static_cast<std::size_t>(std::count(has_flows.begin(), has_flows.end(), true));
}

void RateMonitor::set(FlowIndex f, double rate, Time now) {
  if (rate == rates_[f]) return;
  if (now > last_) close_instant(now);
  const double change = rate - rates_[f];
  rates_[f] = rate;
  for (const LinkIndex l : plane_.route(f)) {
    sums_[l] += change / plane_.link(l).capacity;
    if (is_touched_[l]) continue;
    is_touched_[l] = true;
    touched_.push_back(l);
  }
}

void RateMonitor::close_instant(Time now) {
  for (const LinkIndex l : touched_) {
    is_touched_[l] = false;
    largest_ = std::max(largest_, sums_[l]);
    const bool is_over = sums_[l] > kFull;
    if (is_over && !is_over_[l]) ++over_;
    if (!is_over && is_over_[l]) --over_;
    is_over_[l] = is_over;
  }
  touched_.clear();
  area_ += static_cast<double>(over_) * static_cast<double>((now - last_).count);
  last_ = now;
}

void RateMonitor::sample(Time now, std::size_t present) {
  close_instant(now);
  for (FlowIndex f = 0; f < rates_.size(); ++f) {
    if (rates_[f] <= 0) continue;
    double most = 1;
    for (const LinkIndex l : plane_.route(f)) most = std::max(most, sums_[l]);
    carried_ += rates_[f] / most;
  }
  expected_ += static_cast<double>(present);
}

double RateMonitor::carried_rate() const { return expected_ > 0 ? carried_ / expected_ : 0; }

double RateMonitor::oversubscription() {
  close_instant(last_);
  return largest_;
}

double RateMonitor::oversubscribed_share(Time now) {
  close_instant(now);
  const double all = static_cast<double>(links_with_flows_) * static_cast<double>(now.count);
  return all > 0 ? area_ / all : 0;
}

}  // namespace weir::rates
