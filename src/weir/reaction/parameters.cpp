#include "weir/reaction/parameters.hpp"

#include <fmt/format.h>

#include <utility>

#include "weir/marking/switch_marker.hpp"
#include "weir/reaction/network_constants.hpp"

namespace weir::reaction {

using fabric::AckMode;

Keys<FixedWindow> fixed_window_keys(FixedWindow defaults) {
  return {defaults,
          {choice(&FixedWindow::is_bounded, "window_kind",
                  "bound on the packets of a flow without ACK: static, at most `window`; none, any "
                  "number",
                  {{"static", true}, {"none", false}}),
           key(&FixedWindow::packets, "window", "packets of a static window").range(1, 1'000'000)}};
}

Window read_fixed_window(const Checked<FixedWindow>& file) {
  if (file->is_bounded) return Window::fixed(file->packets);
  if (!file.is_given(&FixedWindow::packets)) return Window::none();
  throw file.error(&FixedWindow::packets, "means nothing with reaction.window_kind = \"none\"");
}

Key<WindowScope> scope_key() {
  using Scope = ReactionParts::Scope;
  return choice(&WindowScope::scope, "scope",
                "what has a window and a wait of its own: a flow, which is a pair of hosts, or all "
                "that a host sends",
                {{"flow", Scope::flow}, {"host", Scope::host}});
}

void require_acks(const fabric::ReactionContext& context, const std::string& model,
                  const Window& window, const std::string& because) {
  const AckMode acks = context.fabric.acks;
  if (acks == AckMode::none) {
    throw InputError(
        "host.acks",
        fmt::format("reaction.model = \"{}\" learns of marks by ACKs, but host.acks = \"none\"; "
                    "choose \"in-band\", \"ideal\"{}",
                    model, window.is_bounded() || !because.empty() ? "" : " or \"becn\""));
  }
  if (acks != AckMode::becn) return;
  if (window.is_bounded()) {
    throw InputError(
        "host.acks",
        fmt::format(
            "reaction.model = \"{}\" has a window and counts packets without ACK, but "
            "host.acks = \"becn\" answers marked ones only; choose \"in-band\" or \"ideal\", or "
            "reaction.window_kind = \"none\"",
            model));
  }
  if (because.empty()) return;
  throw InputError(
      "host.acks",
      fmt::format("reaction.{} needs ACKs without mark, but host.acks = \"becn\" sends "
                  "none; choose \"in-band\" or \"ideal\"",
                  because));
}

void note_missing_marks(const fabric::ReactionContext& context, const std::string& model,
                        ReactionParts& parts) {
  const std::string reacts = fmt::format("reaction.model = \"{}\" reacts to marks, but ", model);
  if (!context.marker) {
    parts.notes.push_back(reacts + "marking.model = \"none\": nothing is marked");
    return;
  }
  const auto* marker = dynamic_cast<const marking::SwitchMarker*>(context.marker.get());
  if (marker == nullptr) return;
  const std::string marks = fmt::format("{}marking.model = \"{}\" ", reacts, marker->name());
  if (const auto silence = marker->silence(context.fabric.architecture)) {
    parts.notes.push_back(fmt::format("{}never sets one: marking.{}", marks, *silence));
  } else {
    parts.unmarked = marks + "has set none";
  }
}

const Keys<RateSettings>& rate_keys() {
  using R = RateSettings;
  static const Keys<R> keys =
      Keys<R>{
          choice(&R::starts_full, "start", "rate of a new flow: least_rate, or the link's",
                 {{"least", false}, {"full", true}}),
          key(&R::least_rate, "least_rate", "lowest rate R_min of a flow, over that of the link")
              .range(1e-9, 0.999),
          choice(&R::recovery, "recovery",
                 "what raises the rate: per-ack, every unmarked ACK; elapsed-time, time",
                 {{"per-ack", Recovery::per_ack}, {"elapsed-time", Recovery::elapsed_time}})}
          .with(fixed_window_keys({}));
  return keys;
}

Keys<FactorSettings> factor_keys() {
  return Keys<FactorSettings>{
      key(&FactorSettings::factor, "factor", "factor m of the decrease (n in FIMD)")
          .range(1.0001, 1e6)}
      .with(rate_keys());
}

std::unique_ptr<fabric::Reaction> make_rate_reaction(const std::string& model,
                                                     std::unique_ptr<const RateLaw> law,
                                                     const Checked<RateSettings>& file,
                                                     const fabric::ReactionContext& context) {
  ReactionParts parts;
  parts.window = read_fixed_window(file);
  const Recovery recovery = file->recovery;
  require_acks(context, model, parts.window,
               recovery == Recovery::per_ack ? "recovery = \"per-ack\"" : "");
  const double start = file->starts_full ? 1.0 : law->least();
  const Time packet = packet_time(*context.graph, context.fabric);
  parts.notes.push_back(fmt::format("reaction {}: rates from {:.4g} to 1 packet in {}", model,
                                    law->least(), to_string(packet)));
  note_missing_marks(context, model, parts);
  parts.delay = std::make_unique<RateDelay>(std::move(law), recovery, start, packet);
  return std::make_unique<FlowReaction>(std::move(parts), context);
}

}  // namespace weir::reaction
