#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "weir/traffic/traffic.hpp"

namespace weir {
class StateArchive;
}

namespace weir::traffic {

/// Keeps the sources that begin when enough packets have been received network-wide
/// (`start_after_packets`). The experiment's observer tells of every data packet; when
/// on_delivered() says so, it takes the sources that are due and gives them to the fabric, whose
/// clock is then their start:
///
///     Progress progress(traffic.sources);   // leaves those that begin at once
///     ...
///     void on_delivered(...) { if (progress.on_delivered()) add(progress.take_due()); }
class Progress {
 public:
  /// Takes the sources with start_after_packets > 0 out of `sources`, keeping the order of both.
  explicit Progress(std::vector<HostSource>& sources);

  /// Counts a packet. True when sources became due with it.
  bool on_delivered() { return ++received_ == next_due_; }
  void on_delivered(std::uint64_t packets) { received_ += packets; }
  /// Packets until some source is due.
  [[nodiscard]] std::uint64_t missing() const {
    return next_due_ > received_ ? next_due_ - received_ : 0;
  }

  /// The sources whose count is reached, in the order of make_sources().
  std::vector<HostSource> take_due();

  [[nodiscard]] std::uint64_t received() const { return received_; }
  void checkpoint(StateArchive& state);
  /// Times that some have begun so far; when it has been read, these, which are to be taken in
  /// their order.
  [[nodiscard]] std::size_t times_begun() const { return begun_at_.size(); }
  std::vector<HostSource> take_begun(std::size_t time);
  /// Sources that still wait.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  void find_next_due();

  std::vector<HostSource> waiting_;
  std::uint64_t received_ = 0;
  std::vector<std::uint64_t> begun_at_;  ///< received_, each time that some have begun
  std::uint64_t next_due_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace weir::traffic
