#include "weir/routing/layered_forwarding.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "weir/routing/fit.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::routing {

using topology::Graph;
using topology::SubnetShape;
using Row = std::array<std::uint8_t, kServiceLevels>;

/// Puts path records and SL2VL tables into the arrays, and follows all routes to see what they use.
class LayerLoader {
 public:
  LayerLoader(const Graph& graph, const SubnetLayers& layers, LayeredForwarding& out)
      : graph_(graph),
        shape_(*graph.shape<SubnetShape>()),  // LinearForwarding has asked for it
        layers_(layers),
        out_(out) {}

  void load() {
    load_levels();
    number_ports();
    if (layers_.tables) {
      load_tables();
    } else {
      use_levels_as_vls();
    }
    follow_routes();
    number_lanes();
  }

 private:
  static constexpr std::uint16_t kNoRow = UINT16_MAX;

  void load_levels();
  void refuse_missing(const std::vector<bool>& is_known);
  void number_ports();
  void load_tables();
  void load_table(const ServiceLevelTable& table);
  void assume_host_tables();
  void use_levels_as_vls();
  void follow_routes();
  void follow(HostId source, HostId destination);
  void use(std::uint16_t row, std::uint8_t level, HostId source, HostId destination,
           PortId out_port);
  void number_lanes();
  std::uint16_t row_of(const Row& vls);

  /// Invalid: an adapter that the import left out. Throws when nobody has the LID.
  [[nodiscard]] NodeId owner(const topology::TextPlace& place, std::size_t line, std::uint16_t lid,
                             std::string_view what) const {
    const NodeId node = shape_.owner[lid];
    const auto& excluded = shape_.excluded_lids;
    if (node.valid() || std::binary_search(excluded.begin(), excluded.end(), lid)) return node;
    throw place.error(line, fmt::format("{} LID {}, which no node of the fabric has", what, lid));
  }
  /// The host whose base LID it is; invalid for switches and further LIDs of a host.
  [[nodiscard]] HostId host_of(NodeId node, std::uint16_t lid) const {
    if (!node.valid() || !graph_.is_host(node)) return {};
    const HostId host = graph_.host(node);
    return shape_.hosts[host.index()].lid == lid ? host : HostId();
  }
  [[nodiscard]] std::string describe(HostId host) const {
    return fmt::format("{} (LID {})", graph_.name(graph_.node(host)),
                       shape_.hosts[host.index()].lid);
  }
  [[nodiscard]] std::string describe(SwitchId at) const {
    return fmt::format("switch '{}' (LID {})", graph_.name(graph_.node(at)),
                       shape_.switches[at.index()].lid);
  }

  const Graph& graph_;
  const SubnetShape& shape_;
  const SubnetLayers& layers_;
  LayeredForwarding& out_;
  std::map<Row, std::uint16_t> known_rows_;
  std::vector<Row> vls_of_row_;
  std::array<bool, kServiceLevels> is_vl_used_{};
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> line_of_table_;
  std::vector<std::uint32_t> seen_;  ///< [in port][service level]: destination of the last visit
};

void LayerLoader::load_levels() {
  const std::size_t hosts = graph_.host_count();
  std::vector<bool> is_known(hosts * hosts, false);
  const PathRecords& paths = layers_.paths;
  for (const PathRecord& record : paths.records) {
    const HostId from =
        host_of(owner(paths.place, record.line, record.from, "a path record from"), record.from);
    const HostId to =
        host_of(owner(paths.place, record.line, record.to, "a path record to"), record.to);
    if (!from.valid() || !to.valid() || from == to) continue;
    const std::size_t pair = from.index() * hosts + to.index();
    if (is_known[pair]) {
      // Partitions have records of their own; they can differ in the service level.
      const std::uint8_t first = out_.service_level(from, to);
      if (first == record.service_level) continue;
      throw paths.place.error(
          record.line,
          fmt::format("packets from {} to {} have service level {}, and {} in a record before: "
                      "leave the records of one partition (saquery --pkey)",
                      describe(from), describe(to), record.service_level, first));
    }
    is_known[pair] = true;
    out_.levels_[pair / 2] =
        static_cast<std::uint8_t>(out_.levels_[pair / 2] | record.service_level << (pair % 2 * 4));
  }
  refuse_missing(is_known);
}

void LayerLoader::refuse_missing(const std::vector<bool>& is_known) {
  const std::size_t hosts = graph_.host_count();
  std::size_t first = 0;
  for (std::size_t pair = 0; pair < is_known.size(); ++pair) {
    if (is_known[pair] || pair / hosts == pair % hosts) continue;
    if (out_.missing_pairs_++ == 0) first = pair;
    const auto level = layers_.missing_level.value_or(0);
    out_.levels_[pair / 2] =
        static_cast<std::uint8_t>(out_.levels_[pair / 2] | level << (pair % 2 * 4));
  }
  if (out_.missing_pairs_ == 0 || layers_.missing_level) return;
  throw layers_.paths.place.error(fmt::format(
      "no path record from {} to {}{}: dump all of them, or say with missing_sl which service "
      "level such pairs have",
      describe(HostId(first / hosts)), describe(HostId(first % hosts)),
      out_.missing_pairs_ == 1
          ? std::string()
          : fmt::format(", and for {} pairs of {} hosts more", out_.missing_pairs_ - 1, hosts)));
}

void LayerLoader::number_ports() {
  out_.first_row_.assign(graph_.port_count(), 0);
  std::size_t next = 0;
  for (std::size_t s = 0; s < graph_.switch_count(); ++s) {
    const NodeId node = graph_.node(SwitchId(s));
    const std::size_t degree = graph_.degree(node);
    for (std::size_t port = 0; port < degree; ++port, next += degree) {
      out_.first_row_[graph_.port(node, port).index()] = static_cast<std::uint32_t>(next);
    }
  }
  check_table_size("linear-forwarding-tables", static_cast<double>(next) * 2);
  out_.rows_.assign(next, kNoRow);
  out_.host_rows_.assign(graph_.host_count(), kNoRow);
}

std::uint16_t LayerLoader::row_of(const Row& vls) {
  const auto [known, is_new] =
      known_rows_.emplace(vls, static_cast<std::uint16_t>(vls_of_row_.size()));
  if (is_new) {
    if (vls_of_row_.size() == kNoRow) {
      throw layers_.tables->place.error("more than 65535 SL2VL tables differ from each other");
    }
    vls_of_row_.push_back(vls);
  }
  return known->second;
}

void LayerLoader::load_tables() {
  for (const ServiceLevelTable& table : layers_.tables->tables) load_table(table);
  assume_host_tables();
}

void LayerLoader::load_table(const ServiceLevelTable& table) {
  const auto& place = layers_.tables->place;
  const NodeId node = owner(place, table.line, table.lid, "a SL2VL table of");
  if (!node.valid()) return;
  const bool is_host = graph_.is_host(node);
  if (is_host && !host_of(node, table.lid).valid()) return;
  // An adapter has one table a port; its port stands as 0 or by its number.
  const std::array<std::uint32_t, 3> at{table.lid, is_host ? 0U : table.in,
                                        is_host ? 0U : table.out};
  const auto [first, is_new] = line_of_table_.emplace(at, table.line);
  const std::uint16_t row = row_of(table.vl);
  if (is_host) {
    std::uint16_t& known = out_.host_rows_[graph_.host(node).index()];
    if (!is_new && known != row) {
      throw place.error(table.line, fmt::format("second SL2VL table of {}, not the same: the first "
                                                "is on line {}",
                                                describe(graph_.host(node)), first->second));
    }
    known = row;
    return;
  }
  const SwitchId at_switch = graph_.switch_of(node);
  const std::size_t degree = graph_.degree(node);
  for (const std::uint8_t port : {table.in, table.out}) {
    if (port <= degree) continue;
    throw place.error(table.line, fmt::format("a SL2VL table from port {} to port {} of {}, which "
                                              "has {} ports",
                                              table.in, table.out, describe(at_switch), degree));
  }
  if (table.in == 0 || table.out == 0) return;  // the switch's own packets
  std::uint16_t& known =
      out_.rows_[out_.first_row_[graph_.port(node, table.in - 1U).index()] + table.out - 1U];
  if (!is_new && known != row) {
    throw place.error(
        table.line,
        fmt::format("second SL2VL table from port {} to port {} of {}, not the same: the first is "
                    "on line {}",
                    table.in, table.out, describe(at_switch), first->second));
  }
  known = row;
}

/// A dump of switches alone: adapters fold service levels as OpenSM does, onto as many VLs as a
/// link can have (1, 2, 4, 8 or 15) so that the switches' tables know no more.
void LayerLoader::assume_host_tables() {
  std::uint8_t highest = 0;
  for (const std::uint16_t row : out_.rows_) {
    if (row == kNoRow) continue;
    for (const std::uint8_t vl : vls_of_row_[row]) {
      if (vl != kManagementVl) highest = std::max(highest, vl);
    }
  }
  std::uint8_t vls = 1;
  while (vls <= highest) vls = static_cast<std::uint8_t>(vls * 2);
  vls = std::min(vls, kManagementVl);
  Row folded{};
  for (std::size_t level = 0; level < kServiceLevels; ++level) {
    folded[level] = static_cast<std::uint8_t>(level % vls);
  }
  for (std::uint16_t& row : out_.host_rows_) {
    if (row != kNoRow) continue;
    row = row_of(folded);
    ++out_.assumed_hosts_;
  }
}

void LayerLoader::use_levels_as_vls() {
  Row same{};
  for (std::uint8_t level = 0; level < kServiceLevels; ++level) same[level] = level;
  const std::uint16_t row = row_of(same);
  std::fill(out_.rows_.begin(), out_.rows_.end(), row);
  std::fill(out_.host_rows_.begin(), out_.host_rows_.end(), row);
}

/// Every route of every pair; routes of one service level that meet toward a destination go on
/// together.
void LayerLoader::follow_routes() {
  const auto hosts = static_cast<std::uint32_t>(graph_.host_count());
  seen_.assign(graph_.port_count() * kServiceLevels, UINT32_MAX);
  for (std::uint32_t to = 0; to < hosts; ++to) {
    for (std::uint32_t from = 0; from < hosts; ++from) {
      if (from != to) follow(HostId(from), HostId(to));
    }
  }
}

void LayerLoader::follow(HostId source, HostId destination) {
  const std::uint8_t level = out_.service_level(source, destination);
  PortId sent = graph_.host_port(source);
  use(out_.host_rows_[source.index()], level, source, destination, sent);
  for (;;) {
    const PortId in = graph_.port(sent).to;
    const NodeId node = graph_.port(in).node;
    if (graph_.is_host(node)) return;
    std::uint32_t& last = seen_[in.index() * kServiceLevels + level];
    if (last == destination.value) return;
    last = destination.value;
    const RouteQuery query{graph_.switch_of(node), in, source, destination};
    const std::uint16_t out = out_.LinearForwarding::default_route(query).port;
    sent = graph_.port(node, out);
    use(out_.rows_[out_.first_row_[in.index()] + out], level, source, destination, sent);
  }
}

void LayerLoader::use(std::uint16_t row, std::uint8_t level, HostId source, HostId destination,
                      PortId out_port) {
  const NodeId node = graph_.port(out_port).node;
  const auto packets = [&] {
    return fmt::format("packets of service level {} from {} to {}", level, describe(source),
                       describe(destination));
  };
  if (row == kNoRow) {
    throw layers_.tables->place.error(
        fmt::format("{} has no SL2VL table to port {} for the port by which {} come",
                    describe(graph_.switch_of(node)),
                    out_port.value - graph_.first_port(node).value + 1, packets()));
  }
  const std::uint8_t vl = vls_of_row_[row][level];
  if (vl == kManagementVl) {
    const std::string what =
        fmt::format("{} {} to VL 15, which carries no data", graph_.name(node),
                    layers_.tables ? "maps " + packets() : "sends " + packets());
    throw(layers_.tables ? layers_.tables->place : layers_.paths.place).error(what);
  }
  is_vl_used_[vl] = true;
}

void LayerLoader::number_lanes() {
  std::array<std::uint8_t, kServiceLevels> lane_of{};
  for (std::uint8_t vl = 0; vl < kServiceLevels; ++vl) {
    if (!is_vl_used_[vl]) continue;
    lane_of[vl] = static_cast<std::uint8_t>(out_.vls_.size());
    out_.vls_.push_back(vl);
  }
  if (out_.vls_.empty()) out_.vls_.push_back(0);  // a single host
  for (const Row& row : vls_of_row_) {
    for (const std::uint8_t vl : row) out_.lanes_.push_back(lane_of[vl]);
  }
  // Pairs of ports that no route uses.
  std::replace(out_.rows_.begin(), out_.rows_.end(), kNoRow, std::uint16_t{0});
}

LayeredForwarding::LayeredForwarding(const Graph& graph, const ForwardingDump& dump,
                                     const SubnetLayers& layers)
    : LinearForwarding(graph, dump), host_count_(graph.host_count()) {
  const std::size_t pairs = host_count_ * host_count_;
  check_table_size("linear-forwarding-tables", static_cast<double>(pairs) / 2);
  levels_.assign((pairs + 1) / 2, 0);
  LayerLoader(graph, layers, *this).load();
}

std::vector<std::uint8_t> LayeredForwarding::levels_in_use() const {
  std::array<bool, kServiceLevels> is_used{};
  for (std::size_t from = 0; from < host_count_; ++from) {
    for (std::size_t to = 0; to < host_count_; ++to) {
      if (from != to) is_used[service_level(HostId(from), HostId(to))] = true;
    }
  }
  std::vector<std::uint8_t> levels;
  for (std::uint8_t level = 0; level < kServiceLevels; ++level) {
    if (is_used[level]) levels.push_back(level);
  }
  return levels;
}

}  // namespace weir::routing
