#pragma once

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weir/topology/cable_delays.hpp"

namespace weir::topology {

/// Metres.
inline constexpr double kShortestCable = 0.001;
inline constexpr double kLongestCable = 100'000;

struct LengthRange {
  double shortest = 0;
  double longest = 0;
};

/// `shortest` and `longest` before the other parameters.
inline std::vector<Parameter> with_length_range(std::vector<Parameter> others) {
  std::vector<Parameter> all{
      Parameter::of(ParameterType::real, "shortest", "shortest cable, in metres")
          .required()
          .range(kShortestCable, kLongestCable),
      Parameter::of(ParameterType::real, "longest", "longest cable, in metres")
          .required()
          .range(kShortestCable, kLongestCable)};
  for (Parameter& one : others) all.push_back(std::move(one));
  return all;
}

inline LengthRange length_range(const Settings& settings) {
  const LengthRange range{settings.real("shortest"), settings.real("longest")};
  if (range.longest < range.shortest) {
    throw settings.error("longest",
                         fmt::format("{} m is less than the shortest, {} m: give at least that",
                                     range.longest, range.shortest));
  }
  return range;
}

}  // namespace weir::topology
