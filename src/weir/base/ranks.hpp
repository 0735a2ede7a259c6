#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// Processes that carry out one run together. Each of them does the same steps in the same order;
/// where one needs what the others have, all of them make the same call, and wait for it.
class Ranks {
 public:
  using Parcel = std::vector<std::byte>;

  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  /// This one's number.
  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t count() const = 0;
  /// What each of them has, by rank.
  [[nodiscard]] virtual std::vector<Parcel> gather(const Parcel& mine) = 0;
  /// Gives `header`, as long everywhere, to all of them and out[r] to rank r. `headers`: those of
  /// all, one behind the other by rank. in[r]: what rank r has for this one. Made for thousands of
  /// calls a second.
  virtual void exchange(std::span<const std::byte> header, std::span<const Parcel> out,
                        std::span<std::byte> headers, std::span<Parcel> in) = 0;
};

/// Adds plain values to a parcel.
template <class Plain>
void put(Ranks::Parcel& parcel, std::span<const Plain> values) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  if (values.empty()) return;
  const std::size_t at = parcel.size();
  parcel.resize(at + values.size_bytes());
  std::memcpy(parcel.data() + at, values.data(), values.size_bytes());
}

/// Values of a parcel that has nothing else.
template <class Plain>
[[nodiscard]] std::vector<Plain> values_in(const Ranks::Parcel& parcel) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  std::vector<Plain> values(parcel.size() / sizeof(Plain));
  if (!values.empty()) std::memcpy(values.data(), parcel.data(), values.size() * sizeof(Plain));
  return values;
}

/// A single value, and the other way round.
template <class Plain>
[[nodiscard]] Ranks::Parcel parcel_of(const Plain& value) {
  Ranks::Parcel parcel;
  put<Plain>(parcel, {&value, 1});
  return parcel;
}
template <class Plain>
[[nodiscard]] Plain value_in(const Ranks::Parcel& parcel) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  Plain value{};
  std::memcpy(&value, parcel.data(), sizeof value);
  return value;
}

/// Adds a single value to a parcel of several things; taken out again from `at` on, which then
/// stands behind it.
template <class Plain>
void put_value(Ranks::Parcel& parcel, const Plain& value) {
  put<Plain>(parcel, {&value, 1});
}
template <class Plain>
[[nodiscard]] Plain take_value(const Ranks::Parcel& parcel, std::size_t& at) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  Plain value{};
  std::memcpy(&value, &parcel.at(at), sizeof value);
  at += sizeof value;
  return value;
}
/// The same for a list: the number of its elements, then these.
template <class Plain>
void put_list(Ranks::Parcel& parcel, const std::vector<Plain>& list) {
  put_value<std::uint64_t>(parcel, list.size());
  put<Plain>(parcel, list);
}
template <class Plain>
void take_list(const Ranks::Parcel& parcel, std::size_t& at, std::vector<Plain>& list) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  list.resize(take_value<std::uint64_t>(parcel, at));
  if (list.empty()) return;
  std::memcpy(list.data(), &parcel.at(at), list.size() * sizeof(Plain));
  at += list.size() * sizeof(Plain);
}

// --- What all ranks know together. Without ranks: what is given.

/// What each of them has, by rank.
template <class Plain>
[[nodiscard]] std::vector<std::vector<Plain>> gathered(Ranks* ranks, std::vector<Plain> mine) {
  std::vector<std::vector<Plain>> all;
  if (ranks == nullptr) {
    all.push_back(std::move(mine));
    return all;
  }
  Ranks::Parcel parcel;
  put<Plain>(parcel, mine);
  for (const Ranks::Parcel& one : ranks->gather(parcel)) all.push_back(values_in<Plain>(one));
  return all;
}

/// The sum of what they have.
template <class Plain>
[[nodiscard]] Plain summed(Ranks* ranks, const Plain& mine) {
  if (ranks == nullptr) return mine;
  Plain sum{};
  for (const Ranks::Parcel& one : ranks->gather(parcel_of(mine))) sum += value_in<Plain>(one);
  return sum;
}

/// What the first of them has.
template <class Plain>
[[nodiscard]] Plain of_first(Ranks* ranks, const Plain& mine) {
  if (ranks == nullptr) return mine;
  return value_in<Plain>(ranks->gather(parcel_of(mine)).front());
}

/// Does something that may fail on one of them alone: it fails on all then, with the error of the
/// first on which it did, so that none waits for another that has given up.
void together(Ranks* ranks, const std::function<void()>& work);
/// The same when it has been done. `failure`: of this one, null: none.
void agree(Ranks* ranks, const std::exception_ptr& failure);

}  // namespace weir
