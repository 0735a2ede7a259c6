#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "weir/base/ranks.hpp"
#include "weir/fabric/hooks/tells_processes.hpp"
#include "weir/fabric/parallel/lookahead.hpp"
#include "weir/fabric/part.hpp"

namespace weir::fabric {

/// The parts of a network in other processes, as those here see them: what is sent to them goes to
/// their process between two windows, one message to each, with what everyone has to know before
/// the next window can be planned.
class Neighbours {
 public:
  /// What one process knows, and all of them together.
  struct Word {
    std::int64_t next = kNever;  ///< time of the first thing that happens
    /// Nothing that has not been heard of acts in another part sooner; where the times of the parts
    /// are not told one by one.
    std::int64_t end = kNever;
    std::int64_t now = 0;            ///< the latest that a part stands at
    std::int64_t reached = 0;        ///< the latest end of a part's window
    std::uint64_t busiest = 0;       ///< events since the last word, in the part with most
    std::int64_t smallest = kNever;  ///< bytes of the smallest packet there has been
    bool is_idle = true;          ///< nothing moves, and nothing is scheduled that moves anything
    bool has_background = false;  ///< events that do not keep it from being idle
    bool has_failed = false;
    bool stops = false;           ///< somebody wants the run to end
    bool has_many_peaks = false;  ///< Peaks::has_many()
    bool reaches_all = false;     ///< what a part does may act on all after a shortest cable

    void add(const Word& other);
  };

  /// `here`: parts of this process, whose numbers follow one another.
  Neighbours(Ranks& ranks, std::vector<Part*> here);

  /// Packs what part `which` of those here has for others; by the thread of the part.
  void pack(std::size_t which);
  /// Between windows, by one thread: `mine` is what is known here, less what is on its way. Returns
  /// what all know together. `overseer`: of this process, has something to tell the others; null
  /// everywhere, or nowhere. `next`: per part of the whole network when something happens there, of
  /// those here; then of all, if tells_next().
  [[nodiscard]] Word exchange(Word mine, Overseer* overseer, const Lookahead& lookahead,
                              std::span<std::int64_t> next);
  /// Processes tell each other of each part when something happens there, not only when the first
  /// of all can act elsewhere: parts are few.
  [[nodiscard]] bool tells_next() const { return parts_ <= kFewParts; }
  /// Part `which` takes in what others have for it, in the order of all parts: `own` takes that of
  /// one in this process.
  template <class Own>
  void take_in(std::size_t which, Own own) {
    for (std::uint16_t part = 0; part < parts_; ++part) {
      const std::size_t place = std::size_t{part} - first_;
      if (place == which) continue;
      if (place < here_.size()) {
        own(place);
      } else {
        here_[which]->take_in(part);
      }
    }
  }
  /// All ranks throw the error of the first of them that has one.
  void agree(const std::exception_ptr& failure) { weir::agree(&ranks_, failure); }
  [[nodiscard]] bool is_true_everywhere(bool here);

 private:
  static constexpr std::size_t kFewParts = 64;

  /// Adds to `next` what has been packed, and returns what that does.
  Stirs add_packed(std::span<std::int64_t> next);
  /// The times of parts stand behind what is packed.
  void append_next(std::span<const std::int64_t> next);
  /// What is before them in what has come from a rank; they are added to `next`.
  std::size_t take_next(std::size_t rank, std::size_t end, std::span<std::int64_t> next);
  /// What is in it up to `end`.
  void unpack(const Ranks::Parcel& parcel, std::size_t end);
  /// Fills out_ with what is packed.
  void collect();
  /// The same of what overseers tell each other: it stands behind, and its length last.
  void append_told();
  /// Takes it out of what has come from a rank; where it began.
  std::size_t take_told(std::size_t rank);
  /// What mechanisms tell stands behind that of overseers, and its length last.
  void tell_of_mechanisms();
  void hear_of_mechanisms();

  Ranks& ranks_;
  std::vector<Part*> here_;
  std::uint16_t first_;  ///< number of the first part here
  std::uint16_t parts_;
  std::vector<std::size_t> rank_of_part_;
  /// Per part here and rank.
  std::vector<std::vector<Ranks::Parcel>> packed_;
  /// Per part here: of what is packed for each part, if anything is.
  std::vector<std::vector<std::int64_t>> earliest_;
  std::vector<std::uint8_t> has_packed_;
  std::vector<Stirs> stirs_;        ///< per part here: all that is packed
  std::vector<Ranks::Parcel> out_;  ///< per rank
  std::vector<Ranks::Parcel> in_;
  /// Per rank: by overseers and mechanisms, to others and then from them.
  std::vector<Ranks::Parcel> told_;
  /// Mechanisms that tell something: of each kind its instances in the parts here.
  std::vector<std::vector<TellsProcesses*>> tellers_;
  std::vector<Word> words_;
};

}  // namespace weir::fabric
