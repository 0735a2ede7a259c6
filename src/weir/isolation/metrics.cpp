#include "weir/base/metric_registry.hpp"
#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kSetAside = "lippens2010, section 4";

const MetricTable kSetAsideTable(
    {
        {"set_aside_queues", "", kScalar | kSeries, kSetAside,
         "set-aside queues in use in the whole network, mean over time in the measuring window; "
         "series: in the bin"},
        {"set_aside_queues_max", "", kScalar, kSetAside,
         "most set-aside queues in use at the end of an instant, in the whole run"},
        {"set_aside_bytes", "B", kScalar | kSeries, kSetAside,
         "bytes in set-aside queues, mean over time in the measuring window; series: in the bin"},
        {"set_aside_bytes_max", "B", kScalar, kSetAside,
         "most bytes in set-aside queues at the end of an instant, in the whole run"},
        {"set_aside_allocations", "", kScalar | kSeries, kSetAside,
         "set-aside queues taken, whole run; series: in the bin"},
        {"set_aside_releases", "", kScalar | kSeries, kSetAside,
         "set-aside queues given back, whole run; series: in the bin"},
        {"set_aside_left", "", kScalar, kSetAside, "set-aside queues in use when the run ended"},
        {"set_aside_refusals", "", kScalar | kSeries, kSetAside,
         "refused requests for a set-aside queue, whole run (series: in the bin); label: full (no "
         "queue was free) or specific (the point lies behind another one, basic RECN). Lower is "
         "better"},
        {"set_aside_detections", "", kScalar | kSeries, kSetAside,
         "times that a normal queue was found congested, whole run; series: in the bin"},
        {"set_aside_notifications", "", kScalar | kSeries, kSetAside,
         "requests for a set-aside queue sent inside switches and over links, whole run; series: "
         "in the bin"},
        {"control_messages", "", kScalar | kSeries, kSetAside,
         "messages of the isolation mechanism over links, whole run; series: in the bin. Lower is "
         "better"},
        {"control_bytes", "B", kScalar | kSeries, kSetAside,
         "bytes of the isolation mechanism's messages over links, whole run; series: in the bin. "
         "Lower is better"},
        {"control_overhead", "1", kScalar | kSeries, kSetAside,
         "share of the isolation mechanism's messages in all bytes on links; scalar: in the "
         "measuring window. Lower is better"},
    },
    "an [isolation] model");

}  // namespace

void SetAside::read(fabric::Readings& readings, Time now) const {
  const SetAsideCounters& c = counters_;
  // One instance tells the time for all.
  const std::int64_t time = ports_.is_here(0) ? now.count : 0;
  readings.mean("set_aside_queues", queue_time(c, now), time);
  readings.mean("set_aside_bytes", byte_time(c, now), time);
  const auto count = [&](std::string_view metric, std::uint64_t total,
                         std::string_view label = {}) {
    readings.count(metric, static_cast<double>(total), label);
  };
  count("set_aside_allocations", c.allocations);
  count("set_aside_releases", c.releases);
  count("set_aside_refusals", c.refusals_full + c.refusals_specific);
  count("set_aside_refusals", c.refusals_full, "full");
  count("set_aside_refusals", c.refusals_specific, "specific");
  count("set_aside_detections", c.detections);
  count("set_aside_notifications", c.notifications);
  count("control_messages", c.control_messages);
  count("control_bytes", c.control_bytes);
  std::int64_t on_links = 0;
  for (std::uint32_t port = 0; port < ports_.size(); ++port) on_links += links_.bytes_sent(port);
  readings.mean("control_overhead", c.control_bytes, on_links);
  readings.largest("set_aside_queues_max", static_cast<double>(c.queue_peak.most()));
  readings.largest("set_aside_at_side_max", c.side_max);
  readings.largest("set_aside_bytes_max", static_cast<double>(c.byte_peak.most()));
  readings.value("set_aside_left", static_cast<double>(c.in_use));
}

}  // namespace weir::isolation
