#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// Flow2SL: hosts form Q groups of consecutive numbers; the queue is the sum of the groups of
/// source and destination modulo Q. A Latin square: to each destination group, every source group
/// has a queue of its own.
class Flow2Sl : public fabric::QueueingScheme {
 public:
  Flow2Sl(std::int64_t queues, std::size_t hosts)
      : queues_(static_cast<std::uint64_t>(queues)), hosts_(hosts) {}
  [[nodiscard]] int classes() const override { return static_cast<int>(queues_); }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    return static_cast<int>((group(packet.source) + group(packet.destination)) % queues_);
  }

 private:
  [[nodiscard]] std::uint64_t group(std::uint64_t host) const { return host * queues_ / hosts_; }

  std::uint64_t queues_;
  std::uint64_t hosts_;
};

struct Flow2SlSettings {
  std::int64_t queues = 3;
};

const Registration<fabric::QueueingFactory> kFlow2Sl(
    fabric::queueing_registry(),
    {"flow2sl",
     "queue = (group of source + group of destination) mod Q, hosts in Q groups of consecutive "
     "numbers, each queue with its own credits",
     "escudero2014flow2sl; rocher2021, section 2.3"},
    Keys<Flow2SlSettings>{
        key(&Flow2SlSettings::queues, "queues", "number of queues Q, at most the hosts")
            .range(1, 256)},
    [](const Checked<Flow2SlSettings>& settings, const topology::Graph& graph) {
      const std::int64_t queues = settings->queues;
      if (static_cast<std::size_t>(queues) > graph.host_count()) {
        throw settings.error(
            &Flow2SlSettings::queues,
            fmt::format("{} groups cannot be made of {} hosts", queues, graph.host_count()));
      }
      return std::make_unique<Flow2Sl>(queues, graph.host_count());
    });

}  // namespace

}  // namespace weir::queueing
