#include <fmt/format.h>

#include <cmath>

#include "weir/reaction/delay_table.hpp"
#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

/// With the members of DelayTableSettings as the file gives them, where it does.
struct TableSettings : DelayTableSettings, FixedWindow {
  ConfigValue table{std::string("linear"), {}};
  bool has_slot_of_share = false;
  std::optional<double> hot_spot_degree;
  std::optional<std::int64_t> switch_ports;
  std::uint32_t length = 128;
  double timer_factor = 32;
  ReactionParts::Scope scope = ReactionParts::Scope::flow;
};

using TableFile = Checked<TableSettings>;
using Cct = TableSettings;

std::vector<Time> read_entries(const TableFile& file) {
  const auto wrong = [&](const std::string& why) { return file.error(&Cct::table, why); };
  const ConfigValue& value = file->table;
  if (value.is_text() && value.text() == "linear") return {};
  if (!value.is_array() || value.array().empty()) {
    throw wrong(R"(must be "linear" or a list of times, as ["0 ns", "200 ns"])");
  }
  std::vector<Time> entries;
  for (const ConfigValue& one : value.array()) {
    const std::string where = fmt::format("entry {}", entries.size());
    if (!one.is_text()) throw wrong(where + " must be a time, as \"200 ns\"");
    try {
      entries.push_back(parse_time(one.text()));
    } catch (const std::invalid_argument& error) {
      throw wrong(where + ": " + error.what());
    }
    if (entries.back() < Time(0)) throw wrong(where + " is negative");
    if (entries.size() > 1 && entries.back() < entries[entries.size() - 2]) {
      throw wrong(
          fmt::format("{} is less than the entry before it, {}: a higher "
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
double fair_interval(const TableFile& file, const fabric::ReactionContext& context) {
  return static_cast<double>(packet_time(*context.graph, context.fabric).count) *
         *file->hot_spot_degree;
}

/// The packet time T; or T x HSD / P, so that as many marks as the switch has ports bring a source
/// to its share of the hot link, or T x HSD, so that one does (ferrer2012, section 3.5.1).
Time slot_of(const TableFile& file, const fabric::ReactionContext& context) {
  const bool has_degree = file->hot_spot_degree.has_value();
  if (file.is_given(&Cct::has_slot_of_share) && (file.is_given(&Cct::slot) || !has_degree)) {
    throw file.error(&Cct::has_slot_of_share,
                     has_degree ? "means nothing beside reaction.slot: take one of them"
                                : "needs reaction.hot_spot_degree");
  }
  if (file.is_given(&Cct::slot)) return file->slot;
  const topology::Graph& graph = *context.graph;
  if (!has_degree) return packet_time(graph, context.fabric);
  if (file->has_slot_of_share) return Time(std::llround(fair_interval(file, context)));
  const NodeId next = graph.port(graph.port(graph.host_port(HostId(0))).to).node;
  const double ports = static_cast<double>(
      file->switch_ports.value_or(static_cast<std::int64_t>(graph.degree(next))));
  return Time(std::llround(fair_interval(file, context) / ports));
}

Time timer_of(const TableFile& file, const fabric::ReactionContext& context) {
  const bool has_degree = file->hot_spot_degree.has_value();
  if (file.is_given(&Cct::timer_factor) && (file.is_given(&Cct::timer) || !has_degree)) {
    throw file.error(&Cct::timer_factor,
                     has_degree ? "means nothing beside reaction.timer: take one of them"
                                : "needs reaction.hot_spot_degree");
  }
  if (file.is_given(&Cct::timer)) return file->timer;
  if (has_degree) return Time(std::llround(fair_interval(file, context) * file->timer_factor));
  return file->recovers_by_acks ? Time(0) : kUsualTimer;
}

/// Marks come no more often than packets: a quicker timer undoes them all.
void note_quick_timer(const TableFile& file, const fabric::ReactionContext& context, Time timer,
                      ReactionParts& parts) {
  if (timer == Time(0) || !file->hot_spot_degree.has_value()) return;
  const Time interval(std::llround(fair_interval(file, context)));
  if (timer.count > interval.count * file->increase) return;
  parts.notes.push_back(
      fmt::format("reaction.timer: {} takes back what marks add: on a full hot link a source with "
                  "its share of it hears an ACK every {} only",
                  to_string(timer), to_string(interval)));
}

/// Of an index, where the file leaves it open; checked.
std::uint32_t limit_of(const TableFile& file, std::size_t listed) {
  const bool is_list = listed > 0;
  if (is_list && file.is_given(&Cct::length) && file->length != 0) {
    throw file.error(&Cct::length, "means nothing with a list as table: it has its own length");
  }
  const std::uint32_t entries = is_list ? static_cast<std::uint32_t>(listed) : file->length;
  if (!is_list && entries == 1) {
    throw file.error(&Cct::length, "1: marks would change nothing (0: a table without bound)");
  }
  const bool is_given = file.is_given(&Cct::limit);
  if (is_given && entries > 0 && file->limit >= entries) {
    throw file.error(&Cct::limit, fmt::format("{} is beyond the table, whose last index is {}",
                                              file->limit, entries - 1));
  }
  const std::uint32_t usual = entries > 0 ? entries - 1 : 0;
  const std::uint32_t limit = is_given ? file->limit : usual;
  if (limit > 0 && file->least >= limit) {
    throw file.error(&Cct::least,
                     fmt::format("{} is not below the limit of the index, {}: marks would change "
                                 "nothing",
                                 file->least, limit));
  }
  return limit;
}

std::unique_ptr<fabric::Reaction> make_table(const TableFile& file,
                                             const fabric::ReactionContext& context) {
  ReactionParts parts;
  parts.window = read_fixed_window(file);
  DelayTableSettings table = *file;
  require_acks(context, "congestion-control-table", parts.window,
               table.recovers_by_acks ? "recover_by_acks = true" : "");
  table.entries = read_entries(file);
  if (table.entries.size() == 1) {
    throw file.error(&Cct::table, "has one entry: marks would change nothing");
  }
  if (table.entries.empty()) {
    table.slot = slot_of(file, context);
  } else if (file.is_given(&Cct::slot)) {
    throw file.error(&Cct::slot, "means nothing with a list as table");
  }
  table.limit = limit_of(file, table.entries.size());
  table.timer = timer_of(file, context);
  if (table.timer == Time(0) && !table.recovers_by_acks) {
    throw file.error(&Cct::timer, "0 and recover_by_acks = false: no index would ever go down");
  }
  parts.scope = file->scope;
  if (parts.scope == ReactionParts::Scope::service_level && parts.window.is_bounded()) {
    throw file.error(&Cct::scope,
                     "\"service-level\" has no windows, which are of flows: "
                     "window_kind = \"none\"");
  }
  std::string note = "reaction congestion-control-table: ";
  note += table.entries.empty() ? fmt::format("{} an index", to_string(table.slot))
                                : fmt::format("{} entries", table.entries.size());
  note += table.limit == 0 ? ", no limit" : fmt::format(", limit {}", table.limit);
  if (table.timer != Time(0)) note += ", timer " + to_string(table.timer);
  parts.notes.push_back(std::move(note));
  note_quick_timer(file, context, table.timer, parts);
  note_missing_marks(context, "congestion-control-table", parts);
  parts.delay = std::make_unique<DelayTable>(std::move(table));
  return std::make_unique<FlowReaction>(std::move(parts), context);
}

Keys<TableSettings> table_keys() {
  using Scope = ReactionParts::Scope;
  return Keys<TableSettings>{
      key(&Cct::table, "table",
          "delays between packets by index: \"linear\" (index times slot), or a list of times that "
          "do not decrease"),
      key(&Cct::slot, "slot",
          "slot of a linear table (default: packet time T, or by slot_rule where hot_spot_degree "
          "is given)")
          .at_least(1)
          .without_default(),
      choice(&Cct::has_slot_of_share, "slot_rule",
             "slot of a table made for a hot spot: share-over-ports, T x hot_spot_degree / "
             "switch_ports, so that as many marks as the switch has ports bring a source to its "
             "share of the hot link; share, T x hot_spot_degree, so that one mark does",
             {{"share-over-ports", false}, {"share", true}}),
      key(&Cct::hot_spot_degree, "hot_spot_degree",
          "number of sources that a hot spot has at a time")
          .range(1, 1e9),
      key(&Cct::switch_ports, "switch_ports",
          "ports P of a switch (default: those of the switch of host 0)")
          .range(1, 1'000'000),
      key(&Cct::length, "length", "entries of a linear table; 0: no bound").range(0, 1'000'000),
      key(&Cct::increase, "increase", "increase of the index by a marked ACK (CCTI_Increase)")
          .range(1, 65'535),
      key(&Cct::limit, "limit", "largest index (CCTI_Limit; default: the last entry)")
          .range(1, 16'000'000)
          .without_default(),
      key(&Cct::least, "minimum", "least index (CCTI_Min)").range(0, 65'535),
      key(&Cct::timer, "timer",
          "time after which every index goes down by one (CCTI_Timer); 0: never (default: "
          "timer_factor x T x hot_spot_degree where that is given; else 153600 ns, or 0 with "
          "recover_by_acks)")
          .without_default(),
      key(&Cct::timer_factor, "timer_factor",
          "timer of a table made for a hot spot, in T x hot_spot_degree: so far apart are the ACKs "
          "of a source at its share of a full hot link, so that the timer must be much longer, or "
          "it takes back what marks add; 0: no timer (chosen by weir)")
          .range(0, 1e9),
      key(&Cct::recovers_by_acks, "recover_by_acks",
          "whether an unmarked ACK lowers the index too"),
      choice(&Cct::scope, "scope",
             "what has an index of its own: a flow, or a service level of a host",
             {{"flow", Scope::flow}, {"service-level", Scope::service_level}})}
      .with(fixed_window_keys({false, 2}));
}

const Registration<fabric::ReactionFactory> kCongestionControlTable(
    fabric::reaction_registry(),
    {"congestion-control-table",
     "InfiniBand's table of delays between packets: marked ACKs move the index up, a timer moves "
     "it "
     "down",
     "iba2015volume1, annex A10; pfister2005cca"},
    table_keys(), make_table);

}  // namespace

}  // namespace weir::reaction
