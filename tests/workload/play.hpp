#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "tests/workload/helpers.hpp"
#include "weir/workload/players.hpp"

namespace weir::workload {

/// Plays schedules on one switch: links of 100 Gbps (80 ps a byte) and 30 ns, packets of 4096 bytes
/// without header, no other delays.
class Stage {
 public:
  explicit Stage(int hosts, const std::string& topology = "") {
    network_.graph = fabric::testing::make_topology(
        "single-switch", topology.empty() ? "hosts = " + std::to_string(hosts) : topology,
        {gigabits_per_second(100), nanoseconds(30)});
    network_.routing = "shortest-path";
  }

  /// Rank r is on host r, or on `hosts`[r].
  PlayerReport play(const std::string& text, PlayerSettings settings = {},
                    std::vector<HostId> hosts = {}) {
    return play(goal(text), settings, std::move(hosts));
  }
  PlayerReport play(Schedule schedule, PlayerSettings settings = {},
                    std::vector<HostId> hosts = {}) {
    for (std::size_t r = hosts.size(); r < schedule.rank_count(); ++r) hosts.emplace_back(r);
    Players players;
    players.add(
        "w", settings.traffic_class,
        Player(std::make_shared<const Schedule>(std::move(schedule)), std::move(hosts), settings));
    const auto fabric = network_.build();
    Listener listener;
    listener.players = &players;
    listener.fabric = fabric.get();
    fabric->core().observer = &listener;
    do {
      fabric->run_until(players.next(), players.next() == Time::max()
                                            ? fabric::WhenIdle::stop
                                            : fabric::WhenIdle::keep_time);
      if (!players.step(*fabric) && players.next() == Time::max()) break;
    } while (!players.are_done());
    EXPECT_TRUE(players.are_done());
    messages = listener.messages;
    fingerprint = fabric->fingerprint();
    return players[0].report();
  }

  /// Time of `bytes` from host to host through the idle switch: cut through, full packets behind
  /// each other.
  static Time transfer(std::int64_t bytes) { return Time(bytes * 80) + nanoseconds(60); }

  std::uint64_t messages = 0;     ///< that the network carried in the last play
  std::uint64_t fingerprint = 0;  ///< of the last play

 private:
  struct Listener : fabric::Observer {
    void on_message_complete(const fabric::Message& message, Time) override {
      ++messages;
      if (players->on_message_complete(message)) fabric->stop();
    }
    Players* players = nullptr;
    fabric::Fabric* fabric = nullptr;
    std::uint64_t messages = 0;
  };

  fabric::testing::SmallNetwork network_;
};

}  // namespace weir::workload
