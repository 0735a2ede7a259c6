#include "weir/marking/switch_marker.hpp"

#include <limits>

#include <fmt/format.h>

#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::marking {

namespace {

struct Need {
  const char* buffers;
  const char* architectures;
  const char* others;
};

Need need_of(Sides sides) {
  switch (sides) {
    case Sides::ingress:
      return {"ingress", "\"iq\", \"iq-single\" or \"cioq\"", "opm and fecn work with \"oq\""};
    case Sides::egress:
      return {"egress", "\"cioq\" or \"oq\"",
              "ipm, rpm, ecn-counters and fecn work without egress buffers"};
    case Sides::both:
    case Sides::any:
      break;
  }
  return {"ingress and egress", "\"cioq\"",
          "ipm, rpm, ecn-counters and fecn work with \"iq\" and \"iq-single\", opm and fecn with "
          "\"oq\""};
}

}  // namespace

void SwitchMarker::attach(const fabric::FabricView& fabric) {
  const bool needs_ingress = sides_ == Sides::ingress || sides_ == Sides::both;
  const bool needs_egress = sides_ == Sides::egress || sides_ == Sides::both;
  if ((needs_ingress && fabric.ingress == nullptr) || (needs_egress && fabric.egress == nullptr)) {
    const Need need = need_of(sides_);
    throw InputError("marking.model",
                     fmt::format("{} looks at {} buffers, which needs switch.architecture = {}; {}",
                                 name_, need.buffers, need.architectures, need.others));
  }
  clock_ = fabric.clock;
  largest_packet_ = (fabric.settings.mtu + fabric.settings.header).count;
  graph_ = &fabric.graph;
  ingress_ = fabric.ingress;
  egress_ = fabric.egress;
  switches_ = &fabric.switches;
  marks_a_.by_port.assign(fabric.ports.size(), 0);
  marks_b_.by_port.assign(fabric.ports.size(), 0);
  prepare(fabric);
}

void SwitchMarker::read(fabric::Readings& readings, Time) const {
  const auto tell = [&](const fabric::MarkCounts& counts, std::string_view bit) {
    readings.count("marks", static_cast<double>(counts.set), bit);
    readings.value("marks_repeated", static_cast<double>(counts.repeated), bit);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    readings.smallest("first_mark", counts.set > 0 ? to_nanoseconds(counts.first) : kNone, bit);
    readings.largest("last_mark", counts.set > 0 ? to_nanoseconds(counts.last) : kNone, bit);
  };
  tell(marks_a_, "A");
  tell(marks_b_, "B");
  if (!readings.wants_values()) return;
  for (std::uint32_t p = 0; p < marks_a_.by_port.size(); ++p) {
    const std::uint64_t marks = marks_a_.by_port[p] + marks_b_.by_port[p];
    if (marks == 0) continue;
    readings.ranked("marks_at_port", static_cast<double>(marks), graph_->name(PortId(p)), p);
  }
}

namespace {

void checkpoint_counts(fabric::TotalState& state, fabric::MarkCounts& counts) {
  fabric::MarkCounts other;
  if (!state.is_reading()) {
    other.set = counts.set;
    other.repeated = counts.repeated;
    other.first = counts.first;
    other.last = counts.last;
  }
  state(other.set, other.repeated, other.first, other.last);
  if (!state.takes()) return;
  counts.repeated += other.repeated;
  if (other.set == 0) return;
  counts.first = counts.set == 0 ? other.first : std::min(counts.first, other.first);
  counts.last = std::max(counts.last, other.last);
  counts.set += other.set;
}

}  // namespace

void SwitchMarker::checkpoint(fabric::NodeState& state) {
  state.of_ports(marks_a_.by_port);
  state.of_ports(marks_b_.by_port);
}

void SwitchMarker::checkpoint_totals(fabric::TotalState& state) {
  checkpoint_counts(state, marks_a_);
  checkpoint_counts(state, marks_b_);
}

std::size_t SwitchMarker::memory() const {
  return (marks_a_.by_port.capacity() + marks_b_.by_port.capacity()) * sizeof(std::uint64_t);
}

std::string beyond_all(std::string_view key, std::string_view buffer) {
  return fmt::format("{} = 1, and no {} buffer holds more than all of it", key, buffer);
}

}  // namespace weir::marking
