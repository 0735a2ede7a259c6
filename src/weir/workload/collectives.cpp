#include "weir/workload/collectives.hpp"

#include <bit>

namespace weir::workload {

namespace {

/// Each rank passes on the piece that it received in the step before.
void pass_pieces_round(RankProgram& program, std::int64_t bytes, std::size_t steps) {
  const std::size_t n = program.rank_count();
  const std::size_t r = program.rank();
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t sent = (r + 2 * n - step) % n;
    program.send(piece(bytes, sent, n), (r + 1) % n);
    program.receive(piece(bytes, (sent + n - 1) % n, n), (r + n - 1) % n);
    program.next_step();
  }
}

}  // namespace

void ring_all_reduce(RankProgram& program, std::int64_t bytes) {
  // In the first n - 1 steps pieces are summed up on their way, in the others the sums go round.
  pass_pieces_round(program, bytes, 2 * (program.rank_count() - 1));
}

void ring_reduce_scatter(RankProgram& program, std::int64_t bytes) {
  pass_pieces_round(program, bytes, program.rank_count() - 1);
}

void all_to_all_pieces(RankProgram& program, std::int64_t bytes) {
  const std::size_t n = program.rank_count();
  const std::size_t r = program.rank();
  for (std::size_t i = 1; i < n; ++i) {
    program.send(piece(bytes, (r + i) % n, n), (r + i) % n);
    program.receive(piece(bytes, r, n), (r + n - i) % n);
    program.next_step();
  }
}

void recursive_doubling_all_reduce(RankProgram& program, std::int64_t bytes) {
  const std::size_t n = program.rank_count();
  const std::size_t r = program.rank();
  const std::size_t power = std::bit_floor(n);
  const std::size_t paired = 2 * (n - power);  // ranks that meet in pairs
  const bool steps_back = r < paired && r % 2 == 0;
  if (steps_back) {
    program.send(bytes, r + 1);
    program.next_step();
    program.receive(bytes, r + 1);
    program.next_step();
    return;
  }
  if (r < paired) {
    program.receive(bytes, r - 1);
    program.next_step();
  }
  const auto place_of = [&](std::size_t rank) {
    return rank < paired ? rank / 2 : rank - paired / 2;
  };
  const auto rank_at = [&](std::size_t place) {
    return place < paired / 2 ? 2 * place + 1 : place + paired / 2;
  };
  for (std::size_t distance = 1; distance < power; distance *= 2) {
    const std::size_t partner = rank_at(place_of(r) ^ distance);
    program.send(bytes, partner);
    program.receive(bytes, partner);
    program.next_step();
  }
  if (r < paired) {
    program.send(bytes, r - 1);
    program.next_step();
  }
}

void ring_all_gather(RankProgram& program, std::int64_t bytes) {
  const std::size_t n = program.rank_count();
  const std::size_t r = program.rank();
  for (std::size_t step = 0; step + 1 < n; ++step) {
    program.send(bytes, (r + 1) % n);
    program.receive(bytes, (r + n - 1) % n);
    program.next_step();
  }
}

}  // namespace weir::workload
