#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

using ::testing::HasSubstr;

std::string with_low(const std::string& list) {
  return kSmall +
         "[switch]\narbiter = \"vl-weighted\"\n[queueing]\nmodel = \"service-level\"\nvls = 2\n"
         "[vl_arbitration]\nlow = " +
         list + "\n";
}

// A full table is the whole link: a quarter of it is 16 entries.
TEST(VlConnections, FillTheTable) {
  const Configuration configuration =
      resolve(table_of(with_low("[{ vl = 0, share = 0.25 }, { vl = 1, share = 0.001 }, "
                                "{ vl = 1, share = 0.002 }]")));
  const auto& low = configuration.fabric.vl_arbitration.low;
  ASSERT_EQ(low.size(), 17U);
  for (std::size_t i = 0; i < low.size(); ++i) {
    EXPECT_EQ(low[i].vl, i < 16 ? 0 : 1);
    EXPECT_EQ(low[i].weight, 255);
  }
}

TEST(VlConnections, MistakesAreTold) {
  EXPECT_THAT(refusal(with_low("[{ vl = 0, share = 0.7 }, { vl = 1, share = 0.4 }]")),
              HasSubstr("vl_arbitration.low: the connections need more than the 64 entries"));
  EXPECT_THAT(refusal(with_low("[{ vl = 0, share = 0.0 }]")),
              HasSubstr("vl_arbitration.low[0].share: must be above 0 and at most 1"));
  EXPECT_THAT(refusal(with_low("[{ vl = 0, share = 0.1 }, { vl = 1, weight = 4 }]")),
              HasSubstr("mixes entries with a weight and connections with a share"));
  EXPECT_THAT(refusal(with_low("[{ vl = 0 }]")), HasSubstr("it is one or the other"));
}

}  // namespace
}  // namespace weir::experiment
