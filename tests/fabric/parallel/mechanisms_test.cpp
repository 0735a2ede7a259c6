// Mechanisms with an instance in each part of a network do what one does, bit for bit: trajectories
// and their own metrics, with nodes scattered over parts at random.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "weir/base/random.hpp"
#include "weir/metrics/mechanism_monitor.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/traffic_class.hpp"

namespace weir::fabric::testing::mechanisms_test {
namespace {

/// Messages of one to five packets, one to four in a row to the same host, which is often host 0 or
/// the last one. Times are late where the source was held up.
class Bursts final : public MessageSource {
 public:
  Bursts(std::uint64_t seed, std::uint32_t host, std::uint32_t hosts, double gap)
      : random_(seed, host, StreamPurpose::test), host_(host), hosts_(hosts), gap_(gap) {}
  std::optional<MessageRequest> next(Time now) override {
    at_ = std::max(at_ + random_.exponential(gap_), static_cast<double>(now.count));
    if (at_ > 1.5e8) return std::nullopt;
    if (left_-- == 0) {
      left_ = random_.below(4);
      const auto step = 1 + static_cast<std::uint32_t>(random_.below(hosts_ - 1));
      aim_ = (host_ + step) % hosts_;
      const std::uint32_t hot = random_.below(2) == 0 ? 0 : hosts_ - 1;
      if (random_.unit() < 0.5 && hot != host_) aim_ = hot;
    }
    return MessageRequest{Time(static_cast<std::int64_t>(at_)), HostId(aim_),
                          Bytes(static_cast<std::int64_t>(1 + random_.below(5'000)))};
  }

 private:
  RandomStream random_;
  std::uint32_t host_;
  std::uint32_t hosts_;
  double gap_;
  double at_ = 0;
  std::uint64_t left_ = 0;
  std::uint32_t aim_ = 0;
};

using Delivered = std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

/// What must not depend on the parts.
struct Outcome {
  std::uint64_t fingerprint = 0;
  std::vector<std::uint64_t> counts;
  Time end;
  std::vector<Delivered> deliveries;
  std::vector<std::string> metrics;  ///< of mechanisms, in their order

  [[nodiscard]] double metric(const std::string& name) const {
    for (const std::string& line : metrics) {
      if (line.rfind(name + " ", 0) != 0) continue;
      return std::bit_cast<double>(std::stoull(line.substr(line.rfind(' ') + 1)));
    }
    return 0;
  }
};

std::vector<std::string> lines(const metrics::RunResult& result) {
  std::vector<std::string> out;
  const auto add = [&](const MetricName& name, double value) {
    out.push_back(to_string(name) + " " + std::to_string(std::bit_cast<std::uint64_t>(value)));
  };
  for (const metrics::Scalar& scalar : result.scalars) add(scalar.name, scalar.value);
  for (const metrics::Series& series : result.series)
    for (const double value : series.values) add(series.name, value);
  return out;
}

class DividedMechanisms : public ::testing::Test {
 protected:
  void SetUp() override {
    take("k-ary-n-tree", "k = 2\nn = 4");
    net_.settings.mtu = Bytes(1'000);
    net_.settings.ingress_buffer = net_.settings.egress_buffer = Bytes(8'000);
    net_.settings.routing_delay = nanoseconds(20);
    net_.settings.check_period = microseconds(20);
    net_.settings.sample_period = nanoseconds(10'500);
  }
  void take(const std::string& topology, const std::string& toml) {
    net_.graph = make_topology(topology, toml, {gigabits_per_second(8), nanoseconds(230)});
  }
  [[nodiscard]] std::uint32_t hosts() const {
    return static_cast<std::uint32_t>(net_.graph->host_count());
  }

  Outcome run(const std::optional<Territories>& territories) {
    net_.journal = {};
    metrics::MechanismMonitors monitors({{"a"}, {"b"}});
    net_.journal.sample = [&](const Fabric& fabric, Time now) {
      monitors.sample(fabric, now, net_.settings.sample_period);
    };
    const auto fabric =
        territories ? net_.build(net_.journal, *territories) : net_.build(net_.journal);
    for (std::uint32_t h = 0; h < hosts(); ++h) {
      auto source = std::make_unique<Bursts>(seed_, h, hosts(), gap_);
      source->keeps_rate = keeps_rates_ && h % 4 != 3;
      if (reserves_ && h % 4 != 3) {
        source->reserve = 100'000'000 + 20'000'000 * (h % 5);
        source->service_level = static_cast<std::uint8_t>(h % 2);
        source->traffic_class = static_cast<std::uint8_t>(h % 2);
      }
      fabric->add_source(HostId(h), std::move(source));
    }
    if (prepare_) prepare_(*fabric);
    fabric->run_until(microseconds(60));
    monitors.open_window(*fabric, fabric->now());
    EXPECT_TRUE(fabric->run_until(milliseconds(20)));
    metrics::RunResult result;
    monitors.report(*fabric, microseconds(60), result);
    Outcome out;
    out.fingerprint = fabric->fingerprint();
    const Counters& c = fabric->counters();
    out.counts = {c.events,
                  c.ties,
                  c.packet_hops,
                  c.messages_completed,
                  c.diverted,
                  c.packets_injected,
                  c.control_link_bytes,
                  c.messages_refused,
                  c.adapted_in_switches,
                  c.adapted_at_hosts,
                  c.ack_link_bytes};
    out.end = fabric->now();
    out.metrics = lines(result);
    for (const Delivery& d : net_.journal.deliveries)
      out.deliveries.emplace_back(d.delivered.count, d.source.value, d.destination.value,
                                  d.sequence);
    // Of one instant they may come in any order.
    std::sort(out.deliveries.begin(), out.deliveries.end());
    return out;
  }

  /// Nodes anywhere.
  Territories scattered(std::size_t parts, std::uint64_t seed) {
    RandomStream random(seed, 0, StreamPurpose::test);
    std::vector<std::uint16_t> of_node(net_.graph->node_count());
    for (std::uint16_t& part : of_node) part = static_cast<std::uint16_t>(random.below(parts));
    return territories_of(*net_.graph, of_node, parts);
  }

  /// Returns what it is in one part.
  Outcome expect_no_difference() {
    const Outcome whole = run(std::nullopt);
    EXPECT_GT(whole.deliveries.size(), 800U);
    for (const Territories& where :
         {divide(*net_.graph, 2), scattered(2, seed_), scattered(3, seed_), scattered(4, seed_)}) {
      SCOPED_TRACE(where.parts);
      const Outcome divided = run(where);
      EXPECT_EQ(divided.fingerprint, whole.fingerprint);
      EXPECT_EQ(divided.counts, whole.counts);
      EXPECT_EQ(divided.end, whole.end);
      EXPECT_TRUE(divided.deliveries == whole.deliveries);
      EXPECT_EQ(divided.metrics, whole.metrics);
    }
    return whole;
  }

  SmallNetwork net_;
  std::uint64_t seed_ = 1;
  double gap_ = 2.5e6;
  bool reserves_ = false;
  bool keeps_rates_ = false;
  std::function<void(Fabric&)> prepare_;
};

// --- Adaptive routing notifications

constexpr const char* kArn =
    "high = 0.4\nlow = 0.2\nfree = 0.1\npersistence = \"600 ns\"\nrefresh = \"2 us\"\n"
    "switch_lifetime = \"30 us\"\nhost_lifetime = \"40 us\"\nleast_gap = \"500 ns\"\n";

class DividedArn : public DividedMechanisms {
 protected:
  void SetUp() override {
    DividedMechanisms::SetUp();
    net_.selection = "arn";
    net_.selection_toml = kArn;
    gap_ = 4e6;
  }
  void expect_no_difference_and_notifications(bool isolates) {
    for (seed_ = 1; seed_ <= 2; ++seed_) {
      const Outcome whole = expect_no_difference();
      EXPECT_GT(whole.metric("notifications"), 20);
      EXPECT_GT(whole.metric("roots_max"), 1);
      EXPECT_GT(whole.metric("diverted"), 20);
      EXPECT_EQ(whole.metric("adapted[host]") > 0, isolates);
    }
  }
};

TEST_F(DividedArn, InATree) { expect_no_difference_and_notifications(false); }

TEST_F(DividedArn, WithIsolationOfWhatIsAdapted) {
  net_.selection_toml += "isolation = \"afi\"\nhosts = \"mark-adapted\"\n";
  net_.settings.architecture = Architecture::cioq;
  net_.settings.speedup = 1.5;
  net_.settings.ingress_buffer = Bytes(16'000);
  expect_no_difference_and_notifications(true);
}

TEST_F(DividedArn, WithoutStages) {
  take("mesh", "sizes = [4, 4]");
  net_.routing = "up-down";
  net_.settings.ingress_buffer = Bytes(16'000);
  net_.selection_toml += "table_entries = 3\n";
  EXPECT_GT(expect_no_difference().metric("notifications"), 20);
}

// --- Local notification

TEST_F(DividedMechanisms, Lecn) {
  net_.queueing = "voqsw";
  net_.queueing_toml = "flow_control = \"per-queue\"";
  net_.settings.ingress_buffer = Bytes(32'000);
  net_.make_mechanisms = [this] {
    const auto& model = agent_registry().find("lecn", {}, "agent");
    Mechanisms made;
    made.agent = model.make(settings_of(model.info, ""), *net_.graph);
    return made;
  };
  expect_no_difference();
}

// --- Admission

class DividedAdmission : public DividedMechanisms {
 protected:
  void SetUp() override {
    DividedMechanisms::SetUp();
    reserves_ = true;
    net_.settings.source_queues = SourceQueueKind::per_destination;
    admit("budgets = [0.3, 0.4]\nretry = \"3 us\"\n");
  }
  void admit(const std::string& toml) {
    net_.make_mechanisms = [this, toml] {
      const auto& model = admission_registry().find("link-by-link", {}, "admission");
      Mechanisms made;
      made.admission =
          model.make(settings_of(model.info, toml), {net_.graph, net_.settings.vl_arbitration});
      return made;
    };
  }
  void expect_no_difference_and_rejections() {
    for (seed_ = 1; seed_ <= 2; ++seed_) {
      const Outcome whole = expect_no_difference();
      EXPECT_GT(whole.metric("connections_rejected"), 20);
      EXPECT_GT(whole.metric("connections_released"), 50);
      EXPECT_GT(whole.metric("reserved_share_max"), 0.3);
    }
  }
};

TEST_F(DividedAdmission, LinkByLink) { expect_no_difference_and_rejections(); }

TEST_F(DividedAdmission, ThatGivesUp) {
  admit("budget = \"one-for-all\"\nbudgets = [0.4]\nretry = \"1 us\"\nattempts = 3\n");
  net_.settings.acks = AckMode::in_band;
  net_.selection = "ecmp";
  const Outcome whole = expect_no_difference();
  EXPECT_GT(whole.metric("connections_given_up"), 20);
}

TEST_F(DividedAdmission, ThatFillsArbitrationTables) {
  net_.queueing = "service-level";
  net_.queueing_toml = "vls = 2";
  net_.settings.ingress_buffer = Bytes(16'000);
  net_.settings.arbiter = ArbiterKind::vl_weighted;
  net_.settings.vl_arbitration.low = {{0, 20}, {1, 40}};
  admit("budgets = [0.3, 0.4]\nretry = \"3 us\"\ntables = \"connections\"\nhigh_vls = [1]\n");
  expect_no_difference_and_rejections();
}

// --- Rates of hosts and flows

TEST_F(DividedMechanisms, LeakyBuckets) {
  net_.make_mechanisms = [this] {
    const auto& model = injection_registry().find("leaky-bucket", {}, "injection");
    Mechanisms made;
    made.injection = model.make(settings_of(model.info, "rate = \"5 Gbps\""), *net_.graph);
    return made;
  };
  // It has no metrics of its own.
  const Outcome whole = run(std::nullopt);
  EXPECT_EQ(run(scattered(3, 5)).fingerprint, whole.fingerprint);
  EXPECT_EQ(run(divide(*net_.graph, 2)).counts, whole.counts);
}

// The first packets of flows come in the order in which these got their rates.
TEST_F(DividedMechanisms, RatesOfFlows) {
  keeps_rates_ = true;
  net_.settings.source_queues = SourceQueueKind::per_destination;
  prepare_ = [&](Fabric& fabric) {
    for (std::uint32_t to = 0; to < hosts(); ++to) {
      for (std::uint32_t from = 0; from < hosts(); ++from) {
        if ((from + to) % 3 != 0)
          fabric.set_rate(HostId(from), HostId(to),
                          Rate(900'000'000 + 50'000'000 * std::int64_t{to}));
      }
    }
  };
  for (const char* name :
       {"periodic-selection", "shaped-virtual-clock", "inter-packet-delay", "leaky-buckets-fifo"}) {
    SCOPED_TRACE(name);
    net_.make_mechanisms = [this, name] {
      const auto& model = injection_registry().find(name, {}, "injection");
      Mechanisms made;
      made.injection = model.make(settings_of(model.info, ""), *net_.graph);
      return made;
    };
    const Outcome whole = run(std::nullopt);
    EXPECT_GT(whole.deliveries.size(), 800U);
    for (std::size_t parts = 2; parts <= 4; ++parts) {
      // Switches anywhere. A host that waits for its rate, no longer for credit, hears of credit
      // from another part later than from its own: that makes a difference to `events` alone.
      std::vector<std::uint16_t> of_node = scattered(parts, parts).of_node;
      for (std::uint32_t h = 0; h < hosts(); ++h)
        of_node[h] = of_node[net_.graph->port(PortId(net_.at_host(h))).node.index()];
      const Outcome divided = run(territories_of(*net_.graph, of_node, parts));
      EXPECT_EQ(divided.fingerprint, whole.fingerprint);
      EXPECT_EQ(divided.counts, whole.counts);
    }
  }
}

}  // namespace
}  // namespace weir::fabric::testing::mechanisms_test
