#pragma once

#include <span>

#include "weir/base/ranks.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::fabric {

/// Somebody who acts on the hosts of one part of a network from within it, like the ranks of a
/// parallel program that are there. It is told of what happens in the part, by the thread of the
/// part, in the instant in which it happens.
class PartWork : public Observer {
 public:
  [[nodiscard]] bool tells_flows_apart() const override { return false; }
  /// When act() has to be called, unless is_due() says so before; Time::max(): not by itself.
  [[nodiscard]] virtual Time next() const { return Time::max(); }
  /// act() has to be called at the end of the present instant.
  [[nodiscard]] virtual bool is_due() const { return false; }
  /// The events of the instant `now` have happened and are arbitrated. May submit messages of the
  /// part's own hosts.
  virtual void act(Time now) { (void)now; }
};

/// Somebody who acts on all parts of a network, or ends its run, when enough has happened in all of
/// them together. As long as that cannot be they run side by side; then they run instant by
/// instant, so that it acts in the instant in which it would act on a network in one part.
class Overseer {
 public:
  virtual ~Overseer() = default;
  /// All parts stand still, between two steps: what their work has for each other may be handed
  /// over. It acts no sooner than Core::horizon after it was given.
  virtual void exchange() {}
  /// exchange() hands something over, at least in some runs.
  [[nodiscard]] virtual bool hands_over() const { return true; }
  /// It could have to act before `end`. All parts have done what comes before `first`, nothing that
  /// comes later; `end` is at most Fabric::longest_window() later. Throws RunError for what ends
  /// the run anyway.
  virtual bool may_act(Time first, Time end) = 0;
  /// The events of an instant have happened in all parts; none of them is arbitrated.
  virtual void in_instant(Time now) { (void)now; }
  /// An instant is over in all parts. True: so is the run.
  virtual bool after_instant(Time now) = 0;

  // --- Where some of the parts are in other processes, each of which has such a one: all of these
  // decide the same, from what they have told each other whenever parts exchange what they have

  /// Adds what the process of rank r has to know to to[r], that of this one included. The time of
  /// the first thing that it makes happen there; Time::max(): none.
  virtual Time tell(std::span<Ranks::Parcel> to) {
    (void)to;
    return Time::max();
  }
  /// What all of them have told this one, by rank.
  virtual void hear(std::span<const Ranks::Parcel> told) { (void)told; }
  /// in_instant() has to know what has happened in the instant in other processes.
  [[nodiscard]] virtual bool acts_in_instants() const { return false; }
};

}  // namespace weir::fabric
