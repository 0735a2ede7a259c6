#include "weir/fabric/fabric.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
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
    work.things += part->core().packets.in_use() + part->hosts().flows().size();
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

}  // namespace weir::fabric
