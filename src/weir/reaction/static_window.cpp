#include <vector>

#include "weir/fabric/reaction.hpp"

namespace weir::reaction {

namespace {

/// At most `window` packets of a flow without ACK.
class StaticWindow : public fabric::Reaction {
 public:
  explicit StaticWindow(std::int64_t window) : window_(static_cast<std::uint32_t>(window)) {}

  Time may_inject(const fabric::Message& m, Time now) override {
    return m.flow < outstanding_.size() && outstanding_[m.flow] >= window_ ? Time::max() : now;
  }
  void on_injected(const fabric::Message& m, const fabric::Packet&, Time) override {
    if (m.flow >= outstanding_.size()) outstanding_.resize(m.flow + 1U, 0);
    ++outstanding_[m.flow];
  }
  void on_ack(const fabric::Packet& ack, Time) override { --outstanding_[ack.message]; }
  void on_lost(const fabric::Packet& ack, Time) override { --outstanding_[ack.message]; }
  [[nodiscard]] bool has_windows() const override { return true; }
  [[nodiscard]] std::size_t memory() const override {
    return outstanding_.capacity() * sizeof(outstanding_[0]);
  }

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
    [](const Settings& settings, const fabric::ReactionContext& context) {
      const fabric::AckMode acks = context.fabric.acks;
      if (acks == fabric::AckMode::none || acks == fabric::AckMode::becn) {
        throw InputError(
            "host.acks: reaction.model = \"static-window\" counts packets without ACK, which needs "
            "\"in-band\" or \"ideal\"");
      }
      return std::make_unique<StaticWindow>(settings.integer("window"));
    });

}  // namespace

}  // namespace weir::reaction
