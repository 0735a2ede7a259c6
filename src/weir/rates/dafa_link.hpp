#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weir/base/state_archive.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Most applications that a control packet has bits for (the document thinks of 32 to 128).
constexpr std::size_t kMaxApplications = 128;
using ApplicationSet = std::bitset<kMaxApplications>;

/// Messages of DAFA (zdornov2009, section 4.3.3). Announcements use `number` (weight), `flag`
/// (start) and `round` (newest met); forward and feedback `number` (rate) or `applications`;
/// results carry a number for every application.
template <class Number>
struct DafaMessage {
  enum class Kind : std::uint8_t { announce, trigger, forward, feedback, result };
  enum class Half : std::uint8_t { collection, distribution };
  Kind kind = Kind::announce;
  Half half = Half::collection;
  bool flag = true;
  std::uint32_t round = 0;
  std::uint32_t iteration = 0;
  Number number{0};
  ApplicationSet applications{};
  std::shared_ptr<const std::vector<Number>> rates{};

  /// Number of its PIF in the round, from 1.
  [[nodiscard]] std::uint32_t step() const {
    return 2 * iteration + (half == Half::collection ? 1U : 2U);
  }

  void checkpoint(StateArchive& state) {
    std::vector<Number> numbers = rates ? *rates : std::vector<Number>();
    state(kind, half, flag, round, iteration, number, applications, numbers);
    if (!state.is_reading()) return;
    rates = numbers.empty() ? nullptr : std::make_shared<const std::vector<Number>>(numbers);
  }
};

/// What the links below an element say in a PIF.
template <class Number>
struct DafaAnswer {
  Number least = NumberTraits<Number>::unbounded();
  ApplicationSet full{};
  void add(const DafaAnswer& other) {
    least = std::min(least, other.least);
    full |= other.full;
  }
};

/// The worker of one link in AFA's parallel form (zdornov2009, section 4.3.2), with a real number
/// for each application: the weights that are left and, for DAFA, the true ones.
template <class Number>
struct DafaLink {
  Number capacity{1};
  Number free{1};            ///< c_l
  Number weight{0};          ///< W_l
  std::span<Number> active;  ///< W_l^a, per application
  std::span<Number> announced;
  std::span<std::uint32_t> announced_flows;
  ApplicationSet present;  ///< A_l

  void announce(std::size_t application, const Number& amount, bool is_start) {
    if (is_start) {
      announced[application] += amount;
      ++announced_flows[application];
    } else {
      announced[application] -= amount;
      if (--announced_flows[application] == 0) announced[application] = Number(0);
    }
  }

  /// Begins a calculation.
  void reset() {
    free = capacity;
    present.reset();
    for (std::size_t a = 0; a < active.size(); ++a) {
      active[a] = announced[a];
      if (announced_flows[a] > 0) present.set(a);
    }
    add_up();
  }

  /// Rate collection: applications in `inactive` go; returns what each of the others can still
  /// get, per weight.
  Number collect(const ApplicationSet& inactive) {
    if ((present & inactive).any()) {
      for (std::size_t a = 0; a < active.size(); ++a) {
        if (inactive[a]) active[a] = Number(0);
      }
      present &= ~inactive;
      add_up();
    }
    return present.none() ? NumberTraits<Number>::unbounded() : Number(free / weight);
  }

  /// Rate distribution: all get `rate` more; returns those that can get nothing beyond.
  ApplicationSet distribute(const Number& rate) {
    if (present.none()) return {};
    free -= rate * weight;
    return NumberTraits<Number>::is_spent(free, capacity) ? present : ApplicationSet{};
  }

  /// But for what it only refers to.
  void checkpoint(StateArchive& state) { state(free, weight, present); }

 private:
  void add_up() {
    weight = Number(0);
    for (const Number& w : active) weight += w;
  }
};

}  // namespace weir::rates
