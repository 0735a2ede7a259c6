#include <algorithm>
#include <span>
#include <utility>

#include "weir/base/config.hpp"
#include "weir/experiment/config/flow_table_file.hpp"

namespace weir::experiment {
namespace {

using flow_routing::FlowTables;
using topology::Graph;

class Writer {
 public:
  explicit Writer(const FlowTables& tables) : tables_(tables), graph_(tables.graph()) {}

  std::string write() {
    ConfigArray switches;
    for (std::size_t s = 0; s < graph_.switch_count(); ++s) {
      at_ = SwitchId(s);
      ConfigTable table = switch_table();
      if (table.contains("group")) switches.emplace_back(std::move(table), SourcePosition{});
    }
    ConfigTable file;
    file.set("switch", ConfigValue(std::move(switches), {}));
    return to_toml(file);
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  ConfigTable switch_table() {
    ConfigTable table;
    const NodeId node = graph_.node(at_);
    table.set("name", ConfigValue(graph_.name(node), {}));
    std::vector<bool> is_alternate(graph_.degree(node));
    ConfigArray groups = group_tables(is_alternate);
    Numbers horizontal;
    for (std::uint32_t p = 0; p < is_alternate.size(); ++p) {
      const bool counts = tables_.is_horizontal(at_, static_cast<std::uint16_t>(p));
      if (is_alternate[p] && counts) horizontal.push_back(p);
    }
    if (!horizontal.empty()) table.set("horizontal", ports(horizontal));
    ConfigArray allowed = allowed_tables(is_alternate);
    if (!groups.empty()) table.set("group", ConfigValue(std::move(groups), {}));
    if (!allowed.empty()) table.set("allowed", ConfigValue(std::move(allowed), {}));
    return table;
  }

  ConfigArray group_tables(std::vector<bool>& is_alternate) const {
    std::vector<Numbers> hosts(tables_.group_count(at_));
    for (std::uint32_t h = 0; h < graph_.host_count(); ++h) {
      const auto group = tables_.group_of(at_, HostId(h));
      if (group) hosts[*group].push_back(h);
    }
    ConfigArray out;
    for (std::uint32_t g = 0; g < hosts.size(); ++g) {
      const std::span<const std::uint16_t> its = tables_.group(at_, g);
      if (its.empty() || hosts[g].empty()) continue;
      for (const std::uint16_t port : its) is_alternate[port] = true;
      ConfigTable table;
      table.set("ports", ports(Numbers(its.begin(), its.end())));
      table.set("destinations", destinations(hosts[g]));
      table.set(
          "tie",
          ConfigValue(std::string(tables_.is_default_first(at_, g) ? "dp-first" : "random"), {}));
      out.emplace_back(std::move(table), SourcePosition{});
    }
    return out;
  }

  /// Inputs with the same outputs share a table; those that may leave by all alternates need none.
  ConfigArray allowed_tables(const std::vector<bool>& is_alternate) const {
    std::vector<std::pair<Numbers, Numbers>> rows;  // outputs, inputs
    const NodeId node = graph_.node(at_);
    for (std::uint32_t in = 0; in < is_alternate.size(); ++in) {
      if (!graph_.port(graph_.port(node, in)).from.valid()) continue;
      Numbers outputs;
      bool are_all = true;
      for (std::uint32_t out = 0; out < is_alternate.size(); ++out) {
        if (!is_alternate[out]) continue;
        const bool may = tables_.allows(graph_.port(node, in), static_cast<std::uint16_t>(out));
        if (may) outputs.push_back(out);
        are_all = are_all && may;
      }
      if (are_all) continue;
      auto row = std::find_if(rows.begin(), rows.end(),
                              [&](const auto& one) { return one.first == outputs; });
      if (row == rows.end()) row = rows.insert(rows.end(), {outputs, {}});
      row->second.push_back(in);
    }
    ConfigArray out;
    for (const auto& [outputs, inputs] : rows) {
      ConfigTable table;
      table.set("inputs", ports(inputs));
      table.set("outputs", ports(outputs));
      out.emplace_back(std::move(table), SourcePosition{});
    }
    return out;
  }

  /// Runs of consecutive numbers become [first, last].
  template <class Show>
  static ConfigValue ranges(const Numbers& numbers, Show show) {
    ConfigArray out;
    for (std::size_t i = 0; i < numbers.size();) {
      std::size_t end = i + 1;
      while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
      if (end - i > 2) {
        out.emplace_back(ConfigArray{show(numbers[i]), show(numbers[end - 1])}, SourcePosition{});
      } else {
        for (std::size_t k = i; k < end; ++k) out.push_back(show(numbers[k]));
      }
      i = end;
    }
    return {std::move(out), {}};
  }

  [[nodiscard]] ConfigValue ports(const Numbers& numbers) const {
    return ranges(numbers, [this](std::uint32_t p) {
      return ConfigValue(std::int64_t{p} + graph_.port_label_base(), {});
    });
  }

  [[nodiscard]] ConfigValue destinations(const Numbers& hosts) const {
    if (hosts.size() == graph_.host_count()) return {std::string("all"), {}};
    return ranges(hosts, [this](std::uint32_t h) {
      return ConfigValue(graph_.name(graph_.node(HostId(h))), {});
    });
  }

  const FlowTables& tables_;
  const Graph& graph_;
  SwitchId at_;
};

}  // namespace

std::string to_flow_table_file(const FlowTables& tables) { return Writer(tables).write(); }

}  // namespace weir::experiment
