#include <fmt/format.h>

#include <cmath>

#include "weir/reaction/delay_table.hpp"
#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

std::vector<Time> read_entries(const Settings& settings) {
  const ConfigValue& value = settings.raw("table");
  if (value.is_text() && value.text() == "linear") return {};
  if (!value.is_array() || value.array().empty()) {
    throw settings.error("table", R"(must be "linear" or a list of times, as ["0 ns", "200 ns"])");
  }
  std::vector<Time> entries;
  for (const ConfigValue& one : value.array()) {
    const std::string where = fmt::format("entry {}", entries.size());
    if (!one.is_text()) throw settings.error("table", where + " must be a time, as \"200 ns\"");
    try {
      entries.push_back(parse_time(one.text()));
    } catch (const std::invalid_argument& error) {
      throw settings.error("table", where + ": " + error.what());
    }
    if (entries.back() < Time(0)) throw settings.error("table", where + " is negative");
    if (entries.size() > 1 && entries.back() < entries[entries.size() - 2]) {
      throw settings.error("table", fmt::format("{} is less than the entry before it, {}: a higher "
                                                "index means a longer delay",
                                                where, to_string(entries[entries.size() - 2])));
    }
  }
  return entries;
}

/// 150 units of 1.024 us, where nothing else lowers an index (InfiniBand leaves it open).
constexpr Time kUsualTimer = nanoseconds(153'600);

/// T x HSD: on a full hot link the shortest time between two packets of one of its sources, and
/// between two ACKs.
double fair_interval(const Settings& settings, const fabric::ReactionContext& context) {
  return static_cast<double>(packet_time(*context.graph, context.fabric).count) *
         settings.real("hot_spot_degree");
}

/// The packet time T; or T x HSD / P, so that as many marks as the switch has ports bring a source
/// to its share of the hot link, or T x HSD, so that one does (ferrer2012, section 3.5.1).
Time slot_of(const Settings& settings, const fabric::ReactionContext& context) {
  const bool has_degree = settings.has("hot_spot_degree");
  if (settings.given("slot_rule") && (settings.has("slot") || !has_degree)) {
    throw settings.error("slot_rule", has_degree
                                          ? "means nothing beside reaction.slot: take one of them"
                                          : "needs reaction.hot_spot_degree");
  }
  if (settings.has("slot")) return settings.time("slot");
  const topology::Graph& graph = *context.graph;
  if (!has_degree) return packet_time(graph, context.fabric);
  if (settings.text("slot_rule") == "share")
    return Time(std::llround(fair_interval(settings, context)));
  const NodeId next = graph.port(graph.port(graph.host_port(HostId(0))).to).node;
  const double ports = settings.has("switch_ports")
                           ? static_cast<double>(settings.integer("switch_ports"))
                           : static_cast<double>(graph.degree(next));
  return Time(std::llround(fair_interval(settings, context) / ports));
}

Time timer_of(const Settings& settings, const fabric::ReactionContext& context) {
  const bool has_degree = settings.has("hot_spot_degree");
  if (settings.given("timer_factor") && (settings.has("timer") || !has_degree)) {
    throw settings.error("timer_factor",
                         has_degree ? "means nothing beside reaction.timer: take one of them"
                                    : "needs reaction.hot_spot_degree");
  }
  if (settings.has("timer")) return settings.time("timer");
  if (has_degree)
    return Time(std::llround(fair_interval(settings, context) * settings.real("timer_factor")));
  return settings.boolean("recover_by_acks") ? Time(0) : kUsualTimer;
}

/// Marks come no more often than packets: a quicker timer undoes them all.
void note_quick_timer(const Settings& settings, const fabric::ReactionContext& context, Time timer,
                      ReactionParts& parts) {
  if (timer == Time(0) || !settings.has("hot_spot_degree")) return;
  const Time interval(std::llround(fair_interval(settings, context)));
  if (timer.count > interval.count * settings.integer("increase")) return;
  parts.notes.push_back(
      fmt::format("reaction.timer: {} takes back what marks add: on a full hot link a source with "
                  "its share of it hears an ACK every {} only",
                  to_string(timer), to_string(interval)));
}

void read_limits(const Settings& settings, DelayTableSettings& out) {
  const bool is_list = !out.entries.empty();
  if (is_list && settings.given("length") && settings.integer("length") != 0) {
    throw settings.error("length", "means nothing with a list as table: it has its own length");
  }
  const auto entries = static_cast<std::int64_t>(
      is_list ? out.entries.size() : static_cast<std::size_t>(settings.integer("length")));
  const bool is_bounded = entries > 0;
  if (!is_list && entries == 1) {
    throw settings.error("length", "1: marks would change nothing (0: a table without bound)");
  }
  if (settings.has("limit")) {
    const std::int64_t limit = settings.integer("limit");
    if (is_bounded && limit >= entries) {
      throw settings.error("limit", fmt::format("{} is beyond the table, whose last index is {}",
                                                limit, entries - 1));
    }
    out.limit = static_cast<std::uint32_t>(limit);
  } else {
    out.limit = is_bounded ? static_cast<std::uint32_t>(entries - 1) : 0;
  }
  out.least = static_cast<std::uint32_t>(settings.integer("minimum"));
  if (out.limit > 0 && out.least >= out.limit) {
    throw settings.error(
        "minimum", fmt::format("{} is not below the limit of the index, {}: marks would change "
                               "nothing",
                               out.least, out.limit));
  }
}

std::unique_ptr<fabric::Reaction> make_table(const Settings& settings,
                                             const fabric::ReactionContext& context) {
  ReactionParts parts;
  parts.window = read_fixed_window(settings);
  DelayTableSettings table;
  table.recovers_by_acks = settings.boolean("recover_by_acks");
  require_acks(context, "congestion-control-table", parts.window,
               table.recovers_by_acks ? "recover_by_acks = true" : "");
  table.entries = read_entries(settings);
  if (table.entries.size() == 1) {
    throw settings.error("table", "has one entry: marks would change nothing");
  }
  if (table.entries.empty()) {
    table.slot = slot_of(settings, context);
  } else if (settings.has("slot")) {
    throw settings.error("slot", "means nothing with a list as table");
  }
  read_limits(settings, table);
  table.increase = static_cast<std::uint32_t>(settings.integer("increase"));
  table.timer = timer_of(settings, context);
  if (table.timer == Time(0) && !table.recovers_by_acks) {
    throw settings.error("timer", "0 and recover_by_acks = false: no index would ever go down");
  }
  if (settings.text("scope") == "service-level") {
    if (parts.window.is_bounded()) {
      throw settings.error("scope",
                           "\"service-level\" has no windows, which are of flows: "
                           "window_kind = \"none\"");
    }
    parts.scope = ReactionParts::Scope::service_level;
  }
  std::string note = "reaction congestion-control-table: ";
  note += table.entries.empty() ? fmt::format("{} an index", to_string(table.slot))
                                : fmt::format("{} entries", table.entries.size());
  note += table.limit == 0 ? ", no limit" : fmt::format(", limit {}", table.limit);
  if (table.timer != Time(0)) note += ", timer " + to_string(table.timer);
  parts.notes.push_back(std::move(note));
  note_quick_timer(settings, context, table.timer, parts);
  note_missing_marks(context, "congestion-control-table", parts);
  parts.delay = std::make_unique<DelayTable>(std::move(table));
  return std::make_unique<FlowReaction>(std::move(parts), context);
}

std::vector<Parameter> congestion_control_table_parameters() {
  using Type = ParameterType;
  return joined(
      {Parameter::of(Type::any, "table",
                     "delays between packets by index: \"linear\" (index times slot), or a list of "
                     "times that do not decrease")
           .by_default("linear"),
       Parameter::of(Type::time, "slot",
                     "slot of a linear table (default: packet time T, or by slot_rule where "
                     "hot_spot_degree is given)")
           .at_least(1),
       Parameter::of(
           Type::text, "slot_rule",
           "slot of a table made for a hot spot: share-over-ports, T x hot_spot_degree / "
           "switch_ports, so that as many marks as the switch has ports bring a source to its "
           "share of the hot link; share, T x hot_spot_degree, so that one mark does")
           .by_default("share-over-ports")
           .one_of({"share-over-ports", "share"}),
       Parameter::of(Type::real, "hot_spot_degree",
                     "number of sources that a hot spot has at a time")
           .range(1, 1e9),
       Parameter::of(Type::integer, "switch_ports",
                     "ports P of a switch (default: those of the switch of host 0)")
           .range(1, 1'000'000),
       Parameter::of(Type::integer, "length", "entries of a linear table; 0: no bound")
           .by_default("128")
           .range(0, 1'000'000),
       Parameter::of(Type::integer, "increase",
                     "increase of the index by a marked ACK (CCTI_Increase)")
           .by_default("1")
           .range(1, 65'535),
       Parameter::of(Type::integer, "limit", "largest index (CCTI_Limit; default: the last entry)")
           .range(1, 16'000'000),
       Parameter::of(Type::integer, "minimum", "least index (CCTI_Min)")
           .by_default("0")
           .range(0, 65'535),
       Parameter::of(Type::time, "timer",
                     "time after which every index goes down by one (CCTI_Timer); 0: never "
                     "(default: timer_factor x T x hot_spot_degree where that is given; else "
                     "153600 ns, or 0 with recover_by_acks)"),
       Parameter::of(
           Type::real, "timer_factor",
           "timer of a table made for a hot spot, in T x hot_spot_degree: so far apart are the "
           "ACKs of a source at its share of a full hot link, so that the timer must be much "
           "longer, or it takes back what marks add; 0: no timer (chosen by weir)")
           .by_default("32")
           .range(0, 1e9),
       Parameter::of(Type::boolean, "recover_by_acks",
                     "whether an unmarked ACK lowers the index too")
           .by_default("false"),
       Parameter::of(Type::text, "scope",
                     "what has an index of its own: a flow, or a service level of a host")
           .by_default("flow")
           .one_of({"flow", "service-level"})},
      fixed_window_parameters("none", "2"));
}

const Registration<fabric::ReactionFactory> kCongestionControlTable(
    fabric::reaction_registry(),
    {"congestion-control-table",
     "InfiniBand's table of delays between packets: marked ACKs move the index up, a timer moves "
     "it "
     "down",
     "iba2015volume1, annex A10; pfister2005cca", congestion_control_table_parameters()},
    make_table);

}  // namespace

}  // namespace weir::reaction
