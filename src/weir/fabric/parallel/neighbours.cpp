#include "weir/fabric/parallel/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace weir::fabric {

void Neighbours::Word::add(const Word& other) {
  next = std::min(next, other.next);
  now = std::max(now, other.now);
  busiest = std::max(busiest, other.busiest);
  is_idle = is_idle && other.is_idle;
  has_failed = has_failed || other.has_failed;
  stops = stops || other.stops;
  has_many_peaks = has_many_peaks || other.has_many_peaks;
}

Neighbours::Neighbours(Ranks& ranks, std::vector<Part*> here)
    : ranks_(ranks),
      here_(std::move(here)),
      first_(here_.front()->border()->part()),
      parts_(static_cast<std::uint16_t>(here_.front()->border()->territories().parts)),
      rank_of_part_(parts_),
      packed_(here_.size(), std::vector<Ranks::Parcel>(ranks.count())),
      earliest_(here_.size(), kNever),
      out_(ranks.count()),
      in_(ranks.count()),
      told_(ranks.count()),
      words_(ranks.count()) {
  const auto firsts = gathered(&ranks_, std::vector<std::uint16_t>{first_});
  for (std::size_t rank = 0; rank < firsts.size(); ++rank) {
    for (std::size_t part = firsts[rank].front(); part < parts_; ++part) rank_of_part_[part] = rank;
  }
}

void Neighbours::pack(std::size_t which) {
  Border& border = *here_[which]->border();
  if (!border.has_sent()) return;
  for (std::uint16_t part = 0; part < parts_; ++part) {
    const std::size_t rank = rank_of_part_[part];
    if (rank == ranks_.rank()) continue;
    earliest_[which] = std::min(earliest_[which], border.pack(part, packed_[which][rank]));
  }
}

void Neighbours::collect() {
  for (std::size_t rank = 0; rank < out_.size(); ++rank) {
    // The parcel of the first part is the message; it keeps its memory in turn.
    out_[rank].clear();
    std::swap(out_[rank], packed_.front()[rank]);
    for (std::size_t which = 1; which < here_.size(); ++which) {
      Ranks::Parcel& more = packed_[which][rank];
      out_[rank].insert(out_[rank].end(), more.begin(), more.end());
      more.clear();
    }
  }
}

void Neighbours::append_told() {
  for (std::size_t rank = 0; rank < out_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    out_[rank].insert(out_[rank].end(), told_[rank].begin(), told_[rank].end());
    put_value<std::uint64_t>(out_[rank], told_[rank].size());
  }
}

std::size_t Neighbours::take_told(std::size_t rank) {
  const Ranks::Parcel& parcel = in_[rank];
  std::size_t end = parcel.size() - sizeof(std::uint64_t);
  std::size_t at = end;
  const auto size = take_value<std::uint64_t>(parcel, at);
  const auto last = parcel.begin() + static_cast<std::ptrdiff_t>(end);
  end -= size;
  told_[rank].assign(parcel.begin() + static_cast<std::ptrdiff_t>(end), last);
  return end;
}

Neighbours::Word Neighbours::exchange(Word mine, Overseer* overseer) {
  for (std::size_t which = 0; which < here_.size(); ++which) {
    mine.next = std::min(mine.next, earliest_[which]);
    // What does nothing, such as that a message is done with, keeps nobody busy.
    mine.is_idle = mine.is_idle && earliest_[which] == kNever;
    earliest_[which] = kNever;
  }
  collect();
  if (overseer != nullptr) {
    for (Ranks::Parcel& parcel : told_) parcel.clear();
    const std::int64_t first = overseer->tell(told_).count;
    mine.next = std::min(mine.next, first);
    mine.is_idle = mine.is_idle && first == kNever;
    append_told();
  }
  ranks_.exchange(std::as_bytes(std::span(&mine, 1)), out_,
                  std::as_writable_bytes(std::span(words_)), in_);
  for (std::size_t rank = 0; rank < in_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    unpack(in_[rank], overseer == nullptr ? in_[rank].size() : take_told(rank));
  }
  Word all = words_.front();
  for (const Word& word : words_) all.add(word);
  if (overseer != nullptr && !all.has_failed) overseer->hear(told_);
  return all;
}

void Neighbours::unpack(const Ranks::Parcel& parcel, std::size_t end) {
  std::size_t at = 0;
  while (at < end) {
    std::array<std::uint16_t, 2> parts{};
    std::memcpy(parts.data(), &parcel[at], sizeof parts);
    at += sizeof parts;
    here_[std::size_t{parts[1]} - first_]->border()->receive(parts[0], parcel, at);
  }
}

bool Neighbours::is_true_everywhere(bool here) {
  const auto all = gathered(&ranks_, std::vector<std::uint8_t>{static_cast<std::uint8_t>(here)});
  return std::all_of(all.begin(), all.end(), [](const auto& one) { return one.front() != 0; });
}

}  // namespace weir::fabric
