#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weir/experiment/config/flows.hpp"
#include "weir/flow_routing/flow_router.hpp"
#include "weir/rates/flow_set.hpp"

namespace weir::experiment {

/// The [[flow]]s of a simulation whose paths are found by packets: which of them a connection is
/// set up for, and along which path (zdornov2009, section 3.2.1).
///
/// A connection is set up by the first message that waits. All of its flows that wish to send take
/// its path, also those whose messages find no room yet. Where a message is a flow of the flow
/// routing, each waits for a set-up of its own.
class FlowSetUps final : public flow_routing::FlowWatch {
 public:
  /// Is told of a flow whose path has been found.
  using Begin = std::function<void(std::uint32_t flow)>;

  struct Options {
    std::uint8_t traffic_class = 0;  ///< whose messages have the number of their flow as tag
    bool per_message = false;        ///< a connection is set up for one message at a time
  };
  /// `is_endless` per flow.
  FlowSetUps(const FlowList& flows, std::vector<bool> is_endless, Options options, Begin begin);

  /// The flow wishes to send from now on. Without it, its first message says so.
  void wish(std::uint32_t flow);

  void on_generated(const fabric::Message& message) override;
  void on_path(std::uint32_t connection, std::span<const PortId> path) override;
  void on_end(std::uint32_t connection) override;
  [[nodiscard]] bool goes_on(std::uint32_t connection) const override;

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
  };
  struct Connection {
    std::vector<std::uint32_t> flows{};
    std::vector<rates::LinkId> path{};  ///< empty: none is set up
    std::uint32_t unsent = 0;           ///< flows that have begun, and more of them will come
  };

  void begin(std::uint32_t flow, const std::vector<rates::LinkId>& path);
  void note_message(std::uint32_t flow);

  Options options_;
  Begin begin_;
  std::vector<Flow> flows_;
  std::vector<Connection> connections_;
  std::vector<std::uint32_t> known_;                 ///< per flow of the flow table, or kNone
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< likewise, with per_message: flows in
                                                     ///< the order of their messages; kNone: others
};

}  // namespace weir::experiment
