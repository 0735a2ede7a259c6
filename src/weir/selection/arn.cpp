#include "weir/selection/arn.hpp"

#include <algorithm>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/selection/most_credits.hpp"

namespace weir::selection {

using fabric::ControlMessage;
using fabric::Selected;
using routing::Candidate;
using Entry = NotificationTable::Entry;

namespace {

/// Ids of failures; those of roots are smaller.
constexpr std::uint32_t kFailureId = 0x8000'0000;
/// Info where there are no stages.
constexpr std::uint8_t kNoStage = 0xff;

/// Stages from the hosts, and only ports up and down.
bool has_stages(const topology::Graph& graph) {
  for (std::size_t n = graph.host_count(); n < graph.node_count(); ++n) {
    if (graph.stage(NodeId(n)) < 1) return false;
    for (const topology::Port& port : graph.ports(NodeId(n))) {
      const bool is_staged =
          port.role == topology::PortRole::up || port.role == topology::PortRole::down;
      if (port.to.valid() && !is_staged) return false;
    }
  }
  return true;
}

}  // namespace

Arn::Arn(const ArnSettings& settings) : settings_(settings), detector_(settings, *this) {}

void Arn::attach(const fabric::FabricView& fabric) {
  SelectionFunction::attach(fabric);
  clock_ = fabric.clock;
  ports_ = fabric.ports;
  links_ = fabric.links;
  buffers_ = fabric.buffers;
  messages_ = fabric.messages;
  calls_ = fabric.selection;
  graph_ = &fabric.graph;
  routing_ = &fabric.routing;
  detector_.attach(fabric);
  has_stages_ = has_stages(*graph_);
  tables_.resize(graph_->node_count());
  for (std::uint32_t s = 0; s < graph_->switch_count(); ++s) {
    random_.emplace_back(fabric.settings.seed, s, StreamPurpose::notification);
  }
}

// --- Packets (spec 3.10 D)

Selected Arn::select(fabric::SelectionView& view) {
  const fabric::Packet& packet = view.packet;
  const std::uint32_t node = ports_[packet.in_port].node;
  NotificationTable& table = tables_[node];
  const bool is_down = links_.is_down(ports_.first_of(node) + view.preferred.port);
  if (!is_down && !table.may_know(packet.destination)) return {view.preferred};
  table.purge(clock_.now().count);
  const std::uint16_t scheme_class = buffers_.scheme_class(packet);
  if (is_down) {
    learn_failure(view, scheme_class);
  } else if (links_.has_any_failed()) {
    forget_failure(table, ports_.first_of(node) + view.preferred.port, packet.destination,
                   scheme_class);
  }
  Entry* entry = table.find_consumed(packet.destination, scheme_class);
  if (entry != nullptr) {
    replace_failed_alternative(node, *entry, view);
  } else {
    entry = table.find_any(packet.destination, scheme_class);
    if (entry == nullptr) return {view.preferred};
    // A failure that left no other output may find one when another cable works again.
    const bool may_have_changed = entry->about.is_failure && is_for(node, entry->about);
    if (!has_stages_ || may_have_changed) try_consume(node, *entry, view.candidates());
  }
  if (!entry->is_consumed) {
    notify(packet.in_port, *entry);
    return {view.preferred};
  }
  // The output may not be for this packet: below its destination, or after another input.
  const std::optional<std::uint16_t> port = table.alternative(packet.destination);
  for (const Candidate& candidate : view.candidates()) {
    if (candidate.port != port) continue;
    return {candidate, settings_.isolates && !entry->about.is_failure};
  }
  return {view.preferred};
}

void Arn::replace_failed_alternative(std::uint32_t node, Entry& entry,
                                     fabric::SelectionView& view) {
  const std::optional<std::uint16_t> port = tables_[node].alternative(entry.about.destination);
  if (!port || !links_.is_down(ports_.first_of(node) + *port)) return;
  entry.is_consumed = false;
  try_consume(node, entry, view.candidates());
}

void Arn::notify(std::uint32_t in_port, Entry& entry) {
  const fabric::PortInfo& in = ports_[in_port];
  if (links_.is_down(in.upstream)) return;  // packets tell of it again once it is back
  if (entry.sent.empty()) entry.sent.assign(in.degree, INT64_MIN / 2);
  if (clock_.now().count - entry.sent[in.number] < settings_.least_gap.count) return;
  entry.sent[in.number] = clock_.now().count;
  ++counters_.sent;
  const auto bytes = static_cast<std::uint32_t>(settings_.bytes.count);
  counters_.bytes_sent += bytes;
  messages_.send_notification(ports_.upstream_of(PortId(in_port)), PortId(in_port), bytes,
                              {*this, entry.about});
}

void Arn::learn_failure(const fabric::SelectionView& view, std::uint16_t scheme_class) {
  const std::uint32_t node = ports_[view.packet.in_port].node;
  const std::uint32_t port = ports_.first_of(node) + view.preferred.port;
  Notification about;
  about.destination = view.packet.destination;
  about.scheme_class = scheme_class;
  about.port = view.preferred.port;
  about.id = kFailureId | port;
  about.info = info_of(port);
  about.is_failure = true;
  process(node, about);
}

void Arn::forget_failure(NotificationTable& table, std::uint32_t port, std::uint32_t destination,
                         std::uint16_t scheme_class) {
  Notification about;
  about.destination = destination;
  about.scheme_class = scheme_class;
  about.port = ports_[port].number;
  about.id = kFailureId | port;
  if (table.find_exact(about) != nullptr) table.erase(about);
}

bool Arn::is_for(std::uint32_t node, const Notification& about) const {
  return has_stages_ && graph_->stage(NodeId(node)) == about.info;
}

std::uint8_t Arn::info_of(std::uint32_t port) const {
  if (!has_stages_) return kNoStage;
  const int stage = graph_->stage(NodeId(ports_[port].node));
  return static_cast<std::uint8_t>(is_up(port) ? stage : stage - 1);
}

// --- Roots (spec 3.10 A)

void Arn::on_root(std::uint32_t port, const fabric::Packet& packet, std::uint32_t id) {
  const fabric::PortInfo& info = ports_[port];
  Notification about;
  about.destination = packet.destination;
  about.scheme_class = buffers_.scheme_class(packet);
  about.port = info.number;
  about.id = id;
  about.from_adapted = packet.is_adapted();
  about.info = info_of(port);
  process(info.node, about);
}

void Arn::on_root_refreshed(std::uint32_t port, std::uint32_t id) {
  tables_[ports_[port].node].refresh_root(id, clock_.now().count,
                                          clock_.now().count + settings_.switch_lifetime.count);
}

// --- Notifications (spec 3.10 B and C)

void Arn::on_control(PortId port, const ControlMessage& message) {
  const fabric::PortInfo& info = ports_[port];
  auto about = message.as<Notification>();
  about.port = info.number;
  if (info.node >= ports_.host_count()) {
    process(info.node, about);
  } else {
    const bool is_for_hosts =
        about.info == 0 || about.info == kNoStage ||
        (about.from_adapted && settings_.host_marks == HostMarks::adapted_roots_too);
    if (is_for_hosts && !about.is_failure) consume_at_host(info.node, about);
  }
}

void Arn::process(std::uint32_t node, const Notification& about) {
  NotificationTable& table = tables_[node];
  const Time lifetime = about.is_failure ? settings_.failure_lifetime : settings_.switch_lifetime;
  const std::int64_t expires = clock_.now().count + lifetime.count;
  if (table.renew(about, clock_.now().count, expires)) return;
  if (about.from_adapted && !settings_.keeps_adapted_roots) return;
  if (table.make_room(settings_.most_entries)) ++counters_.evicted;
  Entry& entry = table.add(about, clock_.now().count, expires);
  ++counters_.entries_made;
  if (!is_for(node, about)) return;
  routing::RouteQuery query;
  query.at = SwitchId(node - ports_.host_count());
  query.in_port = PortId(ports_.first_of(node));
  query.source = HostId(0);
  query.destination = HostId(about.destination);
  candidates_.clear();
  routing_->candidates(query, candidates_);
  try_consume(node, entry, candidates_.view());
}

void Arn::try_consume(std::uint32_t node, Entry& entry, std::span<const Candidate> allowed) {
  if (entry.about.from_adapted) return;
  const std::uint32_t first = ports_.first_of(node);
  others_.clear();
  for (const Candidate& candidate : allowed) {
    const bool may_divert = !has_stages_ || is_up(first + candidate.port);
    if (!may_divert || candidate.port == entry.about.port) continue;
    if (links_.is_down(first + candidate.port)) continue;
    if (!has_failed(tables_[node], entry.about.destination, candidate.port)) others_.add(candidate);
  }
  if (others_.empty()) return;
  const Candidate best =
      most_credits(others_.view(), random_[node - ports_.host_count()], [&](Candidate output) {
        const std::uint32_t port = first + output.port;
        const int regular = output.lane * buffers_.classes_per_lane() + entry.about.scheme_class;
        const bool adapts = settings_.isolates && !entry.about.is_failure;
        const std::uint16_t buffer =
            adapts ? buffers_.adapted_class(output.lane) : static_cast<std::uint16_t>(regular);
        return links_.credits(port, buffer);
      });
  entry.is_consumed = true;
  tables_[node].set_alternative(entry.about.destination, best.port);
  ++counters_.consumed;
}

bool Arn::has_failed(const NotificationTable& table, std::uint32_t destination,
                     std::uint16_t port) const {
  return std::any_of(table.entries().begin(), table.entries().end(), [&](const Entry& entry) {
    return entry.about.is_failure && entry.about.destination == destination &&
           entry.about.port == port && entry.expires > clock_.now().count;
  });
}

bool Arn::is_up(std::uint32_t port) const {
  return graph_->port(PortId(port)).role == topology::PortRole::up;
}

// --- Hosts, stage 0 (spec 3.12)

void Arn::consume_at_host(std::uint32_t host, const Notification& about) {
  if (!settings_.isolates || settings_.host_marks == HostMarks::none) return;
  NotificationTable& table = tables_[host];
  const std::int64_t expires = clock_.now().count + settings_.host_lifetime.count;
  if (table.renew(about, clock_.now().count, expires)) return;
  table.add(about, clock_.now().count, expires).is_consumed = true;
  ++counters_.host_entries_made;
  calls_.ask_at_host(host, true);
}

bool Arn::adapts_at_host(std::uint32_t host, std::uint32_t destination,
                         std::uint16_t scheme_class) {
  NotificationTable& table = tables_[host];
  table.purge(clock_.now().count);
  if (table.empty()) calls_.ask_at_host(host, false);
  return table.may_know(destination) && table.find_consumed(destination, scheme_class) != nullptr;
}

// --- For metrics and checks

void Arn::read(fabric::Readings& readings, Time now) const {
  SelectionFunction::read(readings, now);
  const NotificationCounters totals = counters();
  const NotificationLoad loads = load();
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  readings.count("notifications", number(totals.sent));
  readings.count("notification_bytes", number(totals.bytes_sent));
  readings.count("roots_declared", number(totals.roots));
  readings.mean_over_time("roots", detector_.root_time());
  detector_.roots().read(readings, "roots_max");
  readings.level("notification_entries", number(loads.entries), "notification_entries_max");
  readings.level("notification_entries_consumed", number(loads.consumed));
  readings.level_of_most("notification_entries_at_switch", number(loads.most),
                         "notification_entries_at_switch_max");
  readings.level("notification_entries_at_hosts", number(loads.host_entries),
                 "notification_entries_at_hosts_max");
  readings.value("notification_entries_made", number(totals.entries_made));
  readings.value("notification_entries_evicted", number(totals.evicted));
  readings.value("notification_entries_left", number(loads.entries));
}

NotificationCounters Arn::counters() const {
  NotificationCounters all = counters_;
  all.roots = detector_.roots_declared();
  all.roots_now = static_cast<std::uint64_t>(detector_.roots().now());
  all.roots_max = static_cast<std::uint64_t>(detector_.roots().most());
  all.root_time = static_cast<double>(detector_.root_time());
  return all;
}

NotificationLoad Arn::load() const {
  NotificationLoad load;
  for (std::size_t node = 0; node < tables_.size(); ++node) {
    std::uint64_t here = 0;
    for (const Entry& entry : tables_[node].entries()) {
      if (entry.expires <= clock_.now().count) continue;
      ++here;
      if (node >= ports_.host_count() && entry.is_consumed) ++load.consumed;
    }
    if (node < ports_.host_count()) {
      load.host_entries += here;
    } else {
      load.entries += here;
      load.most = std::max(load.most, here);
    }
  }
  return load;
}

std::size_t Arn::memory() const {
  std::size_t bytes = detector_.memory() + tables_.capacity() * sizeof(NotificationTable) +
                      random_.capacity() * sizeof(RandomStream);
  for (const NotificationTable& table : tables_) bytes += table.memory();
  return bytes;
}

void Arn::checkpoint(fabric::NodeState& state) {
  detector_.checkpoint(state);
  state.slice(tables_, state.node(), 1);
  state.of_switch(random_);
}

void Arn::checkpoint_totals(fabric::TotalState& state) {
  detector_.checkpoint_totals(state);
  state.sum(counters_.sent, counters_.bytes_sent, counters_.entries_made, counters_.consumed,
            counters_.host_entries_made, counters_.evicted);
}

}  // namespace weir::selection
