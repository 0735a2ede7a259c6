#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/experiment/config/flows.hpp"
#include "weir/flow_routing/flow_router.hpp"
#include "weir/rates/flow_set.hpp"

namespace weir::experiment {

/// Is told what becomes of the paths of flows.
class SetUpListener {
 public:
  virtual ~SetUpListener() = default;
  /// The path of a flow has been found.
  virtual void begin(std::uint32_t flow, std::span<const rates::LinkId> path) = 0;
  // The packet that looks for it is about to leave, leaves by a link, is at the destination.
  virtual void ride(std::uint32_t flow) = 0;
  virtual void pass(std::uint32_t flow, rates::LinkId link) = 0;
  virtual void turn(std::uint32_t flow) = 0;
};

/// The [[flow]]s of a simulation whose paths are found by packets: which of them a connection is
/// set up for, and along which path (zdornov2009, section 3.2.1).
///
/// A connection is set up by the first message that waits. All of its flows that wish to send take
/// its path, also those whose messages find no room yet. Where a message is a flow of the flow
/// routing, each waits for a set-up of its own.
class FlowSetUps final : public flow_routing::FlowWatch {
 public:
  struct Options {
    std::size_t first_class = 0;  ///< whose messages have the number of their flow as tag,
    std::size_t classes = 1;      ///< and how many follow each other
    bool per_message = false;     ///< a connection is set up for one message at a time
    bool are_announced = false;   ///< by the packet that sets the path up, where one is sent
  };
  /// `listener` may be null, and outlives the use.
  FlowSetUps(const FlowList& flows, Options options, SetUpListener* listener);

  /// The flow wishes to send from now on. Without it, its first message says so.
  void wish(std::uint32_t flow);

  void on_generated(const fabric::Message& message) override;
  void on_set_up(std::uint32_t connection) override;
  void on_hop(std::uint32_t connection, PortId port) override;
  void on_arrival(std::uint32_t connection) override;
  void on_path(std::uint32_t connection, std::span<const PortId> path) override;
  void on_end(std::uint32_t connection) override;
  [[nodiscard]] bool goes_on(std::uint32_t connection) const override;

  /// What the flow table's numbers mean; the rest does not depend on them.
  void checkpoint(fabric::NodeState& state) override;
  void checkpoint(StateArchive& state);

  /// Empty: it has not been set up.
  [[nodiscard]] std::span<const rates::LinkId> path(std::uint32_t flow) const {
    return flows_[flow].path;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Flow {
    std::uint32_t connection = 0;
    bool is_endless = false;
    bool wishes = false;
    bool is_generated = false;          ///< its first message
    std::vector<rates::LinkId> path{};  ///< not empty: it has begun

    void checkpoint(StateArchive& state);
  };
  struct Connection {
    std::vector<std::uint32_t> flows{};
    std::vector<rates::LinkId> path{};    ///< empty: none is set up
    std::uint32_t unsent = 0;             ///< flows that have begun, and more of them will come
    std::vector<std::uint32_t> riders{};  ///< flows that the packet on its way announces

    void checkpoint(StateArchive& state);
  };

  void begin(std::uint32_t flow, const std::vector<rates::LinkId>& path);
  void note_message(std::uint32_t flow);

  Options options_;
  SetUpListener* listener_;
  std::vector<Flow> flows_;
  std::vector<Connection> connections_;
  std::vector<std::uint32_t> known_;                 ///< per flow of the flow table, or kNone
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< likewise, with per_message: flows in
                                                     ///< the order of their messages; kNone: others
};

}  // namespace weir::experiment
