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

constexpr int kHeads = 1;
constexpr int kRest = 2;

/// Calls `each(at, size)` for the pieces of `bytes` that are left from `begin` on.
template <class Each>
void in_pieces(std::size_t begin, std::size_t bytes, Each each) {
  for (std::size_t at = begin; at < bytes; at += kMost)
    each(at, static_cast<int>(std::min(kMost, bytes - at)));
}

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
  slots_.emplace(comm_);
  sent_.resize(count_);
  received_.resize(count_);
  come_.resize(count_);
  for (std::size_t r = 0; r < count_; ++r) {
    if (r != rank_ && !slots_->reaches(r)) received_[r].resize(sizeof(Head) + kFirst);
  }
}

MpiRanks::~MpiRanks() {
  slots_.reset();
  MPI_Comm_free(&comm_);
}

std::size_t MpiRanks::most_first(std::size_t rank) const {
  return slots_->reaches(rank) ? slots_->size() - sizeof(Head) : kFirst;
}

MpiRanks::Head MpiRanks::head_of(std::size_t rank) const {
  Head head;
  std::memcpy(&head, come_[rank].data(), sizeof head);
  return head;
}

void MpiRanks::wait() {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
}

template <class Out>
void MpiRanks::send_heads(Head head, Out out) {
  for (std::size_t r = 0; r < count_; ++r) {
    if (r == rank_ || slots_->reaches(r)) continue;
    MPI_Irecv(received_[r].data(), static_cast<int>(received_[r].size()), MPI_BYTE,
              static_cast<int>(r), kHeads, comm_, &requests_.emplace_back());
  }
  slots_->begin();
  for (std::size_t r = 0; r < count_; ++r) {
    if (r == rank_) continue;
    const Parcel& parcel = out(r);
    const std::size_t first = std::min(parcel.size(), most_first(r));
    head.size = parcel.size();
    std::span<std::byte> to;
    if (slots_->reaches(r)) {
      to = slots_->out(r);
    } else {
      sent_[r].resize(sizeof head + first);
      to = sent_[r];
    }
    std::memcpy(to.data(), &head, sizeof head);
    if (first > 0) std::memcpy(to.data() + sizeof head, parcel.data(), first);
    if (slots_->reaches(r)) {
      slots_->send(r);
      continue;
    }
    MPI_Isend(sent_[r].data(), static_cast<int>(sent_[r].size()), MPI_BYTE, static_cast<int>(r),
              kHeads, comm_, &requests_.emplace_back());
  }
  wait();
  for (std::size_t r = 0; r < count_; ++r) {
    if (r == rank_) continue;
    come_[r] = slots_->reaches(r) ? slots_->in(r) : std::span<const std::byte>(received_[r]);
  }
}

template <class Out>
void MpiRanks::send_rest(Out out, std::span<Parcel> in) {
  for (std::size_t r = 0; r < count_; ++r) {
    if (r == rank_) continue;
    in_pieces(most_first(r), in[r].size(), [&](std::size_t at, int size) {
      MPI_Irecv(in[r].data() + at, size, MPI_BYTE, static_cast<int>(r), kRest, comm_,
                &requests_.emplace_back());
    });
    const Parcel& parcel = out(r);
    in_pieces(most_first(r), parcel.size(), [&](std::size_t at, int size) {
      MPI_Isend(parcel.data() + at, size, MPI_BYTE, static_cast<int>(r), kRest, comm_,
                &requests_.emplace_back());
    });
  }
  wait();
}

template <class Out>
void MpiRanks::take_step(Step step, std::span<const std::byte> header, Out out,
                         std::span<Parcel> in) {
  if (header.size() > kMostHeader) throw std::logic_error("a header of ranks is too long");
  Head mine{step, 0, {}};
  std::copy(header.begin(), header.end(), mine.header.begin());
  send_heads(mine, out);
  for (std::size_t r = 0; r < count_; ++r) {
    if (r == rank_) continue;
    const Head head = head_of(r);
    if (head.step != step) give_up(r, step);
    const std::span<const std::byte> first =
        come_[r].subspan(sizeof head, std::min<std::size_t>(head.size, most_first(r)));
    in[r].assign(first.begin(), first.end());
    in[r].resize(head.size);
  }
  send_rest(out, in);
}

std::vector<Ranks::Parcel> MpiRanks::gather(const Parcel& mine) {
  std::vector<Parcel> all(count_);
  take_step(
      Step::gather, {}, [&](std::size_t) -> const Parcel& { return mine; }, all);
  all[rank_] = mine;
  return all;
}

void MpiRanks::exchange(std::span<const std::byte> header, std::span<const Parcel> out,
                        std::span<std::byte> headers, std::span<Parcel> in) {
  take_step(
      Step::exchange, header, [&](std::size_t r) -> const Parcel& { return out[r]; }, in);
  for (std::size_t r = 0; r < count_; ++r) {
    const std::byte* its = r == rank_ ? header.data() : come_[r].data() + offsetof(Head, header);
    std::memcpy(headers.data() + r * header.size(), its, header.size());
  }
}

void MpiRanks::end(const std::string& error) {
  if (!error.empty()) {
    // What fails on one of them alone leaves the others waiting.
    std::fprintf(stderr, "weir: process %zu of %zu: %s\n", rank_ + 1, count_, error.c_str());
  }
  const Parcel nothing;
  std::vector<Parcel> in(count_);
  take_step(
      Step::end, {}, [&](std::size_t) -> const Parcel& { return nothing; }, in);
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
