#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shared_slots.hpp"
#include "weir/base/ranks.hpp"

namespace weir::cli {

/// The processes that mpirun has started. A process may call it from any thread, one at a time.
/// Each step is one message to each of the others, and another one where that gets too long; within
/// a machine memory that processes share takes the place of the first. Where a process takes
/// another step than the others, or ends, all end with a message.
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
  /// What a message begins with.
  struct Head {
    Step step = Step::end;
    std::uint64_t size = 0;  ///< of all that is sent, here and later
    std::array<std::byte, kMostHeader> header{};
  };
  /// Bytes that go with the head in a message.
  static constexpr std::size_t kFirst = std::size_t{1} << 15;

  /// out(r): a parcel for rank r.
  template <class Out>
  void take_step(Step step, std::span<const std::byte> header, Out out, std::span<Parcel> in);
  template <class Out>
  void send_heads(Head head, Out out);
  /// What did not go with the heads.
  template <class Out>
  void send_rest(Out out, std::span<Parcel> in);
  /// Bytes that go with the head to this rank, and from it.
  [[nodiscard]] std::size_t most_first(std::size_t rank) const;
  /// Of a rank from which it has come.
  [[nodiscard]] Head head_of(std::size_t rank) const;
  void wait();
  [[noreturn]] void give_up(std::size_t rank, Step expected) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::size_t rank_ = 0;
  std::size_t count_ = 1;
  std::optional<SharedSlots> slots_;
  std::vector<Parcel> sent_;  ///< per rank: a head, and what goes with it, unless it is in a slot
  std::vector<Parcel> received_;
  std::vector<std::span<const std::byte>> come_;  ///< per rank: the same from it, wherever it is
  std::vector<MPI_Request> requests_;
};

}  // namespace weir::cli
