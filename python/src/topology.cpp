#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <fmt/format.h>

#include <memory>

#include "bindings.hpp"
#include "experiment.hpp"
#include "graph.hpp"
#include "waiting.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/rates/flow_routes.hpp"
#include "weir/routing/import_fabric.hpp"
#include "weir/routing/trace.hpp"

namespace weir::python {

namespace py = pybind11;
using experiment::Configuration;

namespace {

py::array_t<double> array(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// The graph of an experiment that may have no more than a topology.
py::dict graph_of(py::handle experiment, const py::dict& set) {
  const ConfigTable table = read(experiment, set);
  experiment::check_section_names(table);
  topology::LinkSpec link;
  topology::CableDelays cables;
  const auto chosen = experiment::resolve_topology(table, link, cables);
  return describe(experiment::make_graph(table, chosen, link, cables));
}

/// A graph with its routes.
class Network {
 public:
  Network(py::handle experiment, const py::dict& set) {
    ConfigTable table = read(experiment, set);
    experiment::lay_over(
        table, experiment::nested("experiment.kind", ConfigValue(std::string("network"), {})));
    const Configuration configuration = experiment::resolve(table);
    without_lock(
        [&](const std::atomic<bool>&) { network_ = experiment::make_network(configuration); });
  }

  [[nodiscard]] const topology::Graph& graph() const { return *network_->graph; }

  [[nodiscard]] py::list ports() const {
    py::list names;
    for (std::size_t p = 0; p < graph().port_count(); ++p) names.append(graph().name(PortId(p)));
    return names;
  }

  /// Per port: what it may send, as a fraction of the line rate; 0 without a cable.
  [[nodiscard]] py::array_t<double> capacities() const {
    std::vector<double> values;
    for (const rates::Fraction& one : rates::link_capacities(graph())) {
      values.push_back(one.value());
    }
    return array(values);
  }
  [[nodiscard]] std::int64_t line_rate() const { return rates::line_rate(graph()).count; }

  /// Default routes: transmitting ports and their lanes.
  [[nodiscard]] py::list routes(
      const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) const {
    py::list all;
    for (const auto& [source, destination] : pairs) {
      const routing::Route route = route_of(source, destination);
      std::vector<std::int32_t> ports;
      std::vector<std::int32_t> lanes;
      for (const routing::Channel& channel : route.channels) {
        ports.push_back(static_cast<std::int32_t>(channel.port.value));
        lanes.push_back(channel.lane);
      }
      const auto size = static_cast<py::ssize_t>(ports.size());
      all.append(py::make_tuple(py::array_t<std::int32_t>(size, ports.data()),
                                py::array_t<std::int32_t>(size, lanes.data())));
    }
    return all;
  }

 private:
  [[nodiscard]] routing::Route route_of(std::uint32_t source, std::uint32_t destination) const {
    const std::size_t hosts = graph().host_count();
    if (source >= hosts || destination >= hosts || source == destination) {
      throw InputError(fmt::format("there is no route from host {} to host {} of {}", source,
                                   destination, hosts));
    }
    routing::Route route =
        routing::trace(graph(), *network_->routing, HostId(source), HostId(destination));
    if (route.end == routing::RouteEnd::delivered) return route;
    throw InputError(fmt::format("the route from host {} to host {} does not arrive: {}", source,
                                 destination, routing::to_string(route.end)));
  }

  std::shared_ptr<const experiment::Network> network_;
};

}  // namespace

py::dict describe(const topology::Graph& graph) {
  py::list names, hosts, stages, degrees;
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    const NodeId node(n);
    names.append(graph.name(node));
    hosts.append(graph.is_host(node));
    stages.append(graph.stage(node));
    degrees.append(graph.degree(node));
  }
  py::list ports, from, to, from_port, to_port, rate, delay;
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    const topology::Port& port = graph.port(PortId(p));
    if (!port.to.valid()) continue;
    const topology::Port& other = graph.port(port.to);
    ports.append(graph.name(PortId(p)));
    from.append(port.node.value);
    to.append(other.node.value);
    from_port.append(port.number + (graph.is_host(port.node) ? 0 : graph.port_label_base()));
    to_port.append(other.number + (graph.is_host(other.node) ? 0 : graph.port_label_base()));
    rate.append(port.link.rate.count);
    delay.append(to_nanoseconds(port.link.delay));
  }
  py::dict out;
  out["family"] = graph.family();
  out["hosts"] = graph.host_count();
  out["names"] = names;
  out["is_host"] = hosts;
  out["stages"] = stages;
  out["degrees"] = degrees;
  out["ports"] = ports;
  out["from"] = from;
  out["to"] = to;
  out["from_port"] = from_port;
  out["to_port"] = to_port;
  out["rates"] = rate;
  out["delays"] = delay;
  return out;
}

void add_topology(py::module_& module) {
  module.def(
      "fabric_experiment",
      [](const std::string& file, const std::string& tables, const std::string& paths,
         const std::string& sl2vl, const std::string& vlarb, std::optional<int> missing_sl,
         const std::string& base) {
        return routing::fabric_experiment({file, tables, paths, sl2vl, vlarb, missing_sl}, base);
      },
      py::arg("file"), py::arg("tables"), py::arg("paths"), py::arg("sl2vl"), py::arg("vlarb"),
      py::arg("missing_sl"), py::arg("base"));
  module.def("edge_list_experiment", &routing::edge_list_experiment, py::arg("file"),
             py::arg("base"));
  module.def(
      "graph",
      [](const py::object& experiment, const py::dict& set) { return graph_of(experiment, set); },
      py::arg("experiment"), py::arg("set"));
  py::class_<Network>(module, "Network")
      .def(py::init([](const py::object& experiment, const py::dict& set) {
             return std::make_unique<Network>(experiment, set);
           }),
           py::arg("experiment"), py::arg("set"))
      .def("graph", [](const Network& network) { return describe(network.graph()); })
      .def("ports", &Network::ports)
      .def("capacities", &Network::capacities)
      .def("line_rate", &Network::line_rate)
      .def("routes", &Network::routes, py::arg("pairs"));
}

}  // namespace weir::python
