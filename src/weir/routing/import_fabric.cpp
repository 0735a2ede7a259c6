#include "weir/routing/import_fabric.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weir/base/config.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/forwarding_table.hpp"
#include "weir/routing/layered_forwarding.hpp"
#include "weir/topology/import_edge_list.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/import_text.hpp"

namespace weir::routing {
namespace {

namespace fs = std::filesystem;

std::string relative_to(const std::string& file, const std::string& base) {
  const fs::path absolute = fs::weakly_canonical(fs::absolute(file));
  const fs::path folder = fs::weakly_canonical(fs::absolute(base.empty() ? "." : base));
  const fs::path relative = absolute.lexically_relative(folder);
  return relative.empty() ? absolute.string() : relative.string();
}

using Entries = std::vector<std::pair<std::string, ConfigValue>>;

/// One section, quoted as TOML wants.
std::string section(const std::string& name, const Entries& entries) {
  ConfigTable keys;
  for (const auto& [key, value] : entries) keys.set(key, value);
  ConfigTable root;
  root.set(name, ConfigValue(std::move(keys), {}));
  return to_toml(root);
}

ConfigValue value(const std::string& text) { return ConfigValue(text, {}); }
ConfigValue value(std::int64_t number) { return ConfigValue(number, {}); }

std::string summary(const topology::Graph& graph) {
  std::map<Rate, std::size_t> cables;
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const auto& port = graph.port(PortId(i));
    if (port.to.valid() && PortId(i) < port.to) ++cables[port.link.rate];
  }
  std::size_t count = 0;
  std::string rates;
  for (const auto& [rate, number] : cables) {
    count += number;
    rates += fmt::format("{}{} of {}", rates.empty() ? "" : ", ", number, to_string(rate));
  }
  return fmt::format("# {} hosts, {} switches, {} links ({})\n", graph.host_count(),
                     graph.switch_count(), count, rates);
}

/// "# cannot deadlock", or what has to be looked at.
std::string verdict(const topology::Graph& graph, const RoutingFunction& routing,
                    std::string_view lanes) {
  const DependencyReport report = check_dependencies(graph, routing);
  if (!report.cycle.empty()) {
    return fmt::format(
        "# {}: packets can deadlock, {} channels wait for each other in a circle (weir check "
        "names them)\n",
        lanes, report.cycle.size());
  }
  if (!report.complete()) {
    return fmt::format("# {}: no circle of waiting channels among {} of {} destinations\n", lanes,
                       report.destinations_examined, report.destinations);
  }
  return fmt::format("# {}: no circle of waiting channels, so packets cannot deadlock\n", lanes);
}

std::string layer_summary(const topology::Graph& graph, const SubnetFiles& files,
                          const LayeredForwarding& routing) {
  std::string text = fmt::format(
      "# service levels {} on VLs {}, {}\n", fmt::join(routing.levels_in_use(), ", "),
      fmt::join(routing.vls(), ", "),
      routing.lanes() == 1 ? std::string("which is the only lane")
                           : fmt::format("which are lanes 0 to {}", routing.lanes() - 1));
  if (files.sl2vl.empty())
    text += "# without SL2VL tables the VL of a packet is its service level\n";
  if (routing.assumed_hosts() != 0) {
    text += fmt::format(
        "# {} of {} adapters have no SL2VL table: they fold service levels onto the VLs that the "
        "switches' tables name\n",
        routing.assumed_hosts(), graph.host_count());
  }
  if (routing.missing_pairs() != 0) {
    text += fmt::format("# {} pairs have no path record and take service level {}\n",
                        routing.missing_pairs(), *files.missing_level);
  }
  return text;
}

using Tables = std::pair<std::vector<VlEntry>, std::vector<VlEntry>>;

/// A port's tables with lanes for VLs; VLs that no route uses need no turn.
Tables in_lanes(const PortArbitration& port, const std::vector<std::uint8_t>& vls) {
  const auto convert = [&](const std::vector<VlEntry>& table) {
    std::vector<VlEntry> lanes;
    for (const VlEntry& entry : table) {
      const auto at = std::find(vls.begin(), vls.end(), entry.vl);
      if (at == vls.end()) continue;
      lanes.push_back({static_cast<std::uint8_t>(at - vls.begin()), entry.weight});
    }
    return lanes;
  };
  return {convert(port.low), convert(port.high)};
}

ConfigValue rows(const std::vector<VlEntry>& table) {
  ConfigArray rows;
  for (const VlEntry& entry : table) {
    ConfigTable row;
    row.set("vl", value(std::int64_t{entry.vl}));
    row.set("weight", value(std::int64_t{entry.weight}));
    rows.emplace_back(std::move(row), SourcePosition());
  }
  return ConfigValue(std::move(rows), {});
}

/// The tables that most ports have, as [vl_arbitration]: weir has one pair of tables for all.
class Arbitration {
 public:
  Arbitration(const topology::Graph& graph, const std::string& file,
              const std::vector<std::uint8_t>& vls)
      : graph_(graph), dump_(parse_port_arbitrations(topology::read_text_file(file), file)) {
    const auto& shape = *graph.shape<topology::SubnetShape>();
    for (const PortArbitration& port : dump_.ports) add(port, shape, vls);
    if (ports_of_.empty()) throw dump_.place.error("no tables of a cabled port of the fabric");
    for (const auto& [tables, ports] : ports_of_) {
      if (common_ == nullptr || ports > ports_of_.at(*common_)) common_ = &tables;
    }
    check_weights(vls);
  }

  [[nodiscard]] std::string summary() const {
    std::size_t cabled = 0;
    for (std::size_t p = 0; p < graph_.port_count(); ++p) {
      if (graph_.port(PortId(p)).to.valid()) ++cabled;
    }
    std::string text;
    if (ports_of_.size() > 1) {
      text += fmt::format(
          "# VL arbitration: ports have {} different tables; the experiment has those of {} of {} "
          "ports for all\n",
          ports_of_.size(), ports_of_.at(*common_), count_);
    } else {
      text += fmt::format("# VL arbitration: all {} ports have the same tables\n", count_);
    }
    if (count_ < cabled) {
      text += fmt::format("# VL arbitration: {} of {} cabled ports are not in the dump\n",
                          cabled - count_, cabled);
    }
    return text;
  }
  [[nodiscard]] std::string sections() const {
    // The dump does not tell the limit of high priority; 0, one packet, is OpenSM's default.
    return section("switch", {{"arbiter", value("vl-weighted")}}) + '\n' +
           section("host", {{"source_queues", value("per-class")}}) + '\n' +
           section("vl_arbitration", {{"low", rows(common_->first)},
                                      {"high", rows(common_->second)},
                                      {"high_limit", value(std::int64_t{0})}});
  }

 private:
  void add(const PortArbitration& port, const topology::SubnetShape& shape,
           const std::vector<std::uint8_t>& vls) {
    const NodeId node = shape.owner[port.lid];
    if (!node.valid()) {
      const auto& excluded = shape.excluded_lids;
      if (std::binary_search(excluded.begin(), excluded.end(), port.lid)) return;
      throw dump_.place.error(
          port.line, fmt::format("tables of LID {}, which no node of the fabric has", port.lid));
    }
    if (!graph_.is_host(node)) {
      if (port.port > graph_.degree(node)) {
        throw dump_.place.error(
            port.line, fmt::format("tables of port {} of {}, which has {} ports", port.port,
                                   graph_.name(node), graph_.degree(node)));
      }
      if (port.port == 0 || !graph_.port(graph_.port(node, port.port - 1U)).to.valid()) return;
    }
    ++ports_of_[in_lanes(port, vls)];
    ++count_;
  }
  void check_weights(const std::vector<std::uint8_t>& vls) const {
    for (std::size_t lane = 0; lane < vls.size(); ++lane) {
      const auto is_lane = [&](const VlEntry& entry) { return entry.vl == lane; };
      if (std::any_of(common_->first.begin(), common_->first.end(), is_lane)) continue;
      if (std::any_of(common_->second.begin(), common_->second.end(), is_lane)) continue;
      throw dump_.place.error(fmt::format(
          "VL {} has no weight in the tables that most ports have, and routes use it: its packets "
          "would wait for ever",
          vls[lane]));
    }
  }

  const topology::Graph& graph_;
  PortArbitrations dump_;
  std::map<Tables, std::size_t> ports_of_;
  std::size_t count_ = 0;
  const Tables* common_ = nullptr;
};

SubnetLayers read_layers(const SubnetFiles& files) {
  SubnetLayers layers{
      parse_path_records(topology::read_text_file(files.paths), files.paths), {}, {}};
  if (!files.sl2vl.empty()) {
    layers.tables = parse_service_level_tables(topology::read_text_file(files.sl2vl), files.sl2vl);
  }
  if (files.missing_level) layers.missing_level = static_cast<std::uint8_t>(*files.missing_level);
  return layers;
}

/// What cannot be used without the file that it belongs to.
void check_files(const SubnetFiles& files) {
  if (files.tables.empty() && !files.paths.empty()) {
    throw InputError("path records need the forwarding tables that they go with (--lft)");
  }
  if (!files.paths.empty()) return;
  if (!files.sl2vl.empty()) {
    throw InputError("SL2VL tables need the service levels of paths as well (--paths)");
  }
  if (!files.arbitration.empty()) {
    throw InputError("VL arbitration tables need the service levels of paths as well (--paths)");
  }
  if (files.missing_level) {
    throw InputError("a service level of pairs without path record needs path records (--paths)");
  }
}

}  // namespace

std::string fabric_experiment(const SubnetFiles& files, const std::string& base) {
  check_files(files);
  const auto subnet =
      topology::parse_ibnetdiscover(topology::read_text_file(files.topology), files.topology);
  const topology::Graph graph = topology::make_subnet_graph(subnet, {});
  std::string text = summary(graph);
  const std::string topology =
      section("topology", {{"model", value("ibnetdiscover")},
                           {"file", value(relative_to(files.topology, base))}}) +
      '\n';
  if (files.tables.empty()) {
    return text + topology + section("routing", {{"model", value("up-down")}});
  }
  const ForwardingDump dump =
      parse_forwarding_tables(topology::read_text_file(files.tables), files.tables);
  Entries routing{{"model", value("linear-forwarding-tables")},
                  {"file", value(relative_to(files.tables, base))}};
  text += verdict(graph, LinearForwarding(graph, dump), "on one lane");
  if (files.paths.empty()) return text + topology + section("routing", routing);
  const LayeredForwarding layered(graph, dump, read_layers(files));
  text += layer_summary(graph, files, layered) + verdict(graph, layered, "with these lanes");
  routing.emplace_back("paths", value(relative_to(files.paths, base)));
  if (!files.sl2vl.empty()) routing.emplace_back("sl2vl", value(relative_to(files.sl2vl, base)));
  if (files.missing_level) {
    routing.emplace_back("missing_sl", value(std::int64_t{*files.missing_level}));
  }
  std::string rest = section("routing", routing);
  if (!files.arbitration.empty()) {
    const Arbitration arbitration(graph, files.arbitration, layered.vls());
    text += arbitration.summary();
    rest += '\n' + arbitration.sections();
  }
  return text + topology + rest;
}

std::string edge_list_experiment(const std::string& file, const std::string& base) {
  const topology::Graph graph = topology::parse_edge_list(topology::read_text_file(file), file, {});
  return fmt::format("# {} hosts, {} switches\n", graph.host_count(), graph.switch_count()) +
         section("topology",
                 {{"model", value("edge-list")}, {"file", value(relative_to(file, base))}}) +
         '\n' + section("routing", {{"model", value("up-down")}});
}

}  // namespace weir::routing
