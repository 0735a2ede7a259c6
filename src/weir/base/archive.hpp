#pragma once

#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// State as bytes, for another process of the same build. What is to be packed has a member
//
//   template <class Archive>
//   void serialize(Archive& archive) {
//     archive(one_, other_);
//   }
//
// which needs nothing of this header. What is plain numbers has a member type PlainState instead,
// and goes byte by byte.

namespace cereal {

template <class State>
concept PlainState = requires {
  typename State::PlainState;
};

template <class Archive, PlainState State>
void CEREAL_SAVE_FUNCTION_NAME(Archive& archive, const State& state) {
  static_assert(std::is_trivially_copyable_v<State>);
  archive(binary_data(&state, sizeof state));
}
template <class Archive, PlainState State>
void CEREAL_LOAD_FUNCTION_NAME(Archive& archive, State& state) {
  archive(binary_data(&state, sizeof state));
}

}  // namespace cereal

namespace weir {

template <class State>
[[nodiscard]] std::vector<std::byte> to_bytes(const State& state) {
  std::ostringstream out(std::ios::binary);
  cereal::BinaryOutputArchive archive(out);
  archive(state);
  const std::string text = std::move(out).str();
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

/// Over what `state` has.
template <class State>
void from_bytes(const std::vector<std::byte>& bytes, State& state) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                        std::ios::binary);
  cereal::BinaryInputArchive archive(in);
  archive(state);
}

}  // namespace weir
