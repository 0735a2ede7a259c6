#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "output.hpp"
#include "rates_protocol.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/rate_calculation.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/rates/certificate.hpp"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;
using rates::Assignment;
using rates::FlowId;
using rates::LinkId;
using Rows = std::vector<std::vector<std::string>>;

struct RatesOptions {
  std::string file;
  std::string algorithm;
  std::string protocol;
  std::string compare;
  std::string format = "text";
  std::size_t rows = 20;
  std::vector<std::string> set;
};

/// A file with its flows on their routes.
struct Calculation {
  experiment::Configuration configuration;
  std::shared_ptr<const experiment::Network> network;
  experiment::RoutedFlows flows;

  [[nodiscard]] const topology::Graph& graph() const { return *network->graph; }
  [[nodiscard]] const rates::FlowSet& set() const { return flows.set; }
  [[nodiscard]] std::string host(HostId h) const { return graph().name(graph().node(h)); }
  [[nodiscard]] std::string link(LinkId l) const { return graph().name(PortId(l.value)); }
  [[nodiscard]] const rates::FlowRequest& flow(std::size_t f) const { return flows.list.flows[f]; }
  [[nodiscard]] const std::string& application(std::size_t f) const {
    return flows.list.applications[flow(f).application.index()];
  }
};

/// Rates by one algorithm, which were found to be what it promises.
struct Rated {
  std::string algorithm;
  Assignment rates;
};

ConfigTable one(const std::string& section, const std::string& key, const std::string& value) {
  return experiment::nested(section + "." + key, ConfigValue(value, {}));
}

Calculation prepare(const RatesOptions& options) {
  ConfigTable table = experiment::read_experiment(options.file);
  experiment::check_section_names(table);
  for (const std::string& text : options.set) {
    experiment::lay_over(table, experiment::parse_override(text));
  }
  experiment::lay_over(table, one("experiment", "kind", "rates"));
  if (!options.algorithm.empty()) {
    experiment::lay_over(table, one("rates", "algorithm", options.algorithm));
  }
  if (!options.protocol.empty()) {
    experiment::lay_over(table, one("protocol", "model", options.protocol));
  }
  Calculation out;
  out.configuration = experiment::resolve(table);
  out.network = experiment::make_network(out.configuration);
  out.flows = experiment::route_flows(out.configuration, *out.network);
  return out;
}

Rated rate(const Calculation& on, const std::string& algorithm) {
  (void)rates::algorithm_registry().find(algorithm, {}, "algorithm");
  return {algorithm,
          experiment::calculate_rates(on.set(), algorithm, on.configuration.fabric.seed)};
}

std::string_view promise_text(rates::Promise promise) {
  switch (promise) {
    case rates::Promise::single_application:
      return "every flow has its share of the heaviest link of its path";
    case rates::Promise::equal:
      return "every flow has the share of the heaviest link of all";
    case rates::Promise::maximal:
      return "every flow has at least that share and crosses a full link";
    case rates::Promise::max_min_flows:
      return "every flow crosses a full link on which no flow is faster";
    case rates::Promise::max_min_applications:
      break;
  }
  return "every application crosses a full link on which no application is faster";
}

const ModelInfo& about(const std::string& algorithm) {
  return rates::algorithm_registry().find(algorithm, {}, "algorithm").info;
}
std::string_view certificate(const std::string& algorithm) {
  return promise_text(rates::algorithm_registry().find(algorithm, {}, "algorithm").make.promise);
}

double mean_rate(const Calculation& on, const Assignment& rates) {
  double sum = 0;
  for (std::size_t f = 0; f < on.set().flow_count(); ++f) {
    sum += rates.rate(on.set(), FlowId(f)).value();
  }
  return sum / static_cast<double>(on.set().flow_count());
}

/// Flows on a link -> links with so many, by group of links; links without flows left out.
std::map<std::uint32_t, std::map<std::string, std::size_t>> distribution(const Calculation& on) {
  std::map<std::uint32_t, std::map<std::string, std::size_t>> counts;
  const std::vector<std::uint32_t> flows = rates::contention(on.set());
  for (std::size_t p = 0; p < flows.size(); ++p) {
    const std::string group = metrics::link_group(on.graph(), PortId(p));
    if (!group.empty()) ++counts[flows[p]][group];
  }
  return counts;
}

Rows head(const Calculation& on) {
  const auto& configuration = on.configuration;
  return {{"topology", fmt::format("{}: {} hosts, {} switches", configuration.topology.name,
                                   with_commas(on.graph().host_count()),
                                   with_commas(on.graph().switch_count()))},
          {"routing", configuration.routing.name + (on.flows.flow_routing == "static"
                                                        ? std::string()
                                                        : ", flows: " + on.flows.flow_routing)},
          {"flows", fmt::format("{} of {} application{}", with_commas(on.set().flow_count()),
                                on.set().application_count(),
                                on.set().application_count() == 1 ? "" : "s")}};
}

void add_summary(const Calculation& on, const Rated& rated, Rows& rows) {
  const std::vector<rates::Fraction> weights = rates::link_weights(on.set());
  const auto heaviest = std::max_element(weights.begin(), weights.end());
  const LinkId link(static_cast<std::size_t>(heaviest - weights.begin()));
  const Assignment& rates = rated.rates;
  rows.push_back(
      {"algorithm", fmt::format("{}: {}", rated.algorithm, about(rated.algorithm).purpose)});
  rows.push_back({"certificate", fmt::format("verified: {}", certificate(rated.algorithm))});
  rows.push_back(
      {"heaviest link", fmt::format("{}, weight {}", on.link(link), heaviest->to_string())});
  rows.push_back({"completion time", fmt::format("{} (weight 1 alone: 1)",
                                                 rates::completion_time(rates).to_string())});
  rows.push_back({"levels", with_commas(rates.levels.size())});
  rows.push_back({"mean rate", fmt::format("{:.6g} of {}", mean_rate(on, rates),
                                           to_string(rates::line_rate(on.graph())))});
}

void print_flows(const Calculation& on, const Assignment& rates, std::size_t rows) {
  const double line = static_cast<double>(rates::line_rate(on.graph()).count) * 1e-9;
  Rows table{
      {"flow", "source", "destination", "weight", "application", "rate", "Gbps", "bottleneck"}};
  const std::size_t shown =
      rows == 0 ? on.set().flow_count() : std::min(rows, on.set().flow_count());
  for (std::size_t f = 0; f < shown; ++f) {
    const rates::Fraction rate = rates.rate(on.set(), FlowId(f));
    table.push_back({std::to_string(f), on.host(on.flow(f).source), on.host(on.flow(f).destination),
                     on.set().weight(FlowId(f)).to_string(), on.application(f), rate.to_string(),
                     fmt::format("{:.6g}", rate.value() * line), on.link(rates.bottleneck[f])});
  }
  print_columns(table);
  if (shown < on.set().flow_count()) {
    say("... {} more flows (--rows 0 shows all)\n", with_commas(on.set().flow_count() - shown));
  }
}

void print_contention(const Calculation& on) {
  const auto counts = distribution(on);
  std::vector<std::string> groups;
  for (const auto& [flows, links] : counts) {
    for (const auto& [group, count] : links) {
      if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
    }
  }
  std::sort(groups.begin(), groups.end());
  Rows table{{"flows on a link"}};
  for (const std::string& group : groups) table[0].push_back("links, " + group);
  for (const auto& [flows, links] : counts) {
    std::vector<std::string> row{std::to_string(flows)};
    for (const std::string& group : groups) {
      const auto found = links.find(group);
      row.push_back(found == links.end() ? "" : with_commas(found->second));
    }
    table.push_back(std::move(row));
  }
  print_columns(table);
}

Json flow_json(const Calculation& on, const Assignment& rates, std::size_t f) {
  const rates::Fraction rate = rates.rate(on.set(), FlowId(f));
  const rates::Fraction& normalized = rates.normalized_rate(FlowId(f));
  return {{"source", on.host(on.flow(f).source)},
          {"destination", on.host(on.flow(f).destination)},
          {"weight", on.set().weight(FlowId(f)).value()},
          {"application", on.application(f)},
          {"rate", rate.value()},
          {"exact", rate.to_string()},
          {"normalized_rate", normalized.value()},
          {"bottleneck", on.link(rates.bottleneck[f])}};
}

Json links_json(const Calculation& on, const Assignment& rates) {
  std::vector<rates::FractionSum> used(on.set().link_count());
  for (std::size_t f = 0; f < on.set().flow_count(); ++f) {
    const rates::Fraction rate = rates.rate(on.set(), FlowId(f));
    for (const LinkId l : on.set().path(FlowId(f))) used[l.index()].add(rate);
  }
  const std::vector<std::uint32_t> flows = rates::contention(on.set());
  const std::vector<rates::Fraction> weights = rates::link_weights(on.set());
  Json links = Json::array();
  for (std::size_t l = 0; l < flows.size(); ++l) {
    if (flows[l] == 0) continue;
    const rates::Fraction capacity = on.set().capacity(LinkId(l));
    links.push_back({{"name", on.link(LinkId(l))},
                     {"capacity", capacity.value()},
                     {"weight", weights[l].value()},
                     {"flows", flows[l]},
                     {"used", used[l].value()},
                     {"is_full", used[l] == capacity}});
  }
  return links;
}

Json rated_json(const Calculation& on, const Rated& rated) {
  Json flows = Json::array();
  for (std::size_t f = 0; f < on.set().flow_count(); ++f) {
    flows.push_back(flow_json(on, rated.rates, f));
  }
  return {{"algorithm", rated.algorithm},
          {"certificate", certificate(rated.algorithm)},
          {"verified", true},  // calculate_rates() throws otherwise
          {"completion_time", rates::completion_time(rated.rates).value()},
          {"levels", rated.rates.levels.size()},
          {"mean_rate", mean_rate(on, rated.rates)},
          {"flows", std::move(flows)},
          {"links", links_json(on, rated.rates)}};
}

Json head_json(const Calculation& on) {
  Json contention = Json::array();
  for (const auto& [flows, links] : distribution(on)) {
    for (const auto& [group, count] : links) {
      contention.push_back({{"group", group}, {"flows", flows}, {"links", count}});
    }
  }
  return {{"topology", on.configuration.topology.name},
          {"routing", on.configuration.routing.name},
          {"flow_routing", on.flows.flow_routing},
          {"line_rate_bps", rates::line_rate(on.graph()).count},
          {"contention", std::move(contention)}};
}

/// Flows whose rates differ, the largest differences first.
std::vector<std::size_t> differences(const Calculation& on, const Assignment& a,
                                     const Assignment& b) {
  std::vector<std::size_t> flows;
  for (std::size_t f = 0; f < on.set().flow_count(); ++f) {
    if (a.normalized_rate(FlowId(f)) != b.normalized_rate(FlowId(f))) flows.push_back(f);
  }
  const auto change = [&](std::size_t f) {
    return std::abs(a.rate(on.set(), FlowId(f)).value() - b.rate(on.set(), FlowId(f)).value());
  };
  std::stable_sort(flows.begin(), flows.end(),
                   [&](std::size_t x, std::size_t y) { return change(x) > change(y); });
  return flows;
}

std::pair<std::string, std::string> two_names(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || comma == 0 || comma + 1 == text.size()) {
    throw InputError("--compare needs two algorithms, as in --compare ffa,saa");
  }
  return {text.substr(0, comma), text.substr(comma + 1)};
}

int compare(const Calculation& on, const RatesOptions& options) {
  const auto names = two_names(options.compare);
  const Rated a = rate(on, names.first);
  const Rated b = rate(on, names.second);
  const std::vector<std::size_t> flows = differences(on, a.rates, b.rates);
  if (options.format == "json") {
    Json json = head_json(on);
    json["rates"] = {rated_json(on, a), rated_json(on, b)};
    json["different"] = flows;
    say("{}\n", json.dump(2));
    return kDone;
  }
  Rows rows = head(on);
  add_summary(on, a, rows);
  add_summary(on, b, rows);
  print_columns(rows);
  say("\n{} of {} flows have different rates\n", with_commas(flows.size()),
      with_commas(on.set().flow_count()));
  Rows table{{"flow", "source", "destination", a.algorithm, b.algorithm, "change"}};
  const std::size_t shown = options.rows == 0 ? flows.size() : std::min(options.rows, flows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t f = flows[i];
    const rates::Fraction from = a.rates.rate(on.set(), FlowId(f));
    const rates::Fraction to = b.rates.rate(on.set(), FlowId(f));
    table.push_back({std::to_string(f), on.host(on.flow(f).source), on.host(on.flow(f).destination),
                     from.to_string(), to.to_string(),
                     fmt::format("{:+.1f} %", (to.value() / from.value() - 1) * 100)});
  }
  if (shown > 0) print_columns(table);
  if (shown < flows.size()) {
    say("... {} more flows (--rows 0 shows all)\n", with_commas(flows.size() - shown));
  }
  return kDone;
}

int show_protocol(const Calculation& on, const RatesOptions& options) {
  const experiment::ProtocolCalculation found =
      experiment::run_protocol(on.configuration, *on.network, on.flows);
  if (options.format == "json") {
    Json json = head_json(on);
    json["protocol"] = protocol_json(found, on.flows, on.graph());
    say("{}\n", json.dump(2));
    return kDone;
  }
  Rows rows = head(on);
  for (auto& row : protocol_rows(found)) rows.push_back(std::move(row));
  print_columns(rows);
  say("\n");
  print_protocol_flows(found, on.flows, on.graph(), options.rows);
  return kDone;
}

int show(const RatesOptions& options) {
  const Calculation on = prepare(options);
  if (!options.compare.empty()) return compare(on, options);
  if (on.configuration.protocol) return show_protocol(on, options);
  const Rated rated = rate(on, on.flows.algorithm);
  if (options.format == "json") {
    Json json = head_json(on);
    json["rates"] = Json::array({rated_json(on, rated)});
    say("{}\n", json.dump(2));
    return kDone;
  }
  Rows rows = head(on);
  add_summary(on, rated, rows);
  print_columns(rows);
  say("\n");
  print_flows(on, rated.rates, options.rows);
  say("\n");
  print_contention(on);
  return kDone;
}

}  // namespace

void add_rates(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("rates", "Calculate the rates of flows, with what holds them back");
  auto options = std::make_shared<RatesOptions>();
  command
      ->add_option("FILE", options->file,
                   "experiment file with [[flow]] tables (-: standard input)")
      ->required();
  auto* algorithm = command->add_option("--algorithm", options->algorithm,
                                        "in place of rates.algorithm (weir list rates)");
  command->add_option("--protocol", options->protocol,
                      "found by agents in switches and hosts (weir list protocol)");
  command->add_option("--compare", options->compare, "two algorithms, as in ffa,saa")
      ->excludes(algorithm);
  command->add_option("--format", options->format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("--rows", options->rows, "flows shown in text (default: 20; 0: all)");
  command->add_option("--set", options->set, "key=value, over the file")->take_all()->expected(1);
  command->callback([options, &action] { action = [options] { return show(*options); }; });
}

}  // namespace weir::cli
