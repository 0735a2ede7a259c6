#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/admission/asked.hpp"
#include "weir/fabric/connection_tables.hpp"
#include "weir/fabric/hooks/admission.hpp"
#include "weir/fabric/hooks/known_paths.hpp"
#include "weir/fabric/hooks/tells_processes.hpp"

namespace weir::admission {

enum MessageKind : std::uint16_t {
  kProbe,    ///< to the node that sends on the hop's link, or the destination
  kAccept,   ///< back, to the node that sends on the hop's link
  kReject,   ///< likewise
  kRelease,  ///< along the route, after the last packet has been lost
  kLeft,     ///< inside a node: the last packet has left the hop's link
  kAsk,      ///< inside the source: it is time to ask again
  kGiveUp,   ///< inside the source
};

/// What the nodes of a route tell each other about a connection.
struct ConnectionMessage {
  MessageKind kind;
  std::uint16_t hop;  ///< place of a link on the route
  ConnectionKey of;
};

/// Connections of one traffic class in the whole run.
struct AdmissionCounters {
  std::uint64_t asked = 0;     ///< connections, however often each asked
  std::uint64_t accepted = 0;  ///< connections
  std::uint64_t rejected = 0;  ///< times that one was rejected
  std::uint64_t given_up = 0;  ///< connections that did not ask again
  std::uint64_t released = 0;  ///< connections that have ended and given back their last link
  Time setup;                  ///< from the first question to the acceptance, sum
};

/// The link with the largest share of its bandwidth reserved.
struct MostReserved {
  PortId port;
  double share = 0;  ///< over all service levels
};

struct LinkByLinkSettings {
  std::vector<double> budgets;     ///< share of every link, per service level; of all: one entry
  bool is_one_for_all = false;     ///< simple sum: no difference between service levels
  Time retry = microseconds(100);  ///< after a rejection
  std::int64_t attempts = 0;       ///< questions before a connection is given up; 0: no limit
  /// Connections fill the VL arbitration tables by these rules; nothing: tables stay as they are.
  std::optional<fabric::ConnectionTables::Rules> tables = {};
};

/// Admission control by a broker at each link (yan2012, section 3.2). A probe follows the route;
/// each link accepts p when p + s < b with s reserved of the budget b, all in whole bytes per
/// second. The destination answers; a rejection goes back and undoes what the probe has reserved.
///
/// With tables, a link that accepts a connection puts entries for it into the arbitration table of
/// the port that sends there (section 5.2), and takes them out with the reservation. A table
/// without room for it rejects a connection as a budget does.
///
/// A link that is down accepts nothing, and nothing crosses it: for an answer that cannot, the near
/// end rejects after `retry`, and what is reserved beyond is given back; for a release that cannot,
/// the far end makes it after `retry`. An open connection keeps what it has on both sides.
///
/// In a network in parts each instance knows of a connection what its own links hold: that of the
/// source, and as a guest each other one that has links of its route, from the probe on until these
/// hold nothing any more. So may that of the source itself, in a run that goes on from a checkpoint
/// of a network that was divided otherwise, when the place of the connection is free for others.
/// Where some are in other processes all of these hear of what sources ask for, with what crosses.
/// The last packet carries the name of its connection.
class LinkByLink final : public fabric::Admission, public fabric::TellsProcesses {
 public:
  LinkByLink(LinkByLinkSettings settings, const fabric::AdmissionContext& context);

  void attach(const fabric::FabricView& fabric) override;
  [[nodiscard]] std::optional<std::string> refusal(std::uint8_t service_level,
                                                   std::int64_t rate) const override;
  std::uint32_t ask(const fabric::ConnectionRequest& request) override;
  void end_with(HostId source, std::uint32_t connection, std::uint32_t message) override;
  void on_last(PortId port, const fabric::Packet& packet) override;
  void on_last_lost(PortId port, const fabric::Packet& packet) override;
  void on_control(PortId port, const fabric::ControlMessage& message) override;

  [[nodiscard]] bool works_in_parts() const override { return true; }
  void meet(std::span<fabric::Mechanism* const> instances) override;
  void set_process(std::size_t number) override;
  void tell(Ranks::Parcel& parcel) override;
  void hear(std::size_t number, const Ranks::Parcel& parcel, std::size_t& at) override;
  /// What is reserved beyond a link that is down is given back at once.
  [[nodiscard]] bool bears_failures_in_parts() const override { return false; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override;
  /// With all that is reserved, by the names of connections: parts take what their links hold.
  void checkpoint_totals(fabric::TotalState& state) override;
  void check(bool is_idle) const override;
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] AdmissionCounters counters(std::uint8_t traffic_class) const;
  /// Bytes per second reserved on the link that leaves `port`, and what they stay below.
  [[nodiscard]] std::int64_t reserved(PortId port, std::uint8_t service_level) const;
  [[nodiscard]] std::int64_t budget(PortId port, std::uint8_t service_level) const;
  /// Bytes per second, over all links.
  void read_entries(fabric::Readings& readings) const;
  [[nodiscard]] std::int64_t reserved_in_all() const;
  [[nodiscard]] MostReserved most_reserved() const;
  /// Largest share of a link that has ever been reserved.
  [[nodiscard]] double largest_share() const { return largest_share_; }
  [[nodiscard]] std::size_t memory() const override;
  [[nodiscard]] fabric::ConnectionTables* tables() const override { return tables_.get(); }

  /// The message that a connection's source would send now, for tests.
  [[nodiscard]] fabric::ControlMessage message(MessageKind kind, HostId source,
                                               std::uint32_t connection, std::size_t hop);

 private:
  static constexpr std::uint16_t kDataVls = fabric::ConnectionTables::kDataVls;
  enum class State : std::uint8_t { unused, asking, rejected, open, closing };
  struct Connection {
    ConnectionKey key;
    Asked asked;
    std::vector<std::uint8_t> holds;  ///< per link: it has reserved here for this connection
    std::vector<int> places;          ///< per such link: the connection's number in its table
    std::size_t held = 0;             ///< links
    bool is_guest = false;
    // At the source:
    State state = State::unused;
    std::uint32_t attempt = 0;
    Time since;                                  ///< of the first question
    std::uint32_t last_message = fabric::kNone;  ///< here, until it has begun to leave

    [[nodiscard]] std::size_t hops() const { return asked.links.size(); }
    void hold_nothing() {
      holds.assign(hops(), 0);
      places.assign(hops(), -1);
      held = 0;
    }
  };
  /// Connections of a host. They stay where they are.
  struct OfHost {
    std::vector<std::unique_ptr<Connection>> all;  ///< by place
    std::vector<std::uint32_t> unused;             ///< places
  };
  struct Reservation;

  [[nodiscard]] std::size_t level_of(std::uint8_t service_level) const {
    return settings_.is_one_for_all ? 0 : service_level;
  }
  [[nodiscard]] std::size_t index(std::uint32_t port, std::size_t level) const {
    return port * settings_.budgets.size() + level;
  }
  /// Null: it is over, or has not come here.
  [[nodiscard]] Connection* find(const ConnectionKey& key);
  /// Its source is in this part.
  [[nodiscard]] bool is_own(const ConnectionKey& key) const {
    return ports_.is_here(ports_.first_of(key.source));
  }
  Connection& welcome(const ConnectionKey& key, const Asked& asked);
  /// A guest that holds nothing goes.
  void dismiss(Connection& connection);
  /// It is over: its place is free.
  void leave_place(Connection& connection);
  void checkpoint_own(fabric::NodeState& state, OfHost& connections);
  /// What there is of connections that are not over.
  [[nodiscard]] std::vector<Reservation> reservations() const;
  /// What a checkpoint has of one.
  void take_over(const Reservation& one);
  void hold(Connection& connection, std::size_t hop);
  void hear(Connection& connection, const ConnectionMessage& message);
  void give_up(Connection& connection);
  void probe(Connection& connection, std::size_t hop);
  void reject(Connection& connection, std::size_t hop);
  void accept(Connection& connection, std::size_t hop);
  /// Adds the connection to the table of a link, where there is room.
  bool reserve(Connection& connection, std::size_t hop);
  /// Entries in the arbitration table of a link, if connections fill it; false: it has no room.
  bool fill(Connection& connection, std::size_t hop);
  [[nodiscard]] bool is_in_table(const Connection& connection) const;
  /// Why tables have no room for this rate on any link; nothing: some have.
  [[nodiscard]] std::optional<std::string> table_refusal(std::int64_t rate) const;
  [[nodiscard]] std::uint16_t vl_of(const fabric::ConnectionRequest& request,
                                    std::uint32_t first_link) const;
  void check_tables() const;
  /// visit(connection) for all that are not over, with guests.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const OfHost& host : own_) {
      for (const auto& c : host.all)
        if (c->state != State::unused) visit(*c);
    }
    for (const auto& [key, c] : guests_) visit(c);
  }
  /// Takes it out of the table, if it is there.
  void release(Connection& connection, std::size_t hop);
  void at_source_rejected(Connection& connection);
  [[nodiscard]] bool is_hopeless(const Connection& connection) const;
  void send_back(Connection& connection, MessageKind kind, std::size_t from_hop);
  void send_on(Connection& connection, MessageKind kind, std::size_t from_hop);
  [[nodiscard]] fabric::ControlMessage message(MessageKind kind, const Connection& connection,
                                               std::size_t hop);
  /// The connection that a packet is the last of; null: it holds nothing here any more.
  Connection* ending(const fabric::Packet& packet);
  [[nodiscard]] std::size_t hop_of(const Connection& connection, PortId port) const;
  AdmissionCounters& count(const Connection& connection);
  [[nodiscard]] double share(std::uint32_t port) const;

  LinkByLinkSettings settings_;
  fabric::AdmissionContext context_;
  fabric::Clock clock_;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::KnownPaths paths_;
  fabric::Buffers buffers_;
  fabric::ControlMessages messages_;
  fabric::HostServices* hosts_ = nullptr;
  std::vector<std::int64_t> budgets_;   ///< per port and level, bytes per second
  std::vector<std::int64_t> reserved_;  ///< likewise
  fabric::Packets packets_;
  fabric::RecordSlot<ConnectionKey> ends_{};  ///< in the last packet of a connection: its name
  std::vector<OfHost> own_;                   ///< by host; none of hosts in other parts
  std::map<ConnectionKey, Connection> guests_;
  bool is_divided_ = false;                   ///< there are instances in other parts of the network
  std::shared_ptr<AskedByAll> asked_by_all_;  ///< where it is divided
  bool has_other_processes_ = false;
  std::vector<const Connection*> newly_asked_;             ///< since other processes were told
  std::unordered_map<std::uint32_t, Connection*> ending_;  ///< by last message, as long as known
  std::vector<AdmissionCounters> counters_;                ///< per traffic class
  double largest_share_ = 0;
  std::unique_ptr<fabric::ConnectionTables> tables_;
};

}  // namespace weir::admission
