#include <vector>

#include "weir/fabric/hooks.hpp"

namespace weir::reaction {

namespace {

/// At most `window` packets of a flow without ACK.
class StaticWindow : public fabric::Reaction {
 public:
  explicit StaticWindow(std::int64_t window) : window_(static_cast<std::uint32_t>(window)) {}

  Time may_inject(std::uint32_t flow, Time now) override {
    return flow < outstanding_.size() && outstanding_[flow] >= window_ ? Time::max() : now;
  }
  void on_injected(std::uint32_t flow, const fabric::Packet&, Time) override {
    if (flow >= outstanding_.size()) outstanding_.resize(flow + 1U, 0);
    ++outstanding_[flow];
  }
  void on_ack(std::uint32_t flow, const fabric::Packet&, Time) override { --outstanding_[flow]; }

 private:
  std::uint32_t window_;
  std::vector<std::uint32_t> outstanding_;  ///< per flow
};

const Registration<fabric::ReactionFactory> registration(
    fabric::reaction_registry(),
    {"static-window",
     "at most `window` packets of a flow on their way without ACK",
     "packet-marking 3.3.1, 3.8",
     {Parameter::of(ParameterType::integer, "window", "packets")
          .by_default("2")
          .range(1, 1'000'000)}},
    [](const Settings& settings, const topology::Graph&) {
      return std::make_unique<StaticWindow>(settings.integer("window"));
    });

}  // namespace

}  // namespace weir::reaction
