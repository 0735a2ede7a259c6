#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/hooks/logged_peak.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/switch/ingress.hpp"

namespace weir::selection {

/// Keys of the congestion detector. Shares are of a buffer class, or of a whole port's buffer.
struct DetectorSettings {
  double high = 0.81;  ///< HCDTh: a virtual output queue above it makes its output suspect
  double low = 0.63;   ///< LCDTh: below it the queue does not count any longer
  double free = 0.78;  ///< FCTh: more free credit than that behind the output: root, not branch
  Time persistence = milliseconds(5);  ///< CRT: a root is one from its first test to the last
  Time refresh = microseconds(100);    ///< how often a root tells that it still is one
  bool continuous = false;  ///< the credit test has to hold all the time, not only at both ends
  bool ends_high = true;    ///< when the timer ends a queue has to be above `high` again; else not
                            ///< below `low`
  bool of_port = false;     ///< shares of the port's buffer instead of the class
};

/// Which outputs are roots of congestion trees (rocher2021, section 3.3): a virtual
/// output queue for it is long, the buffer behind it has room, and both still hold when a timer
/// ends. It is a root until all queues that made it one have become short.
class CongestionDetector {
 public:
  enum class State : std::uint8_t { idle, pending, root };
  /// The shares of the settings in bytes.
  struct Limits {
    std::int64_t high = 0;  ///< a queue of more is long
    std::int64_t low = 0;   ///< a queue of less is short
    std::int64_t free = 0;  ///< more credit is room
  };

  /// What happens to a root; `id` is unique in the network. A lasting root is reported again, with
  /// the same id, every time that its timer ends.
  struct Listener {
    virtual ~Listener() = default;
    /// `packet` is held responsible for the congestion of output `port`.
    virtual void on_root(std::uint32_t port, const fabric::Packet& packet, std::uint32_t id) = 0;
    /// It still is a root.
    virtual void on_root_refreshed(std::uint32_t port, std::uint32_t id) = 0;
  };

  CongestionDetector(const DetectorSettings& settings, Listener& listener)
      : settings_(settings), listener_(listener) {}

  /// Needs ingress buffers, and asks to hear of their queues.
  void attach(const fabric::FabricView& fabric);
  void on_queued(std::uint32_t in_port, std::uint16_t out, std::uint16_t buffer);
  void on_removed(std::uint32_t in_port, std::uint16_t out, std::uint16_t buffer);
  /// A timer of this detector, which alone sets timers.
  void on_timer(std::uint32_t port, std::uint32_t what);

  [[nodiscard]] State state(std::uint32_t port) const { return outputs_[port].state; }
  /// Queues that count for an output.
  [[nodiscard]] std::uint32_t over(std::uint32_t port) const { return outputs_[port].over; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] std::uint64_t roots_declared() const { return roots_declared_; }
  /// Roots, now and at most. They begin when a timer ends, and end after that in the same instant.
  [[nodiscard]] const fabric::LoggedPeak& roots() const { return roots_; }
  /// Integral of their number over time up to now, in ps.
  [[nodiscard]] std::int64_t root_time() const {
    return root_time_ + roots_.now() * (clock_.now().count - roots_changed_);
  }
  /// Throws RunError when counts and flags do not fit together.
  void check() const;
  void checkpoint(fabric::NodeState& state);
  void checkpoint_totals(fabric::TotalState& state);
  [[nodiscard]] std::size_t memory() const {
    return outputs_.capacity() * sizeof(Output) + is_over_.capacity() +
           first_flag_.capacity() * sizeof(std::uint32_t) + roots_.memory();
  }

 private:
  struct Output {
    std::uint32_t id = 0;
    std::uint16_t over = 0;
    std::uint16_t generation = 0;  ///< of its timers; older ones mean nothing
    std::uint8_t sequence = 0;     ///< of its next root
    State state = State::idle;
  };
  enum Timer : std::uint32_t { kPersistence, kRefresh };

  void test_again(std::uint32_t port);
  void count_roots(int more);
  void shorten(std::uint32_t port);
  void begin(std::uint32_t port);
  void set_timer(std::uint32_t port, Timer timer, Time after);
  /// Tells the listener of those responsible whose queues hold more than `above`.
  bool report(std::uint32_t port, std::int64_t above);
  [[nodiscard]] bool has_room_behind(std::uint32_t port, std::uint16_t next_buffer) const;
  [[nodiscard]] bool has_room_behind(std::uint32_t port) const;
  template <class Visit>
  void for_each_responsible(std::uint32_t port, std::int64_t above, Visit visit) const;
  [[nodiscard]] std::size_t flag(std::uint32_t in_port, std::uint16_t out,
                                 std::uint16_t buffer) const {
    return first_flag_[in_port] + std::size_t{out} * static_cast<std::size_t>(buffers_.classes()) +
           buffer;
  }

  DetectorSettings settings_;
  Listener& listener_;
  fabric::Clock clock_;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  fabric::Packets packets_;
  fabric::SelectionCalls calls_;
  const topology::Graph* graph_ = nullptr;
  const fabric::IngressBuffers* ingress_ = nullptr;
  Limits limits_;
  std::uint64_t roots_declared_ = 0;
  fabric::LoggedPeak roots_;
  std::int64_t root_time_ = 0;  ///< up to roots_changed_
  std::int64_t roots_changed_ = 0;
  std::vector<Output> outputs_;            ///< per port
  std::vector<std::uint8_t> is_over_;      ///< per ingress port, local output and class
  std::vector<std::uint32_t> first_flag_;  ///< per ingress port
};

}  // namespace weir::selection
