#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/base/archive.hpp"

namespace weir {

class StateArchive;

/// It says itself what its state is: `void checkpoint(StateArchive& state)`.
template <class T>
concept SaysItsState = requires(T& object, StateArchive& state) {
  object.checkpoint(state);
};

/// Writes state down, or reads it back, so that who has state names it once, for both:
///
///   void checkpoint(StateArchive& state) { state(origin_, sent_); }
///
/// What is plain (trivially copyable, without pointers) goes byte by byte, lists one by one, what
/// has a checkpoint() of its own by that, all else as cereal does it. Only a program of the same
/// build understands the bytes.
class StateArchive {
 public:
  explicit StateArchive(std::ostream& out) : out_(&out) {}
  explicit StateArchive(std::istream& in) : in_(&in) {}

  [[nodiscard]] bool is_reading() const { return in_ != nullptr; }

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  /// `count` values from number `first` on, which are there.
  template <class List>
  void slice(List& list, std::size_t first, std::size_t count) {
    using T = typename List::value_type;
    if (first + count > list.size()) throw std::out_of_range("a slice of state is not there");
    if (count == 0) return;
    if constexpr (is_plain<T>) {
      bytes(&list[first], count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) one(list[first + i]);
    }
  }
  void bytes(void* at, std::size_t count) {
    if (in_ != nullptr) {
      in_->read(static_cast<char*>(at), static_cast<std::streamsize>(count));
      if (static_cast<std::size_t>(in_->gcount()) != count)
        throw std::runtime_error("the state ends too early");
    } else {
      out_->write(static_cast<const char*>(at), static_cast<std::streamsize>(count));
    }
  }

 private:
  template <class T>
  static constexpr bool is_plain =
      std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !SaysItsState<T>;

  template <class T>
  void one(T& value) {
    if constexpr (SaysItsState<T>) {
      value.checkpoint(*this);
    } else if constexpr (is_plain<T>) {
      bytes(&value, sizeof value);
    } else {
      by_cereal(value);
    }
  }
  void one(std::vector<bool>& list) {
    std::vector<std::uint8_t> values(list.begin(), list.end());
    one(values);
    list.assign(values.begin(), values.end());
  }
  template <class T, class Allocator>
  void one(std::vector<T, Allocator>& list) {
    std::uint64_t count = list.size();
    one(count);
    if (is_reading()) {
      // std::is_default_constructible_v is false in Clang where the class around T has asked it.
      if constexpr (requires { T(); }) {
        list.resize(count);
      } else if (list.size() != count) {
        throw std::runtime_error("the state has another number of parts");
      }
    }
    slice(list, 0, count);
  }
  template <class Key, class Value>
  void one(std::map<Key, Value>& map) {
    std::uint64_t count = map.size();
    one(count);
    if (!is_reading()) {
      for (auto& [key, value] : map) {
        Key copy = key;
        (*this)(copy, value);
      }
      return;
    }
    map.clear();
    for (; count > 0; --count) {
      Key key{};
      one(key);
      one(map[key]);
    }
  }
  template <class T>
  void one(std::optional<T>& value) {
    bool is_there = value.has_value();
    one(is_there);
    if (is_reading()) {
      value.reset();
      if (is_there) value = T{};
    }
    if (is_there) one(*value);
  }
  template <class A, class B>
  void one(std::pair<A, B>& pair) {
    (*this)(pair.first, pair.second);
  }
  template <class T>
  void by_cereal(T& value) {
    if (in_ != nullptr) {
      cereal::BinaryInputArchive archive(*in_);
      archive(value);
    } else {
      cereal::BinaryOutputArchive archive(*out_);
      archive(value);
    }
  }

  std::ostream* out_ = nullptr;
  std::istream* in_ = nullptr;
};

/// As bytes, and the other way round.
template <class T>
[[nodiscard]] std::vector<std::byte> state_bytes(T& object) {
  std::ostringstream out(std::ios::binary);
  StateArchive archive(out);
  archive(object);
  const std::string text = std::move(out).str();
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}
template <class T>
void read_state(const std::vector<std::byte>& bytes, T& object) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                        std::ios::binary);
  StateArchive archive(in);
  archive(object);
}

}  // namespace weir
