#include "shared_slots.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "weir/base/prefetch.hpp"

namespace weir::cli {

namespace {

/// What a process has for all others together, enough for what crosses in a window, and what all of
/// them have: half of the shared memory of a container.
constexpr std::size_t kMostEach = std::size_t{8} << 20;
constexpr std::size_t kMostTogether = std::size_t{32} << 20;
/// With less than this in a slot it is not worth it.
constexpr std::size_t kLeast = 1'024;
constexpr std::size_t kLine = 64;
/// Looks before the core is left to others.
constexpr int kPoliteFrom = 1000;

/// Steps whose slot has been written.
std::atomic_ref<std::uint64_t> written(std::byte* slots) {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(slots));
}

}  // namespace

SharedSlots::SharedSlots(MPI_Comm comm) {
  int own_rank = 0;
  int count = 1;
  MPI_Comm_rank(comm, &own_rank);
  MPI_Comm_size(comm, &count);
  place_.assign(static_cast<std::size_t>(count), -1);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, own_rank, MPI_INFO_NULL, &node_);
  int here = 1;
  MPI_Comm_size(node_, &here);
  MPI_Comm_rank(node_, &own_place_);
  if (here == 1) return;
  // For each place, its own among them, so that all are found alike: a line for the number of the
  // step, and two slots.
  const auto places = static_cast<std::size_t>(here);
  const std::size_t bytes = std::min(kMostEach, kMostTogether / places);
  each_ = bytes / places / kLine * kLine;
  if (each_ < kLine + 2 * kLeast) return;
  size_ = (each_ - kLine) / 2 / kLine * kLine;
  polite_from_ =
      static_cast<unsigned>(here) <= std::thread::hardware_concurrency() ? kPoliteFrom : 0;
  void* memory = nullptr;
  // Where there is no such memory messages do.
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
  int is_there = MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, node_,
                                         &memory, &window_) == MPI_SUCCESS
                     ? 1
                     : 0;
  MPI_Allreduce(MPI_IN_PLACE, &is_there, 1, MPI_INT, MPI_MIN, node_);
  if (is_there == 0) {
    window_ = MPI_WIN_NULL;
    return;
  }
  for (int place = 0; place < here; ++place) {
    MPI_Aint its_bytes = 0;
    int unit = 0;
    void* its = nullptr;
    MPI_Win_shared_query(window_, place, &its_bytes, &unit, &its);
    memory_.push_back(static_cast<std::byte*>(its));
  }
  for (int place = 0; place < here; ++place) written(slots(own_place_, place)).store(0);
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group some = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  MPI_Comm_group(node_, &some);
  for (int rank = 0; rank < count; ++rank) {
    int place = MPI_UNDEFINED;
    MPI_Group_translate_ranks(all, 1, &rank, some, &place);
    if (place != MPI_UNDEFINED && rank != own_rank) place_[static_cast<std::size_t>(rank)] = place;
  }
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  MPI_Barrier(node_);
}

SharedSlots::~SharedSlots() {
  if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
  MPI_Comm_free(&node_);
}

std::byte* SharedSlots::slots(int from, int to) const {
  return memory_[static_cast<std::size_t>(from)] + static_cast<std::size_t>(to) * each_;
}

std::span<std::byte> SharedSlots::out(std::size_t rank) const {
  return {slots(own_place_, place_[rank]) + kLine + step_ % 2 * size_, size_};
}

void SharedSlots::send(std::size_t rank) const {
  written(slots(own_place_, place_[rank])).store(step_, std::memory_order_release);
}

std::span<const std::byte> SharedSlots::in(std::size_t rank) const {
  std::byte* its = slots(place_[rank], own_place_);
  for (int i = 0; written(its).load(std::memory_order_acquire) < step_; ++i) {
#if defined(__x86_64__)
    if (i < polite_from_) {
      __builtin_ia32_pause();
      continue;
    }
#endif
    std::this_thread::yield();
  }
  return {its + kLine + step_ % 2 * size_, size_};
}

}  // namespace weir::cli
