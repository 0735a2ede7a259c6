#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/workload/program.hpp"

namespace weir::workload {

/// Each writes the part of one rank in a collective operation of all ranks of its program.

/// Sums up `bytes` of all ranks in a ring: 2(n - 1) steps, in each of which every rank sends one of
/// n pieces to the next rank and receives one from the rank before.
void ring_all_reduce(RankProgram& program, std::int64_t bytes);

/// The same by exchanging all bytes with the rank at distance 1, 2, 4, ...: log2(n) steps. Of n
/// ranks that are no power of two, the 2(n - p) first ones meet in pairs before and after, p being
/// the next lower power.
void recursive_doubling_all_reduce(RankProgram& program, std::int64_t bytes);

/// The first half of that: rank i has the sum of piece i + 1 after n - 1 steps.
void ring_reduce_scatter(RankProgram& program, std::int64_t bytes);

/// The same where piece i, which rank i has in the end, has its own size.
void ring_reduce_scatter(RankProgram& program, std::span<const std::int64_t> pieces);

/// Every rank has `bytes`, a piece for each rank: in step i it sends one to the i-th rank behind it
/// and receives one from the i-th before it.
void all_to_all_pieces(RankProgram& program, std::int64_t bytes);

/// Gives the `bytes` of every rank to all others in a ring: n - 1 steps.
void ring_all_gather(RankProgram& program, std::int64_t bytes);
/// The same where rank i gives bytes[i].
void ring_all_gather(RankProgram& program, std::span<const std::int64_t> bytes);

/// Gives the `bytes` of `root` to all others along a binomial tree: log2(n) steps.
void binomial_broadcast(RankProgram& program, std::int64_t bytes, std::size_t root);
/// Sums up `bytes` of all ranks at `root` along the same tree, upwards.
void binomial_reduce(RankProgram& program, std::int64_t bytes, std::size_t root);

/// Each rank but `root` sends its bytes[i] to it, all together.
void linear_gather(RankProgram& program, std::span<const std::int64_t> bytes, std::size_t root);
/// `root` sends bytes[i] to each rank i but itself, all together.
void linear_scatter(RankProgram& program, std::span<const std::int64_t> bytes, std::size_t root);

/// Piece i of `bytes` in n pieces whose sizes differ by 1 at most.
constexpr std::int64_t piece(std::int64_t bytes, std::size_t i, std::size_t n) {
  const auto count = static_cast<std::int64_t>(n);
  return bytes / count + (static_cast<std::int64_t>(i) < bytes % count ? 1 : 0);
}

}  // namespace weir::workload
