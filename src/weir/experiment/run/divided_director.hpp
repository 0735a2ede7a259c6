#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/awaited_bytes.hpp"
#include "weir/experiment/run/director.hpp"

namespace weir::experiment {

/// Does in a divided network what a Director does in one part, at the same times: in each part its
/// ranks of workloads are played and flows are counted; what all parts together make due, like the
/// end of a workload, a phase of flows or of the run, is done when all have come to that instant.
/// Threads go instant by instant only where something of that may happen before they meet again.
/// Where other parts are in other processes, each has such a director, and all do the same.
class DividedDirector final : public fabric::Overseer {
 public:
  DividedDirector(const Configuration& configuration, Director& director, FlowTraffic& flows,
                  ReservationWatch& reservations, std::size_t parts);
  ~DividedDirector() override;

  /// Of the parts, in their order.
  [[nodiscard]] fabric::PartWork& next_work();
  /// When the fabric is there, before anything happens.
  void attach(fabric::Fabric& fabric);

  void exchange() override;
  [[nodiscard]] bool hands_over() const override { return director_.players().size() > 0; }
  bool may_act(Time first, Time end) override;
  void in_instant(Time now) override;
  bool after_instant(Time now) override;
  [[nodiscard]] bool acts_in_instants() const override { return of_phase_ != nullptr; }
  Time tell(std::span<Ranks::Parcel> to) override;
  void hear(std::span<const Ranks::Parcel> told) override;

  /// The director goes on from a checkpoint.
  void go_on() {
    await_players();
    await_phase();
  }
  /// The run has come to its own end, not to that of a time.
  [[nodiscard]] bool is_over() const;
  /// Tells the director what has happened so far.
  void settle();

 private:
  class Work;
  struct Counts {
    std::uint64_t delivered = 0;  ///< data packets, since it was asked last
    std::uint64_t of_last = 0;    ///< messages that until = { delivered = .. } waits for, likewise
    std::uint64_t in_flight = 0;  ///< packets, modulo 2^64: sent here less received here
    std::uint64_t lost_of_phase = 0;  ///< parts that know of packets lost that a phase waits for

    Counts& operator+=(const Counts& other);
  };
  struct Ended {
    std::uint32_t flow = 0;
    Time at;
  };

  /// Of the parts in this process.
  [[nodiscard]] Counts take_counts();
  /// Flows that another phase waits for.
  [[nodiscard]] std::vector<Ended> take_ended();
  /// Tells the director of what has happened in all parts.
  void count(const Counts& all, const std::vector<Ended>& ended);
  /// All that is waited for.
  [[nodiscard]] std::vector<AwaitedBytes*> awaited();
  [[nodiscard]] std::uint64_t most_deliveries() const;
  [[nodiscard]] bool may_start_sources() const;
  [[nodiscard]] bool may_have_last() const;
  [[nodiscard]] bool may_end_workloads(Time first, Time end) const;
  [[nodiscard]] bool may_end_phase() const;
  void await_phase();
  /// What is still to come of all workloads, or less.
  void await_players();

  Director& director_;
  FlowTraffic& flows_;
  ReservationWatch& reservations_;
  std::vector<Failure> failures_;
  bool until_workload_;
  bool may_refuse_ = false;  ///< sources may refuse messages, as many as they like
  std::vector<std::pair<Time, Time>> outages_;  ///< packets may be lost meanwhile
  std::optional<std::uint8_t> last_class_;
  std::vector<std::unique_ptr<Work>> works_;
  std::size_t attached_ = 0;
  fabric::Fabric* fabric_ = nullptr;
  std::uint64_t most_between_meetings_ = 0;  ///< packets that hosts can receive
  std::uint64_t in_flight_ = 0;              ///< packets
  bool has_lost_of_phase_ = false;           ///< what the phase waits for will never be all there
  std::vector<AwaitedBytes> of_players_;     ///< in their order; empty: nobody waits for their end
  std::unique_ptr<AwaitedBytes> of_phase_;   ///< null: no other phase follows
};

}  // namespace weir::experiment
