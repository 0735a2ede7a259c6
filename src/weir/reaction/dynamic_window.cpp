#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/parameters.hpp"
#include "weir/reaction/waiting_slots.hpp"

namespace weir::reaction {

namespace {

/// The network's constants, found when the first of them is needed.
class Constants {
 public:
  Constants(const Settings& settings, const fabric::ReactionContext& context)
      : settings_(settings), context_(context) {}

  const NetworkConstants& get() {
    if (found_) return *found_;
    found_ = network_constants(*context_.graph, *context_.routing, context_.fabric);
    if (settings_.has("hops")) found_->hops = static_cast<std::uint32_t>(settings_.integer("hops"));
    if (settings_.has("hop_time")) found_->hop_time = settings_.time("hop_time");
    return *found_;
  }
  /// "; h = 9 switches x 3 ns, ..." where the constants were used.
  [[nodiscard]] std::string note() const {
    if (!found_) return {};
    return fmt::format("; h = {} switches of {}, RTT_min {}, omega {:.4g}", found_->hops,
                       to_string(found_->hop_time), to_string(found_->slot()),
                       found_->round_trip_packets(found_->data));
  }

 private:
  const Settings& settings_;
  const fabric::ReactionContext& context_;
  std::optional<NetworkConstants> found_;
};

Window read_dynamic(const Settings& settings, Constants& constants) {
  const bool fractional = settings.boolean("fractional");
  double size = 0;
  if (settings.has("window")) {
    size = settings.real("window");
  } else if (fractional) {
    size = constants.get().round_trip_packets(constants.get().data);
  } else {
    size = constants.get().window();
  }
  if (!fractional && size != std::floor(size)) {
    throw settings.error("window", "must be a whole number unless fractional = true");
  }
  if (size > Window::kMostDynamic) {
    throw settings.error(settings.has("window") ? "window" : "window_kind",
                         fmt::format("a dynamic window has at most {} packets, not {:.6g}",
                                     Window::kMostDynamic, size));
  }
  return Window::dynamic(size);
}

Window read_window(const Settings& settings, Constants& constants) {
  const std::string& kind = settings.text("window_kind");
  if (kind == "dynamic") return read_dynamic(settings, constants);
  if (settings.boolean("fractional")) {
    throw settings.error("fractional", "needs window_kind = \"dynamic\", not \"" + kind + "\"");
  }
  if (kind == "none") {
    if (settings.has("window")) {
      throw settings.error("window", "means nothing with window_kind = \"none\"");
    }
    return Window::none();
  }
  const double size = settings.has("window") ? settings.real("window") : constants.get().window();
  if (size != std::floor(size)) throw settings.error("window", "must be a whole number");
  return Window::fixed(static_cast<std::uint32_t>(size));
}

void refuse_without_slots(const Settings& settings) {
  for (const char* key : {"slot", "slot_factor", "slot_steps", "wait_from"}) {
    if (settings.has(key)) throw settings.error(key, "means nothing with slots = \"off\"");
  }
}

SlotSettings read_slots(const Settings& settings, const Window& window, Constants& constants) {
  SlotSettings out;
  const std::string& kind = settings.text("slots");
  const bool is_linear = kind == "linear";
  out.growth = is_linear ? SlotSettings::Growth::linear : SlotSettings::Growth::geometric;
  out.slot = settings.has("slot") ? settings.time("slot") : constants.get().slot();
  if (!is_linear) {
    out.factor = settings.has("slot_factor") ? settings.real("slot_factor") : constants.get().radix;
  } else if (settings.has("slot_factor")) {
    throw settings.error("slot_factor", "means nothing with slots = \"linear\"");
  }
  if (settings.has("slot_steps")) {
    if (kind == "unlimited") {
      throw settings.error("slot_steps", "means nothing with slots = \"unlimited\"");
    }
    out.most_steps = static_cast<std::uint32_t>(settings.integer("slot_steps"));
  } else if (kind == "geometric") {
    out.most_steps = constants.get().stages;
  }
  if (out.most_steps > 0 && !settings.boolean("count_first_step")) ++out.most_steps;
  const std::string from = settings.has("wait_from") ? settings.text("wait_from")
                           : window.is_bounded()     ? "ack"
                                                     : "injection";
  out.origin = from == "ack" ? SlotSettings::Origin::ack : SlotSettings::Origin::injection;
  out.removal = settings.text("slot_removal") == "all" ? SlotSettings::Removal::all
                                                       : SlotSettings::Removal::one;
  return out;
}

std::string window_text(const Window& window) {
  if (!window.is_bounded()) return "no window";
  return fmt::format("{} window of {}", window.is_dynamic() ? "dynamic" : "static",
                     window.largest());
}

std::string slots_text(const SlotSettings& slots) {
  std::string text = ", slots of " + to_string(slots.slot);
  if (slots.growth == SlotSettings::Growth::geometric) {
    text += fmt::format(" times {:.6g}", slots.factor);
  }
  text +=
      slots.most_steps == 0 ? " without bound" : fmt::format(" up to step {}", slots.most_steps);
  return text + (slots.origin == SlotSettings::Origin::ack ? ", counted from ACKs"
                                                           : ", counted from injections");
}

std::unique_ptr<fabric::Reaction> make_dynamic_window(const Settings& settings,
                                                      const fabric::ReactionContext& context) {
  Constants constants(settings, context);
  ReactionParts parts;
  parts.window = read_window(settings, constants);
  parts.scope = read_scope(settings);
  std::string note = "reaction dynamic-window: " + window_text(parts.window);
  if (parts.scope == ReactionParts::Scope::host) note += " for each host";
  const bool has_slots = settings.text("slots") != "off";
  require_acks(context, "dynamic-window", parts.window, has_slots ? "slots" : "window_kind");
  if (has_slots) {
    const SlotSettings slots = read_slots(settings, parts.window, constants);
    note += slots_text(slots);
    parts.delay = std::make_unique<WaitingSlots>(slots);
  } else {
    refuse_without_slots(settings);
    if (!parts.window.is_bounded()) {
      throw settings.error("slots",
                           "\"off\" with window_kind = \"none\" leaves nothing to react with");
    }
    parts.delay = std::make_unique<NoDelay>();
  }
  if (settings.text("recovery") == "immediate") {
    parts.fresh_start = settings.text("empty") == "acknowledged"
                            ? ReactionParts::FreshStart::nothing_on_its_way
                            : ReactionParts::FreshStart::nothing_waiting;
  }
  parts.notes.push_back(note + constants.note());
  if (parts.window.is_dynamic() || has_slots) {
    note_missing_marks(context, "dynamic-window", parts);
  }
  return std::make_unique<FlowReaction>(std::move(parts), context);
}

std::vector<Parameter> dynamic_window_parameters() {
  using Type = ParameterType;
  return {
      Parameter::of(
          Type::text, "window_kind",
          "bound on the packets of a flow without ACK: dynamic, a window that marks make smaller, "
          "down to one packet; static, a window that they do not change; none, any number")
          .by_default("dynamic")
          .one_of({"dynamic", "static", "none"}),
      Parameter::of(Type::real, "window",
                    "packets of a full window DW_max (default: the next integer of omega, the "
                    "largest packets that fill the round trip of the longest path)")
          .range(1, 1'000'000),
      Parameter::of(Type::boolean, "fractional",
                    "mean of the full windows of flows, each of which is the integer below or "
                    "above it (default: omega)")
          .by_default("false"),
      Parameter::of(Type::text, "slots",
                    "how long a flow waits when its window is one packet and marks go on: "
                    "geometric, 1, k, k^2, ... slots up to n steps; unlimited, the same without "
                    "bound; linear, 1, 2, 3, ... slots; off, not at all")
          .by_default("geometric")
          .one_of({"geometric", "unlimited", "linear", "off"}),
      Parameter::of(
          Type::time, "slot",
          "length of a waiting slot (default: RTT_min of the largest packet on the longest path)")
          .at_least(1),
      Parameter::of(Type::real, "slot_factor",
                    "factor k between the steps (default: the hosts of a first-stage switch)")
          .range(1, 1e6),
      Parameter::of(Type::integer, "slot_steps",
                    "most steps n (default: the stages of the network; linear: no bound)")
          .range(1, 1'000'000),
      Parameter::of(Type::boolean, "count_first_step",
                    "whether the step from 0 to 1 slot counts as one of them")
          .by_default("true"),
      Parameter::of(Type::text, "slot_removal",
                    "what an unmarked ACK takes away: all slots, or one step")
          .by_default("all")
          .one_of({"all", "one"}),
      Parameter::of(Type::text, "wait_from",
                    "from when a wait counts: ack, the flow's latest ACK; injection, its latest "
                    "packet (default: ack; without window: injection)")
          .one_of({"ack", "injection"}),
      Parameter::of(Type::text, "recovery",
                    "recovery of a flow: immediate, one whose queue was empty begins afresh with "
                    "its next packet; progressive, only unmarked ACKs bring it back")
          .by_default("immediate")
          .one_of({"immediate", "progressive"}),
      Parameter::of(Type::text, "empty",
                    "when a queue counts as empty: when all packets of its flow are acknowledged, "
                    "or injected")
          .by_default("acknowledged")
          .one_of({"acknowledged", "injected"}),
      scope_parameter(),
      Parameter::of(Type::integer, "hops", "switches h of the longest path (default: measured)")
          .range(1, 10'000),
      Parameter::of(Type::time, "hop_time",
                    "time of a hop, t_hop (default: routing, crossbar and the link of a host)")};
}

const Registration<fabric::ReactionFactory> kDynamicWindow(
    fabric::reaction_registry(),
    {"dynamic-window",
     "marks make the window of a flow smaller, then make it wait for slots between its packets "
     "(MVCM, IOCM)",
     "ferrer2012, sections 5.2, 6.2.2 and 6.3.2", dynamic_window_parameters()},
    make_dynamic_window);

}  // namespace

}  // namespace weir::reaction
