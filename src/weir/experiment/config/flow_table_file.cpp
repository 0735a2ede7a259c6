#include "weir/experiment/config/flow_table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "weir/base/keys.hpp"
#include "weir/traffic/host_list.hpp"

namespace weir::experiment {
namespace {

using flow_routing::FlowTableEntries;
using flow_routing::FlowTables;
using topology::Graph;

/// The file.
struct FileKeys {
  ConfigValue switches;
};

/// A [[switch]].
struct SwitchKeys {
  std::string name;
  std::optional<ConfigValue> groups;
  std::optional<ConfigValue> allowed;
  std::optional<ConfigValue> horizontal;
};

/// A group of alternate ports.
struct GroupKeys {
  ConfigValue ports;
  ConfigValue destinations;
  bool default_first = true;
};

/// Outputs that flows from some inputs may choose.
struct AllowedKeys {
  ConfigValue inputs;
  ConfigValue outputs;
};

const Keys<FileKeys>& file_keys() {
  static const Keys<FileKeys> keys{
      key(&FileKeys::switches, "switch", "tables of a switch").required()};
  return keys;
}

const Keys<SwitchKeys>& switch_table_keys() {
  using S = SwitchKeys;
  static const Keys<S> keys{
      key(&S::name, "name", "name of the switch").required(),
      key(&S::groups, "group", "groups of alternate ports, at most 64 (see switch.group)"),
      key(&S::allowed, "allowed",
          "outputs that flows from some inputs may choose (see switch.allowed; default: all)"),
      key(&S::horizontal, "horizontal",
          "ports whose hops max_hops bounds: numbers, names, and [first, last]")};
  return keys;
}

const Keys<GroupKeys>& group_keys() {
  using G = GroupKeys;
  static const Keys<G> keys{
      key(&G::ports, "ports", "alternate ports of the switch: numbers, names, and [first, last]")
          .required(),
      key(&G::destinations, "destinations",
          "hosts whose flows may take them: numbers, names, and [first, last], or \"all\"")
          .required(),
      choice(&G::default_first, "tie",
             "choice among equally loaded ports: dp-first, the default port if it is one of them, "
             "or random",
             {{"dp-first", true}, {"random", false}})};
  return keys;
}

const Keys<AllowedKeys>& allowed_keys() {
  using A = AllowedKeys;
  static const Keys<A> keys{
      key(&A::inputs, "inputs", "ports by which flows come in: numbers, names, and [first, last]")
          .required(),
      key(&A::outputs, "outputs",
          "ports that these may choose besides the default port: numbers, names, and [first, "
          "last]")
          .required()};
  return keys;
}

/// The tables of a list, or a single one.
std::span<const ConfigValue> tables_of(const ConfigValue& value) {
  return value.is_array() ? std::span(value.array()) : std::span(&value, 1);
}

class Reader {
 public:
  explicit Reader(const Graph& graph) : graph_(graph), out_(graph.switch_count()) {
    for (std::size_t h = 0; h < graph.host_count(); ++h) {
      hosts_.emplace(graph.name(graph.node(HostId(h))), static_cast<std::uint32_t>(h));
    }
    for (std::size_t s = 0; s < graph.switch_count(); ++s) {
      names_.push_back(graph.name(graph.node(SwitchId(s))));
      switches_.emplace(names_.back(), static_cast<std::uint32_t>(s));
    }
    is_known_.assign(graph.switch_count(), false);
  }

  std::vector<FlowTableEntries> read(const ConfigTable& file) {
    const Checked<FileKeys> all = file_keys().check(file, "");
    std::size_t number = 0;
    for (const ConfigValue& value : tables_of(all->switches)) {
      read_switch(value, fmt::format("switch[{}]", number++));
    }
    return std::move(out_);
  }

 private:
  void read_switch(const ConfigValue& value, const std::string& where) {
    const Checked<SwitchKeys> keys = switch_table_keys().check(placed_table(value, where), where);
    const std::string& name = keys->name;
    const auto found = switches_.find(name);
    if (found == switches_.end()) {
      throw keys.error(&SwitchKeys::name, "no switch is called so" + nearest(name, names_));
    }
    if (is_known_[found->second]) throw keys.error(&SwitchKeys::name, name + " has tables already");
    is_known_[found->second] = true;
    at_ = SwitchId(found->second);
    FlowTableEntries& its = out_[found->second];
    its.group_of.assign(graph_.host_count(), FlowTableEntries::kNoGroup);
    if (keys->groups) {
      for (const ConfigValue& one : tables_of(*keys->groups)) {
        read_group(one, fmt::format("{}.group[{}]", where, its.groups.size()), its);
      }
    }
    if (keys->horizontal) its.horizontal = read_ports(*keys->horizontal, where + ".horizontal");
    if (keys->allowed) {
      std::vector<bool> is_listed(graph_.degree(graph_.node(at_)));
      for (const ConfigValue& one : tables_of(*keys->allowed)) {
        read_allowed(one, fmt::format("{}.allowed[{}]", where, its.allowed.size()), its, is_listed);
      }
    }
  }

  void read_group(const ConfigValue& value, const std::string& where, FlowTableEntries& its) {
    if (its.groups.size() == FlowTables::kMostGroups) {
      throw InputError(value.position, where,
                       fmt::format("a switch can have {} groups", FlowTables::kMostGroups));
    }
    const Checked<GroupKeys> keys = group_keys().check(placed_table(value, where), where);
    FlowTableEntries::Group group;
    group.ports = read_ports(keys->ports, where + ".ports");
    group.default_first = keys->default_first;
    for (const std::uint16_t port : group.ports) check_cable(port, keys);
    const auto number = static_cast<std::uint8_t>(its.groups.size());
    for (const std::uint32_t host : read_hosts(keys->destinations, where + ".destinations")) {
      std::uint8_t& known = its.group_of[host];
      if (known != FlowTableEntries::kNoGroup) {
        throw keys.error(&GroupKeys::destinations,
                         fmt::format("{} has a group of {} already, group[{}]", host_name(host),
                                     names_[at_.index()], known));
      }
      known = number;
      check_ends(group, host, keys);
    }
    its.groups.push_back(std::move(group));
  }

  void read_allowed(const ConfigValue& value, const std::string& where, FlowTableEntries& its,
                    std::vector<bool>& is_listed) {
    const Checked<AllowedKeys> keys = allowed_keys().check(placed_table(value, where), where);
    FlowTableEntries::Allowed row;
    row.inputs = read_ports(keys->inputs, where + ".inputs");
    row.outputs = read_ports(keys->outputs, where + ".outputs");
    for (const std::uint16_t in : row.inputs) {
      if (is_listed[in]) {
        throw keys.error(&AllowedKeys::inputs,
                         fmt::format("{} is an input of an earlier table", graph_.name(port(in))));
      }
      is_listed[in] = true;
    }
    its.allowed.push_back(std::move(row));
  }

  void check_cable(std::uint16_t number, const Checked<GroupKeys>& keys) const {
    if (graph_.port(port(number)).to.valid()) return;
    throw keys.error(&GroupKeys::ports, graph_.name(port(number)) + " has no cable");
  }

  void check_ends(const FlowTableEntries::Group& group, std::uint32_t host,
                  const Checked<GroupKeys>& keys) const {
    for (const std::uint16_t number : group.ports) {
      const NodeId next = graph_.port(graph_.port(port(number)).to).node;
      if (!graph_.is_host(next) || graph_.host(next).value == host) continue;
      throw keys.error(&GroupKeys::ports,
                       fmt::format("{} leads to {}, and the group is for {}, too",
                                   graph_.name(port(number)), graph_.name(next), host_name(host)));
    }
  }

  /// A list of what `read` reads, and of lists [first, last] of two of them.
  template <class Number, class Read>
  std::vector<Number> read_ranges(const ConfigValue& value, const std::string& key, Read read) {
    std::vector<Number> out;
    if (!value.is_array()) return {read(value, key)};
    std::size_t i = 0;
    for (const ConfigValue& item : value.array()) {
      const std::string item_key = fmt::format("{}[{}]", key, i++);
      if (!item.is_array()) {
        out.push_back(read(item, item_key));
        continue;
      }
      const ConfigArray& ends = item.array();
      if (ends.size() != 2) {
        throw InputError(item.position, item_key, "must be the first and the last, as in [0, 7]");
      }
      const Number first = read(ends[0], item_key);
      const Number last = read(ends[1], item_key);
      if (last < first) throw InputError(item.position, item_key, "ends before it begins");
      for (std::uint32_t n = first; n <= last; ++n) out.push_back(static_cast<Number>(n));
    }
    return out;
  }

  std::vector<std::uint16_t> read_ports(const ConfigValue& value, const std::string& key) {
    return read_ranges<std::uint16_t>(
        value, key,
        [this](const ConfigValue& one, const std::string& at) { return read_port(one, at); });
  }

  std::uint16_t read_port(const ConfigValue& value, const std::string& key) const {
    const std::size_t ports = graph_.degree(graph_.node(at_));
    const int base = graph_.port_label_base();
    if (value.is_integer()) {
      const std::int64_t number = value.integer() - base;
      if (number >= 0 && number < static_cast<std::int64_t>(ports)) {
        return static_cast<std::uint16_t>(number);
      }
      throw InputError(value.position, key,
                       fmt::format("{} has no port {}: its ports are {} to {}", names_[at_.index()],
                                   value.integer(), base, static_cast<int>(ports) - 1 + base));
    }
    if (!value.is_text()) {
      throw InputError(value.position, key,
                       fmt::format("must be a port's number or name, not {}", value.kind_name()));
    }
    std::vector<std::string> names;
    for (std::size_t p = 0; p < ports; ++p) {
      names.push_back(graph_.name(port(static_cast<std::uint16_t>(p))));
      if (names.back() == value.text()) return static_cast<std::uint16_t>(p);
    }
    throw InputError(value.position, key,
                     fmt::format("no port of {} is called '{}'{}", names_[at_.index()],
                                 value.text(), nearest(value.text(), names)));
  }

  std::vector<std::uint32_t> read_hosts(const ConfigValue& value, const std::string& key) {
    if (value.is_text() && value.text() == "all") {
      std::vector<std::uint32_t> all(graph_.host_count());
      for (std::uint32_t h = 0; h < all.size(); ++h) all[h] = h;
      return all;
    }
    return read_ranges<std::uint32_t>(
        value, key, [this](const ConfigValue& one, const std::string& at) {
          const auto found = one.is_text() ? hosts_.find(one.text()) : hosts_.end();
          return found != hosts_.end() ? found->second : traffic::read_host(one, graph_, at).value;
        });
  }

  /// A full list of a big network's switches would help nobody.
  static std::string nearest(const std::string& wrong, const std::vector<std::string>& names) {
    const std::string near = nearest_name(wrong, names);
    return near.empty() ? std::string() : " (did you mean '" + near + "'?)";
  }
  [[nodiscard]] PortId port(std::uint16_t number) const {
    return graph_.port(graph_.node(at_), number);
  }
  [[nodiscard]] std::string host_name(std::uint32_t host) const {
    return graph_.name(graph_.node(HostId(host)));
  }

  const Graph& graph_;
  std::unordered_map<std::string, std::uint32_t> hosts_;
  std::unordered_map<std::string, std::uint32_t> switches_;
  std::vector<std::string> names_;  ///< per switch
  std::vector<bool> is_known_;      ///< per switch
  std::vector<FlowTableEntries> out_;
  SwitchId at_;
};

}  // namespace

std::vector<FlowTableEntries> read_flow_table_file(const std::string& path, const Graph& graph) {
  return Reader(graph).read(read_toml_file(path));
}

}  // namespace weir::experiment
