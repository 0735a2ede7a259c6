#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/error.hpp"

namespace weir::workload {

/// What an event means to a schedule. Others are not kept.
enum class Otf2Kind : std::uint8_t {
  enter,  ///< a call of MPI begins; calls within calls are part of these
  leave,
  send,
  receive,
  collective,
  begin_send,  ///< of what MPI does on while the program goes on: known by its request
  begin_receive,
  begin_collective,
  end_send,
  end_receive,
  end_collective,
  cancel,
  flush,  ///< the recorder wrote its memory to disk, outside of MPI
};

/// Operations have the numbers that OTF2 gives them.
enum class Otf2Collective : std::uint8_t {
  barrier = 0,
  broadcast = 1,
  gather = 2,
  gatherv = 3,
  scatter = 4,
  scatterv = 5,
  all_gather = 6,
  all_gatherv = 7,
  all_to_all = 8,
  all_to_allv = 9,
  all_to_allw = 10,
  all_reduce = 11,
  reduce = 12,
  reduce_scatter = 13,
  reduce_scatter_block = 16,
  create_handle = 17,
  destroy_handle = 18,
};

/// An event of a rank. Ranks are those of the communicator.
struct Otf2Event {
  std::uint64_t position = 0;  ///< among all events of its location, from 1
  std::uint64_t time = 0;      ///< ticks
  std::uint64_t bytes = 0;     ///< of a message; that a collective sent; flush: ticks it took
  std::uint64_t received = 0;  ///< by a collective
  std::uint64_t request = 0;
  std::uint32_t region = 0;  ///< the call that it is in
  std::uint32_t communicator = 0;
  std::uint32_t peer = 0;  ///< of a message; root of a collective
  std::uint32_t tag = 0;
  Otf2Kind kind = Otf2Kind::enter;
  std::uint8_t operation = 0;  ///< an Otf2Collective, or one that is none of these
};

struct Otf2Communicator {
  std::string name;
  std::vector<std::uint32_t> members;  ///< ranks of the program
  bool is_self = false;                ///< of every rank by itself
  bool is_inter = false;               ///< between two groups, which are not kept
  bool has_global_ranks = false;       ///< events name ranks of the program
};

struct Otf2Rank {
  std::uint64_t first_time = 0;  ///< ticks, of any event
  std::uint64_t last_time = 0;
  std::vector<Otf2Event> events;
};

/// What an archive says of an MPI program.
struct Otf2Trace {
  std::shared_ptr<const std::string> file;
  std::uint64_t ticks_per_second = 0;
  std::map<std::uint32_t, Otf2Communicator> communicators;
  std::map<std::uint32_t, std::string> calls;  ///< regions of MPI
  std::vector<Otf2Rank> ranks;

  [[nodiscard]] InputError error(std::size_t rank, const Otf2Event& event,
                                 std::string_view text) const;
};

/// Reads an archive by its anchor file, which is called NAME.otf2 and lies beside a folder NAME and
/// a file NAME.def. Throws InputError with the file, and rank and event where one is to blame.
Otf2Trace read_otf2(const std::string& path);

}  // namespace weir::workload
