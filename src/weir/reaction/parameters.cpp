#include "weir/reaction/parameters.hpp"

#include <fmt/format.h>

#include <utility>

#include "weir/marking/switch_marker.hpp"
#include "weir/reaction/network_constants.hpp"

namespace weir::reaction {

using fabric::AckMode;

std::vector<Parameter> joined(std::vector<Parameter> first, const std::vector<Parameter>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Parameter> fixed_window_parameters(const std::string& kind,
                                               const std::string& default_size) {
  return {
      Parameter::of(
          ParameterType::text, "window_kind",
          "bound on the packets of a flow without ACK: static, at most `window`; none, any number")
          .by_default(kind)
          .one_of({"static", "none"}),
      Parameter::of(ParameterType::integer, "window", "packets of a static window")
          .by_default(default_size)
          .range(1, 1'000'000)};
}

Window read_fixed_window(const Settings& settings) {
  if (settings.text("window_kind") == "static") {
    return Window::fixed(static_cast<std::uint32_t>(settings.integer("window")));
  }
  if (settings.given("window")) {
    throw settings.error("window", "means nothing with reaction.window_kind = \"none\"");
  }
  return Window::none();
}

Parameter scope_parameter() {
  return Parameter::of(ParameterType::text, "scope",
                       "what has a window and a wait of its own: a flow, which is a pair of hosts, "
                       "or all that a host sends")
      .by_default("flow")
      .one_of({"flow", "host"});
}

ReactionParts::Scope read_scope(const Settings& settings) {
  return settings.text("scope") == "host" ? ReactionParts::Scope::host : ReactionParts::Scope::flow;
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

std::vector<Parameter> rate_parameters() {
  return joined(
      {Parameter::of(ParameterType::text, "start", "rate of a new flow: least_rate, or the link's")
           .by_default("least")
           .one_of({"least", "full"}),
       Parameter::of(ParameterType::real, "least_rate",
                     "lowest rate R_min of a flow, over that of the link")
           .by_default("0.00390625")
           .range(1e-9, 0.999),
       Parameter::of(ParameterType::text, "recovery",
                     "what raises the rate: per-ack, every unmarked ACK; elapsed-time, time")
           .by_default("per-ack")
           .one_of({"per-ack", "elapsed-time"})},
      fixed_window_parameters("static", "8"));
}

Recovery read_recovery(const Settings& settings) {
  return settings.text("recovery") == "per-ack" ? Recovery::per_ack : Recovery::elapsed_time;
}

std::unique_ptr<fabric::Reaction> make_rate_reaction(const std::string& model,
                                                     std::unique_ptr<const RateLaw> law,
                                                     const Settings& settings,
                                                     const fabric::ReactionContext& context) {
  ReactionParts parts;
  parts.window = read_fixed_window(settings);
  const Recovery recovery = read_recovery(settings);
  require_acks(context, model, parts.window,
               recovery == Recovery::per_ack ? "recovery = \"per-ack\"" : "");
  const double start = settings.text("start") == "least" ? law->least() : 1.0;
  const Time packet = packet_time(*context.graph, context.fabric);
  parts.notes.push_back(fmt::format("reaction {}: rates from {:.4g} to 1 packet in {}", model,
                                    law->least(), to_string(packet)));
  note_missing_marks(context, model, parts);
  parts.delay = std::make_unique<RateDelay>(std::move(law), recovery, start, packet);
  return std::make_unique<FlowReaction>(std::move(parts), context);
}

}  // namespace weir::reaction
