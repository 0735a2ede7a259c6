#include "weir/topology/export.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "weir/topology/export_names.hpp"

namespace weir::topology {
namespace {

using Out = std::back_insert_iterator<std::string>;

/// In double quotes, with quotes and backslashes escaped, as DOT and the edge list have it.
std::string in_quotes(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string xml_escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

bool has_one_way(const std::vector<Cable>& all) {
  return std::any_of(all.begin(), all.end(), [](const Cable& c) { return c.one_way; });
}

int label(const Graph& graph, const Port& port) {
  return port.number + (graph.is_host(port.node) ? 1 : graph.port_label_base());
}

/// Switches of the same stage side by side.
void write_ranks(const Graph& graph, const std::vector<std::string>& names, Out out) {
  std::map<int, std::vector<std::size_t>> stages;
  for (std::size_t n = graph.host_count(); n < graph.node_count(); ++n) {
    const int stage = graph.stage(NodeId(n));
    if (stage >= 0) stages[stage].push_back(n);
  }
  for (const auto& [stage, nodes] : stages) {
    fmt::format_to(out, "  {{ rank=same;");
    for (const std::size_t n : nodes) fmt::format_to(out, " {};", in_quotes(names[n]));
    fmt::format_to(out, " }}\n");
  }
}

}  // namespace

std::string to_dot(const Graph& graph) {
  const auto names = unique_names(graph);
  const auto all = cables(graph, true);
  const bool directed = has_one_way(all);
  std::string text;
  const Out out(text);
  fmt::format_to(out, "{} {} {{\n  node [shape=box];\n", directed ? "digraph" : "graph",
                 in_quotes(graph.family()));
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    fmt::format_to(out, "  {}{};\n", in_quotes(names[n]),
                   graph.is_host(NodeId(n)) ? " [shape=ellipse]" : "");
  }
  write_ranks(graph, names, out);
  for (const Cable& cable : all) {
    const Port& from = graph.port(cable.from);
    const Port& to = graph.port(cable.to);
    fmt::format_to(out, "  {} {} {} [taillabel=\"{}\", headlabel=\"{}\"{}];\n",
                   in_quotes(names[from.node.index()]), directed ? "->" : "--",
                   in_quotes(names[to.node.index()]), label(graph, from), label(graph, to),
                   directed && !cable.one_way ? ", dir=both" : "");
  }
  fmt::format_to(out, "}}\n");
  return text;
}

namespace {

constexpr std::string_view kGraphmlHead = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="stage" for="node" attr.name="stage" attr.type="int"/>
  <key id="ports" for="node" attr.name="ports" attr.type="int"/>
  <key id="source_port" for="edge" attr.name="source_port" attr.type="int"/>
  <key id="target_port" for="edge" attr.name="target_port" attr.type="int"/>
  <key id="rate" for="edge" attr.name="rate" attr.type="long"/>
  <key id="delay" for="edge" attr.name="delay" attr.type="long"/>
)";

void write_graphml_node(const Graph& graph, NodeId node, const std::string& name, Out out) {
  fmt::format_to(out,
                 "    <node id=\"n{}\"><data key=\"name\">{}</data><data key=\"kind\">{}</data>",
                 node.value, xml_escaped(name), graph.is_host(node) ? "host" : "switch");
  if (graph.stage(node) >= 0) {
    fmt::format_to(out, "<data key=\"stage\">{}</data>", graph.stage(node));
  }
  fmt::format_to(out, "<data key=\"ports\">{}</data></node>\n", graph.degree(node));
}

void write_graphml_edge(const Graph& graph, PortId from_id, PortId to_id, Out out) {
  const Port& from = graph.port(from_id);
  const Port& to = graph.port(to_id);
  fmt::format_to(out,
                 "    <edge source=\"n{}\" target=\"n{}\"><data key=\"source_port\">{}</data>"
                 "<data key=\"target_port\">{}</data><data key=\"rate\">{}</data>"
                 "<data key=\"delay\">{}</data></edge>\n",
                 from.node.value, to.node.value, label(graph, from), label(graph, to),
                 from.link.rate.count, from.link.delay.count);
}

}  // namespace

std::string to_graphml(const Graph& graph) {
  const auto names = unique_names(graph);
  const auto all = cables(graph, false);
  const bool directed = has_one_way(all);
  std::string text(kGraphmlHead);
  const Out out(text);
  fmt::format_to(out, "  <graph id=\"{}\" edgedefault=\"{}\">\n", xml_escaped(graph.family()),
                 directed ? "directed" : "undirected");
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    write_graphml_node(graph, NodeId(n), names[n], out);
  }
  for (const Cable& cable : all) {
    write_graphml_edge(graph, cable.from, cable.to, out);
    if (directed && !cable.one_way) write_graphml_edge(graph, cable.to, cable.from, out);
  }
  fmt::format_to(out, "  </graph>\n</graphml>\n");
  return text;
}

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-.+/").find(c) != std::string_view::npos;
}

std::string edge_list_name(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), is_plain);
  return plain ? name : in_quotes(name);
}

/// "100 Gbps" as one word.
std::string one_word(std::string quantity) {
  quantity.erase(std::remove(quantity.begin(), quantity.end(), ' '), quantity.end());
  return quantity;
}

}  // namespace

std::string to_edge_list(const Graph& graph) {
  std::vector<std::string> names = unique_names(graph);
  for (std::string& name : names) name = edge_list_name(name);
  std::string text;
  const Out out(text);
  fmt::format_to(out, "# Edge list, network {}: {} hosts, {} switches. Ports count from 0.\n",
                 graph.family(), graph.host_count(), graph.switch_count());
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    if (graph.is_host(NodeId(n))) {
      fmt::format_to(out, "host {}\n", names[n]);
    } else {
      fmt::format_to(out, "switch {} {}\n", names[n], graph.degree(NodeId(n)));
    }
  }
  const auto write_end = [&](const Port& port) {
    fmt::format_to(out, " {}", names[port.node.index()]);
    if (!graph.is_host(port.node)) fmt::format_to(out, ":{}", port.number);
  };
  for (const Cable& cable : cables(graph, false)) {
    const LinkSpec& link = graph.port(cable.from).link;
    fmt::format_to(out, "link");
    write_end(graph.port(cable.from));
    write_end(graph.port(cable.to));
    fmt::format_to(out, " rate={} delay={}{}\n", one_word(to_string(link.rate)),
                   one_word(to_string(link.delay)), cable.one_way ? " oneway" : "");
  }
  return text;
}

}  // namespace weir::topology
