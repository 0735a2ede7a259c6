#include "weir/experiment/config/failures.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "weir/base/problems.hpp"
#include "weir/base/random.hpp"

namespace weir::experiment {
namespace {

using topology::Graph;

PortId find_port(const Graph& graph, const Failure& failure, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    if (!graph.port(PortId(p)).to.valid()) continue;
    names.push_back(graph.name(PortId(p)));
    if (names.back() == name) return PortId(p);
  }
  throw failure.error(&FailureKeys::links, fmt::format("no port with a cable is called '{}'{}",
                                                       name, suggestion(name, names)));
}

/// One port of every cable between switches.
std::vector<PortId> cables_between_switches(const Graph& graph) {
  std::vector<PortId> cables;
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    const topology::Port& port = graph.port(PortId(p));
    if (!port.to.valid() || graph.is_host(port.node)) continue;
    const topology::Port& far = graph.port(port.to);
    if (graph.is_host(far.node) || (far.to == PortId(p) && port.to.value < p)) continue;
    cables.emplace_back(p);
  }
  return cables;
}

std::vector<PortId> draw(const Graph& graph, const Failure& failure, std::size_t number,
                         std::uint64_t seed) {
  std::vector<PortId> cables = cables_between_switches(graph);
  const auto wanted = static_cast<std::size_t>(failure->random);
  if (wanted > cables.size()) {
    throw failure.error(&FailureKeys::random,
                        fmt::format("there are only {} cables between switches", cables.size()));
  }
  RandomStream random(seed, static_cast<std::uint32_t>(number), StreamPurpose::failures);
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(cables[i], cables[i + random.below(cables.size() - i)]);
  }
  cables.resize(wanted);
  return cables;
}

}  // namespace

const Keys<FailureKeys>& failure_keys() {
  using F = FailureKeys;
  static const Keys<F> keys{
      key(&F::links, "links", "ports whose cables fail, in both directions: [\"s3[4]\"]"),
      key(&F::random, "random",
          "number of cables between switches that fail besides, drawn by the seed")
          .range(0, 1'000'000),
      key(&F::at, "at", "time at which the cables go down").required(),
      key(&F::until, "until", "time at which the cables are up again (default: never)")
          .without_default()};
  return keys;
}

namespace {

Failure read_failure(const ConfigValue& value, const std::string& where) {
  Failure failure = failure_keys().check(placed_table(value, where), where);
  if (failure->until <= failure->at) throw failure.error(&FailureKeys::until, "is not after `at`");
  if (failure->links.empty() && failure->random == 0) {
    throw failure.error(&FailureKeys::links, "name a port, or give a number of `random` cables");
  }
  return failure;
}

}  // namespace

std::vector<Failure> read_failures(const ConfigTable& table, ConfigTable& resolved) {
  std::vector<Failure> failures;
  const ConfigValue* list = table.find("failure");
  if (list == nullptr) return failures;
  if (!list->is_array()) throw InputError(list->position, "failure", "must be [[failure]] tables");
  ConfigArray all;
  Problems problems;
  for (std::size_t i = 0; i < list->array().size(); ++i) {
    const ConfigValue& value = list->array()[i];
    problems.attempt([&] {
      failures.push_back(read_failure(value, fmt::format("failure[{}]", i)));
      all.emplace_back(failures.back().settings().resolved(), value.position);
    });
  }
  problems.raise();
  resolved.set("failure", ConfigValue(std::move(all), list->position));
  return failures;
}

void schedule_failures(const std::vector<Failure>& failures, std::uint64_t seed,
                       fabric::Fabric& fabric) {
  for (std::size_t i = 0; i < failures.size(); ++i) {
    const Failure& failure = failures[i];
    std::vector<PortId> ports = draw(fabric.graph(), failure, i, seed);
    for (const std::string& name : failure->links) {
      ports.push_back(find_port(fabric.graph(), failure, name));
    }
    for (const PortId port : ports) {
      fabric.change_cable(port, failure->at, false);
      if (failure->until != Time::max()) fabric.change_cable(port, failure->until, true);
    }
  }
}

std::string losses(const fabric::Fabric& fabric) {
  if (fabric.counters().packets_lost == 0) return {};
  std::vector<fabric::Flow> flows = fabric.flows();
  std::erase_if(flows, [](const fabric::Flow& flow) { return flow.lost == 0; });
  std::sort(flows.begin(), flows.end(), [](const fabric::Flow& a, const fabric::Flow& b) {
    return std::tuple(b.lost, a.source, a.destination, a.connection, a.keeps_rate) <
           std::tuple(a.lost, b.source, b.destination, b.connection, b.keeps_rate);
  });
  std::string text =
      fmt::format("{} packets of {} flows were lost where links were down; most of host",
                  fabric.counters().packets_lost, flows.size());
  constexpr std::size_t kMostNamed = 5;
  for (std::size_t i = 0; i < std::min(flows.size(), kMostNamed); ++i) {
    text += fmt::format("{} {} to {} ({} of {})", i == 0 ? "" : ",", flows[i].source,
                        flows[i].destination, flows[i].lost, flows[i].injected);
  }
  return text;
}

}  // namespace weir::experiment
