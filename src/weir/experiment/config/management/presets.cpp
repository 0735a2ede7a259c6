#include "weir/experiment/config/management/presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/section_keys.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::experiment {

namespace {

using Type = ParameterType;

Parameter fills(Type type, const char* key, const char* value, const char* help) {
  return Parameter::of(type, key, help).by_default(value);
}

/// What sources hear, and a queue of its own for every flow.
std::vector<Parameter> and_hosts(std::vector<Parameter> keys, const char* acks, const char* help) {
  keys.push_back(fills(Type::text, "host.acks", acks, help));
  keys.push_back(fills(Type::text, "host.source_queues", "per-destination",
                       "queues in which a waiting flow holds up no other (published)"));
  return keys;
}

std::vector<Parameter> with_acks(std::vector<Parameter> keys) {
  return and_hosts(std::move(keys), "in-band", "ACK packet for each data packet (published)");
}

/// Marks at egress need buffers there.
std::vector<Parameter> with_egress(std::vector<Parameter> keys) {
  keys.push_back(fills(Type::text, "switch.architecture", "cioq",
                       "switches with egress buffers, which mark (published)"));
  return keys;
}

/// Made for Ethernet, which is lossless by pause frames.
std::vector<Parameter> over_ethernet(std::vector<Parameter> keys,
                                     const char* help = "pauses of priorities (published)") {
  keys.push_back(fills(Type::text, "flow_control.model", "pfc", help));
  return keys;
}

/// Delays from a table, changed by notifications.
std::vector<Parameter> with_becn(std::vector<Parameter> keys) {
  keys.push_back(fills(Type::text, "reaction.model", "congestion-control-table",
                       "table of delays (published)"));
  keys.push_back(fills(Type::text, "reaction.window_kind", "none",
                       "any number of packets without ACK (published)"));
  return and_hosts(std::move(keys), "becn", "a notification for each marked packet (published)");
}

/// The two-level reaction of MVCM and IOCM, with the marker that tells them apart.
std::vector<Parameter> windows_and_slots(const char* marker, const char* marks) {
  return with_egress(with_acks({fills(Type::text, "marking.model", marker, marks),
                                fills(Type::text, "reaction.model", "dynamic-window",
                                      "window, then waiting slots (published)"),
                                fills(Type::text, "reaction.recovery", "immediate",
                                      "recovery of flows that ran empty (published)")}));
}

const Registration<Preset> none(
    preset_registry(), {"none", "no congestion management", "ferrer2012, section 8.2.3", {}},
    {false, {}});

const Registration<Preset> mvcm(
    preset_registry(),
    {"mvcm", "marking and validation, dynamic windows and waiting slots",
     "ferrer2007mvcm; ferrer2012, section 6.2",
     windows_and_slots("mvpm", "marks at ingress, validates at egress (published)")},
    {});

const Registration<Preset> iocm(
    preset_registry(),
    {"iocm", "marks at ingress and egress, dynamic windows and waiting slots",
     "ferrer2010iocm; ferrer2012, section 6.3",
     windows_and_slots("iopm", "marks at ingress and at egress (published)")},
    {});

const Registration<Preset> renato(
    preset_registry(),
    {"renato", "one packet without ACK for each flow, and a linear delay between packets",
     "santos2002detection; santos2003endtoend; ferrer2012, section 3.5.1",
     with_acks({fills(Type::text, "marking.model", "rpm",
                      "marks when an input buffer is full (published)"),
                fills(Type::text, "reaction.model", "lipd",
                      "a slot more for each marked ACK (published)"),
                fills(Type::text, "reaction.recovery", "per-ack",
                      "a slot less for each unmarked ACK (chosen)"),
                fills(Type::text, "reaction.window_kind", "static",
                      "window that nothing changes (published)"),
                fills(Type::integer, "reaction.window", "1",
                      "a single packet without ACK (published)")})},
    {});

const Registration<Preset> pfister(
    preset_registry(),
    {"pfister",
     "an unbounded table of delays, made for the number of sources of the hot spot, which "
     "reaction.hot_spot_degree has to say",
     "pfister2005cca; ferrer2012, section 3.5.1",
     with_egress(
         with_acks({fills(Type::text, "marking.model", "opm", "marks at egress (published)"),
                    fills(Type::text, "reaction.model", "congestion-control-table",
                          "table of delays (published)"),
                    fills(Type::integer, "reaction.length", "0", "table without bound (published)"),
                    fills(Type::boolean, "reaction.recover_by_acks", "true",
                          "recovery by ACKs besides the timer (chosen)"),
                    fills(Type::text, "reaction.window_kind", "none",
                          "no window that marks could change (published)"),
                    fills(Type::text, "reaction.slot_rule", "share",
                          "a mark brings a source to its share of the hot link (calibrated)"),
                    fills(Type::integer, "host.source_queue_packets", "2",
                          "places of a flow until their ACKs, as many as the largest dynamic "
                          "window (calibrated)")}))},
    {true,
     {"reaction.hot_spot_degree", "reaction.slot", "reaction.table"},
     {{"reaction.slot_rule", "reaction.slot", {}},
      {"reaction.slot_rule", "reaction.table", {"linear"}},
      {"host.source_queue_packets", "host.source_queues", {"per-destination"}},
      {"host.source_queue_packets", "host.acks", {"in-band", "ideal"}}}});

const Registration<Preset> ib_cca(
    preset_registry(),
    {"ib-cca", "InfiniBand's congestion control: FECN, BECN and a table of delays in the adapter",
     "iba2015volume1, annex A10; gusat2005infiniband",
     with_becn({fills(Type::text, "marking.model", "fecn",
                      "marks at the root of congestion (published)"),
                fills(Type::integer, "reaction.increase", "1", "CCTI_Increase (published)"),
                fills(Type::time, "reaction.timer", "153600 ns",
                      "CCTI_Timer, 150 units of 1.024 us (published)")})},
    {});

const Registration<Preset> ccfit(
    preset_registry(),
    {"ccfit",
     "congested flows are set aside (FBICM), and outputs for which much is set aside mark to slow "
     "their sources down",
     "escudero2011ccfit",
     with_becn({fills(Type::text, "isolation.model", "fbicm",
                      "queues of their own for congested flows (published)"),
                fills(Type::text, "marking.model", "ccfit",
                      "marks where much is set aside (published)"),
                fills(Type::time, "reaction.timer", "153600 ns",
                      "CCTI_Timer, 150 units of 1.024 us, as in ib-cca (chosen)")})},
    {});

const Registration<Preset> dcqcn(
    preset_registry(),
    {"dcqcn",
     "what RDMA over Ethernet runs: marks by random early detection, notifications, rates in "
     "stages; thresholds are those for links of 40 Gbps",
     "zhu2015dcqcn",
     over_ethernet(and_hosts(
         {fills(Type::text, "marking.model", "red", "marks at egress (published)"),
          fills(Type::bytes, "marking.low_bytes", "5 KB", "K_min (published)"),
          fills(Type::bytes, "marking.high_bytes", "200 KB", "K_max (published)"),
          fills(Type::real, "marking.probability", "0.01", "P_max (published)"),
          fills(Type::real, "marking.weight", "1.0", "of the queue itself (published)"),
          fills(Type::text, "marking.spread", "independent",
                "marks that do not depend on each other (published)"),
          fills(Type::text, "reaction.model", "dcqcn", "rate of each flow (published)")},
         "becn", "a notification for a marked packet, at most one in a while (published)"))},
    {});

const Registration<Preset> qcn(
    preset_registry(),
    {"qcn", "quantized congestion notification: switches send messages to sources", "ieee2010qau",
     over_ethernet({fills(Type::text, "marking.model", "qcn", "congestion points (published)"),
                    fills(Type::text, "reaction.model", "qcn", "rate limiters (published)"),
                    fills(Type::text, "host.source_queues", "per-destination",
                          "queues in which a waiting flow holds up no other (published)")})},
    {});

const Registration<Preset> hpcc(
    preset_registry(),
    {"hpcc", "windows from what switches write into packets (in-band telemetry)", "li2019hpcc",
     over_ethernet(with_acks(
         {fills(Type::text, "marking.model", "telemetry", "in-band telemetry (published)"),
          fills(Type::text, "reaction.model", "hpcc", "windows and rates (published)")}))},
    {});

const Registration<Preset> swift(
    preset_registry(),
    {"swift", "windows that keep the delay of ACKs at a target; switches take no part",
     "kumar2020swift",
     over_ethernet(with_acks({fills(Type::text, "reaction.model", "swift",
                                    "delay-based windows (published)")}),
                   "pauses of priorities (chosen; published: packets are dropped)")},
    {});

const Registration<Preset> timely(
    preset_registry(),
    {"timely", "rates that follow the gradient of round-trip times; switches take no part",
     "mittal2015timely",
     over_ethernet(with_acks({fills(Type::text, "reaction.model", "timely",
                                    "rates by round trips (published)")}))},
    {});

/// Of yan2012: marks by counters, a rate for each flow.
std::vector<Parameter> with_rates(const char* law) {
  return and_hosts({fills(Type::text, "marking.model", "ecn-counters",
                          "marks when an input buffer is full (published)"),
                    fills(Type::text, "reaction.model", law, "rate of each flow (published)"),
                    fills(Type::text, "reaction.recovery", "per-ack",
                          "unmarked ACKs that raise the rate (published)"),
                    fills(Type::text, "reaction.window_kind", "static",
                          "window that nothing changes (published)"),
                    fills(Type::integer, "reaction.window", "8",
                          "packets of a flow without ACK: the buffer (chosen)")},
                   "ideal", "ACKs that cost no bandwidth (chosen)");
}

const Registration<Preset> fimd(preset_registry(),
                                {"fimd", "fast increase, multiplicative decrease of rates",
                                 "santos2003endtoend; yan2012, sections 3.3.1 and 3.4",
                                 with_rates("fimd")},
                                {});
const Registration<Preset> pipd(preset_registry(),
                                {"pipd", "power increase, power decrease of rates",
                                 "yan2006pipd; yan2012, section 3.3", with_rates("pipd")},
                                {});

const Registration<Preset> traffic_classes(
    preset_registry(),
    {"traffic-classes",
     "DBTS, DB, PBE and BE traffic as service levels 0 to 3 on VLs of their own: connections of "
     "DBTS fill the high-priority table, those of DB the low-priority one, where PBE has more "
     "weight than BE",
     "yan2012, sections 2.2 and 5.2",
     {fills(Type::text, "queueing.model", "service-level", "VLs by service level"),
      fills(Type::integer, "queueing.vls", "4", "a VL for each class"),
      fills(Type::text, "switch.arbiter", "vl-weighted", "VL arbitration"),
      fills(Type::any, "vl_arbitration.low", "[{ vl = 2, weight = 255 }, { vl = 3, weight = 64 }]",
            "what the classes without connections weigh: PBE before BE"),
      fills(Type::text, "admission.model", "link-by-link",
            "bandwidth for connections of DBTS and DB, which have a 'reserve'"),
      fills(Type::text, "admission.tables", "connections", "entries for connections"),
      fills(Type::integers, "admission.high_vls", "[0]", "DBTS is in the high-priority table")}},
    {false, {}});

/// What is set aside stands at both sides of a port, so that isolation has the switches for that.
constexpr const char* kArchitecture = "switch.architecture";

std::string text_at(const ConfigTable& table, const std::string& key) {
  const ConfigValue* value = find_value(table, key);
  return value != nullptr && value->is_text() ? value->text() : std::string();
}

ConfigValue value_of(const Parameter& key, const SourcePosition& position) {
  const std::string& text = *key.default_text;
  switch (key.type) {
    case Type::integer:
      return {std::int64_t{std::stoll(text)}, position};
    case Type::boolean:
      return {text == "true", position};
    case Type::real:
      return {std::stod(text), position};
    case Type::any:
    case Type::integers: {
      ConfigValue value = *parse_toml("value = " + text, "preset").find("value");
      value.position = position;
      return value;
    }
    default:
      return {text, position};
  }
}

/// Null: the preset says nothing of it.
const Parameter* key_of(const ModelInfo& preset, const std::string& name) {
  const auto it = std::find_if(preset.parameters.begin(), preset.parameters.end(),
                               [&](const Parameter& one) { return one.name == name; });
  return it == preset.parameters.end() ? nullptr : &*it;
}

/// The experiment may choose another model than the preset, but then what the preset says of its
/// own model means nothing.
bool has_other_model(const ConfigTable& experiment, const ModelInfo& preset,
                     const std::string& section) {
  const Parameter* key = key_of(preset, section + ".model");
  return key != nullptr && find_value(experiment, key->name) != nullptr &&
         text_at(experiment, key->name) != *key->default_text;
}

bool is_left_out(const ConfigTable& experiment, const Preset& preset, const std::string& key) {
  return std::any_of(preset.left_out.begin(), preset.left_out.end(), [&](const auto& one) {
    if (one.key != key || find_value(experiment, one.beside) == nullptr) return false;
    const std::string own = text_at(experiment, one.beside);
    return std::find(one.but_for.begin(), one.but_for.end(), own) == one.but_for.end();
  });
}

void refuse_contradictions(const ConfigTable& experiment, const ModelInfo& preset,
                           const Preset& needs) {
  for (const char* key : {"isolation.model", "marking.model", "reaction.model", "host.acks"}) {
    if (text_at(experiment, key) != "none" || key_of(preset, key) == nullptr) continue;
    const bool isolates = key_of(preset, "isolation.model") != nullptr;
    throw InputError(position_of(experiment, key), key,
                     fmt::format("\"none\" contradicts management.preset = \"{}\", which needs "
                                 "{}marks, a reaction to them and ACKs",
                                 preset.name, isolates ? "isolation, " : ""));
  }
  const bool is_complete =
      needs.needed.empty() || has_other_model(experiment, preset, "reaction") ||
      std::any_of(needs.needed.begin(), needs.needed.end(),
                  [&](const std::string& key) { return find_value(experiment, key) != nullptr; });
  if (is_complete) return;
  throw InputError(position_of(experiment, "management.preset"), "management.preset",
                   fmt::format("\"{}\" needs {}", preset.name, needs.needed.front()));
}

void lay_under(ConfigTable& experiment, const std::string& key, const ConfigValue& value) {
  const std::size_t dot = key.find('.');
  const std::string section = key.substr(0, dot);
  ConfigTable keys = section_table(experiment, section);
  keys.set(key.substr(dot + 1), value);
  const SourcePosition place = keys.position;
  experiment.set(section, ConfigValue(std::move(keys), place));
}

void choose_architecture(ConfigTable& experiment) {
  const std::string isolation = text_at(experiment, "isolation.model");
  if (isolation.empty() || isolation == "none") return;
  if (find_value(experiment, kArchitecture) != nullptr) return;
  const SourcePosition position = position_of(experiment, "isolation.model");
  lay_under(experiment, kArchitecture, ConfigValue(std::string("cioq"), position));
}

void erase_unwritten(ConfigTable& resolved, const ConfigTable& written, const std::string& key) {
  const std::size_t dot = key.find('.');
  ConfigValue* section = resolved.find(key.substr(0, dot));
  if (section == nullptr || find_value(written, key) != nullptr) return;
  section->table().erase(key.substr(dot + 1));
}

}  // namespace

Registry<Preset>& preset_registry() {
  static Registry<Preset> registry("preset");
  return registry;
}

void apply_preset(ConfigTable& experiment) {
  const Checked<ManagementKeys> keys = read_section(management_keys(), experiment, "management");
  const SourcePosition position = position_of(experiment, "management.preset");
  const auto& preset = preset_registry().find(keys->preset, position, "management.preset");
  if (preset.make.manages) refuse_contradictions(experiment, preset.info, preset.make);
  ConfigTable filled;
  for (const Parameter& key : preset.info.parameters) {
    const std::string section = key.name.substr(0, key.name.find('.'));
    if (find_value(experiment, key.name) != nullptr) continue;
    if (has_other_model(experiment, preset.info, section)) continue;
    if (is_left_out(experiment, preset.make, key.name)) continue;
    lay_over(filled, nested(key.name, value_of(key, position)));
  }
  // Key by key: a table with a model would replace the one that is there.
  for (const KeyedValue& one : flattened(filled)) lay_under(experiment, one.key, one.value);
  choose_architecture(experiment);
}

void take_preset_out(ConfigTable& resolved, const ConfigTable& written) {
  for (const char* section :
       {"isolation", "marking", "reaction", "queueing", "admission", "vl_arbitration"}) {
    resolved.erase(section);
    if (const ConfigValue* value = written.find(section)) resolved.set(section, *value);
  }
  for (const char* key :
       {"host.acks", "host.source_queues", "host.source_queue_packets", "switch.arbiter"})
    erase_unwritten(resolved, written, key);
  take_architecture_out(resolved, written);
}

void take_architecture_out(ConfigTable& resolved, const ConfigTable& written) {
  erase_unwritten(resolved, written, kArchitecture);
}

}  // namespace weir::experiment
