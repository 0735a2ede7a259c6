#include <fmt/format.h>

#include "weir/base/metric_registry.hpp"
#include "weir/fabric/vl_label.hpp"
#include "weir/vl_sharing/vl_lanes.hpp"

namespace weir::vl_sharing {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kLanes = "yan2012, chapters 4 and 5";

/// Labels name the host, or the port of a switch, and the VL: "h0 VL 0".
const MetricTable kLanesTable(
    {
        {"vl_queue_length", "", kScalar, kLanes,
         "packets of a VL at a port, the one in service included, mean over time; label: port and "
         "VL"},
        {"vl_busy", "1", kScalar, kLanes,
         "share of time in which a VL has packets; label: port and VL"},
        {"vl_stalled", "1", kScalar, kLanes,
         "share of time in which a VL has packets and none is in service, for lack of credit or "
         "because the link is busy; label: port and VL. Lower is better"},
        {"vl_lane_wait", "1", kScalar, kLanes,
         "share of time in which a VL waits for a lane; label: port and VL. Lower is better"},
        {"vl_lanes", "1", kScalar, kLanes,
         "share of time in which a VL has packets and holds a number of lanes; label: port, VL and "
         "number"},
        {"vl_throughput", "1/s", kScalar, kLanes,
         "packets of a VL that leave a port, in a unit of time; label: port and VL. Higher is "
         "better"},
        {"vl_blocking", "1", kScalar, kLanes,
         "share of a VL's packets that the full queue of a host refused; label: host and VL. Lower "
         "is better"},
    },
    "[vl_sharing]");

const MetricTable kBorrowedTable(
    {
        {"vl_borrowed", "1", kSeries, "yan2012, section 5.2",
         "share of the bin in which a VL has packets and holds a borrowed lane; label: port and "
         "VL"},
    },
    "admission.tables = \"connections\"");

/// Rows come in the order of ports and VLs, whichever part has them.
std::uint32_t number_of(const VlUse& use) { return (use.port.value << 8U | use.vl) + 1; }

void tell(fabric::Readings& readings, const VlUse& use, const std::string& label) {
  const std::uint32_t number = number_of(use);
  readings.average_at("vl_queue_length", label, ExactSum(use.packets), number);
  readings.average_at("vl_busy", label, ExactSum(use.busy), number);
  readings.average_at("vl_stalled", label, ExactSum(use.stalled), number);
  readings.average_at("vl_lane_wait", label, ExactSum(use.waiting), number);
  readings.average_at("vl_throughput", label, ExactSum(use.sent) * kPicosecondsPerSecond, number);
  readings.mean_at("vl_blocking", label, use.refused, use.offered, number);
  for (std::size_t k = 0; use.lanes.size() > 1 && k < use.lanes.size(); ++k)
    readings.average_at("vl_lanes", fmt::format("{}: {}", label, k + 1), ExactSum(use.lanes[k]),
                        number);
}

}  // namespace

void VlLanes::read(fabric::Readings& readings, Time) const {
  for (const VlUse& use : uses()) {
    const std::string label = fabric::vl_label(*graph_, use.port, use.vl);
    tell(readings, use, label);
    double borrowed = 0;
    for (std::size_t more = 1; more < use.lanes.size(); ++more) borrowed += use.lanes[more];
    if (connections_fill_tables_ && borrowed > 0)
      readings.average_at("vl_borrowed", label, ExactSum(borrowed), number_of(use));
  }
}

}  // namespace weir::vl_sharing
