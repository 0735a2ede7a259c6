#include "weir/routing/forwarding_table.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "weir/routing/fit.hpp"
#include "weir/routing/layered_forwarding.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::routing {
namespace {

using topology::Graph;
using topology::SubnetShape;

const SubnetShape& shape_of(const Graph& graph) {
  const auto* shape = graph.shape<SubnetShape>();
  if (shape == nullptr) {
    throw misfit("linear-forwarding-tables", "a fabric imported with ibnetdiscover", graph);
  }
  return *shape;
}

/// Puts the tables into one array, entry by entry, with the checks that need one entry only.
class TableLoader {
 public:
  TableLoader(const Graph& graph, const ForwardingDump& dump, std::vector<std::uint8_t>& ports)
      : graph_(graph), shape_(shape_of(graph)), dump_(dump), ports_(ports) {}

  void load() {
    std::vector<bool> has_table(graph_.switch_count(), false);
    for (const ForwardingTable& table : dump_.tables) {
      const auto it = shape_.switch_of_guid.find(table.guid);
      if (it == shape_.switch_of_guid.end()) {
        throw error(table.line, fmt::format("{} is not in the fabric", table.describe()));
      }
      has_table[it->second.index()] = true;
      for (const auto& entry : table.entries) load_entry(it->second, entry);
    }
    const auto missing = std::find(has_table.begin(), has_table.end(), false);
    if (missing == has_table.end()) return;
    const SwitchId without(static_cast<std::size_t>(missing - has_table.begin()));
    throw dump_.place.error(fmt::format("no table for {}", describe(without)));
  }

 private:
  void load_entry(SwitchId at, const ForwardingTable::Entry& entry);
  void check_host_port(SwitchId at, HostId host, const ForwardingTable::Entry& entry) const;

  [[nodiscard]] std::string describe(SwitchId s) const {
    return fmt::format("switch '{}' (0x{:016x})", graph_.name(graph_.node(s)),
                       shape_.switches[s.index()].guid);
  }
  [[nodiscard]] InputError error(std::size_t line, std::string_view message) const {
    return dump_.place.error(line, message);
  }

  const Graph& graph_;
  const SubnetShape& shape_;
  const ForwardingDump& dump_;
  std::vector<std::uint8_t>& ports_;
};

void TableLoader::load_entry(SwitchId at, const ForwardingTable::Entry& entry) {
  if (entry.lid == 0 || entry.port == 255) return;
  const std::size_t port_count = graph_.degree(graph_.node(at));
  if (entry.port > port_count) {
    throw error(entry.line, fmt::format("{} sends LID {} to port {}, but has {} ports",
                                        describe(at), entry.lid, entry.port, port_count));
  }
  const NodeId owner = shape_.owner[entry.lid];
  if (!owner.valid()) {
    const auto& excluded = shape_.excluded_lids;
    if (std::binary_search(excluded.begin(), excluded.end(), entry.lid)) return;
    throw error(entry.line,
                fmt::format("{} has an entry for LID {}, which no node of the fabric has",
                            describe(at), entry.lid));
  }
  if (!graph_.is_host(owner)) return;
  const HostId host = graph_.host(owner);
  if (entry.lid != shape_.hosts[host.index()].lid) return;
  check_host_port(at, host, entry);
  ports_[at.index() * graph_.host_count() + host.index()] =
      static_cast<std::uint8_t>(entry.port - 1);
}

void TableLoader::check_host_port(SwitchId at, HostId host,
                                  const ForwardingTable::Entry& entry) const {
  const auto sends = [&] {
    return fmt::format("{} sends LID {} ({}) to port {}", describe(at), entry.lid,
                       graph_.name(graph_.node(host)), entry.port);
  };
  if (entry.port == 0) throw error(entry.line, sends() + ", which is the switch itself");
  const auto& port =
      graph_.port(graph_.port(graph_.node(at), static_cast<std::size_t>(entry.port) - 1));
  if (!port.to.valid()) throw error(entry.line, sends() + ", which is not cabled");
  const NodeId next = graph_.port(port.to).node;
  if (graph_.is_host(next) && graph_.host(next) != host) {
    throw error(entry.line, sends() + fmt::format(", which leads to {}", graph_.name(next)));
  }
}

/// Follows the loaded tables toward each host from every switch that has hosts.
class ReachabilityCheck {
 public:
  ReachabilityCheck(const Graph& graph, const ForwardingDump& dump,
                    const std::vector<std::uint8_t>& ports)
      : graph_(graph),
        shape_(shape_of(graph)),
        dump_(dump),
        ports_(ports),
        reached_for_(graph.switch_count()) {
    std::vector<bool> has_hosts(graph.switch_count(), false);
    for (std::size_t h = 0; h < graph.host_count(); ++h) {
      const NodeId next = next_node(graph.host_port(HostId(h)));
      if (!graph.is_host(next)) has_hosts[graph.switch_of(next).index()] = true;
    }
    for (std::size_t s = 0; s < has_hosts.size(); ++s) {
      if (has_hosts[s]) entries_.emplace_back(s);
    }
  }

  void check() {
    for (std::size_t h = 0; h < graph_.host_count(); ++h) {
      for (const SwitchId start : entries_) follow(start, HostId(h));
    }
  }

 private:
  void follow(SwitchId start, HostId host);
  [[noreturn]] void refuse(SwitchId at, HostId host, bool is_loop) const;
  [[nodiscard]] NodeId next_node(PortId port) const {
    return graph_.port(graph_.port(port).to).node;
  }
  [[nodiscard]] std::string hop(SwitchId at) const { return graph_.name(graph_.node(at)); }

  const Graph& graph_;
  const SubnetShape& shape_;
  const ForwardingDump& dump_;
  const std::vector<std::uint8_t>& ports_;
  std::vector<SwitchId> entries_;
  std::vector<HostId> reached_for_;  ///< last host for which a walk went through this switch
  std::vector<SwitchId> path_;       ///< of the walk under way
};

void ReachabilityCheck::follow(SwitchId start, HostId host) {
  path_.clear();
  for (SwitchId at = start;;) {
    if (reached_for_[at.index()] == host) {
      // Either this walk was here before, or an earlier one that arrived.
      if (std::find(path_.begin(), path_.end(), at) != path_.end()) refuse(at, host, true);
      return;
    }
    reached_for_[at.index()] = host;
    path_.push_back(at);
    const std::uint8_t port = ports_[at.index() * graph_.host_count() + host.index()];
    if (port == 255) refuse(at, host, false);
    const NodeId next = next_node(graph_.port(graph_.node(at), port));
    if (graph_.is_host(next)) return;  // the loader let no other host pass
    at = graph_.switch_of(next);
  }
}

void ReachabilityCheck::refuse(SwitchId at, HostId host, bool is_loop) const {
  const std::uint16_t lid = shape_.hosts[host.index()].lid;
  const std::string name = graph_.name(graph_.node(host));
  std::string way;
  const auto first = is_loop ? std::find(path_.begin(), path_.end(), at) : path_.begin();
  for (auto it = first; it != path_.end(); ++it) way += (it == first ? "" : " -> ") + hop(*it);
  if (is_loop) {
    throw dump_.place.error(
        fmt::format("the tables send LID {} ({}) in a loop: {} -> {}", lid, name, way, hop(at)));
  }
  throw dump_.place.error(
      fmt::format("switch '{}' (0x{:016x}) has no entry for LID {} ({}); packets from the hosts of "
                  "{} come by the way {}",
                  hop(at), shape_.switches[at.index()].guid, lid, name, hop(path_.front()), way));
}

struct LinearForwardingSettings {
  FilePath file;
  std::optional<FilePath> paths;
  std::optional<FilePath> sl2vl;
  std::optional<int> missing_sl;
};

std::optional<SubnetLayers> layers_of(const Checked<LinearForwardingSettings>& settings) {
  using S = LinearForwardingSettings;
  if (!settings->paths) {
    if (settings->sl2vl) {
      throw settings.error(&S::sl2vl, "SL2VL tables need the service levels of paths as well");
    }
    if (settings->missing_sl) {
      throw settings.error(&S::missing_sl, "is for pairs without a record in paths");
    }
    return std::nullopt;
  }
  const auto text = [&](const FilePath& file, auto key) {
    return topology::at_key(settings, key, [&] { return topology::read_text_file(file.name); });
  };
  SubnetLayers layers{
      parse_path_records(text(*settings->paths, &S::paths), settings->paths->name), {}, {}};
  if (settings->sl2vl) {
    layers.tables =
        parse_service_level_tables(text(*settings->sl2vl, &S::sl2vl), settings->sl2vl->name);
  }
  if (settings->missing_sl) layers.missing_level = static_cast<std::uint8_t>(*settings->missing_sl);
  return layers;
}

const FittedRouting kLinearForwarding(
    {"linear-forwarding-tables",
     "The forwarding tables that a subnet manager gave the switches, as dump_lfts printed them, "
     "with the service levels and virtual lanes of its layers",
     "rdmacore2023diags, dump_fts(8); iba2015volume1, sections 7.6.6 and 14.2.5.6"},
    "a fabric imported with ibnetdiscover",
    [](const Graph& graph) { return graph.shape<SubnetShape>() != nullptr; },
    Keys<LinearForwardingSettings>{
        key(&LinearForwardingSettings::file, "file",
            "file with the output of dump_lfts or dump_fts")
            .required(),
        key(&LinearForwardingSettings::paths, "paths",
            "file with path records, which tell the service level of every pair: output of saquery "
            "PathRecord, or OpenSM's opensm-path-records.dump (default: all packets on one lane)"),
        key(&LinearForwardingSettings::sl2vl, "sl2vl",
            "file with SL2VL tables: OpenSM's opensm-sl2vl.dump, or output of saquery SL2VL or "
            "smpquery sl2vl (default: the VL is the service level)"),
        key(&LinearForwardingSettings::missing_sl, "missing_sl",
            "service level of pairs without a path record (default: each pair must have one)")
            .range(0, 14)},
    [](const Checked<LinearForwardingSettings>& settings,
       const Graph& graph) -> std::unique_ptr<RoutingFunction> {
      const std::string text = topology::text_of(settings, &LinearForwardingSettings::file);
      const ForwardingDump dump = parse_forwarding_tables(text, settings->file.name);
      if (const auto layers = layers_of(settings)) {
        return std::make_unique<LayeredForwarding>(graph, dump, *layers);
      }
      return std::make_unique<LinearForwarding>(graph, dump);
    });

}  // namespace

LinearForwarding::LinearForwarding(const Graph& graph, const ForwardingDump& dump)
    : hosts_(graph.host_count()) {
  const double bytes = static_cast<double>(graph.switch_count()) * static_cast<double>(hosts_);
  check_table_size("linear-forwarding-tables", bytes);
  ports_.assign(graph.switch_count() * hosts_, kNoEntry);
  TableLoader(graph, dump, ports_).load();
  ReachabilityCheck(graph, dump, ports_).check();
}

Candidate LinearForwarding::default_route(const RouteQuery& query) const {
  const std::uint8_t out = port(query.at, query.destination);
  if (out == kNoEntry) {
    throw RunError(fmt::format("switch {} has no forwarding entry for host {}", query.at.value,
                               query.destination.value));
  }
  return {out, 0};
}

void LinearForwarding::candidates(const RouteQuery& query, CandidateList& out) const {
  const std::uint8_t p = port(query.at, query.destination);
  if (p != kNoEntry) out.add({p, 0});
}

}  // namespace weir::routing
