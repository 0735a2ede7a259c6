#include "weir/vl_sharing/vl_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/base/error.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/connection_tables.hpp"

namespace weir::vl_sharing {

using fabric::kNever;
using fabric::kNone;

namespace {

std::vector<bool> lenders_of(const LaneRules& rules, std::size_t vls) {
  std::vector<bool> out(vls, false);
  for (const std::int64_t vl : rules.lenders) {
    if (vl < 0 || vl >= static_cast<std::int64_t>(vls)) {
      throw InputError("vl_sharing.lenders",
                       fmt::format("there is no VL {}; a port has {} (0 to {})", vl, vls, vls - 1));
    }
    out[static_cast<std::size_t>(vl)] = true;
  }
  return out;
}

/// Of a VL: 1 if it is of high priority, else 0; nothing: no pools.
std::vector<int> pools_of(const LaneRules& rules, const fabric::FabricView& fabric) {
  std::vector<int> out;
  if (!rules.has_pools) return out;
  const fabric::Admission* admission = fabric.mechanisms.admission.get();
  const fabric::ConnectionTables* tables = admission != nullptr ? admission->tables() : nullptr;
  const std::vector<fabric::VlWeight>& high = fabric.settings.vl_arbitration.high;
  for (int vl = 0; vl < fabric.buffers.classes(); ++vl) {
    const bool is_high =
        (tables != nullptr && tables->is_high(static_cast<std::uint16_t>(vl))) ||
        std::any_of(high.begin(), high.end(), [&](const auto& one) { return one.vl == vl; });
    out.push_back(is_high ? 1 : 0);
  }
  return out;
}

constexpr int kUnit = 64;  ///< bytes that a weight of 1 stands for

}  // namespace

std::size_t LaneRules::wanted(std::int64_t packets) const {
  std::size_t lanes = 1;
  while (lanes < rates.size() && packets > last[lanes - 1]) ++lanes;
  return lanes;
}

VlLanes::Port::Port(const LaneRules& its, const fabric::FabricView& fabric, std::uint32_t number)
    : rules(&its),
      lender(lenders_of(its, static_cast<std::size_t>(fabric.buffers.classes())),
             pools_of(its, fabric)),
      random(fabric.settings.seed, number, StreamPurpose::services),
      vls(static_cast<std::size_t>(fabric.buffers.classes())) {
  for (std::size_t vl = 0; vl < vls.size(); ++vl) {
    vls[vl].use.port = PortId(number);
    vls[vl].use.vl = static_cast<std::uint16_t>(vl);
    vls[vl].use.lanes.assign(its.rates.size(), 0);
  }
}

void VlLanes::check_fit(const fabric::FabricView& fabric) const {
  const fabric::FabricSettings& settings = fabric.settings;
  if (fabric.buffers.classes() > 16) {
    throw InputError("vl_sharing.model",
                     fmt::format("serves at most 16 VLs, there are {}", fabric.buffers.classes()));
  }
  if (fabric.mechanisms.isolation || fabric.buffers.isolates_adapted()) {
    throw InputError("vl_sharing.model",
                     "every packet of a VL takes its turn, which leaves nothing to set aside; "
                     "take isolation.model = \"none\" and no selection.isolation");
  }
  if (settings.acks == fabric::AckMode::in_band || settings.acks == fabric::AckMode::becn) {
    throw InputError("vl_sharing.model",
                     "lanes carry data alone; take host.acks = \"none\" or \"ideal\"");
  }
  if (switches_ && settings.architecture != fabric::Architecture::input_queued) {
    throw InputError("vl_sharing.model",
                     "lanes of switches serve heads of ingress buffers, which needs "
                     "switch.architecture = \"iq\"");
  }
  using Kind = fabric::SourceQueueKind;
  const bool fits = settings.source_queues == Kind::per_class ||
                    (settings.source_queues == Kind::fifo && fabric.buffers.classes() == 1);
  if (hosts_ && !fits) {
    throw InputError("vl_sharing.model",
                     fmt::format("a host needs a source queue for each of its {} VLs: "
                                 "host.source_queues = \"per-class\"",
                                 fabric.buffers.classes()));
  }
}

void VlLanes::follow_entries(const fabric::FabricView& fabric) {
  const auto ask = [](const std::optional<LaneRules>& rules) {
    return rules && rules->entries > 0;
  };
  const auto divide = [](const std::optional<LaneRules>& rules) {
    return rules && rules->has_pools;
  };
  if ((divide(hosts_) || divide(switches_)) &&
      fabric.settings.arbiter != fabric::ArbiterKind::vl_weighted) {
    throw InputError("vl_sharing.pools",
                     "\"by-table\" needs the tables of switch.arbiter = \"vl-weighted\"");
  }
  fabric::Admission* admission = fabric.mechanisms.admission.get();
  fabric::ConnectionTables* tables = admission != nullptr ? admission->tables() : nullptr;
  connections_fill_tables_ = tables != nullptr;
  if (!ask(hosts_) && !ask(switches_)) return;
  if (tables == nullptr) {
    throw InputError("vl_sharing.threshold_entries",
                     "counts entries that connections fill, which needs "
                     "admission.tables = \"connections\"; without them give packets_per_entry");
  }
  tables_ = tables;
  tables->listen([this](PortId number, std::uint16_t vl) {
    Port* port = ports_[number.index()].get();
    if (port == nullptr) return;
    count(*port);
    update(number.value, *port, vl);
  });
}

void VlLanes::attach(const fabric::FabricView& fabric) {
  check_fit(fabric);
  clock_ = fabric.clock;
  scheduler_ = fabric.scheduler;
  graph_ = &fabric.graph;
  ports_.resize(fabric.ports.size());
  follow_entries(fabric);
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const bool is_host = fabric.ports.is_host(p);
    const std::optional<LaneRules>& rules = is_host ? hosts_ : switches_;
    if (!rules || fabric.links.receiver(p) == UINT32_MAX || !fabric.ports.is_here(p)) continue;
    ports_[p] = std::make_unique<Port>(*rules, fabric, p);
  }
}

void VlLanes::count(Port& port) const {
  const auto time = static_cast<double>(clock_.now().count - port.counted);
  if (time == 0) return;
  port.counted = clock_.now().count;
  for (std::size_t i = 0; i < port.vls.size(); ++i) {
    Vl& vl = port.vls[i];
    if (vl.packets == 0) continue;
    vl.use.packets += static_cast<double>(vl.packets) * time;
    vl.use.busy += time;
    if (vl.head == kNone) vl.use.stalled += time;
    const std::size_t lanes = port.lender.lanes(i);
    if (lanes > 0) vl.use.lanes[lanes - 1] += time;
  }
  for (const std::size_t waiting : port.lender.waiting()) port.vls[waiting].use.waiting += time;
}

double VlLanes::rate_of(const Port& port, std::uint16_t vl) const {
  const std::size_t lanes = port.lender.lanes(vl);
  return lanes == 0 ? 0 : port.rules->rates[lanes - 1] / static_cast<double>(kPicosecondsPerSecond);
}

std::int64_t VlLanes::finish_of(const Vl& vl) {
  // Without lanes not even what takes no time is served.
  return vl.rate > 0 ? vl.since + static_cast<std::int64_t>(std::ceil(vl.rest / vl.rate)) : kNever;
}

std::size_t VlLanes::wanted(std::uint32_t number, const Port& port, std::uint16_t vl) const {
  const Vl& its = port.vls[vl];
  if (port.rules->entries == 0) return port.rules->wanted(its.packets);
  if (its.packets == 0) return 1;
  const bool reached = tables_->entries(PortId(number), vl) >= port.rules->entries;
  return reached || its.units > 0 ? 2 : 1;
}

void VlLanes::carry_entry(Port& port, std::uint16_t vl) {
  Vl& its = port.vls[vl];
  if (its.units == 0) return;
  its.units -= static_cast<int>((its.bytes + kUnit - 1) / kUnit);
  if (its.units > 0) return;
  // The lane looks for others who wait before it takes a further entry of this VL.
  its.units = 0;
  port.lender.update(vl, its.packets, 1);
}

void VlLanes::begin_entries(Port& port) {
  if (port.rules->entries == 0) return;
  for (std::size_t i = 0; i < port.vls.size(); ++i) {
    int& units = port.vls[i].units;
    if (port.lender.lanes(i) < 2) {
      units = 0;
    } else if (units == 0) {
      units = fabric::VlTableFiller::kMostWeight;
    }
  }
}

void VlLanes::update(std::uint32_t number, Port& port, std::uint16_t changed) {
  const std::int64_t now = clock_.now().count;
  port.lender.update(changed, port.vls[changed].packets, wanted(number, port, changed));
  begin_entries(port);
  for (std::uint16_t i = 0; i < port.vls.size(); ++i) {
    Vl& vl = port.vls[i];
    const double rate = rate_of(port, i);
    if (vl.head == kNone || vl.finish <= now || rate == vl.rate) continue;
    vl.rest = std::max(0.0, vl.rest - vl.rate * static_cast<double>(now - vl.since));
    vl.since = now;
    vl.rate = rate;
    vl.finish = finish_of(vl);
    if (vl.finish != kNever) scheduler_.wake(number, vl.finish);
  }
}

void VlLanes::on_waiting(std::uint32_t number, std::uint16_t vl, std::int64_t packets) {
  Port* port = ports_[number].get();
  if (port == nullptr) return;
  count(*port);
  port->vls[vl].packets += packets;
  port->vls[vl].use.offered += static_cast<std::uint64_t>(packets);
  update(number, *port, vl);
}

void VlLanes::on_refused(std::uint32_t number, std::uint16_t vl, std::int64_t packets) {
  Port* port = ports_[number].get();
  if (port == nullptr) return;
  port->vls[vl].use.offered += static_cast<std::uint64_t>(packets);
  port->vls[vl].use.refused += static_cast<std::uint64_t>(packets);
}

bool VlLanes::has_room(std::uint32_t number, std::uint16_t vl, std::int64_t packets) const {
  const Port* port = ports_[number].get();
  if (port == nullptr) return true;
  // A lent lane still has its own memory.
  const auto lanes = static_cast<std::int64_t>(std::max<std::size_t>(1, port->lender.lanes(vl)));
  return port->vls[vl].packets + packets <= lanes * port->rules->capacity;
}

bool VlLanes::is_served(std::uint32_t number, std::uint16_t i, std::uint32_t head,
                        std::uint32_t bytes) {
  Port* port = ports_[number].get();
  if (port == nullptr) return true;
  Vl& vl = port->vls[i];
  if (vl.head == kNone) {
    count(*port);
    vl.head = head;
    vl.bytes = bytes;
    vl.rest = 8.0 * bytes;
    if (port->rules->service_scv) {
      // A generalized exponential time: nothing, or an exponential one.
      const double stage = 2 / (*port->rules->service_scv + 1);
      const bool takes_time = stage == 1 || port->random.unit() < stage;
      vl.rest = takes_time ? port->random.exponential(vl.rest / stage) : 0;
    }
    vl.rate = rate_of(*port, i);
    vl.since = clock_.now().count;
    vl.finish = finish_of(vl);
  }
  if (vl.head != head) return false;
  if (vl.finish <= clock_.now().count) return true;
  if (vl.finish != kNever) scheduler_.wake(number, vl.finish);
  return false;
}

void VlLanes::on_sent(std::uint32_t number, std::uint16_t vl) {
  Port* port = ports_[number].get();
  if (port == nullptr) return;
  count(*port);
  Vl& its = port->vls[vl];
  its.head = kNone;
  --its.packets;
  ++its.use.sent;
  carry_entry(*port, vl);
  update(number, *port, vl);
}

void VlLanes::check(bool is_idle) const {
  for (const auto& port : ports_) {
    if (!port) continue;
    port->lender.check();
    for (std::size_t i = 0; i < port->vls.size(); ++i) {
      const Vl& vl = port->vls[i];
      const VlUse& use = vl.use;
      if (vl.packets < 0 ||
          use.offered - use.refused - use.sent != static_cast<std::uint64_t>(vl.packets)) {
        throw RunError(
            fmt::format("VL {} of {}: {} packets are counted, of {} offered, {} refused, "
                        "{} sent",
                        i, graph_->name(use.port), vl.packets, use.offered, use.refused, use.sent));
      }
      if (is_idle && (port->lender.lanes(i) != 1 || vl.packets != 0)) {
        throw RunError(fmt::format("VL {} of {} has {} lanes and {} packets in an empty network", i,
                                   graph_->name(use.port), port->lender.lanes(i), vl.packets));
      }
    }
  }
}

void VlLanes::checkpoint(fabric::NodeState& state, Vl& vl) {
  state(vl.packets);
  if (state.is_host()) {
    state(vl.head);  // hosts have no packet before it is served
  } else {
    state.same_packet(vl.head);
  }
  state(vl.rest, vl.rate, vl.since, vl.finish, vl.bytes, vl.units);
  VlUse& use = vl.use;
  state(use.packets, use.busy, use.stalled, use.waiting, use.lanes, use.offered, use.refused,
        use.sent);
}

void VlLanes::checkpoint(fabric::NodeState& state) {
  for (std::uint32_t number = state.first_port(); number < state.end_port(); ++number) {
    Port* port = ports_[number].get();
    if (port == nullptr) continue;
    state(port->lender, port->random, port->counted);
    for (Vl& vl : port->vls) checkpoint(state, vl);
  }
}

std::vector<VlUse> VlLanes::uses() const {
  std::vector<VlUse> out;
  for (const auto& port : ports_) {
    if (!port) continue;
    count(*port);
    for (const Vl& vl : port->vls) {
      if (vl.use.offered > 0) out.push_back(vl.use);
    }
  }
  return out;
}

std::size_t VlLanes::memory() const {
  std::size_t bytes = ports_.capacity() * sizeof(ports_[0]);
  for (const auto& port : ports_) {
    if (port) bytes += sizeof(Port) + port->vls.size() * (sizeof(Vl) + 64);
  }
  return bytes;
}

}  // namespace weir::vl_sharing
