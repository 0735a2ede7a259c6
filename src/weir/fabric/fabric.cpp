#include "weir/fabric/fabric.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "weir/fabric/compatibility.hpp"
#include "weir/fabric/hooks/two_observers.hpp"
#include "weir/fabric/parallel/observer_log.hpp"
#include "weir/fabric/parallel/peak.hpp"
#include "weir/fabric/parallel/windows.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

namespace {

FabricSettings with_carried(FabricSettings settings, const Mechanisms& mechanisms) {
  carry(settings, mechanisms);
  return settings;
}

/// The part of what has been made.
FabricSettings settings_of(const FabricSettings& settings, const PartModels& made) {
  return adapted(with_carried(settings, made.mechanisms), *made.models.queueing,
                 made.mechanisms.all());
}

void check_models(const PartModels& made, const FabricSettings& settings) {
  checked(made.models, made.mechanisms, with_carried(settings, made.mechanisms));
}

}  // namespace

void carry(FabricSettings& settings, const Mechanisms& mechanisms) {
  CarriedBytes sum;
  for (const Mechanism* mechanism : mechanisms.all()) {
    const CarriedBytes one = mechanism->carried();
    sum.data += one.data;
    sum.ack += one.ack;
  }
  settings.header = settings.header - settings.carried_data + sum.data;
  settings.ack_size = settings.ack_size - settings.carried_by_acks + sum.ack;
  settings.carried_data = sum.data;
  settings.carried_by_acks = sum.ack;
}

FabricSettings adapted(FabricSettings settings, const QueueingScheme& scheme,
                       std::span<Mechanism* const> mechanisms) {
  settings.voq = scheme.voq().value_or(settings.voq);
  for (const Mechanism* mechanism : mechanisms) {
    const std::optional<SideResources> queues = mechanism->side_resources(false, 2);
    if (queues) settings.voq = queues->normal_queues > 1;
  }
  settings.memory = scheme.memory().value_or(settings.memory);
  settings.ingress_buffer = std::max(settings.ingress_buffer, scheme.least_memory());
  settings.egress_buffer = std::max(settings.egress_buffer, scheme.least_memory());
  return settings;
}

Fabric::Fabric(const Models& models, const Mechanisms& mechanisms, const FabricSettings& settings,
               Observer& observer) {
  const PartModels made{models, mechanisms};
  check_models(made, settings);
  parts_.push_back(std::make_unique<Part>(*this, models, mechanisms, settings_of(settings, made),
                                          observer, nullptr));
  all_ports_.resize(graph().port_count());
  std::iota(all_ports_.begin(), all_ports_.end(), 0U);
}

Fabric::Fabric(const std::function<PartModels()>& make,
               std::shared_ptr<const Territories> territories, const FabricSettings& settings,
               Observer& observer, Overseer* overseer, Ranks* ranks)
    : ranks_(ranks), territories_(std::move(territories)) {
  std::vector<Part*> parts;
  std::vector<ObserverLog*> logs;
  const auto [first, end] = parts_of_rank(ranks_ == nullptr ? 0 : ranks_->rank());
  first_part_ = first;
  for (auto p = static_cast<std::uint16_t>(first); p < end; ++p) {
    const PartModels made = make();
    check_models(made, settings);
    logs_.push_back(std::make_unique<ObserverLog>());
    Observer* own = observer.of_part(p, territories_->parts, *logs_.back());
    if (own == nullptr && ranks_ != nullptr) {
      throw std::logic_error("who watches a network in several processes has to do it in each");
    }
    Observer* told = own == nullptr ? logs_.back().get() : own;
    if (own != nullptr && made.work != nullptr) {
      pairs_.push_back(std::make_unique<TwoObservers>(*own, *made.work));
      told = pairs_.back().get();
    }
    parts_.push_back(std::make_unique<Part>(*this, made.models, made.mechanisms,
                                            settings_of(settings, made), *told,
                                            std::make_unique<Border>(territories_, p)));
    logs_.back()->attach(parts_.back()->core(), parts_.back()->hosts(), made.work);
    parts_.back()->set_work(made.work);
    parts.push_back(parts_.back().get());
    logs.push_back(logs_.back().get());
  }
  refuse_what_does_not_work_in_parts();
  if (ranks_ != nullptr) refuse_what_does_not_work_in_ranks();
  introduce_parts();
  replay_ = std::make_unique<ObserverReplay>(std::move(logs), observer, ranks_);
  windows_ = std::make_unique<Windows>(
      std::move(parts),
      Windows::Duties{settings.sample_period.count, check_period(settings).count, replay_.get(),
                      peaks_.get(),
                      [this, &observer](std::int64_t at) { observer.on_sample(*this, Time(at)); },
                      [this](std::int64_t at) { on_check(Time(at)); }, overseer, ranks_});
}

Fabric::~Fabric() = default;

std::pair<std::size_t, std::size_t> Fabric::parts_of_rank(std::size_t rank) const {
  const std::size_t parts = territories_->parts;
  if (ranks_ == nullptr) return {0, parts};
  const std::size_t ranks = ranks_->count();
  if (parts < ranks) {
    throw InputError(fmt::format("the network cannot be divided among {} processes: it has {} {}",
                                 ranks, parts, parts == 1 ? "switch" : "switches"));
  }
  return {parts * rank / ranks, parts * (rank + 1) / ranks};
}

std::size_t Fabric::rank_of(HostId host) const {
  if (ranks_ == nullptr) return 0;
  // The other way round than parts_of_rank().
  const std::size_t part = territories_->of_node[host.index()];
  return ((part + 1) * ranks_->count() - 1) / territories_->parts;
}

std::vector<std::uint32_t> Fabric::ports_of_rank(std::size_t rank) const {
  std::vector<std::uint32_t> ports;
  const auto [first, end] = parts_of_rank(rank);
  for (std::size_t part = first; part < end; ++part) {
    const std::vector<std::uint32_t>& its = territories_->ports[part];
    ports.insert(ports.end(), its.begin(), its.end());
  }
  return ports;
}

void Fabric::refuse_what_does_not_work_in_ranks() const {
  const Core& one = core();
  for (const Mechanism* mechanism : one.every_mechanism) {
    if (mechanism->works_in_ranks()) continue;
    throw InputError(key_of(one, mechanism),
                     "the network cannot be divided among processes: this model looks at all parts "
                     "of a network at once; experiment.threads divides it among threads");
  }
}

void Fabric::refuse_what_does_not_work_in_parts() const {
  const Core& one = core();
  if (one.horizon == 0) {
    throw InputError(
        "link.delay",
        "the network cannot be divided among threads: it has cables without delay, so that what "
        "one part does acts in another one at once");
  }
  for (const Mechanism* mechanism : one.every_mechanism) {
    if (mechanism->works_in_parts()) continue;
    throw InputError(key_of(one, mechanism),
                     "the network cannot be divided among threads: this model does not work in "
                     "parts of a network");
  }
  const FabricSettings& s = one.settings;
  if (s.acks == AckMode::ideal && s.ack_delay && s.ack_delay->count < one.horizon) {
    throw InputError("host.ack_delay",
                     "the network cannot be divided among threads: ideal ACKs are faster than its "
                     "shortest cable");
  }
}

void Fabric::introduce_parts() {
  peaks_ = std::make_unique<Peaks>();
  for (const auto& part : parts_) peaks_->add(part->core().peaks);
  for (std::size_t i = 0; i < core().every_mechanism.size(); ++i) {
    std::vector<Mechanism*> instances;
    for (const auto& part : parts_) instances.push_back(part->core().every_mechanism[i]);
    for (Mechanism* instance : instances) instance->meet(instances);
  }
}

Time Fabric::check_period(const FabricSettings& settings) {
  return settings.check_period.count > 0 ? settings.check_period : microseconds(200);
}

const Part& Fabric::whole() const {
  if (parts_.size() != 1) throw std::logic_error("the network is divided");
  return *parts_.front();
}

Part& Fabric::part_of_host(HostId host) {
  const bool is_known = territories_ && host.index() < core().host_count;
  return is_known ? *parts_[territories_->of_node[host.index()] - first_part_] : *parts_.front();
}

void Fabric::set_rate(const ConnectionName& connection, Rate rate) {
  if (const auto& one = core().mechanisms.injection; !one || !one->ranks_flows()) {
    throw std::logic_error("rates need an injection scheme that ranks flows");
  }
  const auto& [source, destination, number] = connection;
  Part* part = nullptr;
  bool is_new = false;
  if (has(source)) {
    part = &part_of_host(source);
    is_new = part->core().mechanisms.injection->set_rate(connection, rate, Time(part->core().now));
  } else {
    is_new = rated_elsewhere_.emplace(source, destination, number).second;
  }
  for (const auto& other : parts_) {
    if (is_new && other.get() != part) other->core().mechanisms.injection->count_rated();
  }
  if (part != nullptr && part->hosts().backlog() > 0) part->hosts().reconsider(source);
}

void Fabric::change_cable(PortId port, Time at, bool is_up) {
  const Core& core = this->core();
  const topology::Port& one = core.graph.port(port);
  if (!one.to.valid()) {
    throw InputError(fmt::format("{} has no link that could fail", core.graph.name(port)));
  }
  if (core.routes_flows) {
    throw InputError("failure", "flow routing relies on links that do not fail");
  }
  if (core.mechanisms.control) {
    throw InputError(
        "failure",
        "the packets of a rate protocol (protocol.model) must all arrive, it relies on "
        "links that do not fail");
  }
  if (const auto vl = vl_without_entry(core)) {
    throw InputError(
        "failure",
        fmt::format(
            "a connection whose last packet is lost ends at once, and what it has on its way "
            "would have no entry of VL {} in arbitration tables; give the VL weight in "
            "vl_arbitration.low",
            *vl));
  }
  if (parts_.size() > 1) refuse_failures_in_parts();
  change_link(port, at.count, is_up);
  if (core.graph.port(one.to).to == port) change_link(one.to, at.count, is_up);
}

void Fabric::change_link(PortId sender, std::int64_t at, bool is_up) {
  const PortId far = graph().port(sender).to;
  if (windows_) windows_->foresee_losses();
  for (const auto& part : parts_) {
    const bool has_sender = has(sender) && part.get() == &part_of(sender);
    const bool has_far = has(far) && part.get() == &part_of(far);
    if (!has_sender && !has_far) continue;
    Core& changed = part->core();
    ++changed.background_events;
    changed.schedule(at, kLinkChange, sender.value, is_up ? 1 : 0);
  }
}

void Fabric::refuse_failures_in_parts() const {
  for (const Mechanism* mechanism : core().every_mechanism) {
    if (mechanism->bears_failures_in_parts()) continue;
    throw InputError(key_of(core(), mechanism),
                     "works with experiment.threads above 1 only where no link fails: both ends of "
                     "a link forget at once what they have told each other");
  }
}

bool Fabric::run_until(Time end, WhenIdle when_idle) {
  const bool idle = windows_ ? windows_->run_until(end.count, when_idle)
                             : parts_.front()->run_until(end, when_idle);
  const bool is_stopped = windows_ ? windows_->is_stopped() : parts_.front()->is_stopped();
  if (peaks_) peaks_->merge_all(ranks_);
  if (!is_stopped && (!idle || when_idle == WhenIdle::keep_time)) {
    for (const auto& part : parts_) part->core().now = std::max(part->core().now, end.count);
  }
  if (idle || settings().check_period.count > 0) check();
  // A scheme whose rates come from outside may get others while nothing moves.
  const auto& injection = core().mechanisms.injection;
  const bool gets_rates = injection && injection->ranks_flows();
  if (idle && !is_stopped && !gets_rates && backlog() > Bytes(0)) {
    throw RunError(
        fmt::format("starved at {}: the network is empty and nothing is scheduled, but {} wait in "
                    "source queues "
                    "for a leave to inject that never comes",
                    to_string(now()), to_string(backlog())));
  }
  if (idle && !is_stopped) {
    together(ranks_, [&] {
      for (const auto& part : parts_)
        for (const Mechanism* mechanism : part->core().every_mechanism) mechanism->check(true);
    });
  }
  return idle;
}

Time Fabric::longest_window() const {
  return windows_ ? Time(windows_->longest_window()) : shortest_cable();
}

void Fabric::stop() {
  if (windows_) {
    windows_->stop();
  } else {
    parts_.front()->stop();
  }
}

void Fabric::on_check(Time at) {
  const std::int64_t now = at.count;
  const std::uint64_t hops = counters().packet_hops;
  // Looking at all queues is only worth it when much has happened.
  if (hops - hops_at_watch_ > 4 * graph().port_count()) {
    for (const auto& part : parts_) {
      part->core().turn_watch.look(part->core(), part->switches(),
                                   now - check_period(settings()).count);
    }
    hops_at_watch_ = hops;
  }
  // Conservation looks at everything there is; unless a period was asked for, that is only worth it
  // when much has happened.
  const Work work = summed(ranks_, work_here());
  if (settings().check_period.count > 0 || hops - hops_at_conservation_ > 2 * work.things) {
    check();
    hops_at_conservation_ = hops;
  }
  // What the events of this instant have woken has yet to be arbitrated.
  if (work.unsettled == 0 && hops == hops_at_check_ && work.packets > 0) {
    check_progress(*this, now, scratch_);
    if (work.busy == 0) report_starvation(*this);
  } else {
    check_progress(*this, now - check_period(settings()).count, scratch_);
  }
  hops_at_check_ = hops;
}

Fabric::Work& Fabric::Work::operator+=(const Work& other) {
  packets += other.packets;
  things += other.things;
  unsettled += other.unsettled;
  busy += other.busy;
  return *this;
}

Fabric::Work Fabric::work_here() const {
  Work work;
  work.things = core().stored.size();
  for (const auto& part : parts_) {
    work.packets += part->core().packets.in_use();
    work.things += part->core().packets.in_use() + part->hosts().flows().all().size();
    work.unsettled += part->is_settled() ? 0 : 1;
    work.busy += part->has_nothing_to_do() ? 0 : 1;
  }
  return work;
}

void Fabric::check() const {
  check_conservation(*this, scratch_);
  together(ranks_, [&] {
    for (const auto& part : parts_)
      for (const Mechanism* mechanism : part->core().every_mechanism) mechanism->check(false);
  });
}

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

std::vector<Flow> Fabric::flows() const {
  if (parts_.size() == 1 && ranks_ == nullptr) return core().flows->all();
  using Name = std::tuple<std::uint32_t, std::uint32_t, bool, std::uint16_t>;
  std::map<Name, Flow> all;
  std::vector<Flow> here;
  for (const auto& part : parts_) {
    const std::vector<Flow>& its = part->hosts().flows().all();
    here.insert(here.end(), its.begin(), its.end());
  }
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
