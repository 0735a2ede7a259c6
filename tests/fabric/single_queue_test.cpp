#include <gtest/gtest.h>

#include "support/small_network.hpp"

namespace weir::fabric::testing {
namespace {

constexpr double kService = 1'000.0;  // ns: 1000 B at 1 B/ns

/// Poisson messages of fixed or exponential size.
class PoissonSource : public MessageSource {
 public:
  PoissonSource(double load, bool exponential_size)
      : gap_(kService * 1e3 / load),
        exponential_(exponential_size),
        random_(42, 0, StreamPurpose::test) {}
  std::optional<MessageRequest> next(Time) override {
    at_ += random_.exponential(gap_);
    const double size = exponential_ ? random_.exponential(kService) : kService;
    return MessageRequest{Time(static_cast<std::int64_t>(at_)), HostId(1),
                          Bytes(std::max<std::int64_t>(1, static_cast<std::int64_t>(size + 0.5)))};
  }

 private:
  double gap_;
  bool exponential_;
  RandomStream random_;
  double at_ = 0;
};

class WaitRecorder : public Observer {
 public:
  void on_injected(const Packet& packet, const Message& message) override {
    wait_ += to_nanoseconds(Time(packet.injected - message.generated));
    ++count_;
  }
  [[nodiscard]] double mean() const { return wait_ / static_cast<double>(count_); }

 private:
  double wait_ = 0;
  std::int64_t count_ = 0;
};

double mean_wait(double load, bool exponential_size) {
  SmallNetwork net;
  net.graph = make_topology("two-hosts", "", {gigabits_per_second(8), nanoseconds(10)});
  net.settings.mtu = Bytes(100'000);
  net.settings.ingress_buffer = Bytes(1'000'000);
  WaitRecorder recorder;
  Models models{net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                make_queueing(one_class(net.settings), *net.graph)};
  Fabric fabric(models, {}, net.settings, recorder);
  fabric.add_source(HostId(0), std::make_unique<PoissonSource>(load, exponential_size));
  fabric.run_until(milliseconds(1'500));
  return recorder.mean();
}

// Wq = rho S / 2(1 - rho).
TEST(SlowSingleQueue, WaitsLikeMD1) {
  for (const double rho : {0.3, 0.6, 0.9}) {
    const double expected = rho * kService / (2 * (1 - rho));
    EXPECT_NEAR(mean_wait(rho, false), expected, 0.03 * expected) << "load " << rho;
  }
}

// Wq = rho S / (1 - rho).
TEST(SlowSingleQueue, WaitsLikeMM1) {
  for (const double rho : {0.3, 0.6, 0.9}) {
    const double expected = rho * kService / (1 - rho);
    EXPECT_NEAR(mean_wait(rho, true), expected, 0.04 * expected) << "load " << rho;
  }
}

}  // namespace
}  // namespace weir::fabric::testing
