#include "weir/fabric/parallel/slack.hpp"

#include <algorithm>

#include "weir/fabric/core.hpp"
#include "weir/fabric/links.hpp"

namespace weir::fabric {

namespace {

/// Packets and credits cross, and nothing else, and credit is given when a packet has left.
bool has_slack(const Core& core) {
  return core.mechanisms.all().empty() && core.is_fixed &&
         core.settings.flow_control == FlowControl::credits &&
         core.settings.architecture != Architecture::output_queued;
}

}  // namespace

Slack::Slack(const Core& core) {
  if (!has_slack(core)) return;
  routing_ = core.arrival_delay;
  for (const topology::Port& port : core.graph.ports()) {
    if (port.to.valid())
      bits_per_second_ = std::max(bits_per_second_, static_cast<double>(port.link.rate.count));
  }
  if (core.settings.architecture == Architecture::cioq) bits_per_second_ *= core.settings.speedup;
}

std::int64_t Slack::of(std::int64_t smallest) const {
  if (routing_ == 0 || smallest == kNever) return routing_;
  // A whole picosecond less than it takes, for durations that are rounded.
  const double leaves = static_cast<double>(smallest) * 8e12 / bits_per_second_ - 1;
  return static_cast<std::int64_t>(std::clamp(leaves, 0.0, static_cast<double>(routing_)));
}

}  // namespace weir::fabric
