#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weir/base/exact_sum.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"

namespace weir::fabric {

class Mechanism;
class NodeState;
class TotalState;
struct FabricView;
struct FlowRequest;

/// What one part of a mechanism tells another one, which hears of it later: a neighbour, another
/// port of the switch, or the same port (a timer). Its content is a plain struct of the mechanism's
/// own. Sent through ControlMessages; arrives at Mechanism::on_control().
class ControlMessage {
 public:
  static constexpr std::size_t kMaxBytes = 24;

  ControlMessage() = default;
  template <class Content>
  ControlMessage(Mechanism& recipient, const Content& content) : recipient_(&recipient) {
    static_assert(std::is_trivially_copyable_v<Content> && sizeof(Content) <= kMaxBytes);
    std::memcpy(content_.data(), &content, sizeof(Content));
  }

  /// The recipient knows what was sent to it.
  template <class Content>
  [[nodiscard]] Content as() const {
    static_assert(std::is_trivially_copyable_v<Content> && sizeof(Content) <= kMaxBytes);
    Content content;
    std::memcpy(&content, content_.data(), sizeof(Content));
    return content;
  }
  /// Null: it is lost.
  [[nodiscard]] Mechanism* recipient() const { return recipient_; }
  void lose() { recipient_ = nullptr; }
  /// The same for another instance of the recipient.
  [[nodiscard]] ControlMessage to(Mechanism& recipient) const {
    ControlMessage copy = *this;
    copy.recipient_ = &recipient;
    return copy;
  }

 private:
  friend class Mechanism;

  std::array<std::byte, kMaxBytes> content_{};
  Mechanism* recipient_ = nullptr;
};

/// A number becomes larger, or smaller, at a moment.
struct Change {
  using PlainState = void;

  std::int64_t at = 0;  ///< ps
  std::int64_t by = 0;
};

/// Takes metrics that a mechanism has of its own, which it registers in a MetricTable beside its
/// parameters. All numbers are what has come together since the start of the run; they are read at
/// every sample (metrics.bin), where the measuring window begins, and at the end. What is told of
/// one metric and class several times adds up: by a mechanism of several parts, and by its
/// instances in the parts of a network. Told the same rows each time, whatever has happened, it
/// keeps their order.
class Readings {
 public:
  virtual ~Readings() = default;
  /// Traffic classes are numbered from 0.
  [[nodiscard]] virtual std::size_t traffic_classes() const = 0;
  /// So many in the whole run; the series tells how many in each bin.
  virtual void count(std::string_view metric, double total, std::string_view label = {}) = 0;
  /// The same of one traffic class; told by class, by role, and together.
  virtual void count_of(std::size_t traffic_class, std::string_view metric, double total) = 0;
  /// The mean over time part / whole, both integrals since the start: over the measuring window,
  /// and in each bin. Nothing is told where the whole is 0.
  virtual void mean(std::string_view metric, ExactSum part, ExactSum whole) = 0;
  virtual void mean_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
                       ExactSum whole) = 0;
  /// The mean over all of the time of what has the integral `integral` (times ps) since the start.
  virtual void mean_over_time(std::string_view metric, ExactSum integral) = 0;
  /// Of one of several things, with its interval by batch means of the samples: the mean over time
  /// of what has the integral `integral` (times ps) since the start; part / whole. What is not told
  /// has been 0 so far. `number`: see level_at().
  virtual void average_at(std::string_view metric, std::string_view label, ExactSum integral,
                          std::uint32_t number = 0) = 0;
  virtual void mean_at(std::string_view metric, std::string_view label, ExactSum part,
                       ExactSum whole, std::uint32_t number = 0) = 0;
  /// part / whole in the whole run, for what does not belong to a time.
  virtual void ratio_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
                        ExactSum whole) = 0;
  /// As it is now. The series tells it at the end of each bin; the scalar is the mean of the
  /// samples in the measuring window, and metric `largest`, if it is named, the largest sample of
  /// the run.
  virtual void level(std::string_view metric, double now, std::string_view largest = {}) = 0;
  /// The same of what does not add up: the largest that is told counts.
  virtual void level_of_most(std::string_view metric, double now,
                             std::string_view largest = {}) = 0;
  /// The same of one of several things; 0 where it is not told. Things that several instances tell
  /// for the first time are put in the order of their numbers, where they have some above 0.
  virtual void level_at(std::string_view metric, std::string_view label, double now,
                        std::uint32_t number = 0) = 0;
  /// It is the end of the run: values are written down only then.
  [[nodiscard]] virtual bool wants_values() const = 0;
  /// One number of the whole run, as it is at the end.
  virtual void value(std::string_view metric, double value, std::string_view label = {}) = 0;
  /// The same, `sum` in a unit that is so many units of the metric.
  virtual void value_of_sum(std::string_view metric, ExactSum sum, double unit) = 0;
  /// The same of `count` things that are `sum` together; nothing is told where there is none.
  virtual void value_of_mean(std::string_view metric, ExactSum sum, double unit,
                             ExactSum count) = 0;
  /// The same of what does not add up: the smallest and the largest that is told counts. NaN: there
  /// was none.
  virtual void smallest(std::string_view metric, double value, std::string_view label = {}) = 0;
  virtual void largest(std::string_view metric, double value, std::string_view label = {}) = 0;
  /// The most at one moment of what adds up over instances, all of whose changes are told; of one
  /// moment the increases come first.
  virtual void most_at_once(std::string_view metric, std::span<const Change> changes) = 0;
  /// A number of one of many things, `number` among them: those that have most are told, the first
  /// one first. At the end only.
  virtual void ranked(std::string_view metric, double value, std::string_view label,
                      std::uint32_t number) = 0;
};

/// What mechanisms ask hosts for.
class HostServices {
 public:
  virtual ~HostServices() = default;
  /// The connection that `asker` wants (ConnectionRequest::asker) is accepted, or given up.
  virtual void answer(std::uint32_t asker, bool accepted) = 0;
  /// Sends a packet of flow routing from the source of its flow.
  virtual void send_request(const FlowRequest& request) = 0;
};

/// Bytes that a mechanism adds to packets on the wire, for what they carry for it.
struct CarriedBytes {
  Bytes data;  ///< to each data packet
  Bytes ack;   ///< to each ACK or notification
};

/// Queues and look-up lines of one side, of each class of its buffer.
struct SideResources {
  std::uint32_t normal_queues = 1;
  std::uint32_t set_aside_queues = 0;
  std::uint32_t cam_lines = 0;
};

/// What the fabric does with every optional mechanism of a run, whatever it is; what else it asks
/// one, its kind says (Marker, Reaction, ...).
class Mechanism {
 public:
  Mechanism() = default;
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;
  virtual ~Mechanism() = default;

  /// Asked before attach(), and again whenever a run is made; the same each time.
  [[nodiscard]] virtual CarriedBytes carried() const { return {}; }
  /// Classes that it adds to every ingress buffer, in each lane; only a selection function puts
  /// packets there (SelectionFunction::isolates()).
  [[nodiscard]] virtual int added_classes() const { return 0; }
  /// What one side of a port of a switch with `degree` ports has in place of the queues of the
  /// queueing scheme (of a host: its injection buffer; `degree` 1, egress); nothing: it changes
  /// nothing.
  [[nodiscard]] virtual std::optional<SideResources> side_resources(bool is_egress,
                                                                    std::uint32_t degree) const {
    (void)is_egress, (void)degree;
    return std::nullopt;
  }
  /// Before anything happens. Throws InputError where it cannot work with this fabric. What it
  /// keeps in packets it reserves here (Packets::reserve()).
  virtual void attach(const FabricView& fabric) { (void)fabric; }
  /// Of a network in parts, after attach(): the instances of the mechanism in all of them, the
  /// first part's first, this one among them. All parts stand still in check(), read() and notes():
  /// there, and only there, one may look at another.
  virtual void meet(std::span<Mechanism* const> instances) { (void)instances; }
  /// A message of its own has arrived at `port`.
  virtual void on_control(PortId port, const ControlMessage& message) { (void)port, (void)message; }
  /// Throws RunError when the parts of its state do not fit together or differ from what is in the
  /// fabric; with `is_idle` also when anything is left of them: the network is empty, no message is
  /// on its way, and all sources have ended.
  virtual void check(bool is_idle) const { (void)is_idle; }
  /// Hands over its own metrics, as they are at `now`.
  virtual void read(Readings& readings, Time now) const { (void)readings, (void)now; }
  /// Bytes, without the object itself.
  [[nodiscard]] virtual std::size_t memory() const { return 0; }
  /// A network can be divided into parts that run side by side, with an instance of the mechanism
  /// in each. True: together they do what one alone would, to the bit: nothing of its state belongs
  /// to more than one node (or the two ends of a link) or holds handles of packets that cross, its
  /// messages take at least the delay of a cable, and what it reads() adds up over instances.
  [[nodiscard]] virtual bool works_in_parts() const { return false; }
  /// So it does when links fail, one end of which may be in another part.
  [[nodiscard]] virtual bool bears_failures_in_parts() const { return works_in_parts(); }
  /// So it does in several processes: nothing that is measured needs what other instances know.
  [[nodiscard]] virtual bool works_in_ranks() const { return works_in_parts(); }
  /// Checkpoints of a run have its state: checkpoint() writes down, or reads back, what it has of a
  /// node, and the sums that it counts beside that. Read into an instance that has been attached,
  /// in a network that may be divided otherwise.
  [[nodiscard]] virtual bool has_checkpoints() const { return false; }
  virtual void checkpoint(NodeState& state) { (void)state; }
  virtual void checkpoint_totals(TotalState& state) { (void)state; }
  /// A message of its own on its way. To be overridden where it names a flow of `host`, to which it
  /// is sent: NodeState::flow_of().
  virtual void checkpoint_message(NodeState& state, std::uint32_t host, ControlMessage& message);
  /// For the user: values that follow from the network, and what will not work well.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  /// Numbers of the run so far that notes depend on. Those of the instances in all parts of a
  /// network add up, one by one.
  [[nodiscard]] virtual std::vector<std::uint64_t> counts_for_notes() const { return {}; }
  /// The same where all instances together have these. Of a network in parts what all of them
  /// say counts.
  [[nodiscard]] virtual std::vector<std::string> notes_of(
      std::span<const std::uint64_t> counts) const {
    (void)counts;
    return notes();
  }
};

}  // namespace weir::fabric
