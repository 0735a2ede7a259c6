#include "weir/rates/control_plane.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "weir/base/error.hpp"

namespace weir::rates {
namespace {

using ::testing::ElementsAre;

/// Two hosts on two switches, which are joined directly and over a third.
struct Detour {
  ControlPlane plane;
  ElementIndex a = plane.add_element(true);
  ElementIndex b = plane.add_element(true);
  ElementIndex s = plane.add_element(false);
  ElementIndex t = plane.add_element(false);
  ElementIndex u = plane.add_element(false);
  LinkIndex up = plane.add_cable(a, s);
  LinkIndex direct = plane.add_cable(s, t);
  LinkIndex first = plane.add_cable(s, u);
  LinkIndex second = plane.add_cable(u, t);
  LinkIndex down = plane.add_cable(t, b);
};

TEST(ControlPlane, AFlowMayGetAnotherRoute) {
  Detour net;
  const FlowIndex f = net.plane.add_flow(std::array{net.up, net.direct, net.down});
  const FlowIndex g = net.plane.add_flow(std::array{net.up, net.direct, net.down});
  const std::array longer{net.up, net.first, net.second, net.down};
  net.plane.set_route(f, longer);
  EXPECT_THAT(net.plane.route(f), ElementsAre(net.up, net.first, net.second, net.down));
  EXPECT_THAT(net.plane.route(g), ElementsAre(net.up, net.direct, net.down));
  EXPECT_THAT(net.plane.way_back(f), ElementsAre(net.down + 1, net.direct + 1, net.up + 1))
      << "answers go on as before";
  net.plane.set_route(f, std::array{net.up, net.direct, net.down});
  EXPECT_THAT(net.plane.route(f), ElementsAre(net.up, net.direct, net.down));
  net.plane.set_route(g, longer);
  EXPECT_THAT(net.plane.route(g), ElementsAre(net.up, net.first, net.second, net.down));
  EXPECT_EQ(net.plane.source(g), net.a);
  EXPECT_EQ(net.plane.destination(g), net.b);
}

TEST(ControlPlane, RefusesRoutesThatAreNone) {
  Detour net;
  const FlowIndex f = net.plane.add_flow(std::array{net.up, net.direct, net.down});
  EXPECT_THROW(net.plane.set_route(f, {}), InputError);
  EXPECT_THROW(net.plane.set_route(f, std::array{net.up, net.second, net.down}), InputError);
  EXPECT_THROW(net.plane.set_route(f, std::array{net.up, net.direct}), InputError);
  EXPECT_THROW(net.plane.set_route(f, std::array{net.direct, net.down}), InputError);
  EXPECT_THAT(net.plane.route(f), ElementsAre(net.up, net.direct, net.down));
}

}  // namespace
}  // namespace weir::rates
