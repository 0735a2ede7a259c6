#include "weir/fabric/parallel/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace weir::fabric {

void Neighbours::Word::add(const Word& other) {
  next = std::min(next, other.next);
  end = std::min(end, other.end);
  reached = std::max(reached, other.reached);
  now = std::max(now, other.now);
  busiest = std::max(busiest, other.busiest);
  smallest = std::min(smallest, other.smallest);
  is_idle = is_idle && other.is_idle;
  has_background = has_background || other.has_background;
  has_failed = has_failed || other.has_failed;
  stops = stops || other.stops;
  has_many_peaks = has_many_peaks || other.has_many_peaks;
  reaches_all = reaches_all || other.reaches_all;
}

Neighbours::Neighbours(Ranks& ranks, std::vector<Part*> here)
    : ranks_(ranks),
      here_(std::move(here)),
      first_(here_.front()->border()->part()),
      parts_(static_cast<std::uint16_t>(here_.front()->border()->territories().parts)),
      rank_of_part_(parts_),
      packed_(here_.size(), std::vector<Ranks::Parcel>(ranks.count())),
      earliest_(here_.size(), std::vector<std::int64_t>(parts_, kNever)),
      has_packed_(here_.size(), 0),
      stirs_(here_.size()),
      out_(ranks.count()),
      in_(ranks.count()),
      told_(ranks.count()),
      words_(ranks.count()) {
  const std::size_t mechanisms = here_.front()->core().every_mechanism.size();
  for (std::size_t i = 0; i < mechanisms; ++i) {
    std::vector<TellsProcesses*> instances;
    for (Part* part : here_) {
      auto* one = dynamic_cast<TellsProcesses*>(part->core().every_mechanism[i]);
      if (one == nullptr) break;
      one->set_process(ranks_.rank());
      instances.push_back(one);
    }
    if (!instances.empty()) tellers_.push_back(std::move(instances));
  }
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
    const std::int64_t first = border.pack(part, packed_[which][rank], stirs_[which]);
    earliest_[which][part] = std::min(earliest_[which][part], first);
  }
  has_packed_[which] = 1;
}

Stirs Neighbours::add_packed(std::span<std::int64_t> next) {
  Stirs all;
  for (std::size_t which = 0; which < here_.size(); ++which) {
    if (std::exchange(has_packed_[which], std::uint8_t{0}) == 0) continue;
    all |= std::exchange(stirs_[which], Stirs{});
    for (std::uint16_t part = 0; part < parts_; ++part) {
      const std::int64_t first = std::exchange(earliest_[which][part], kNever);
      next[part] = std::min(next[part], first);
    }
  }
  return all;
}

void Neighbours::append_next(std::span<const std::int64_t> next) {
  for (std::size_t rank = 0; rank < out_.size(); ++rank)
    if (rank != ranks_.rank()) put<std::int64_t>(out_[rank], next);
}

std::size_t Neighbours::take_next(std::size_t rank, std::size_t end, std::span<std::int64_t> next) {
  const std::size_t begin = end - next.size_bytes();
  std::size_t at = begin;
  for (std::int64_t& its : next) its = std::min(its, take_value<std::int64_t>(in_[rank], at));
  return begin;
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

Neighbours::Word Neighbours::exchange(Word mine, Overseer* overseer, const Lookahead& lookahead,
                                      std::span<std::int64_t> next) {
  const Stirs packed = add_packed(next);
  mine.is_idle = mine.is_idle && !packed.moves;
  mine.has_background = mine.has_background || packed.has_background;
  collect();
  const bool some_tell = overseer != nullptr || !tellers_.empty();
  for (Ranks::Parcel& parcel : told_) parcel.clear();
  if (overseer != nullptr) {
    const std::int64_t first = overseer->tell(told_).count;
    for (std::int64_t& its : next) its = std::min(its, first);
    mine.is_idle = mine.is_idle && first == kNever;
  }
  for (std::size_t part = 0; part < next.size(); ++part) {
    mine.next = std::min(mine.next, next[part]);
    mine.end = std::min(mine.end, later(next[part], lookahead.out_of(part)));
  }
  if (tells_next()) append_next(next);
  if (!tellers_.empty()) tell_of_mechanisms();
  if (some_tell) append_told();
  ranks_.exchange(std::as_bytes(std::span(&mine, 1)), out_,
                  std::as_writable_bytes(std::span(words_)), in_);
  for (std::size_t rank = 0; rank < in_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    std::size_t end = some_tell ? take_told(rank) : in_[rank].size();
    if (tells_next()) end = take_next(rank, end, next);
    unpack(in_[rank], end);
  }
  Word all = words_.front();
  for (const Word& word : words_) all.add(word);
  if (all.has_failed) return all;
  if (!tellers_.empty()) hear_of_mechanisms();
  if (overseer != nullptr) overseer->hear(told_);
  return all;
}

void Neighbours::tell_of_mechanisms() {
  Ranks::Parcel mine;
  for (const std::vector<TellsProcesses*>& instances : tellers_) {
    put_value<std::uint64_t>(mine, instances.size());
    for (TellsProcesses* one : instances) one->tell(mine);
  }
  for (Ranks::Parcel& parcel : told_) {
    parcel.insert(parcel.end(), mine.begin(), mine.end());
    put_value<std::uint64_t>(parcel, mine.size());
  }
}

void Neighbours::hear_of_mechanisms() {
  for (std::size_t rank = 0; rank < told_.size(); ++rank) {
    const Ranks::Parcel& parcel = told_[rank];
    const std::size_t end = parcel.size() - sizeof(std::uint64_t);
    std::size_t at = end;
    at = end - take_value<std::uint64_t>(parcel, at);
    for (const std::vector<TellsProcesses*>& instances : tellers_) {
      const auto its = take_value<std::uint64_t>(parcel, at);
      for (std::uint64_t one = 0; one < its; ++one) {
        const std::size_t begin = at;
        for (TellsProcesses* instance : instances) {
          at = begin;
          instance->hear(rank, parcel, at);
        }
      }
    }
  }
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
