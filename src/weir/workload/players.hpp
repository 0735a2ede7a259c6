#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weir/workload/player.hpp"

namespace weir {
class StateArchive;
}

namespace weir::workload {

/// The workloads of one run, in their order within every instant. The run's observer tells it of
/// completed messages; whoever drives the fabric goes on like this:
///
///     do {
///       fabric.run_until(std::min(end, players.next()), fabric::WhenIdle::keep_time);
///     } while (players.step(fabric) || fabric.now() < end);
///
/// Where the network is divided, each part steps the ranks that are there by itself: divide(), and
/// the functions with a number of a group.
class Players {
 public:
  /// Messages of this traffic class belong to `player`.
  void add(std::string name, std::uint8_t traffic_class, Player player) {
    if (of_class_.size() <= traffic_class) of_class_.resize(traffic_class + 1U, kNone);
    of_class_[traffic_class] = players_.size();
    players_.push_back({std::move(name), std::move(player)});
  }

  /// Before anything happens: the ranks on hosts of each part are a group.
  void divide(const fabric::Fabric& fabric) {
    for (Named& one : players_) one.player.divide(fabric);
  }

  /// See Player::checkpoint().
  void checkpoint(StateArchive& state);

  /// True when the message is one of theirs: the fabric must stop after this instant.
  bool on_message_complete(const fabric::Message& message, std::size_t group = 0) {
    const std::size_t player = owner(message);
    if (player == kNone) return false;
    players_[player].player.on_message_complete(message.tag, group);
    return true;
  }
  /// True when it is one of theirs.
  bool on_lost(const fabric::Message& message, std::size_t group = 0) {
    const std::size_t player = owner(message);
    if (player == kNone) return false;
    players_[player].player.on_lost(message.tag, group);
    return true;
  }
  /// When step() must be called at the latest; Time::max(): only when a message comes.
  [[nodiscard]] Time next(std::size_t group = 0) const {
    Time first = Time::max();
    for (const Named& one : players_) first = std::min(first, one.player.next(group));
    return first;
  }
  [[nodiscard]] bool has_mail(std::size_t group) const {
    return std::any_of(players_.begin(), players_.end(),
                       [&](const Named& one) { return one.player.has_mail(group); });
  }
  /// Does what is due by the fabric's clock; false: nothing was. Throws RunError.
  bool step(fabric::Fabric& fabric) {
    bool is_due = false;
    for (Named& one : players_) is_due = one.player.step(fabric) || is_due;
    return is_due;
  }
  /// What is due for a group at `now`.
  void step(fabric::Fabric& fabric, std::size_t group, Time now) {
    for (Named& one : players_) one.player.step(fabric, group, now);
  }
  /// Brings what groups have for each other to its recipients; true: there was something.
  bool exchange() {
    bool some = false;
    for (Named& one : players_) some = one.player.exchange() || some;
    return some;
  }
  /// Between processes: Overseer::tell() and hear(), from at[r] on in what rank r has told.
  Time tell(std::span<Ranks::Parcel> to) {
    Time first = Time::max();
    for (Named& one : players_) first = std::min(first, one.player.tell(to));
    return first;
  }
  void hear(std::span<const Ranks::Parcel> told, std::span<std::size_t> at) {
    for (Named& one : players_) one.player.hear(told, at);
  }
  /// Throws RunError where nothing can ever go on.
  void check() const {
    for (const Named& one : players_) one.player.check();
  }
  [[nodiscard]] bool are_done() const {
    return std::all_of(players_.begin(), players_.end(),
                       [](const Named& one) { return one.player.is_done(); });
  }

  /// Done, or without hope because messages were lost.
  [[nodiscard]] bool are_over() const {
    return std::all_of(players_.begin(), players_.end(),
                       [](const Named& one) { return one.player.is_over(); });
  }
  /// Whose message it is; none(): nobody's.
  [[nodiscard]] std::size_t owner(const fabric::Message& message) const {
    return message.traffic_class < of_class_.size() ? of_class_[message.traffic_class] : kNone;
  }
  [[nodiscard]] static constexpr std::size_t none() { return kNone; }
  [[nodiscard]] std::size_t size() const { return players_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return players_[i].name; }
  [[nodiscard]] const Player& operator[](std::size_t i) const { return players_[i].player; }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  struct Named {
    std::string name;
    Player player;
  };

  std::vector<Named> players_;
  std::vector<std::size_t> of_class_;
};

}  // namespace weir::workload
