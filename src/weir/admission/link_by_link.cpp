#include "weir/admission/link_by_link.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "weir/fabric/connection_tables.hpp"
#include "weir/fabric/vl_label.hpp"

namespace weir::admission {

namespace {

using fabric::ControlMessage;
using fabric::Packet;

std::int64_t bytes_per_second(Rate rate) { return rate.count / 8; }

/// Rounded down, but for what a decimal fraction lacks in binary.
std::int64_t budget_of(Rate rate, double share) {
  return static_cast<std::int64_t>(
      std::floor(share * static_cast<double>(bytes_per_second(rate)) + 1e-6));
}

/// What a connection of `rate` (bytes per second) weighs in the table of a link.
int weight_on(Rate link, std::int64_t rate) {
  return fabric::VlTableFiller::weight_of(static_cast<double>(rate) /
                                          static_cast<double>(bytes_per_second(link)));
}

}  // namespace

LinkByLink::LinkByLink(LinkByLinkSettings settings, const fabric::AdmissionContext& context)
    : settings_(std::move(settings)), context_(context) {
  const std::size_t ports = context_.graph->port_count();
  reserved_.assign(ports * settings_.budgets.size(), 0);
  for (const topology::Port& port : context_.graph->ports()) {
    const bool is_cabled = port.to.valid();
    for (const double part : settings_.budgets)
      budgets_.push_back(is_cabled ? budget_of(port.link.rate, part) : 0);
  }
  if (settings_.tables)
    tables_ = std::make_unique<fabric::ConnectionTables>(*settings_.tables, ports);
}

std::uint16_t LinkByLink::vl_of(const fabric::ConnectionRequest& request,
                                std::uint32_t first_link) const {
  Packet probe;
  probe.source = request.source.value;
  probe.destination = request.destination.value;
  probe.service_level = request.service_level;
  return buffers_.class_of_new(probe, 0, links_.receiver(first_link));
}

void LinkByLink::attach(const fabric::FabricView& fabric) {
  clock_ = fabric.clock;
  ports_ = fabric.ports;
  links_ = fabric.links;
  paths_ = fabric::KnownPaths(fabric);
  buffers_ = fabric.buffers;
  messages_ = fabric.messages;
  hosts_ = &fabric.hosts;
  packets_ = fabric.packets;
  ends_ = packets_.reserve<ConnectionKey>();
  own_.resize(fabric.ports.host_count());
  is_divided_ = fabric.is_divided;
  if (is_divided_) asked_by_all_ = std::make_shared<AskedByAll>();
}

std::optional<std::string> LinkByLink::refusal(std::uint8_t service_level,
                                               std::int64_t rate) const {
  const std::size_t level = level_of(service_level);
  if (level >= settings_.budgets.size()) {
    return fmt::format("service level {} has no share in admission.budgets, which has {}",
                       service_level, settings_.budgets.size());
  }
  std::int64_t largest = 0;
  for (std::uint32_t p = 0; p < context_.graph->port_count(); ++p)
    largest = std::max(largest, budgets_[index(p, level)]);
  if (rate < largest) return table_refusal(rate);
  return fmt::format(
      "{} B/s is never accepted: it must stay below what admission.budgets leaves this service "
      "level of a link, {} B/s",
      rate, largest);
}

std::optional<std::string> LinkByLink::table_refusal(std::int64_t rate) const {
  if (!tables_) return std::nullopt;
  Rate fastest;
  for (const topology::Port& port : context_.graph->ports()) {
    if (port.to.valid()) fastest = std::max(fastest, port.link.rate);
  }
  int room = 0;
  for (std::uint16_t vl = 0; vl < kDataVls; ++vl) room = std::max(room, tables_->room(vl));
  constexpr int kMost = fabric::VlTableFiller::kMostWeight;
  const int needed = (weight_on(fastest, rate) + kMost - 1) / kMost;
  if (needed <= room) return std::nullopt;
  return fmt::format(
      "{} B/s is never accepted: it needs {} entries of a VL arbitration table, in which "
      "[vl_arbitration] leaves {} for connections",
      rate, needed, room);
}

// --- Asking

std::uint32_t LinkByLink::ask(const fabric::ConnectionRequest& request) {
  auto& [all, unused] = own_[request.source.index()];
  if (unused.empty()) {
    unused.push_back(static_cast<std::uint32_t>(all.size()));
    all.push_back(std::make_unique<Connection>());
    all.back()->key = {request.source.value, unused.back(), 0};
  }
  const std::uint32_t number = unused.back();
  unused.pop_back();
  Connection& c = *all[number];
  Asked& asked = c.asked;
  asked.request = request;
  asked.links.assign(1, ports_.first_of(request.source.value));
  paths_.follow({request.source, request.destination, request.number},
                [&](std::uint32_t at, routing::Candidate next) {
                  asked.links.push_back(ports_[at].first_port + next.port);
                  return asked.links.size() < ports_.size();
                });
  asked.vl = tables_ ? vl_of(request, asked.links[0]) : std::uint16_t{0};
  c.hold_nothing();
  ++c.key.request;
  c.attempt = 1;
  c.state = State::asking;
  c.since = clock_.now();
  ++count(c).asked;
  if (is_divided_) asked_by_all_->put(c.key, asked);
  if (has_other_processes_) newly_asked_.push_back(&c);
  probe(c, 0);
  return number;
}

// --- Between parts

void LinkByLink::meet(std::span<fabric::Mechanism* const> instances) {
  asked_by_all_ = dynamic_cast<LinkByLink&>(*instances.front()).asked_by_all_;
}

void LinkByLink::set_process(std::size_t) { has_other_processes_ = true; }

void LinkByLink::tell(Ranks::Parcel& parcel) {
  put_value<std::uint64_t>(parcel, newly_asked_.size());
  for (const Connection* c : newly_asked_) {
    put_value(parcel, c->key);
    put_value(parcel, c->asked.request);
    put_value(parcel, c->asked.vl);
    put_list(parcel, c->asked.links);
  }
  newly_asked_.clear();
}

void LinkByLink::hear(std::size_t, const Ranks::Parcel& parcel, std::size_t& at) {
  const auto count = take_value<std::uint64_t>(parcel, at);
  Asked heard;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto key = take_value<ConnectionKey>(parcel, at);
    heard.request = take_value<fabric::ConnectionRequest>(parcel, at);
    heard.vl = take_value<std::uint16_t>(parcel, at);
    take_list(parcel, at, heard.links);
    asked_by_all_->put(key, heard);
  }
}

void LinkByLink::probe(Connection& c, std::size_t hop) {
  // What is closing or was rejected meanwhile is not asked for any more.
  if (c.state != State::asking && c.state != State::open) return;
  if (hop == c.hops()) {
    send_back(c, kAccept, hop);
  } else if (links_.is_down(c.asked.links[hop])) {
    if (c.state == State::open) return;
    c.state = State::rejected;
    reject(c, hop);
  } else if (c.holds[hop] != 0 || reserve(c, hop)) {
    send_on(c, kProbe, hop);
  } else if (hop == 0) {
    at_source_rejected(c);
  } else {
    c.state = State::rejected;
    send_back(c, kReject, hop);
  }
}

bool LinkByLink::reserve(Connection& c, std::size_t hop) {
  const std::uint32_t port = c.asked.links[hop];
  const fabric::ConnectionRequest& request = c.asked.request;
  const std::size_t i = index(port, level_of(request.service_level));
  if (request.rate + reserved_[i] >= budgets_[i] || !fill(c, hop)) return false;
  hold(c, hop);
  largest_share_ = std::max(largest_share_, share(port));
  return true;
}

void LinkByLink::hold(Connection& c, std::size_t hop) {
  const fabric::ConnectionRequest& request = c.asked.request;
  reserved_[index(c.asked.links[hop], level_of(request.service_level))] += request.rate;
  c.holds[hop] = 1;
  ++c.held;
}

bool LinkByLink::is_in_table(const Connection& c) const { return tables_ && c.asked.vl < kDataVls; }

bool LinkByLink::fill(Connection& c, std::size_t hop) {
  if (!is_in_table(c)) return true;
  const PortId port(c.asked.links[hop]);
  const auto place = tables_->add(
      port, c.asked.vl, weight_on(context_.graph->port(port).link.rate, c.asked.request.rate));
  if (place) c.places[hop] = *place;
  return place.has_value();
}

void LinkByLink::accept(Connection& c, std::size_t hop) {
  if (hop > 0) {
    send_back(c, kAccept, hop);
    return;
  }
  if (c.state != State::asking) return;  // a second answer
  c.state = State::open;
  ++count(c).accepted;
  count(c).setup += clock_.now() - c.since;
  hosts_->answer(c.asked.request.asker, true);
}

void LinkByLink::reject(Connection& c, std::size_t hop) {
  release(c, hop);
  if (hop > 0) {
    send_back(c, kReject, hop);
  } else {
    at_source_rejected(c);
  }
}

bool LinkByLink::is_hopeless(const Connection& c) const {
  const std::int64_t rate = c.asked.request.rate;
  const std::size_t level = level_of(c.asked.request.service_level);
  const int room =
      is_in_table(c) ? tables_->room(c.asked.vl) * fabric::VlTableFiller::kMostWeight : 0;
  return std::any_of(c.asked.links.begin(), c.asked.links.end(), [&](std::uint32_t port) {
    return rate >= budgets_[index(port, level)] ||
           (is_in_table(c) && weight_on(context_.graph->port(PortId(port)).link.rate, rate) > room);
  });
}

void LinkByLink::at_source_rejected(Connection& c) {
  c.state = State::rejected;
  ++count(c).rejected;
  const bool was_last = settings_.attempts > 0 && c.attempt >= settings_.attempts;
  const bool is_over = was_last || is_hopeless(c);
  messages_.send_inside(PortId(c.asked.links[0]), is_over ? 0 : settings_.retry.count,
                        message(is_over ? kGiveUp : kAsk, c, 0));
}

void LinkByLink::give_up(Connection& c) {
  const std::uint32_t asker = c.asked.request.asker;
  ++count(c).given_up;
  leave_place(c);
  hosts_->answer(asker, false);
}

// --- Connections here

LinkByLink::Connection* LinkByLink::find(const ConnectionKey& key) {
  if (is_own(key)) {
    Connection& own = *own_[key.source].all[key.place];
    if (own.key == key && own.state != State::unused) return &own;
  }
  const auto found = guests_.find(key);
  return found == guests_.end() ? nullptr : &found->second;
}

LinkByLink::Connection& LinkByLink::welcome(const ConnectionKey& key, const Asked& asked) {
  Connection& guest = guests_[key];
  guest.key = key;
  guest.asked = asked;
  guest.is_guest = true;
  guest.state = State::asking;
  guest.hold_nothing();
  return guest;
}

void LinkByLink::dismiss(Connection& c) {
  if (c.is_guest && c.held == 0) guests_.erase(ConnectionKey(c.key));
}

void LinkByLink::leave_place(Connection& c) {
  c.state = State::unused;
  own_[c.key.source].unused.push_back(c.key.place);
}

// --- Messages

ControlMessage LinkByLink::message(MessageKind kind, const Connection& c, std::size_t hop) {
  return {*this, ConnectionMessage{kind, static_cast<std::uint16_t>(hop), c.key}};
}

ControlMessage LinkByLink::message(MessageKind kind, HostId source, std::uint32_t connection,
                                   std::size_t hop) {
  return message(kind, *own_[source.index()].all[connection], hop);
}

void LinkByLink::send_on(Connection& c, MessageKind kind, std::size_t from_hop) {
  const std::uint32_t port = c.asked.links[from_hop];
  const PortId far(links_.receiver(port));
  if (!links_.is_down(port)) {
    messages_.send(far, PortId(port), message(kind, c, from_hop + 1));
  } else if (kind == kRelease) {
    messages_.send_around(far, PortId(port), settings_.retry.count, message(kind, c, from_hop + 1));
  }
}

void LinkByLink::send_back(Connection& c, MessageKind kind, std::size_t from_hop) {
  const PortId near(c.asked.links[from_hop - 1]);
  if (!links_.is_down(near.value)) {
    messages_.send(near, PortId(links_.receiver(near.value)), message(kind, c, from_hop - 1));
    return;
  }
  if (c.state == State::open) return;  // a second answer
  for (std::size_t hop = from_hop; hop < c.hops(); ++hop) release(c, hop);
  c.state = State::rejected;
  messages_.send_around(near, PortId(links_.receiver(near.value)), settings_.retry.count,
                        message(kReject, c, from_hop - 1));
}

void LinkByLink::on_control(PortId, const ControlMessage& message) {
  const auto m = message.as<ConnectionMessage>();
  Connection* c = find(m.of);
  if (c == nullptr && m.kind == kProbe && !is_own(m.of))
    c = &welcome(m.of, asked_by_all_->of(m.of));
  if (c == nullptr) return;  // late, of something that is over
  hear(*c, m);
  dismiss(*c);
}

void LinkByLink::hear(Connection& c, const ConnectionMessage& m) {
  switch (m.kind) {
    case kProbe:
      probe(c, m.hop);
      return;
    case kAccept:
      accept(c, m.hop);
      return;
    case kReject:
      reject(c, m.hop);
      return;
    case kRelease:
      if (m.hop + std::size_t{1} < c.hops()) send_on(c, kRelease, m.hop);
      release(c, m.hop);
      return;
    case kLeft:
      release(c, m.hop);
      return;
    case kAsk:
      ++c.key.request;
      ++c.attempt;
      c.state = State::asking;
      probe(c, 0);
      return;
    case kGiveUp:
      give_up(c);
      return;
  }
}

// --- The end of a connection

void LinkByLink::end_with(HostId source, std::uint32_t connection, std::uint32_t message) {
  Connection& c = *own_[source.index()].all[connection];
  c.state = State::closing;
  c.last_message = message;
  ending_[message] = &c;
}

LinkByLink::Connection* LinkByLink::ending(const Packet& packet) {
  ConnectionKey& name = packets_.record(ends_, packet);
  if (name.request == 0) {
    const auto ending = ending_.find(packet.message);
    Connection& c = *ending->second;
    name = c.key;
    c.last_message = fabric::kNone;
    ending_.erase(ending);
  }
  return find(name);
}

std::size_t LinkByLink::hop_of(const Connection& c, PortId port) const {
  const auto found = std::find(c.asked.links.begin(), c.asked.links.end(), port.value);
  if (found == c.asked.links.end()) {
    throw RunError(
        fmt::format("the connection from host {} to host {} has reserved nothing at {}, "
                    "where its last packet leaves",
                    c.asked.request.source.value, c.asked.request.destination.value,
                    context_.graph->name(port)));
  }
  return static_cast<std::size_t>(found - c.asked.links.begin());
}

void LinkByLink::on_last(PortId port, const Packet& packet) {
  const Connection* c = ending(packet);
  if (c == nullptr) return;  // it holds nothing any more
  messages_.send_inside(port, links_.duration(port.value, packet.size),
                        message(kLeft, *c, hop_of(*c, port)));
}

void LinkByLink::on_last_lost(PortId port, const Packet& packet) {
  Connection* c = ending(packet);
  if (c == nullptr) return;
  const std::size_t hop = hop_of(*c, port);
  if (hop + 1 < c->hops()) send_on(*c, kRelease, hop);
  release(*c, hop);
  dismiss(*c);
}

void LinkByLink::release(Connection& c, std::size_t hop) {
  if (c.holds[hop] == 0) return;
  c.holds[hop] = 0;
  --c.held;
  const fabric::ConnectionRequest& request = c.asked.request;
  reserved_[index(c.asked.links[hop], level_of(request.service_level))] -= request.rate;
  if (is_in_table(c)) tables_->remove(PortId(c.asked.links[hop]), c.asked.vl, c.places[hop]);
  const bool is_closing = c.state == State::closing;
  // No link fails where there are guests, so that nothing but the end releases the last one.
  if (hop + 1 == c.hops() && (is_closing || c.is_guest)) ++count(c).released;
  if (is_closing && c.held == 0) leave_place(c);
}

// --- Numbers

AdmissionCounters& LinkByLink::count(const Connection& c) {
  const std::size_t needed = std::size_t{c.asked.request.traffic_class} + 1;
  if (counters_.size() < needed) counters_.resize(needed);
  return counters_[needed - 1];
}

AdmissionCounters LinkByLink::counters(std::uint8_t traffic_class) const {
  return traffic_class < counters_.size() ? counters_[traffic_class] : AdmissionCounters{};
}

void LinkByLink::read(fabric::Readings& readings, Time) const {
  for (std::size_t c = 0; c < readings.traffic_classes(); ++c) {
    const AdmissionCounters own = counters(static_cast<std::uint8_t>(c));
    const auto count = [&](std::string_view metric, std::uint64_t total) {
      readings.count_of(c, metric, static_cast<double>(total));
    };
    count("connections_asked", own.asked);
    count("connections_accepted", own.accepted);
    count("connections_rejected", own.rejected);
    count("connections_given_up", own.given_up);
    count("connections_released", own.released);
    readings.ratio_of(c, "connection_setup", own.setup.count,
                      ExactSum(own.accepted) * nanoseconds(1).count);
  }
  readings.largest("reserved_share_max", largest_share_);
  readings.value_of_sum("reservations_left", reserved_in_all(), 8e-9);
  readings.level_of_most("reserved_share", most_reserved().share);
  if (tables() != nullptr) read_entries(readings);
}

void LinkByLink::read_entries(fabric::Readings& readings) const {
  for (std::uint32_t port = 0; port < tables()->port_count(); ++port) {
    for (std::uint16_t vl = 0; vl < fabric::ConnectionTables::kDataVls; ++vl) {
      const int entries = tables()->entries(PortId(port), vl);
      if (entries == 0) continue;
      readings.level_at("vl_entries", fabric::vl_label(*context_.graph, PortId(port), vl), entries,
                        port * fabric::ConnectionTables::kDataVls + vl + 1U);
    }
  }
}

std::int64_t LinkByLink::reserved(PortId port, std::uint8_t service_level) const {
  return reserved_[index(port.value, level_of(service_level))];
}

std::int64_t LinkByLink::budget(PortId port, std::uint8_t service_level) const {
  return budgets_[index(port.value, level_of(service_level))];
}

std::int64_t LinkByLink::reserved_in_all() const {
  std::int64_t sum = 0;
  for (const std::int64_t one : reserved_) sum += one;
  return sum;
}

double LinkByLink::share(std::uint32_t port) const {
  const topology::Port& info = context_.graph->port(PortId(port));
  if (!info.to.valid()) return 0;
  std::int64_t sum = 0;
  for (std::size_t level = 0; level < settings_.budgets.size(); ++level)
    sum += reserved_[index(port, level)];
  return static_cast<double>(sum) / static_cast<double>(bytes_per_second(info.link.rate));
}

MostReserved LinkByLink::most_reserved() const {
  MostReserved most;
  for (std::uint32_t p = 0; p < context_.graph->port_count(); ++p) {
    const double here = share(p);
    if (here > most.share) most = {PortId(p), here};
  }
  return most;
}

}  // namespace weir::admission
