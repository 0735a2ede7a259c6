#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::cli {

/// Memory that processes of one machine share, in place of messages between them: from each of them
/// to each other one two slots, which are written in turn. All of them take the same steps; what
/// has come in one of them can be read until the next.
class SharedSlots {
 public:
  /// Of the processes of `comm` that share memory with this one. All of them make it together.
  explicit SharedSlots(MPI_Comm comm);
  SharedSlots(const SharedSlots&) = delete;
  SharedSlots& operator=(const SharedSlots&) = delete;
  ~SharedSlots();

  /// This one shares memory with process `rank` of `comm`, another one.
  [[nodiscard]] bool reaches(std::size_t rank) const { return place_[rank] >= 0; }
  /// Bytes that a slot has.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Begins a step.
  void begin() { ++step_; }
  /// Where this one writes what `rank` is to have.
  [[nodiscard]] std::span<std::byte> out(std::size_t rank) const;
  /// It has been written.
  void send(std::size_t rank) const;
  /// What `rank` has written for this one; waits for it.
  [[nodiscard]] std::span<const std::byte> in(std::size_t rank) const;

 private:
  /// Of the slots from a process, by its place in node_, to the one at place `to`.
  [[nodiscard]] std::byte* slots(int from, int to) const;

  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  int own_place_ = 0;
  std::vector<int> place_;  ///< per rank of the communicator, in node_; -1: none, and its own
  std::vector<std::byte*> memory_;  ///< per place: what it writes
  std::size_t each_ = 0;            ///< bytes of them for each process
  std::size_t size_ = 0;
  int polite_from_ = 0;  ///< looks before the core is left to others
  std::uint64_t step_ = 0;
};

}  // namespace weir::cli
