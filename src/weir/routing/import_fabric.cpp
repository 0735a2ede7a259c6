#include "weir/routing/import_fabric.hpp"

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "weir/base/config.hpp"
#include "weir/routing/forwarding_table.hpp"
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

/// One section with its model and file, quoted as TOML wants.
std::string section(const std::string& name, const std::string& model, const std::string& file) {
  ConfigTable keys;
  keys.set("model", ConfigValue(model, {}));
  if (!file.empty()) keys.set("file", ConfigValue(file, {}));
  ConfigTable root;
  root.set(name, ConfigValue(std::move(keys), {}));
  return to_toml(root);
}

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

}  // namespace

std::string fabric_experiment(const std::string& topology_file, const std::string& lft_file,
                              const std::string& base) {
  const auto subnet =
      topology::parse_ibnetdiscover(topology::read_text_file(topology_file), topology_file);
  const topology::Graph graph = topology::make_subnet_graph(subnet, {});
  std::string text = summary(graph) +
                     section("topology", "ibnetdiscover", relative_to(topology_file, base)) + '\n';
  if (lft_file.empty()) return text + section("routing", "up-down", "");
  const LinearForwarding routing(
      graph, parse_forwarding_tables(topology::read_text_file(lft_file), lft_file));
  return text + section("routing", "linear-forwarding-tables", relative_to(lft_file, base));
}

std::string edge_list_experiment(const std::string& file, const std::string& base) {
  const topology::Graph graph = topology::parse_edge_list(topology::read_text_file(file), file, {});
  return fmt::format("# {} hosts, {} switches\n", graph.host_count(), graph.switch_count()) +
         section("topology", "edge-list", relative_to(file, base)) + '\n' +
         section("routing", "up-down", "");
}

}  // namespace weir::routing
