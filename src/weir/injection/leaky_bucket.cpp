#include <algorithm>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::injection {

namespace {

/// Spaces the packets of a host so that it injects at most `rate` of its link.
class LeakyBucket : public fabric::Injection {
 public:
  LeakyBucket(Rate rate, std::size_t hosts) : rate_(rate), free_at_(hosts) {}

  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override { state.of_host(free_at_); }
  Time may_inject(HostId host, Time now) override { return std::max(now, free_at_[host.index()]); }
  void on_injected(HostId host, const fabric::Packet& packet, const fabric::Message&,
                   Time now) override {
    free_at_[host.index()] = now + serialization_time(Bytes(packet.size), rate_);
  }

 private:
  Rate rate_;
  std::vector<Time> free_at_;
};

struct LeakyBucketSettings {
  Rate rate;
};

const Registration<fabric::InjectionFactory> kLeakyBucket(
    fabric::injection_registry(),
    {"leaky-bucket", "A limit to the injection rate of every host", "zdornov2009, section 5.2"},
    Keys<LeakyBucketSettings>{
        key(&LeakyBucketSettings::rate, "rate", "highest injection rate of a host").required()},
    [](const Checked<LeakyBucketSettings>& settings, const topology::Graph& graph) {
      return std::make_unique<LeakyBucket>(settings->rate, graph.host_count());
    });

}  // namespace

}  // namespace weir::injection
