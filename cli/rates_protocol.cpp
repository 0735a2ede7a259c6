#include "rates_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output.hpp"

namespace weir::cli {
namespace {

using experiment::ProtocolCalculation;
using rates::FlowId;

double microseconds_of(Time time) { return to_nanoseconds(time) / 1'000; }

std::string host(const topology::Graph& graph, HostId h) { return graph.name(graph.node(h)); }

}  // namespace

std::vector<std::vector<std::string>> protocol_rows(const ProtocolCalculation& calculation) {
  const rates::ProtocolOutcome& out = calculation.outcome;
  std::vector<std::vector<std::string>> rows{
      {"protocol",
       fmt::format(
           "{}: {}", calculation.protocol,
           rates::protocol_registry().find(calculation.protocol, {}, "protocol").info.purpose)},
      {"settled", out.is_settled
                      ? fmt::format("yes, flows had their rates after {:.4g} us on average, {:.4g} "
                                    "us at most",
                                    out.mean_time_us(), out.longest_time_us())
                      : fmt::format("no, given up after {:.6g} us", microseconds_of(out.ended))},
      {"control packets",
       fmt::format("{:.4g} a flow on average, {} at most; {} bytes on all links",
                   out.mean_messages(), out.most_messages(),
                   with_commas(static_cast<std::uint64_t>(out.counters.bytes.count)))}};
  if (out.rounds > 0) rows.push_back({"rounds", with_commas(out.rounds)});
  if (out.leader_time) {
    rows.push_back({"iterations", fmt::format("{}, the leader knew all rates after {:.4g} us",
                                              out.iterations, microseconds_of(*out.leader_time))});
  }
  rows.push_back(
      {"compared with", fmt::format("{}: rates differ by at most {:.3g} %", calculation.algorithm,
                                    100 * calculation.largest_deviation)});
  rows.push_back({"oversubscription",
                  fmt::format("{:.4g} of a link's capacity at most", out.oversubscription)});
  return rows;
}

void print_protocol_flows(const ProtocolCalculation& calculation,
                          const experiment::RoutedFlows& flows, const topology::Graph& graph,
                          std::size_t rows) {
  const rates::ProtocolOutcome& out = calculation.outcome;
  std::vector<std::vector<std::string>> table{{"flow", "source", "destination", "weight",
                                               "application", "rate", calculation.algorithm, "us",
                                               "packets"}};
  const std::size_t all = calculation.present.size();
  const std::size_t shown = rows == 0 ? all : std::min(rows, all);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t f = calculation.present[i];
    const rates::FlowRequest& flow = flows.list.flows[f];
    table.push_back(
        {std::to_string(f), host(graph, flow.source), host(graph, flow.destination),
         flow.weight.to_string(), flows.list.applications[flow.application.index()],
         fmt::format("{:.6g}", out.rates[f]),
         fmt::format("{:.6g}", calculation.expected.rate(calculation.set, FlowId(i)).value()),
         fmt::format("{:.4g}", microseconds_of(out.found_at[f] - out.began)),
         std::to_string(out.messages[f])});
  }
  print_columns(table);
  if (shown < all) say("... {} more flows (--rows 0 shows all)\n", with_commas(all - shown));
}

nlohmann::ordered_json protocol_json(const ProtocolCalculation& calculation,
                                     const experiment::RoutedFlows& flows,
                                     const topology::Graph& graph) {
  const rates::ProtocolOutcome& out = calculation.outcome;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < calculation.present.size(); ++i) {
    const std::size_t f = calculation.present[i];
    const rates::FlowRequest& flow = flows.list.flows[f];
    list.push_back({{"flow", f},
                    {"source", host(graph, flow.source)},
                    {"destination", host(graph, flow.destination)},
                    {"weight", flow.weight.value()},
                    {"application", flows.list.applications[flow.application.index()]},
                    {"rate", out.rates[f]},
                    {"expected", calculation.expected.rate(calculation.set, FlowId(i)).value()},
                    {"microseconds", microseconds_of(out.found_at[f] - out.began)},
                    {"packets", out.messages[f]}});
  }
  nlohmann::ordered_json json{{"protocol", calculation.protocol},
                              {"algorithm", calculation.algorithm},
                              {"is_settled", out.is_settled},
                              {"microseconds_mean", out.mean_time_us()},
                              {"microseconds_max", out.longest_time_us()},
                              {"bytes", out.counters.bytes.count},
                              {"rounds", out.rounds},
                              {"deviation", calculation.largest_deviation},
                              {"oversubscription", out.oversubscription},
                              {"flows", std::move(list)}};
  return json;
}

}  // namespace weir::cli
