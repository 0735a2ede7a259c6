#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/base/random.hpp"
#include "weir/base/units.hpp"
#include "weir/traffic/size.hpp"

namespace weir {
class StateArchive;
}

namespace weir::traffic {

/// Slack for loads that come out of divisions.
inline constexpr double kLoadRounding = 1e-9;

/// `base` plus `ps` to the nearest picosecond; Time::max() past the end of time.
inline Time later(Time base, double ps) {
  const auto room = static_cast<double>(Time::max().count - base.count);
  return ps < room ? base + Time(std::llround(ps)) : Time::max();
}

/// When one source generates its messages.
class ArrivalProcess {
 public:
  virtual ~ArrivalProcess() = default;
  /// Begins anew at `origin` with `interval` ps between messages on average (0 when not rated).
  virtual void start(Time origin, double interval, RandomStream& random) = 0;
  /// Time of the next message, not before the last one; Time::max() when there are no more until
  /// the next start(). `now` matters to closed loops only.
  virtual Time next(Time now, RandomStream& random) = 0;
  /// Needs an offered load.
  [[nodiscard]] virtual bool rated() const { return true; }
  /// Generates whenever the host has room.
  [[nodiscard]] virtual bool closed_loop() const { return false; }
  /// Checkpoints of a run have what start() and next() keep: checkpoint() writes it down, or reads
  /// it back into a process of the same settings.
  [[nodiscard]] virtual bool has_checkpoints() const { return false; }
  virtual void checkpoint(StateArchive& state) { (void)state; }
  /// Why this process cannot have `interval`, or nothing.
  [[nodiscard]] virtual std::optional<std::string> refusal(double interval) const {
    (void)interval;
    return std::nullopt;
  }
};

/// What an arrival process is made for.
struct ArrivalContext {
  Rate link;  ///< of the source host
  MeanSize size;
};

using ArrivalFactory =
    std::function<std::unique_ptr<ArrivalProcess>(const Settings&, const ArrivalContext&)>;

/// Kind "arrivals".
Registry<ArrivalFactory>& arrival_registry();

using ArrivalRegistration = Registration<ArrivalFactory>;

/// What rated processes have in common: one of `load`, `rate` and `interval`, and how it counts.
struct LoadKeys {
  std::optional<double> load;
  std::optional<Rate> rate;
  std::optional<Time> interval;
  bool counts_wire = false;  ///< by load and rate: headers included
  bool overload = false;
};
const Keys<LoadKeys>& load_keys();

/// ps that the mean message occupies the link, counted as the keys say.
double mean_service(const LoadKeys& keys, const ArrivalContext& context);

/// Mean time between two messages of a source in ps, from `load` (of a phase) or else from the
/// file. Throws InputError when neither says, when several do, and when more is offered than the
/// link carries without `overload = true`.
double mean_interval(const Checked<LoadKeys>& file, const ArrivalContext& context,
                     std::optional<double> load);

}  // namespace weir::traffic
