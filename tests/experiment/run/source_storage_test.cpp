// What the source queues of a host cost: ferrer2012, section 6.4, tables 8.5 and 8.6 there.
#include "weir/experiment/run/source_storage.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

SourceStorage storage(const std::string& host, const std::string& more = "") {
  const Configuration configuration = resolve(
      table_of("experiment.kind = \"network\"\n"
               "topology = { model = \"bmin-perfect-shuffle\", hosts = 512, k = 4, n = 5 }\n"
               "routing.model = \"turnaround\"\n"
               "link = { rate = \"8 Gbps\", delay = \"1 ns\" }\n"
               "switch = { architecture = \"cioq\", routing_delay = \"1 ns\", crossbar_delay = \"1 "
               "ns\" }\n" +
               more + "[host]\nmtu = \"256 B\"\nheader = \"22 B\"\nacks = \"in-band\"\n" + host));
  return source_storage(configuration, *make_network(configuration));
}

TEST(SourceStorage, AQueueForEachDestinationHoldsAWindow) {
  const SourceStorage fvoq = storage("source_queues = \"per-destination\"");
  EXPECT_EQ(fvoq.memory, 2 * 512 * 256);  // window by formula: 2
  EXPECT_EQ(fvoq.counters, 0);
  EXPECT_NEAR(fvoq.area, 57.39, 0.01);
  const SourceStorage wide = storage("source_queues = \"per-destination\"",
                                     "[reaction]\nmodel = \"static-window\"\nwindow = 4\n");
  EXPECT_EQ(wide.memory, 4 * 512 * 256);
}

TEST(SourceStorage, FewerQueuesHoldAPacketEachAndCountTheOthers) {
  const SourceStorage pvoq = storage("source_queues = \"modulo\"\nsource_queue_count = 128");
  EXPECT_EQ(pvoq.memory, 128 * 256);
  EXPECT_EQ(pvoq.counters, 1'024);
  EXPECT_NEAR(pvoq.area, 6.71, 0.01);
}

TEST(SourceStorage, ASharedMemoryIsAsLargeAsGiven) {
  const SourceStorage shared =
      storage("source_queues = \"shared-memory\"\nsource_memory = \"25 KiB\"");
  EXPECT_EQ(shared.memory, 25 * 1'024);
  EXPECT_EQ(shared.counters, 1'024);
  EXPECT_NEAR(shared.area, 5.24, 0.01);
}

TEST(SourceStorage, NoAreaIsKnownOfOthers) {
  EXPECT_TRUE(std::isnan(storage("source_queues = \"fifo\"").area));
}

TEST(SourceStorage, KeysOfOtherOrganizationsAreRefused) {
  EXPECT_THROW(storage("source_queues = \"modulo\""), InputError);
  EXPECT_THROW(storage("source_queues = \"shared-memory\""), InputError);
  EXPECT_THROW(storage("source_queues = \"fifo\"\nsource_queue_count = 4"), InputError);
  EXPECT_THROW(
      storage("source_queues = \"modulo\"\nsource_queue_count = 4\nsource_memory = \"1 KiB\""),
      InputError);
  EXPECT_THROW(storage("source_queues = \"shared-memory\"\nsource_memory = \"100 B\""), InputError);
}

}  // namespace
}  // namespace weir::experiment
