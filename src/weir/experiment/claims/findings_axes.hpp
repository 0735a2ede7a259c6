#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/claims/judge.hpp"

namespace weir::experiment::claims {

/// How the verdict of a combination is written in findings.toml.
inline constexpr std::array kVerdictLetters{std::pair('h', Verdict::holds),
                                            std::pair('d', Verdict::differs),
                                            std::pair('u', Verdict::undecided)};

/// All combinations of the values of each name, the last one fastest; none when they are more than
/// 100,000.
std::vector<Combination> product_of(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& axes);

}  // namespace weir::experiment::claims
