#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weir/base/ranks.hpp"

namespace weir::cli {

/// The processes that mpirun has started. A process may call it from any thread, one at a time.
/// Where one of them takes another step than the others, or ends, all end with a message.
class MpiRanks final : public Ranks {
 public:
  MpiRanks();
  ~MpiRanks() override;

  [[nodiscard]] std::size_t rank() const override { return rank_; }
  [[nodiscard]] std::size_t count() const override { return count_; }
  [[nodiscard]] std::vector<Parcel> gather(const Parcel& mine) override;
  void exchange(std::span<const std::byte> header, std::span<const Parcel> out,
                std::span<std::byte> headers, std::span<Parcel> in) override;
  /// This process has nothing more to do with the others until the next run. `error`: why, before
  /// they do; empty: it is over.
  void end(const std::string& error);

 private:
  enum class Step : std::uint64_t { gather = 1, exchange, end };
  /// Longest header of exchange().
  static constexpr std::size_t kMostHeader = 64;
  /// What all tell all at each step.
  struct Block {
    Step step = Step::end;
    std::array<std::byte, kMostHeader> header{};
  };

  /// `sizes`: per rank, of what this one has for it.
  void meet(Step step, std::span<const std::byte> header, const std::vector<std::uint64_t>& sizes);
  [[nodiscard]] const std::byte* block_of(std::size_t rank) const {
    return blocks_.data() + rank * block_size_;
  }
  [[nodiscard]] std::uint64_t size_from(std::size_t rank) const;
  /// Sends and receives what meet() has announced; out(r): to rank r.
  template <class Out>
  void swap(Out out, std::span<Parcel> in);
  [[noreturn]] void give_up(std::size_t rank, Step expected) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::size_t rank_ = 0;
  std::size_t count_ = 1;
  std::size_t block_size_ = 0;
  std::vector<std::byte> mine_;
  std::vector<std::byte> blocks_;  ///< of all, by rank
  std::vector<std::uint64_t> sizes_;
  std::vector<MPI_Request> requests_;
};

}  // namespace weir::cli
