#include "weir/metrics/victims.hpp"

#include <gtest/gtest.h>

namespace weir::metrics {
namespace {

/// Hosts 0-3 left, 4-7 right, one cable (port 100) between: a flow uses its own links and maybe the
/// cable.
void dumbbell(HostId source, HostId destination, std::vector<PortId>& links) {
  links.push_back(PortId(source.value));
  if (source.value < 4 && destination.value >= 4) links.push_back(PortId(100));
  if (source.value >= 4 && destination.value < 4) links.push_back(PortId(101));
  links.push_back(PortId(200 + destination.value));
}

TEST(VictimTruth, AVictimSharesALinkWithAHotFlow) {
  VictimTruth truth(300, dumbbell);
  truth.add_hot_flow(HostId(0), HostId(7));
  EXPECT_TRUE(truth.is_victim(HostId(1), HostId(5)));   // the cable
  EXPECT_TRUE(truth.is_victim(HostId(0), HostId(2)));   // the source's own link
  EXPECT_FALSE(truth.is_victim(HostId(1), HostId(2)));  // stays left
  EXPECT_FALSE(truth.is_victim(HostId(4), HostId(5)));  // stays right
  EXPECT_FALSE(truth.is_victim(HostId(5), HostId(1)));  // other direction, other link
}

TEST(VictimTruth, TrafficToAHotDestinationIsNoVictim) {
  VictimTruth truth(300, dumbbell);
  truth.add_hot_flow(HostId(0), HostId(7));
  truth.add_hot_flow(HostId(1), HostId(5));
  EXPECT_FALSE(truth.is_victim(HostId(2), HostId(7)));
  EXPECT_FALSE(truth.is_victim(HostId(2), HostId(5)));
  EXPECT_TRUE(truth.is_victim(HostId(2), HostId(6)));
}

TEST(VictimTruth, WithoutHotFlowsNobodyIsOne) {
  VictimTruth truth(300, dumbbell);
  EXPECT_FALSE(truth.is_victim(HostId(0), HostId(7)));
}

}  // namespace
}  // namespace weir::metrics
