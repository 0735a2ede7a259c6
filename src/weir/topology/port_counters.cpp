#include "weir/topology/port_counters.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::topology {
namespace {

constexpr std::size_t kMostNamedLinks = 3;

/// Where a counter stays when it has reached it.
bool is_at_its_highest(std::uint64_t value) { return value == UINT32_MAX || value == UINT64_MAX; }

struct PlacedReading {
  CounterReading sent;
  CounterReading waited;
  std::size_t line = 0;  ///< the first one of the port
};

/// Ports of a snapshot as those of the graph.
class PlacedSnapshot {
 public:
  PlacedSnapshot(const Graph& graph, const SubnetShape& shape, const CounterSnapshot& snapshot)
      : graph_(graph), shape_(shape), snapshot_(snapshot), ports_(graph.port_count()) {
    for (std::size_t h = 0; h < shape.hosts.size(); ++h) add_node(shape.hosts[h], NodeId(h));
    for (std::size_t s = 0; s < shape.switches.size(); ++s) {
      add_node(shape.switches[s], graph.node(SwitchId(s)));
    }
    for (const PortReading& reading : snapshot.ports) place(reading);
    if (snapshot.nodes_without_more != 0) fill_in_waits();
  }

  [[nodiscard]] const PlacedReading& at(std::size_t port) const { return ports_[port]; }
  /// What of the file is no link, in sentences.
  void tell(std::vector<std::string>& notes) const {
    const std::string& file = snapshot_.place.file();
    if (excluded_ > 0) {
      notes.push_back(fmt::format("{}: {} ports of adapters that were left out.", file, excluded_));
    }
    if (uncabled_ > 0) {
      notes.push_back(fmt::format(
          "{}: {} ports without a cable in the fabric, or ports 0 of switches, are no links.", file,
          uncabled_));
    }
    if (lacks_unlisted_) {
      notes.push_back(fmt::format(
          "{}: ibqueryerrors looked at fewer nodes than the fabric has, so that links it does not "
          "list count as missing.",
          file));
    }
  }

 private:
  void add_node(const SubnetShape::Address& address, NodeId node) {
    nodes_[address.guid] = node;
    if (address.port_guid != 0) nodes_[address.port_guid] = node;
    if (graph_.is_host(node)) hosts_[{address.guid, address.port}] = graph_.host(node);
    guids_.insert(address.guid);
  }
  [[nodiscard]] const SubnetShape::Address& address(NodeId node) const {
    return graph_.is_host(node) ? shape_.hosts[node.index()]
                                : shape_.switches[graph_.switch_of(node).index()];
  }

  /// Invalid: an adapter that was left out.
  [[nodiscard]] NodeId node_of(const PortReading& reading) const {
    if (reading.lid != 0) {
      const NodeId node = shape_.owner[reading.lid];
      const auto& excluded = shape_.excluded_lids;
      if (node.valid() || std::binary_search(excluded.begin(), excluded.end(), reading.lid)) {
        return node;
      }
      throw snapshot_.place.error(
          reading.line,
          fmt::format("counters of LID {}, which no node of the fabric has", reading.lid));
    }
    const auto it = nodes_.find(reading.guid);
    if (it != nodes_.end()) return it->second;
    if (shape_.excluded_guids.count(reading.guid) != 0) return {};
    throw snapshot_.place.error(
        reading.line,
        fmt::format("counters of GUID 0x{:x}, which no node of the fabric has", reading.guid));
  }

  void place(const PortReading& reading) {
    const NodeId node = node_of(reading);
    if (!node.valid()) {
      ++excluded_;
      return;
    }
    const PortId port = port_of(reading, node);
    if (!port.valid() || !graph_.port(port).to.valid()) {
      ++uncabled_;
      return;
    }
    PlacedReading& placed = ports_[port.index()];
    take(reading.sent, placed.sent, "PortXmitData", reading, placed, port);
    take(reading.waited, placed.waited, "PortXmitWait", reading, placed, port);
    if (placed.line == 0) placed.line = reading.line;
  }

  /// Invalid: a port that is no link.
  [[nodiscard]] PortId port_of(const PortReading& reading, NodeId node) const {
    if (graph_.is_host(node)) {
      // An adapter answers at any of its LIDs for all its ports.
      const auto it = hosts_.find({address(node).guid, reading.port});
      return it == hosts_.end() ? PortId() : graph_.host_port(it->second);
    }
    if (reading.port > graph_.degree(node)) {
      throw snapshot_.place.error(
          reading.line, fmt::format("counters of port {} of {}, which has {} ports", reading.port,
                                    graph_.name(node), graph_.degree(node)));
    }
    return reading.port == 0 ? PortId() : graph_.port(node, reading.port - 1U);
  }

  void take(const CounterReading& from, CounterReading& to, const char* what,
            const PortReading& reading, const PlacedReading& placed, PortId port) const {
    const auto one = [&](const std::optional<std::uint64_t>& value,
                         std::optional<std::uint64_t>& kept) {
      if (!value) return;
      if (kept) {
        throw snapshot_.place.error(
            reading.line,
            fmt::format("a second {} of {}: the first is on line {}. A file is one snapshot; an "
                        "earlier one is a file of its own",
                        what, graph_.name(port), placed.line));
      }
      kept = value;
    };
    one(from.plain, to.plain);
    one(from.extended, to.extended);
  }

  /// ibqueryerrors does not list what did not wait, if it has been everywhere.
  void fill_in_waits() {
    if (snapshot_.nodes_without_more < guids_.size()) {
      lacks_unlisted_ = true;
      return;
    }
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      if (!graph_.port(PortId(p)).to.valid()) continue;
      CounterReading& waited = ports_[p].waited;
      if (waited.plain || waited.extended) continue;
      waited.plain = waited.extended = 0;
    }
  }

  const Graph& graph_;
  const SubnetShape& shape_;
  const CounterSnapshot& snapshot_;
  std::vector<PlacedReading> ports_;
  std::map<std::uint64_t, NodeId> nodes_;
  std::map<std::pair<std::uint64_t, std::uint16_t>, HostId> hosts_;
  std::set<std::uint64_t> guids_;
  std::size_t excluded_ = 0;
  std::size_t uncabled_ = 0;
  bool lacks_unlisted_ = false;
};

LinkCount difference(const std::optional<std::uint64_t>& after,
                     const std::optional<std::uint64_t>* before) {
  if (!after || (before != nullptr && !*before)) return {};
  if (is_at_its_highest(*after)) return {CounterState::saturated, 0};
  if (before == nullptr) return {CounterState::counted, *after};
  if (is_at_its_highest(**before)) return {CounterState::saturated, 0};
  if (*after < **before) return {CounterState::reset, 0};
  return {CounterState::counted, *after - **before};
}

/// Of the longer counter where both snapshots have it.
LinkCount difference(const CounterReading& after, const CounterReading* before) {
  const LinkCount extended =
      difference(after.extended, before == nullptr ? nullptr : &before->extended);
  if (extended.state == CounterState::counted) return extended;
  const LinkCount plain = difference(after.plain, before == nullptr ? nullptr : &before->plain);
  return plain.state == CounterState::counted || extended.state == CounterState::missing ? plain
                                                                                         : extended;
}

/// Which links a counter tells nothing of, and why.
void tell_what_is_left_out(const Graph& graph, const std::vector<LinkCounters>& links,
                           LinkCount LinkCounters::*counter, std::string_view name,
                           std::vector<std::string>& notes) {
  for (const auto& [state, why] :
       {std::pair(CounterState::saturated,
                  "stands at its highest value, where it stays until it is reset: reset it "
                  "before, or take that of 64 bits (perfquery -x)"),
        std::pair(CounterState::reset, "is lower than before: it was reset in between"),
        std::pair(CounterState::missing, "is not in the files, or the devices do not keep it")}) {
    std::size_t count = 0;
    std::vector<std::string> names;
    for (std::size_t p = 0; p < links.size(); ++p) {
      if (!graph.port(PortId(p)).to.valid() || (links[p].*counter).state != state) continue;
      ++count;
      if (names.size() < kMostNamedLinks) names.push_back(graph.name(PortId(p)));
    }
    if (count == 0) continue;
    notes.push_back(fmt::format("{} of {} link{} {} ({}{}).", name, count, count == 1 ? "" : "s",
                                why, fmt::join(names, ", "), count > names.size() ? ", ..." : ""));
  }
}

}  // namespace

std::string_view to_string(CounterState state) {
  switch (state) {
    case CounterState::counted:
      return "counted";
    case CounterState::missing:
      return "missing";
    case CounterState::saturated:
      return "saturated";
    case CounterState::reset:
      break;
  }
  return "reset";
}

SubnetCounters count_links(const Graph& graph, const CounterSnapshot& after,
                           const CounterSnapshot* before) {
  const auto* shape = graph.shape<SubnetShape>();
  if (shape == nullptr) {
    throw after.place.error(
        "counters are of ports with LIDs, which only a fabric read from ibnetdiscover has");
  }
  const PlacedSnapshot last(graph, *shape, after);
  std::optional<PlacedSnapshot> first;
  if (before != nullptr) first.emplace(graph, *shape, *before);
  SubnetCounters counters;
  counters.links.resize(graph.port_count());
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    const PlacedReading* earlier = first ? &first->at(p) : nullptr;
    LinkCounters& link = counters.links[p];
    link.words = difference(last.at(p).sent, earlier == nullptr ? nullptr : &earlier->sent);
    link.ticks = difference(last.at(p).waited, earlier == nullptr ? nullptr : &earlier->waited);
  }
  last.tell(counters.notes);
  if (first) first->tell(counters.notes);
  tell_what_is_left_out(graph, counters.links, &LinkCounters::words, "PortXmitData",
                        counters.notes);
  tell_what_is_left_out(graph, counters.links, &LinkCounters::ticks, "PortXmitWait",
                        counters.notes);
  return counters;
}

SubnetCounters read_counters(const Graph& graph, const CounterFiles& files) {
  const CounterSnapshot after = parse_port_counters(read_text_file(files.after), files.after);
  if (files.before.empty()) return count_links(graph, after, nullptr);
  const CounterSnapshot before = parse_port_counters(read_text_file(files.before), files.before);
  return count_links(graph, after, &before);
}

}  // namespace weir::topology
