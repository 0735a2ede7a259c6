// What queueing schemes cost (lippens2010, section 5), from experiment files.
#include "weir/experiment/run/resources.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

/// Switches of 8 ports with a FIFO on each side where the scheme does not say otherwise.
std::string fat_tree(int hosts, const std::string& queueing) {
  return fmt::format(
      "experiment.kind = \"network\"\n"
      "topology = {{ model = \"recn-min\", hosts = {} }}\n"
      "routing.model = \"d-mod-k\"\n"
      "switch = {{ architecture = \"cioq\", voq = false }}\n"
      "buffer = {{ ingress = \"32 KiB\", egress = \"16 KiB\" }}\n"
      "host = {{ mtu = \"64 B\", source_queues = \"per-destination\", backlog = \"16 KiB\" }}\n"
      "[queueing]\n{}\n",
      hosts, queueing);
}

ResourceReport report(const std::string& text) {
  const Configuration configuration = resolve(table_of(text));
  return resource_report(configuration, *make_network(configuration));
}

std::int64_t queues(const PortCost& port) { return port.ingress.queues + port.egress.queues; }

struct Row {
  const char* scheme;
  std::int64_t ingress, egress;  ///< queues of a port with 64 hosts
  std::int64_t per_host;         ///< more queues for each host more, both sides together
  std::int64_t lines = 0;        ///< of associative memory
};

constexpr Row kTable[] = {
    {"model = \"fifo\"", 1, 1, 0},
    {"model = \"voqsw\"", 8, 1, 0},
    {"model = \"voqsw\"\nflow_control = \"per-queue\"", 8, 8, 0},
    {"model = \"voqnet\"", 64, 64, 2},
    {"model = \"dbbm\"\nqueues = 4", 4, 4, 0},
    {"[isolation]\nmodel = \"recn\"\nsaqs = 8", 1 + 8, 1 + 8, 0, 16},
    {"[isolation]\nmodel = \"recn-enhanced\"\nsaqs = 8", 8 + 8, 1 + 8, 0, 16},
    {"[isolation]\nmodel = \"fbicm\"\ncfqs = 8", 8 + 8, 1 + 8, 0, 16},
    {"[isolation]\nmodel = \"fbicm\"\ncfqs = 8\ningress = \"single\"", 1 + 8, 1 + 8, 0, 16},
    {"model = \"service-level\"\nvls = 2\n[isolation]\nmodel = \"fbicm\"\ncfqs = 8", 2 * (8 + 8),
     2 * (1 + 8), 0, 32},
};

TEST(ResourcesSlow, QueuesAreThoseOfTheTable) {
  for (const Row& row : kTable) {
    const ResourceReport small = report(fat_tree(64, row.scheme));
    EXPECT_EQ(small.port.ingress.queues, row.ingress) << row.scheme;
    EXPECT_EQ(small.port.egress.queues, row.egress) << row.scheme;
    EXPECT_EQ(small.port.ingress.cam_lines + small.port.egress.cam_lines, row.lines) << row.scheme;
    // An injection buffer is like an egress side.
    EXPECT_EQ(small.host_queues, 64 + row.lines / 16 * (1 + 8)) << row.scheme;
    EXPECT_EQ(small.hosts.cam_lines, 64 * row.lines / 2) << row.scheme;
    const ResourceReport large = report(fat_tree(2048, row.scheme));
    EXPECT_EQ(queues(large.port), queues(small.port) + row.per_host * (2048 - 64)) << row.scheme;
  }
}

TEST(Resources, AdaptedPacketsHaveAClassMore) {
  const std::string afi = "\n[selection]\nmodel = \"adaptive-threshold\"\nisolation = \"afi\"";
  const ResourceReport three = report(fat_tree(64, "model = \"dbbm\"\nqueues = 3" + afi));
  EXPECT_EQ(three.port.ingress.queues, 4);
  EXPECT_EQ(three.port.egress.queues, 4);
  EXPECT_EQ(three.port.ingress.memory, 32'768.0);
}

// 48 switches: 16 with 4 and 32 with 8 cabled ports, 320 of them.
TEST(Resources, TotalsAreSumsOverCabledPorts) {
  const ResourceReport one = report(fat_tree(64, "model = \"fifo\""));
  EXPECT_EQ(one.network.ingress.queues, 320);
  EXPECT_EQ(one.network.egress.queues, 320);
  EXPECT_EQ(one.network.ingress.memory, 320 * 32'768.0);
  EXPECT_EQ(one.network.egress.memory, 320 * 16'384.0);
  EXPECT_EQ(one.hosts.queues, 64 * 64);
  EXPECT_EQ(one.hosts.memory, 64 * 64 * 16'384.0);
  const ResourceReport voq = report(fat_tree(64, "model = \"voqsw\""));
  EXPECT_EQ(voq.network.ingress.queues, 256 * 8 + 64 * 4) << "an output of the switch each";
  // To a host 1 queue, to the last stage 4, elsewhere 8.
  const ResourceReport credited =
      report(fat_tree(64, "model = \"voqsw\"\nflow_control = \"per-queue\""));
  EXPECT_EQ(credited.network.egress.queues, 64 * 1 + 64 * 4 + 192 * 8);
}

TEST(Resources, MemoryIsPartedWhereClassesHaveTheirOwn) {
  const ResourceReport shared = report(fat_tree(64, "model = \"voqsw\""));
  EXPECT_TRUE(std::isnan(shared.ingress_class));
  EXPECT_EQ(shared.port.ingress.memory, 32'768);
  const ResourceReport parted =
      report(fat_tree(64, "model = \"voqsw\"\nflow_control = \"per-queue\""));
  EXPECT_EQ(parted.ingress_class, 4'096);
  EXPECT_EQ(parted.egress_class, 2'048);
  EXPECT_EQ(parted.port.ingress.memory, 32'768);
  // 16 bytes would be left for each of 2048 queues: a packet each is the least.
  const ResourceReport many = report(fat_tree(2048, "model = \"voqnet\""));
  EXPECT_EQ(many.ingress_class, 64);
  EXPECT_EQ(many.port.ingress.memory, 2048 * 64);
}

TEST(Resources, FollowTheSwitchArchitecture) {
  const auto with = [](const char* settings) {
    return report(std::string("experiment.kind = \"network\"\n"
                              "topology = { model = \"torus\", sizes = [4] }\n"
                              "routing.model = \"dimension-order\"\n") +
                  settings);
  };
  // Three ports, and two lanes on a ring.
  EXPECT_EQ(queues(with("switch = { architecture = \"iq\", voq = true }").port), 2 * 3);
  EXPECT_EQ(queues(with("switch = { architecture = \"iq\", voq = false }").port), 2);
  EXPECT_EQ(queues(with("switch = { architecture = \"cioq\", voq = false }").port), 2 + 2);
  // Each lane has its reservation; where thresholds stop senders its headroom, too.
  const std::string shared = "buffer = { memory = \"reserved\", reserved = \"512 B\" }\n";
  EXPECT_EQ(with(shared.c_str()).ingress_class, 512);
  const ResourceReport pausing =
      with((shared + "flow_control = { model = \"pfc\", headroom = \"20 KiB\" }").c_str());
  EXPECT_EQ(pausing.ingress_class, 512 + 20 * 1'024);
  EXPECT_EQ(pausing.port.ingress.memory, with("").port.ingress.memory);
  const ResourceReport ideal = with("switch.architecture = \"oq\"");
  EXPECT_EQ(ideal.port.ingress.queues, 0);
  EXPECT_TRUE(std::isinf(ideal.port.egress.memory));
  EXPECT_TRUE(std::isinf(ideal.hosts.memory)) << "no bound by default";
  metrics::RunResult result;
  add_resources(result, ideal);
  EXPECT_EQ(result.scalar("memory_per_port"), nullptr);
  ASSERT_NE(result.scalar("memory_per_port", "ingress"), nullptr);
  EXPECT_EQ(result.scalar("memory_total", "host"), nullptr);
}

TEST(Resources, HostsHaveTheQueuesOfTheirKind) {
  const auto host_queues = [](const char* kind) {
    return report(fmt::format("experiment.kind = \"network\"\n"
                              "topology = {{ model = \"single-switch\", hosts = 5 }}\n"
                              "routing.model = \"shortest-path\"\n"
                              "queueing = {{ model = \"dbbm\", queues = 3 }}\n"
                              "host.source_queues = \"{}\"\n",
                              kind))
        .host_queues;
  };
  EXPECT_EQ(host_queues("fifo"), 1);
  EXPECT_EQ(host_queues("per-class"), 3);
  EXPECT_EQ(host_queues("per-destination"), 5);
}

}  // namespace
}  // namespace weir::experiment
