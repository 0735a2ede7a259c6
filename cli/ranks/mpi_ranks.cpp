#include "mpi_ranks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace weir::cli {

namespace {

/// Bytes of one MPI message: they are counted in an int.
constexpr std::size_t kMost = std::size_t{1} << 30;

constexpr int kTag = 1;

}  // namespace

MpiRanks::MpiRanks() {
  // Its messages are apart from all others.
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  int rank = 0;
  int count = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &count);
  rank_ = static_cast<std::size_t>(rank);
  count_ = static_cast<std::size_t>(count);
  block_size_ = sizeof(Block) + count_ * sizeof(std::uint64_t);
  mine_.resize(block_size_);
  blocks_.resize(block_size_ * count_);
}

MpiRanks::~MpiRanks() { MPI_Comm_free(&comm_); }

void MpiRanks::meet(Step step, std::span<const std::byte> header,
                    const std::vector<std::uint64_t>& sizes) {
  if (header.size() > kMostHeader) throw std::logic_error("a header of ranks is too long");
  Block block{step, {}};
  std::copy(header.begin(), header.end(), block.header.begin());
  std::memcpy(mine_.data(), &block, sizeof block);
  std::memcpy(mine_.data() + sizeof block, sizes.data(), count_ * sizeof(std::uint64_t));
  MPI_Allgather(mine_.data(), static_cast<int>(block_size_), MPI_BYTE, blocks_.data(),
                static_cast<int>(block_size_), MPI_BYTE, comm_);
  for (std::size_t r = 0; r < count_; ++r) {
    Step its = Step::end;
    std::memcpy(&its, block_of(r), sizeof its);
    if (its != step) give_up(r, step);
  }
}

std::uint64_t MpiRanks::size_from(std::size_t rank) const {
  std::uint64_t size = 0;
  std::memcpy(&size, block_of(rank) + sizeof(Block) + rank_ * sizeof size, sizeof size);
  return size;
}

template <class Out>
void MpiRanks::swap(Out out, std::span<Parcel> in) {
  requests_.clear();
  const auto in_pieces = [](std::size_t size, auto each) {
    for (std::size_t at = 0; at < size; at += kMost)
      each(at, static_cast<int>(std::min(kMost, size - at)));
  };
  for (std::size_t r = 0; r < count_; ++r) {
    in[r].resize(r == rank_ ? 0 : size_from(r));
    in_pieces(in[r].size(), [&](std::size_t at, int size) {
      MPI_Irecv(in[r].data() + at, size, MPI_BYTE, static_cast<int>(r), kTag, comm_,
                &requests_.emplace_back());
    });
  }
  for (std::size_t r = 0; r < count_; ++r) {
    if (r == rank_) continue;
    const Parcel& parcel = out(r);
    in_pieces(parcel.size(), [&](std::size_t at, int size) {
      MPI_Isend(parcel.data() + at, size, MPI_BYTE, static_cast<int>(r), kTag, comm_,
                &requests_.emplace_back());
    });
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

std::vector<Ranks::Parcel> MpiRanks::gather(const Parcel& mine) {
  meet(Step::gather, {}, std::vector<std::uint64_t>(count_, mine.size()));
  std::vector<Parcel> all(count_);
  swap([&](std::size_t) -> const Parcel& { return mine; }, all);
  all[rank_] = mine;
  return all;
}

void MpiRanks::exchange(std::span<const std::byte> header, std::span<const Parcel> out,
                        std::span<std::byte> headers, std::span<Parcel> in) {
  sizes_.resize(count_);
  for (std::size_t r = 0; r < count_; ++r) sizes_[r] = r == rank_ ? 0 : out[r].size();
  meet(Step::exchange, header, sizes_);
  for (std::size_t r = 0; r < count_; ++r) {
    std::memcpy(headers.data() + r * header.size(), block_of(r) + offsetof(Block, header),
                header.size());
  }
  swap([&](std::size_t r) -> const Parcel& { return out[r]; }, in);
}

void MpiRanks::end(const std::string& error) {
  if (!error.empty()) {
    // What fails on one of them alone leaves the others waiting.
    std::fprintf(stderr, "weir: process %zu of %zu: %s\n", rank_ + 1, count_, error.c_str());
  }
  meet(Step::end, {}, std::vector<std::uint64_t>(count_, 0));
}

void MpiRanks::give_up(std::size_t rank, Step expected) const {
  if (expected != Step::end) {
    std::fprintf(stderr,
                 "weir: process %zu of %zu has ended the run before process %zu; all end here\n",
                 rank + 1, count_, rank_ + 1);
  }
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();
}

}  // namespace weir::cli
