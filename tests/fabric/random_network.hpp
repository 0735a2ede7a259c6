#pragma once

// Small networks that RapidCheck draws.

#include <fmt/format.h>
#include <rapidcheck.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "support/small_network.hpp"

namespace weir::fabric::testing::random_network {

inline int number(int low, int high) { return *rc::gen::inRange(low, high + 1); }

template <class T>
T one_of(std::initializer_list<T> values) {
  return *rc::gen::elementOf(std::vector<T>(values));
}

inline topology::LinkSpec any_link() {
  // 7 and 3 Gbps do not divide a byte into whole picoseconds.
  return {gigabits_per_second(one_of({8, 4, 16, 10, 7, 3, 100})),
          nanoseconds(one_of({0, 1, 7, 30, 400}))};
}

/// Switches joined as a random tree with some more cables, every cable with its own rate and delay
/// when `mixed`.
inline topology::Graph random_graph(bool mixed) {
  const topology::LinkSpec same = any_link();
  const auto link = [&] { return mixed ? any_link() : same; };
  const int switches = number(2, 6);
  std::vector<std::size_t> used(static_cast<std::size_t>(switches), 0);
  topology::GraphBuilder builder("random");
  std::vector<SwitchId> ids;
  for (int s = 0; s < switches; ++s) ids.push_back(builder.add_switch(24));
  const auto join = [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    builder.connect(ids[i], used[i], ids[j], used[j], link());
    ++used[i];
    ++used[j];
  };
  for (int s = 1; s < switches; ++s) join(s, number(0, s - 1));
  for (int extra = number(0, 4); extra > 0; --extra) {
    const int a = number(0, switches - 1);
    const int b = number(0, switches - 1);
    if (a != b) join(a, b);
  }
  for (std::size_t s = 0; s < ids.size(); ++s) {
    for (int h = number(1, 3); h > 0; --h)
      builder.connect(builder.add_host(), ids[s], used[s]++, link());
  }
  return builder.build();
}

struct Sample {
  std::shared_ptr<const topology::Graph> graph;
  std::string routing;
};

inline Sample any_network() {
  switch (number(0, 7)) {
    case 0:
      return {make_topology("k-ary-n-tree", "k = 2\nn = 3", any_link()), "d-mod-k"};
    case 1:
      return {make_topology("rlft", "ports = 4\nstages = 2", any_link()), "d-mod-k"};
    case 2:
      return {make_topology("torus", "sizes = [4]\nhosts_per_switch = 2", any_link()),
              "dimension-order"};
    case 3:
      return {make_topology("torus", "sizes = [3, 3]", any_link()), "dimension-order"};
    case 4:
      return {make_topology("single-switch", fmt::format("hosts = {}", number(2, 6)), any_link()),
              "shortest-path"};
    default:
      return {std::make_shared<topology::Graph>(random_graph(number(0, 1) == 1)), "up-down"};
  }
}

}  // namespace weir::fabric::testing::random_network
