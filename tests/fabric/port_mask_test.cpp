#include "weir/fabric/port_mask.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace weir::fabric {
namespace {

template <class Mask>
std::vector<unsigned> visited(const Mask& mask, unsigned start, unsigned ports, std::size_t most) {
  std::vector<unsigned> all;
  const bool found = mask.find_cyclic(start, ports, [&](unsigned port) {
    all.push_back(port);
    return all.size() == most;
  });
  EXPECT_EQ(found, all.size() == most);
  return all;
}

// Against a walk over all ports, for sets within one word and in all four.
template <class Mask>
void expect_cyclic_order(std::initializer_list<unsigned> numbers) {
  std::mt19937_64 random(3);
  for (const unsigned ports : numbers) {
    for (int round = 0; round < 200; ++round) {
      Mask mask;
      std::vector<bool> has(ports, false);
      const unsigned members = static_cast<unsigned>(random() % (ports + 1));
      for (unsigned i = 0; i < members; ++i) {
        const auto port = static_cast<unsigned>(random() % ports);
        mask.set(port);
        has[port] = true;
      }
      const auto start = static_cast<unsigned>(random() % ports);
      std::vector<unsigned> expected;
      for (unsigned step = 0; step < ports; ++step) {
        if (has[(start + step) % ports]) expected.push_back((start + step) % ports);
      }
      ASSERT_EQ(visited(mask, start, ports, SIZE_MAX), expected) << ports << " from " << start;
      if (expected.empty()) continue;
      ASSERT_EQ(mask.first_cyclic(start, ports), expected.front()) << ports << " from " << start;
      const std::size_t most = 1 + random() % expected.size();
      expected.resize(most);
      ASSERT_EQ(visited(mask, start, ports, most), expected) << "it stops where it is told to";
    }
  }
}

TEST(PortMask, VisitsItsPortsInCyclicOrder) {
  expect_cyclic_order<PortMask>({1, 2, 8, 63, 64, 65, 128, 200, 256});
}

TEST(PortWord, VisitsItsPortsInCyclicOrder) { expect_cyclic_order<PortWord>({1, 2, 8, 63, 64}); }

}  // namespace
}  // namespace weir::fabric
