// What is told of set-aside queues: event by event with a mechanism that only counts, then of a
// small network under RECN.
#include "weir/metrics/isolation_monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "isolation/counters_of.hpp"
#include "support/small_network.hpp"
#include "weir/metrics/recorder.hpp"

namespace weir::metrics {
namespace {

namespace ft = fabric::testing;
using fabric::SetAsideEvent;
using fabric::SetAsideLine;
using fabric::Side;

/// Says what it is told to say.
class Told final : public fabric::Isolation {
 public:
  [[nodiscard]] fabric::SideResources resources(bool, std::uint32_t) const override { return {}; }
  std::uint32_t choose_queue(Side, std::uint32_t) override { return 0; }
  void on_stored(Side, std::uint32_t, std::uint32_t) override {}
  void on_removed(Side, std::uint32_t, std::uint32_t) override {}
  [[nodiscard]] std::uint32_t injection_queue(Side, std::uint32_t, std::uint32_t,
                                              std::uint16_t) override {
    return 0;
  }
  [[nodiscard]] fabric::InjectionChanges& injection_changes(std::uint32_t) override {
    return changes;
  }
  [[nodiscard]] bool admits(Side, std::uint32_t) const override { return true; }
  [[nodiscard]] bool admits_nothing(std::uint32_t) const override { return false; }
  [[nodiscard]] std::uint64_t in_use() const override { return lines.size(); }
  void for_each_line(const std::function<void(const SetAsideLine&)>& visit) const override {
    for (const SetAsideLine& line : lines) visit(line);
  }

  fabric::InjectionChanges changes;
  std::vector<SetAsideLine> lines;
};

/// A switch of four hosts: host h is at s0[h].
class SetAsideMonitor : public testing::Test {
 protected:
  SetAsideMonitor() : graph_(ft::make_topology("single-switch", "hosts = 4")) {
    settings_.gap = microseconds(10);
  }
  [[nodiscard]] PortId at(std::size_t number) const {
    return graph_->port(graph_->node(SwitchId(0)), number);
  }
  /// A queue at the ingress side of port `number` for the root `root`, taken.
  void take(IsolationMonitor& monitor, Time now, std::size_t number, std::size_t root,
            std::uint32_t hops = 0) {
    const Side side = Side::ingress(at(number).value);
    told_.lines.push_back({side, at(root), hops, 100, 1, true, false, false});
    monitor.on_set_aside({now, side, at(root), hops, SetAsideEvent::allocated, Time(0)});
  }
  /// And given back.
  void give_back(IsolationMonitor& monitor, Time now, std::size_t number, std::size_t root,
                 Time lifetime) {
    const Side side = Side::ingress(at(number).value);
    const auto line = std::find_if(told_.lines.begin(), told_.lines.end(), [&](const auto& one) {
      return one.side.index == side.index && one.root == at(root);
    });
    ASSERT_NE(line, told_.lines.end());
    const std::uint32_t hops = line->hops;
    told_.lines.erase(line);
    monitor.on_set_aside({now, side, at(root), hops, SetAsideEvent::released, lifetime});
  }
  RunResult report(IsolationMonitor& monitor, Time end, Time warm_up = Time(0)) {
    RunResult result;
    monitor.report(end, warm_up, result);
    return result;
  }

  std::shared_ptr<const topology::Graph> graph_;
  IsolationMonitorSettings settings_;
  Told told_;
};

TEST_F(SetAsideMonitor, CountsWhereQueuesAreAtEverySample) {
  IsolationMonitor monitor(*graph_, settings_);
  const Time period = microseconds(10);
  take(monitor, microseconds(1), 0, 3);
  take(monitor, microseconds(2), 1, 3);
  take(monitor, microseconds(3), 1, 2, 2);
  monitor.sample(told_, microseconds(10), period);
  give_back(monitor, microseconds(12), 0, 3, microseconds(11));
  monitor.sample(told_, microseconds(20), period);
  const RunResult result = report(monitor, microseconds(20));

  using Values = std::vector<double>;
  // From 1, 2 and 3 us on in the first 10 us; until 12 us in the others.
  EXPECT_EQ(result.find_series("set_aside_roots")->values, (Values{1.6, 2}));
  EXPECT_EQ(result.find_series("set_aside_roots")->start, Time(0));
  EXPECT_EQ(result.find_series("set_aside_roots")->bin, period);
  EXPECT_EQ(result.find_series("set_aside_hops")->values, (Values{2, 2}));
  EXPECT_EQ(result.find_series("set_aside_at_side_max")->values, (Values{2, 2}));
  EXPECT_EQ(result.find_series("set_aside_at_side", "s0[0] ingress")->values, (Values{1, 0}));
  EXPECT_EQ(result.find_series("set_aside_at_side", "s0[1] ingress")->values, (Values{2, 2}));
  EXPECT_EQ(result.find_series("set_aside_at_side", "s0[2] ingress"), nullptr);
  EXPECT_EQ(*result.scalar("set_aside_hops"), 2);
}

TEST_F(SetAsideMonitor, MeansAreOfTheMeasuringWindow) {
  IsolationMonitor monitor(*graph_, settings_);
  take(monitor, microseconds(1), 0, 3);
  monitor.sample(told_, microseconds(10), microseconds(10));
  take(monitor, microseconds(11), 1, 2);
  take(monitor, microseconds(12), 2, 1);
  monitor.sample(told_, microseconds(20), microseconds(10));
  const RunResult result = report(monitor, microseconds(20), microseconds(10));
  EXPECT_DOUBLE_EQ(*result.scalar("set_aside_roots"), 2.7);
}

TEST_F(SetAsideMonitor, TakesTheLifetimesOfReleasedQueues) {
  IsolationMonitor monitor(*graph_, settings_);
  for (const int life : {1, 2, 6}) {
    take(monitor, microseconds(10), 0, 3);
    give_back(monitor, microseconds(10 + life), 0, 3, microseconds(life));
  }
  take(monitor, microseconds(30), 0, 3);
  const RunResult result = report(monitor, microseconds(100));
  ASSERT_EQ(result.histograms.size(), 1U);
  EXPECT_EQ(result.histograms[0].histogram.count(), 3U);
  EXPECT_EQ(*result.scalar("set_aside_lifetime_mean"), 3'000);
  EXPECT_EQ(*result.scalar("set_aside_lifetime_max"), 6'000);
  EXPECT_NEAR(*result.scalar("set_aside_lifetime_p50"), 2'000, 2'000 * 0.004);
}

TEST_F(SetAsideMonitor, ATreeLastsFromTheFirstToTheLastQueueOfItsRoot) {
  IsolationMonitor monitor(*graph_, settings_);
  take(monitor, microseconds(1), 0, 3);
  take(monitor, microseconds(2), 1, 3, 2);
  take(monitor, microseconds(3), 1, 2);
  told_.lines[0].is_leaf = false;
  monitor.sample(told_, microseconds(5), microseconds(5));
  give_back(monitor, microseconds(6), 0, 3, microseconds(5));
  give_back(monitor, microseconds(8), 1, 3, microseconds(6));
  monitor.sample(told_, microseconds(10), microseconds(5));
  const RunResult result = report(monitor, microseconds(20));
  ASSERT_EQ(result.set_aside_trees.size(), 2U);
  const SetAsideTree& first = result.set_aside_trees[0];
  EXPECT_EQ(first.root, "s0[3]");
  EXPECT_EQ(first.from, microseconds(1));
  EXPECT_EQ(first.until, microseconds(8));
  EXPECT_EQ(first.queues_max, 2U);
  EXPECT_EQ(first.allocations, 2U);
  EXPECT_EQ(first.hops_max, 2U);
  EXPECT_EQ(first.bytes_max, 200);
  EXPECT_EQ(first.sides, (std::vector<std::string>{"s0[0] ingress", "s0[1] ingress"}));
  EXPECT_EQ(first.hops, (std::vector<int>{0, 2}));
  EXPECT_EQ(first.leaves, (std::vector<std::string>{"s0[1] ingress"}));
  const SetAsideTree& second = result.set_aside_trees[1];
  EXPECT_EQ(second.root, "s0[2]");
  EXPECT_EQ(second.from, microseconds(3));
  EXPECT_EQ(second.until, microseconds(20)) << "it was there at the end";
  EXPECT_EQ(*result.scalar("set_aside_roots_max"), 2);
  EXPECT_EQ(*result.scalar("set_aside_trees"), 2);
}

TEST_F(SetAsideMonitor, AShortPauseDoesNotEndATree) {
  IsolationMonitor monitor(*graph_, settings_);
  take(monitor, microseconds(0), 0, 3);
  give_back(monitor, microseconds(1), 0, 3, microseconds(1));
  take(monitor, microseconds(11), 1, 3);  // 10 us later
  give_back(monitor, microseconds(12), 1, 3, microseconds(1));
  take(monitor, microseconds(22) + Time(1), 1, 3);  // more than 10 us later
  give_back(monitor, microseconds(30), 1, 3, microseconds(8) - Time(1));
  const RunResult result = report(monitor, microseconds(100));
  ASSERT_EQ(result.set_aside_trees.size(), 2U);
  EXPECT_EQ(result.set_aside_trees[0].until, microseconds(12));
  EXPECT_EQ(result.set_aside_trees[0].allocations, 2U);
  EXPECT_EQ(result.set_aside_trees[1].from, microseconds(22) + Time(1));
  EXPECT_EQ(*result.scalar("set_aside_roots_max"), 1);
}

TEST_F(SetAsideMonitor, KeepsTheLargestTreesAndTheFirstEvents) {
  settings_.max_trees = 2;
  settings_.max_events = 3;
  settings_.events_from = microseconds(101);
  IsolationMonitor monitor(*graph_, settings_);
  Time now;
  for (int k = 0; k < 200; ++k) {  // the trees number 50 and 150 have two queues
    const bool is_large = k % 100 == 50;
    now = now + microseconds(100);
    take(monitor, now, 0, 3);
    if (is_large) take(monitor, now, 1, 3);
    give_back(monitor, now + microseconds(1), 0, 3, microseconds(1));
    if (is_large) give_back(monitor, now + microseconds(1), 1, 3, microseconds(1));
  }
  const RunResult result = report(monitor, now + microseconds(100));
  ASSERT_EQ(result.set_aside_trees.size(), 2U);
  EXPECT_EQ(result.set_aside_trees[0].from, microseconds(5'100));
  EXPECT_EQ(result.set_aside_trees[1].from, microseconds(15'100));
  EXPECT_EQ(*result.scalar("set_aside_trees"), 200);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("2 largest of 200"), std::string::npos);
  ASSERT_EQ(result.set_aside_events.size(), 3U);
  EXPECT_EQ(result.set_aside_events[0], (SetAsideRecord{microseconds(101), "s0[0] ingress", "s0[3]",
                                                        0, "released", microseconds(1)}));
  EXPECT_EQ(result.set_aside_events[1].kind, "allocated");
}

TEST_F(SetAsideMonitor, TellsTheClassesOfASideApart) {
  settings_.max_events = 2;
  IsolationMonitor monitor(*graph_, settings_);
  for (const std::uint16_t buffer : {std::uint16_t{0}, std::uint16_t{1}}) {
    const Side side = Side::egress(at(1).value, buffer);
    monitor.on_set_aside({microseconds(1), side, at(3), 1, SetAsideEvent::allocated, Time(0)});
  }
  const RunResult result = report(monitor, microseconds(2));
  ASSERT_EQ(result.set_aside_events.size(), 2U);
  EXPECT_EQ(result.set_aside_events[0].side, "s0[1] egress");
  EXPECT_EQ(result.set_aside_events[1].side, "s0[1] egress, class 1");
}

/// Hosts 0 to 2 at s0 send to host 4 at s1 at full rate for 200 us: too much for the cable s0[3].
/// From 40 to 120 us host 3 at s1 does so too: then s1[1] has too much to do.
class Isolated : public testing::Test {
 protected:
  Isolated() {
    topology::GraphBuilder b("two switches");
    for (int h = 0; h < 5; ++h) b.add_host();
    const SwitchId s0 = b.add_switch(4);
    const SwitchId s1 = b.add_switch(3);
    const topology::LinkSpec link{gigabits_per_second(8), nanoseconds(20)};
    for (int h = 0; h < 3; ++h) b.connect(HostId(h), s0, static_cast<std::size_t>(h), link);
    b.connect(HostId(3), s1, 0, link);
    b.connect(HostId(4), s1, 1, link);
    b.connect(s0, 3, s1, 2, link);
    graph_ = std::make_shared<topology::Graph>(b.build());
    settings_.architecture = fabric::Architecture::cioq;
    settings_.speedup = 2;
    settings_.mtu = Bytes(64);
    settings_.ingress_buffer = settings_.egress_buffer = Bytes(32'768);
    settings_.sample_period = microseconds(2);
    recorder_settings_.traffic.classes = {{"all", Role::plain}};
    recorder_settings_.traffic.bin = microseconds(2);
  }

  [[nodiscard]] std::shared_ptr<fabric::Isolation> make(const std::string& model) const {
    if (model.empty()) return nullptr;
    const auto& found = fabric::isolation_registry().find(model, {}, "model");
    const Settings settings =
        ft::settings_of(found.info, model == "fbicm" ? "" : "explicit_routes = true");
    return found.make(settings, {graph_, ft::make_routing("shortest-path", *graph_), settings_});
  }

  RunResult run(const std::string& model) {
    Recorder recorder(*graph_, recorder_settings_);
    fabric::Models models{graph_, ft::make_routing("shortest-path", *graph_),
                          ft::make_selection("fixed"), ft::make_queueing("fifo", *graph_)};
    fabric::Mechanisms mechanisms;
    mechanisms.isolation = make(model);
    fabric::Fabric fabric(models, mechanisms, settings_, recorder);
    const auto add = [&](int host, Time start, Time stop) {
      std::vector<fabric::MessageRequest> list;
      for (Time at = start; at < stop; at = at + nanoseconds(64)) {
        list.push_back({at, HostId(4), Bytes(64)});
      }
      fabric.add_source(HostId(host), std::make_unique<ft::ListSource>(std::move(list)));
    };
    for (const int host : {0, 1, 2}) add(host, Time(0), microseconds(200));
    add(3, microseconds(40), microseconds(120));
    for (Time at = look_every_; look_every_.count > 0 && at < milliseconds(1); at += look_every_) {
      fabric.run_until(at);
      mechanisms.isolation->for_each_line([&](const SetAsideLine& line) {
        looked_ += static_cast<double>(line.bytes) * static_cast<double>(look_every_.count);
      });
    }
    fabric.run_until(milliseconds(1));
    if (mechanisms.isolation) totals_ = isolation::counters_of(*mechanisms.isolation);
    return recorder.finish(fabric, 1.0);
  }

  std::shared_ptr<const topology::Graph> graph_;
  fabric::FabricSettings settings_;
  RecorderSettings recorder_settings_;
  isolation::SetAsideCounters totals_;
  Time look_every_;    ///< 0: not
  double looked_ = 0;  ///< bytes x ps found so
};

TEST_F(Isolated, ARunWithoutIsolationSaysNothingOfIt) {
  const RunResult result = run("");
  const auto is_ours = [](const auto& one) {
    return one.name.metric.starts_with("set_aside") || one.name.metric.starts_with("control");
  };
  EXPECT_TRUE(std::none_of(result.scalars.begin(), result.scalars.end(), is_ours));
  EXPECT_TRUE(std::none_of(result.series.begin(), result.series.end(), is_ours));
  EXPECT_TRUE(std::none_of(result.histograms.begin(), result.histograms.end(), is_ours));
  EXPECT_TRUE(result.set_aside_trees.empty());
  EXPECT_TRUE(result.set_aside_events.empty());
  EXPECT_TRUE(result.frames.set_aside.empty());
  EXPECT_FALSE(result.frames.wait.empty());
}

TEST_F(Isolated, AgreesWithTheCountersOfTheMechanism) {
  recorder_settings_.max_set_aside_events = 1'000'000;
  const RunResult result = run("recn-enhanced");
  ASSERT_GT(totals_.allocations, 2U);
  EXPECT_EQ(*result.scalar("set_aside_allocations"), static_cast<double>(totals_.allocations));
  EXPECT_EQ(*result.scalar("set_aside_releases"), static_cast<double>(totals_.releases));
  EXPECT_EQ(*result.scalar("set_aside_queues_max"), static_cast<double>(totals_.queue_peak.most()));
  EXPECT_EQ(*result.scalar("control_bytes"), 8.0 * static_cast<double>(totals_.control_messages));
  EXPECT_EQ(*result.scalar("set_aside_left"), 0) << "the network has run empty";
  EXPECT_EQ(*result.scalar("set_aside_at_side_max"), totals_.side_max);
  EXPECT_EQ(*result.scalar("set_aside_bytes_max"), static_cast<double>(totals_.byte_peak.most()));
  EXPECT_EQ(*result.scalar("set_aside_refusals"),
            *result.scalar("set_aside_refusals", "full") +
                *result.scalar("set_aside_refusals", "specific"));
  for (const char* metric : {"set_aside_allocations", "control_bytes", "set_aside_detections"}) {
    const std::vector<double>& bins = result.find_series(metric)->values;
    EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), 0.0), *result.scalar(metric)) << metric;
  }
  const auto count = [&](const char* kind) {
    return static_cast<std::uint64_t>(
        std::count_if(result.set_aside_events.begin(), result.set_aside_events.end(),
                      [&](const SetAsideRecord& event) { return event.kind == kind; }));
  };
  EXPECT_EQ(count("allocated"), totals_.allocations);
  EXPECT_EQ(count("released"), totals_.releases);
  EXPECT_EQ(count("detected"), totals_.detections);
  EXPECT_EQ(result.histograms.back().histogram.count(), totals_.releases);
  std::uint64_t of_trees = 0;
  for (const SetAsideTree& tree : result.set_aside_trees) of_trees += tree.allocations;
  EXPECT_EQ(of_trees, totals_.allocations);
}

// Every queue has been given back, so that the times they were in use add up to the integral.
TEST_F(Isolated, QueuesInUseAreTheirLifetimesOverTime) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    SCOPED_TRACE(model);
    const RunResult result = run(model);
    ASSERT_GT(totals_.releases, 0U);
    EXPECT_EQ(totals_.in_use, 0U);
    const Histogram& lifetimes = result.histograms.back().histogram;
    const double sum = lifetimes.mean() * static_cast<double>(lifetimes.count());
    const double end = *result.scalar("simulated_time") * 1e3;
    EXPECT_NEAR(*result.scalar("set_aside_queues") * end, sum, sum * 1e-9);
  }
}

// Bytes that are set aside, against a look at every queue each 10 ns.
TEST_F(Isolated, BytesSetAsideAreThoseInTheQueues) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    SCOPED_TRACE(model);
    settings_.sample_period = microseconds(40);
    looked_ = 0;
    look_every_ = nanoseconds(10);
    const RunResult result = run(model);
    ASSERT_GT(looked_, 0);
    const double end = *result.scalar("simulated_time") * 1e3;
    EXPECT_NEAR(*result.scalar("set_aside_bytes") * end, looked_, looked_ * 0.02);
    EXPECT_EQ(totals_.bytes, 0U);
  }
}

TEST_F(Isolated, TheRootMovesDownstreamAndBack) {
  const RunResult result = run("recn-enhanced");
  const auto tree_of = [&](const std::string& root) {
    return std::find_if(result.set_aside_trees.begin(), result.set_aside_trees.end(),
                        [&](const SetAsideTree& tree) { return tree.root == root; });
  };
  const auto up = tree_of("s0[3]");
  const auto down = tree_of("s1[1]");
  ASSERT_NE(up, result.set_aside_trees.end());
  ASSERT_NE(down, result.set_aside_trees.end());
  EXPECT_LT(up->from, microseconds(20)) << "three flows for one cable";
  EXPECT_GT(down->from, microseconds(40)) << "host 3 joins at the next switch";
  EXPECT_LT(down->from, microseconds(60));
  EXPECT_GT(down->hops_max, 0U) << "the tree reaches over the cable";
  EXPECT_EQ(up->hops_max, 1U) << "injection buffers of the hosts";
  // The links' frames count the same queues: at the hosts' links some were found.
  const FrameBytes frames = unpack(result.frames);
  ASSERT_EQ(frames.set_aside.size(), frames.wait.size());
  EXPECT_GT(*std::max_element(frames.set_aside.begin(), frames.set_aside.end()), 0);
  EXPECT_LE(*std::max_element(frames.set_aside.begin(), frames.set_aside.end()),
            2 * *result.scalar("set_aside_at_side_max"));
}

TEST_F(Isolated, CountsWithoutSamples) {
  recorder_settings_.watch_links = false;
  settings_.sample_period = Time(0);
  const RunResult result = run("recn-enhanced");
  EXPECT_EQ(*result.scalar("set_aside_allocations"), static_cast<double>(totals_.allocations));
  EXPECT_GT(*result.scalar("control_overhead"), 0);
  EXPECT_LT(*result.scalar("control_overhead"), 0.05);
  EXPECT_EQ(result.find_series("set_aside_queues")->values.size(), 1U) << "the whole run";
  EXPECT_GT(*result.scalar("set_aside_queues"), 0);
  EXPECT_FALSE(result.set_aside_trees.empty());
}

}  // namespace
}  // namespace weir::metrics
