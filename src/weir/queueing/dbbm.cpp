#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// Destination-based buffer management: class = destination mod Q in every buffer.
class Dbbm : public fabric::QueueingScheme {
 public:
  explicit Dbbm(std::int64_t queues) : queues_(static_cast<std::uint32_t>(queues)) {}
  [[nodiscard]] int classes() const override { return static_cast<int>(queues_); }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    return static_cast<int>(packet.destination % queues_);
  }

 private:
  std::uint32_t queues_;
};

struct DbbmSettings {
  std::int64_t queues = 3;
};

const Registration<fabric::QueueingFactory> kDbbm(
    fabric::queueing_registry(),
    {"dbbm", "queue = destination mod Q in every buffer, each with its own credits",
     "nachiondo2005dbbm; nachiondo2010dbbm; rocher2021, section 2.3"},
    Keys<DbbmSettings>{key(&DbbmSettings::queues, "queues", "number of queues Q, at most the hosts")
                           .range(1, 256)},
    [](const Checked<DbbmSettings>& settings, const topology::Graph& graph) {
      const std::int64_t queues = settings->queues;
      if (static_cast<std::size_t>(queues) > graph.host_count()) {
        throw settings.error(&DbbmSettings::queues,
                             fmt::format("{} queues are more than the destinations, {}", queues,
                                         graph.host_count()));
      }
      return std::make_unique<Dbbm>(queues);
    });

}  // namespace

}  // namespace weir::queueing
