#include "weir/workload/collectives.hpp"

#include <bit>

namespace weir::workload {

namespace {

/// Each rank passes on the piece that it received in the step before. `size`: of piece i.
template <class Size>
void pass_round(RankProgram& program, std::size_t steps, Size size) {
  const std::size_t n = program.rank_count();
  const std::size_t r = program.rank();
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t sent = (r + 2 * n - step) % n;
    program.send(size(sent), (r + 1) % n);
    program.receive(size((sent + n - 1) % n), (r + n - 1) % n);
    program.next_step();
  }
}

/// Equal pieces of `bytes`.
void pass_pieces_round(RankProgram& program, std::int64_t bytes, std::size_t steps) {
  const std::size_t n = program.rank_count();
  pass_round(program, steps, [&](std::size_t i) { return piece(bytes, i, n); });
}

/// Place of a rank in a tree whose root is place 0, and the rank at a place.
std::size_t tree_place(const RankProgram& program, std::size_t root) {
  return (program.rank() + program.rank_count() - root) % program.rank_count();
}
std::size_t tree_rank(const RankProgram& program, std::size_t root, std::size_t place) {
  return (place + root) % program.rank_count();
}

}  // namespace

void ring_all_reduce(RankProgram& program, std::int64_t bytes) {
  // In the first n - 1 steps pieces are summed up on their way, in the others the sums go round.
  pass_pieces_round(program, bytes, 2 * (program.rank_count() - 1));
}

void ring_reduce_scatter(RankProgram& program, std::int64_t bytes) {
  pass_pieces_round(program, bytes, program.rank_count() - 1);
}

void ring_reduce_scatter(RankProgram& program, std::span<const std::int64_t> pieces) {
  const std::size_t n = program.rank_count();
  // The piece that comes to rank i last is the one numbered i + 1.
  pass_round(program, n - 1, [&](std::size_t i) { return pieces[(i + n - 1) % n]; });
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
  pass_round(program, program.rank_count() - 1, [&](std::size_t) { return bytes; });
}

void ring_all_gather(RankProgram& program, std::span<const std::int64_t> bytes) {
  pass_round(program, program.rank_count() - 1, [&](std::size_t i) { return bytes[i]; });
}

void binomial_broadcast(RankProgram& program, std::int64_t bytes, std::size_t root) {
  const std::size_t n = program.rank_count();
  const std::size_t place = tree_place(program, root);
  std::size_t distance = 1;
  for (; distance < n; distance *= 2) {
    if ((place & distance) == 0) continue;
    program.receive(bytes, tree_rank(program, root, place - distance));
    program.next_step();
    break;
  }
  for (distance /= 2; distance > 0; distance /= 2) {
    if (place + distance >= n) continue;
    program.send(bytes, tree_rank(program, root, place + distance));
    program.next_step();
  }
}

void binomial_reduce(RankProgram& program, std::int64_t bytes, std::size_t root) {
  const std::size_t n = program.rank_count();
  const std::size_t place = tree_place(program, root);
  for (std::size_t distance = 1; distance < n; distance *= 2) {
    if ((place & distance) != 0) {
      program.send(bytes, tree_rank(program, root, place - distance));
      program.next_step();
      return;
    }
    if (place + distance >= n) continue;
    program.receive(bytes, tree_rank(program, root, place + distance));
    program.next_step();
  }
}

void linear_gather(RankProgram& program, std::span<const std::int64_t> bytes, std::size_t root) {
  const std::size_t r = program.rank();
  if (r != root) {
    program.send(bytes[r], root);
  } else {
    for (std::size_t i = 0; i < program.rank_count(); ++i) {
      if (i != root) program.receive(bytes[i], i);
    }
  }
  program.next_step();
}

void linear_scatter(RankProgram& program, std::span<const std::int64_t> bytes, std::size_t root) {
  const std::size_t r = program.rank();
  if (r != root) {
    program.receive(bytes[r], root);
  } else {
    for (std::size_t i = 0; i < program.rank_count(); ++i) {
      if (i != root) program.send(bytes[i], i);
    }
  }
  program.next_step();
}

}  // namespace weir::workload
