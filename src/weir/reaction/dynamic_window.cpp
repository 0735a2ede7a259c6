#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/parameters.hpp"
#include "weir/reaction/waiting_slots.hpp"

namespace weir::reaction {

namespace {

enum class WindowKind : std::uint8_t { dynamic, fixed, none };
enum class SlotKind : std::uint8_t { geometric, unlimited, linear, off };

struct DynamicWindowSettings : WindowScope {
  WindowKind window_kind = WindowKind::dynamic;
  std::optional<double> window;
  bool is_fractional = false;
  SlotKind slots = SlotKind::geometric;
  std::optional<Time> slot;
  std::optional<double> slot_factor;
  std::optional<std::uint32_t> slot_steps;
  bool counts_first_step = true;
  SlotSettings::Removal slot_removal = SlotSettings::Removal::all;
  std::optional<SlotSettings::Origin> wait_from;
  bool is_immediate = true;
  ReactionParts::FreshStart empty = ReactionParts::FreshStart::nothing_on_its_way;
  std::optional<std::uint32_t> hops;
  std::optional<Time> hop_time;
};

using WindowFile = Checked<DynamicWindowSettings>;
using Dynamic = DynamicWindowSettings;

/// The network's constants, found when the first of them is needed.
class Constants {
 public:
  Constants(const DynamicWindowSettings& settings, const fabric::ReactionContext& context)
      : settings_(settings), context_(context) {}

  const NetworkConstants& get() {
    if (found_) return *found_;
    found_ = network_constants(*context_.graph, *context_.routing, context_.fabric);
    found_->hops = settings_.hops.value_or(found_->hops);
    found_->hop_time = settings_.hop_time.value_or(found_->hop_time);
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
  const DynamicWindowSettings& settings_;
  const fabric::ReactionContext& context_;
  std::optional<NetworkConstants> found_;
};

double full_window(const DynamicWindowSettings& settings, Constants& constants) {
  if (settings.window) return *settings.window;
  const NetworkConstants& network = constants.get();
  return settings.is_fractional ? network.round_trip_packets(network.data) : network.window();
}

Window read_dynamic(const WindowFile& file, Constants& constants) {
  const double size = full_window(*file, constants);
  if (!file->is_fractional && size != std::floor(size))
    throw file.error(&Dynamic::window, "must be a whole number unless fractional = true");
  if (size <= Window::kMostDynamic) return Window::dynamic(size);
  const std::string why = fmt::format("a dynamic window has at most {} packets, not {:.6g}",
                                      Window::kMostDynamic, size);
  throw file->window ? file.error(&Dynamic::window, why) : file.error(&Dynamic::window_kind, why);
}

Window read_window(const WindowFile& file, Constants& constants) {
  if (file->window_kind == WindowKind::dynamic) return read_dynamic(file, constants);
  const bool is_none = file->window_kind == WindowKind::none;
  if (file->is_fractional) {
    throw file.error(
        &Dynamic::is_fractional,
        fmt::format("needs window_kind = \"dynamic\", not \"{}\"", is_none ? "none" : "static"));
  }
  if (is_none) {
    if (file->window)
      throw file.error(&Dynamic::window, "means nothing with window_kind = \"none\"");
    return Window::none();
  }
  const double size = full_window(*file, constants);
  if (size != std::floor(size)) throw file.error(&Dynamic::window, "must be a whole number");
  return Window::fixed(static_cast<std::uint32_t>(size));
}

void refuse_without_slots(const WindowFile& file) {
  const auto refuse = [&](auto member) {
    if (file.is_given(member)) throw file.error(member, "means nothing with slots = \"off\"");
  };
  refuse(&Dynamic::slot);
  refuse(&Dynamic::slot_factor);
  refuse(&Dynamic::slot_steps);
  refuse(&Dynamic::wait_from);
}

/// Most steps n, 0: any number.
std::uint32_t most_steps(const WindowFile& file, Constants& constants) {
  if (!file->slot_steps) return file->slots == SlotKind::geometric ? constants.get().stages : 0;
  if (file->slots == SlotKind::unlimited)
    throw file.error(&Dynamic::slot_steps, "means nothing with slots = \"unlimited\"");
  return *file->slot_steps;
}

SlotSettings read_slots(const WindowFile& file, const Window& window, Constants& constants) {
  using Origin = SlotSettings::Origin;
  SlotSettings out;
  const bool is_linear = file->slots == SlotKind::linear;
  out.growth = is_linear ? SlotSettings::Growth::linear : SlotSettings::Growth::geometric;
  out.slot = file->slot ? *file->slot : constants.get().slot();
  if (!is_linear) {
    out.factor = file->slot_factor ? *file->slot_factor : constants.get().radix;
  } else if (file->slot_factor) {
    throw file.error(&Dynamic::slot_factor, "means nothing with slots = \"linear\"");
  }
  out.most_steps = most_steps(file, constants);
  if (out.most_steps > 0 && !file->counts_first_step) ++out.most_steps;
  out.origin = file->wait_from.value_or(window.is_bounded() ? Origin::ack : Origin::injection);
  out.removal = file->slot_removal;
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

std::unique_ptr<fabric::Reaction> make_dynamic_window(const WindowFile& file,
                                                      const fabric::ReactionContext& context) {
  Constants constants(*file, context);
  ReactionParts parts;
  parts.window = read_window(file, constants);
  parts.scope = file->scope;
  std::string note = "reaction dynamic-window: " + window_text(parts.window);
  if (parts.scope == ReactionParts::Scope::host) note += " for each host";
  const bool has_slots = file->slots != SlotKind::off;
  require_acks(context, "dynamic-window", parts.window, has_slots ? "slots" : "window_kind");
  if (has_slots) {
    const SlotSettings slots = read_slots(file, parts.window, constants);
    note += slots_text(slots);
    parts.delay = std::make_unique<WaitingSlots>(slots);
  } else {
    refuse_without_slots(file);
    if (!parts.window.is_bounded()) {
      throw file.error(&Dynamic::slots,
                       "\"off\" with window_kind = \"none\" leaves nothing to react with");
    }
    parts.delay = std::make_unique<NoDelay>();
  }
  if (file->is_immediate) parts.fresh_start = file->empty;
  parts.notes.push_back(note + constants.note());
  if (parts.window.is_dynamic() || has_slots) {
    note_missing_marks(context, "dynamic-window", parts);
  }
  return std::make_unique<FlowReaction>(std::move(parts), context);
}

Keys<DynamicWindowSettings> dynamic_window_keys() {
  using FreshStart = ReactionParts::FreshStart;
  using Origin = SlotSettings::Origin;
  using Removal = SlotSettings::Removal;
  return {
      choice(&Dynamic::window_kind, "window_kind",
             "bound on the packets of a flow without ACK: dynamic, a window that marks make "
             "smaller, down to one packet; static, a window that they do not change; none, any "
             "number",
             {{"dynamic", WindowKind::dynamic},
              {"static", WindowKind::fixed},
              {"none", WindowKind::none}}),
      key(&Dynamic::window, "window",
          "packets of a full window DW_max (default: the next integer of omega, the largest "
          "packets that fill the round trip of the longest path)")
          .range(1, 1'000'000),
      key(&Dynamic::is_fractional, "fractional",
          "mean of the full windows of flows, each of which is the integer below or above it "
          "(default: omega)"),
      choice(
          &Dynamic::slots, "slots",
          "how long a flow waits when its window is one packet and marks go on: geometric, 1, k, "
          "k^2, ... slots up to n steps; unlimited, the same without bound; linear, 1, 2, 3, ... "
          "slots; off, not at all",
          {{"geometric", SlotKind::geometric},
           {"unlimited", SlotKind::unlimited},
           {"linear", SlotKind::linear},
           {"off", SlotKind::off}}),
      key(&Dynamic::slot, "slot",
          "length of a waiting slot (default: RTT_min of the largest packet on the longest path)")
          .at_least(1),
      key(&Dynamic::slot_factor, "slot_factor",
          "factor k between the steps (default: the hosts of a first-stage switch)")
          .range(1, 1e6),
      key(&Dynamic::slot_steps, "slot_steps",
          "most steps n (default: the stages of the network; linear: no bound)")
          .range(1, 1'000'000),
      key(&Dynamic::counts_first_step, "count_first_step",
          "whether the step from 0 to 1 slot counts as one of them"),
      choice(&Dynamic::slot_removal, "slot_removal",
             "what an unmarked ACK takes away: all slots, or one step",
             {{"all", Removal::all}, {"one", Removal::one}}),
      choice(&Dynamic::wait_from, "wait_from",
             "from when a wait counts: ack, the flow's latest ACK; injection, its latest packet "
             "(default: ack; without window: injection)",
             {{"ack", Origin::ack}, {"injection", Origin::injection}}),
      choice(&Dynamic::is_immediate, "recovery",
             "recovery of a flow: immediate, one whose queue was empty begins afresh with its next "
             "packet; progressive, only unmarked ACKs bring it back",
             {{"immediate", true}, {"progressive", false}}),
      choice(&Dynamic::empty, "empty",
             "when a queue counts as empty: when all packets of its flow are acknowledged, or "
             "injected",
             {{"acknowledged", FreshStart::nothing_on_its_way},
              {"injected", FreshStart::nothing_waiting}}),
      scope_key(),
      key(&Dynamic::hops, "hops", "switches h of the longest path (default: measured)")
          .range(1, 10'000),
      key(&Dynamic::hop_time, "hop_time",
          "time of a hop, t_hop (default: routing, crossbar and the link of a host)")};
}

const Registration<fabric::ReactionFactory> kDynamicWindow(
    fabric::reaction_registry(),
    {"dynamic-window",
     "marks make the window of a flow smaller, then make it wait for slots between its packets "
     "(MVCM, IOCM)",
     "ferrer2012, sections 5.2, 6.2.2 and 6.3.2"},
    dynamic_window_keys(), make_dynamic_window);

}  // namespace

}  // namespace weir::reaction
