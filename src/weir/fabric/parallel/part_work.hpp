#pragma once

#include "weir/fabric/hooks/hooks.hpp"

namespace weir::fabric {

/// Somebody who acts on the hosts of one part of a network from within it, like the ranks of a
/// parallel program that are there. It is told of what happens in the part, by the thread of the
/// part, in the instant in which it happens.
class PartWork : public Observer {
 public:
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
  /// It could have to act before `end`. All parts have done what comes before `first`, nothing that
  /// comes later; `end` is at most Core::horizon later. Throws RunError for what ends the run
  /// anyway.
  virtual bool may_act(Time first, Time end) = 0;
  /// The events of an instant have happened in all parts; none of them is arbitrated.
  virtual void in_instant(Time now) { (void)now; }
  /// An instant is over in all parts. True: so is the run.
  virtual bool after_instant(Time now) = 0;
};

}  // namespace weir::fabric
