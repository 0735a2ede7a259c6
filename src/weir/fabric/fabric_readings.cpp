// What is asked of a whole network: sums over its parts, and over those of other processes.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "weir/fabric/fabric.hpp"
#include "weir/fabric/parallel/windows.hpp"

namespace weir::fabric {

const Counters& Fabric::counters() const {
  if (parts_.size() == 1 && ranks_ == nullptr) return core().counters;
  counters_ = {};
  for (const auto& part : parts_) counters_ += part->core().counters;
  counters_ = summed(ranks_, counters_);
  return counters_;
}

std::uint64_t Fabric::packets_in_flight_here() const {
  std::uint64_t all = 0;
  for (const auto& part : parts_) {
    const Counters& its = part->core().counters;
    all += its.packets_injected - its.packets_delivered - its.packets_lost;
  }
  return all;
}

TurnWatch::Findings Fabric::passed_over() const {
  TurnWatch::Findings all;
  for (const auto& part : parts_) all += part->core().turn_watch.findings();
  return summed(ranks_, all);
}

std::uint64_t Fabric::fingerprint() const {
  engine::Fingerprint all;
  for (const auto& part : parts_) all.add(part->core().fingerprint);
  if (ranks_ == nullptr) return all.value();
  engine::Fingerprint of_all;
  for (const auto& one : gathered(ranks_, std::vector<engine::Fingerprint>{all}))
    of_all.add(one.front());
  return of_all.value();
}

Bytes Fabric::backlog() const {
  Bytes all;
  for (const auto& part : parts_) all += Bytes(part->hosts().backlog());
  return summed(ranks_, all);
}

std::vector<Flow> Fabric::flows_of(std::size_t part) const {
  const FlowTable& flows = parts_[part]->hosts().flows();
  Flow nobody;
  nobody.source = kNone;
  std::vector<Flow> all(flows.end(), nobody);
  flows.for_each_number([&](std::uint32_t flow) { all[flow] = flows.whole(flow); });
  return all;
}

std::vector<Flow> Fabric::flows() const {
  using Name = std::tuple<std::uint32_t, std::uint32_t, bool, std::uint16_t>;
  std::map<Name, Flow> all;
  std::vector<Flow> here;
  for (const auto& part : parts_) {
    part->hosts().flows().for_each([&](const Flow& flow) { here.push_back(flow); });
  }
  if (parts_.size() == 1 && ranks_ == nullptr) return here;
  // The two ends of a flow may count in different parts.
  for (const std::vector<Flow>& some : gathered(ranks_, std::move(here))) {
    for (const Flow& flow : some) {
      const Name name(flow.source, flow.destination, flow.keeps_rate, flow.connection);
      const auto [place, is_new] = all.emplace(name, flow);
      if (is_new) continue;
      Flow& sum = place->second;
      sum.injected += flow.injected;
      sum.delivered += flow.delivered;
      sum.highest = std::max(sum.highest, flow.highest);
      sum.out_of_order += flow.out_of_order;
      sum.lost += flow.lost;
    }
  }
  std::vector<Flow> out;
  for (const auto& [name, flow] : all) out.push_back(flow);
  return out;
}

std::vector<const Mechanism*> Fabric::instances(std::size_t i) const {
  std::vector<const Mechanism*> all;
  for (const auto& part : parts_) all.push_back(part->core().every_mechanism[i]);
  return all;
}

std::vector<std::string> Fabric::notes() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < mechanisms().size(); ++i) {
    const std::vector<std::string> its = notes_of(i);
    all.insert(all.end(), its.begin(), its.end());
  }
  return all;
}

std::vector<std::string> Fabric::notes_of(std::size_t mechanism) const {
  const std::vector<const Mechanism*> here = instances(mechanism);
  std::vector<std::uint64_t> sum(here.front()->counts_for_notes().size(), 0);
  const auto add = [&](const std::vector<std::uint64_t>& tally) {
    for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += tally[n];
  };
  for (const Mechanism* one : here) add(one->counts_for_notes());
  const auto of_ranks =
      gathered(ranks_, std::exchange(sum, std::vector<std::uint64_t>(sum.size())));
  for (const std::vector<std::uint64_t>& tally : of_ranks) add(tally);
  // What all of them say: each note, and a zero behind it.
  std::vector<std::string> common = here.front()->notes_of(sum);
  const auto keep = [&](const std::vector<std::string>& told) {
    std::erase_if(common, [&](const std::string& note) {
      return std::find(told.begin(), told.end(), note) == told.end();
    });
  };
  for (const Mechanism* one : here) keep(one->notes_of(sum));
  if (ranks_ == nullptr) return common;
  std::vector<char> told;
  for (const std::string& note : common)
    told.insert(told.end(), note.c_str(), note.c_str() + note.size() + 1);
  for (const std::vector<char>& one : gathered(ranks_, std::move(told))) {
    std::vector<std::string> notes;
    for (auto at = one.begin(); at != one.end();) {
      const auto end = std::find(at, one.end(), '\0');
      notes.emplace_back(at, end);
      at = end + 1;
    }
    keep(notes);
  }
  return common;
}

void Fabric::for_each_line(const std::function<void(const SetAsideLine&)>& visit) const {
  std::vector<SetAsideLine> here;
  for (const auto& part : parts_) {
    const auto& isolation = part->core().mechanisms.isolation;
    if (!isolation) continue;
    if (ranks_ == nullptr) {
      isolation->for_each_line(visit);
    } else {
      isolation->for_each_line([&](const SetAsideLine& line) { here.push_back(line); });
    }
  }
  if (ranks_ == nullptr) return;
  for (const std::vector<SetAsideLine>& some : gathered(ranks_, std::move(here)))
    for (const SetAsideLine& line : some) visit(line);
}

PortStatistics Fabric::port(PortId id) const {
  const Core& core = part_of(id).core();
  const Output& out = core.links[id.value];
  PortStatistics statistics;
  statistics.bytes = out.bytes_sent;
  statistics.packets = out.packets_sent;
  statistics.queued = out.queued_bytes;
  statistics.blocked = out.blocked;
  if (out.to == UINT32_MAX) return statistics;
  const std::int64_t remaining = std::max<std::int64_t>(0, out.free_at - core.now);
  statistics.busy = Time(out.duration(out.bytes_sent) - remaining);
  statistics.waiting = Time(out.wait_time + (out.blocked ? core.now - out.blocked_since : 0));
  return statistics;
}

Fabric::Sent& Fabric::Sent::operator+=(const Sent& other) {
  bytes += other.bytes;
  packets_of_switches += other.packets_of_switches;
  return *this;
}

Fabric::Sent Fabric::sent() const {
  Sent sum;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const Core& core = parts_[part]->core();
    for (const std::uint32_t port : ports_of(part)) {
      sum.bytes += core.links[port].bytes_sent;
      if (port >= core.host_count) sum.packets_of_switches += core.links[port].packets_sent;
    }
  }
  return summed(ranks_, sum);
}

Fabric::Waited Fabric::waited() const {
  std::vector<Waited> waited(parts_.size());
  side_by_side([&](std::size_t part) {
    const Core& core = parts_[part]->core();
    std::int64_t all = 0;
    std::int64_t at_egress = 0;
    const EgressBuffers* egress = parts_[part]->switches().egress_buffers();
    for (const std::uint32_t p : ports_of(part)) {
      if (p < core.host_count) continue;
      all += core.links[p].queued_bytes;
      if (egress != nullptr) at_egress += egress->waiting(p);
    }
    const auto integral = [&](std::int64_t bytes, std::uint64_t moment) {
      return static_cast<std::uint64_t>(bytes) * static_cast<std::uint64_t>(core.now) - moment;
    };
    waited[part] = {integral(all - at_egress, core.at_ingress.value),
                    integral(at_egress, core.at_egress.value - core.at_hosts.value)};
  });
  Waited sum;
  for (const Waited& one : waited) sum += one;
  return summed(ranks_, sum);
}

Bytes Fabric::credits(PortId port, int buffer) const {
  const Core& core = part_of(port).core();
  return Bytes(core.links.credits_at(port.value, static_cast<std::uint16_t>(buffer), core.now));
}

void Fabric::for_each_stored(const std::function<void(PortId, const Packet&)>& visit) const {
  for (std::size_t part = 0; part < parts_.size(); ++part) for_each_stored(part, visit);
}

void Fabric::for_each_stored(std::size_t part,
                             const std::function<void(PortId, const Packet&)>& visit) const {
  const Part& one = *parts_[part];
  one.switches().for_each_packet([&](std::uint32_t port, std::uint32_t packet) {
    visit(PortId(port), one.core().packets[packet]);
  });
}

std::span<const std::uint32_t> Fabric::ports_of(std::size_t part) const {
  return territories_ ? territories_->ports[first_part_ + part] : all_ports_;
}

void Fabric::side_by_side(const std::function<void(std::size_t)>& look) const {
  if (windows_) {
    windows_->side_by_side(look);
  } else {
    look(0);
  }
}

Fabric::Division Fabric::division() const {
  if (!windows_) return {};
  const Windows::Statistics here = windows_->statistics();
  const CrossingCounts all = summed(ranks_, here.crossings);
  return {territories_->parts, here.meetings, here.busiest_events,
          all.packets,         all.feedback,  all.others};
}

double Fabric::cpu_seconds_of_helpers() const {
  return windows_ ? windows_->cpu_seconds_of_helpers() : 0;
}

std::size_t Fabric::memory() const {
  std::size_t bytes = 0;
  for (const auto& part : parts_) bytes += part->memory();
  return bytes;
}

}  // namespace weir::fabric
