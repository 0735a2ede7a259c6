#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weir/workload/program.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

/// Ranks as a grid, row by row.
struct TransposeSettings : MessageRoundSettings {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool in_steps = true;
};

/// A matrix of l x l blocks, l = lcm(rows, columns), lies on the grid block-cyclically: block (i,
/// j) on the rank in row i mod rows and column j mod columns. Its transposed block (j, i) is where
/// it goes. Blocks with the same (i + j) mod l are exchanged in the same step: each rank has one of
/// them, and what it sends to a rank, it receives from there.
void transpose(RankProgram& program, const TransposeSettings& grid) {
  const std::size_t l = std::lcm(grid.rows, grid.columns);
  struct Exchange {
    std::size_t step = 0;
    std::size_t partner = 0;
  };
  std::vector<Exchange> exchanges;
  for (std::size_t i = program.rank() / grid.columns; i < l; i += grid.rows) {
    for (std::size_t j = program.rank() % grid.columns; j < l; j += grid.columns) {
      const std::size_t partner = (j % grid.rows) * grid.columns + i % grid.columns;
      exchanges.push_back({(i + j) % l, partner});
    }
  }
  std::sort(exchanges.begin(), exchanges.end(),
            [](const Exchange& a, const Exchange& b) { return a.step < b.step; });
  for (const Exchange& one : exchanges) {
    if (one.partner == program.rank()) continue;
    program.send(grid.bytes.count, one.partner);
    program.receive(grid.bytes.count, one.partner);
    if (grid.in_steps) program.next_step();
  }
}

Keys<TransposeSettings> transpose_keys() {
  using K = TransposeSettings;
  return Keys<K>{key(&K::rows, "rows", "rows of the grid of ranks").required().range(1, 100'000),
                 key(&K::columns, "columns",
                     "columns of the grid of ranks; with lcm(rows, columns) = l a round has l * l "
                     "/ ranks steps")
                     .required()
                     .range(1, 100'000),
                 key(&K::bytes, "bytes", "size of each block").required(), order_key(&K::in_steps)}
      .with(round_keys());
}

const WorkloadRegistration kTranspose(
    workload_registry(),
    {"transpose",
     "a block-cyclic matrix is transposed: ranks exchange blocks in pairs, all pairs at once "
     "(PTRANS-like)",
     "luszczek2006hpcc; rocher2021, section 4.2.2"},
    transpose_keys(), [](const Checked<TransposeSettings>& settings, const RankCount& count) {
      if (settings->rows * settings->columns != count.ranks) {
        throw settings.error(&TransposeSettings::rows,
                             fmt::format("{} rows of {} columns are not {} ranks", settings->rows,
                                         settings->columns, count.ranks));
      }
      return write_rounds(*settings, count.ranks,
                          [&](RankProgram& program) { transpose(program, *settings); });
    });

}  // namespace
}  // namespace weir::workload
