#pragma once

#ifdef WEIR_HAS_OTF2

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::otf2_support {

/// Writes an OTF2 archive of an MPI program with the library's own writer: FOLDER/traces.otf2.
/// A tick is a nanosecond. Rank r is location 10 + r; communicator 0 is that of all ranks, 1 is
/// that of every rank by itself.
class Otf2Archive {
 public:
  static constexpr std::uint32_t kNone = OTF2_UNDEFINED_UINT32;
  static constexpr std::uint64_t kFirstLocation = 10;

  Otf2Archive(std::string folder, std::uint32_t ranks) : folder_(std::move(folder)) {
    archive_ = OTF2_Archive_Open(
        folder_.c_str(), "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
        OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) throw std::runtime_error("no archive in " + folder_);
    done(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    done(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr));
    done(OTF2_Archive_OpenEvtFiles(archive_));
    for (std::uint32_t r = 0; r < ranks; ++r) add_location();
    ranks_ = ranks;
    std::vector<std::uint64_t> all(ranks);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    add_communicator("MPI_COMM_WORLD", all);
    communicators_.push_back({"MPI_COMM_SELF", {}, OTF2_GROUP_TYPE_COMM_SELF, 0});
  }
  Otf2Archive(const Otf2Archive&) = delete;
  Otf2Archive& operator=(const Otf2Archive&) = delete;
  ~Otf2Archive() {
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
  }

  /// Another location, which is no rank. Returns its place in events().
  std::size_t add_location() {
    writers_.push_back(OTF2_Archive_GetEvtWriter(archive_, kFirstLocation + writers_.size()));
    return writers_.size() - 1;
  }
  std::uint32_t add_communicator(const std::string& name, std::vector<std::uint64_t> members,
                                 OTF2_GroupFlag flags = OTF2_GROUP_FLAG_NONE) {
    communicators_.push_back({name, std::move(members), OTF2_GROUP_TYPE_COMM_GROUP, flags});
    return static_cast<std::uint32_t>(communicators_.size() - 1);
  }
  /// Events of location `place` say `local` where the archive says `global`.
  void map_communicator(std::size_t place, std::uint32_t local, std::uint32_t global) {
    maps_[place] = {local, global};
  }
  /// What the definitions claim in place of the truth.
  void claim_events(std::uint64_t count) { claimed_ = count; }
  void leave_out_locations() { has_locations_ = false; }

  // An event at place p (of a rank) and time t.
  void enter(std::size_t p, std::uint64_t t, const std::string& region) {
    done(OTF2_EvtWriter_Enter(writers_[p], nullptr, t, number_of(region)));
  }
  void leave(std::size_t p, std::uint64_t t, const std::string& region) {
    done(OTF2_EvtWriter_Leave(writers_[p], nullptr, t, number_of(region)));
  }
  void send(std::size_t p, std::uint64_t t, std::uint32_t to, std::uint32_t tag,
            std::uint64_t bytes, std::uint32_t communicator = 0) {
    done(OTF2_EvtWriter_MpiSend(writers_[p], nullptr, t, to, communicator, tag, bytes));
  }
  void receive(std::size_t p, std::uint64_t t, std::uint32_t from, std::uint32_t tag,
               std::uint64_t bytes, std::uint32_t communicator = 0) {
    done(OTF2_EvtWriter_MpiRecv(writers_[p], nullptr, t, from, communicator, tag, bytes));
  }
  void begin_send(std::size_t p, std::uint64_t t, std::uint32_t to, std::uint32_t tag,
                  std::uint64_t bytes, std::uint64_t request) {
    done(OTF2_EvtWriter_MpiIsend(writers_[p], nullptr, t, to, 0, tag, bytes, request));
  }
  void end_send(std::size_t p, std::uint64_t t, std::uint64_t request) {
    done(OTF2_EvtWriter_MpiIsendComplete(writers_[p], nullptr, t, request));
  }
  void begin_receive(std::size_t p, std::uint64_t t, std::uint64_t request) {
    done(OTF2_EvtWriter_MpiIrecvRequest(writers_[p], nullptr, t, request));
  }
  void end_receive(std::size_t p, std::uint64_t t, std::uint32_t from, std::uint32_t tag,
                   std::uint64_t bytes, std::uint64_t request) {
    done(OTF2_EvtWriter_MpiIrecv(writers_[p], nullptr, t, from, 0, tag, bytes, request));
  }
  void cancel(std::size_t p, std::uint64_t t, std::uint64_t request) {
    done(OTF2_EvtWriter_MpiRequestCancelled(writers_[p], nullptr, t, request));
  }
  void collective(std::size_t p, std::uint64_t t, OTF2_CollectiveOp operation,
                  std::uint32_t communicator, std::uint32_t root, std::uint64_t sent,
                  std::uint64_t received) {
    done(OTF2_EvtWriter_MpiCollectiveBegin(writers_[p], nullptr, t));
    done(OTF2_EvtWriter_MpiCollectiveEnd(writers_[p], nullptr, t, operation, communicator, root,
                                         sent, received));
  }
  void begin_collective(std::size_t p, std::uint64_t t, std::uint64_t request) {
    done(OTF2_EvtWriter_NonBlockingCollectiveRequest(writers_[p], nullptr, t, request));
  }
  void end_collective(std::size_t p, std::uint64_t t, OTF2_CollectiveOp operation,
                      std::uint32_t communicator, std::uint64_t sent, std::uint64_t received,
                      std::uint64_t request) {
    done(OTF2_EvtWriter_NonBlockingCollectiveComplete(
        writers_[p], nullptr, t, operation, communicator, kNone, sent, received, request));
  }
  void put(std::size_t p, std::uint64_t t) {
    done(OTF2_EvtWriter_RmaPut(writers_[p], nullptr, t, 0, 0, 8, 0));
  }
  void flush(std::size_t p, std::uint64_t t, std::uint64_t stop) {
    done(OTF2_EvtWriter_BufferFlush(writers_[p], nullptr, t, stop));
  }
  void switch_off(std::size_t p, std::uint64_t t) {
    done(OTF2_EvtWriter_MeasurementOnOff(writers_[p], nullptr, t, OTF2_MEASUREMENT_OFF));
  }

  /// Writes the definitions and closes the archive. Returns the anchor file.
  std::string close() {
    std::vector<std::uint64_t> counts;
    for (OTF2_EvtWriter* writer : writers_) {
      counts.emplace_back();
      done(OTF2_EvtWriter_GetNumberOfEvents(writer, &counts.back()));
      if (claimed_ > 0) counts.back() = claimed_;
      done(OTF2_Archive_CloseEvtWriter(archive_, writer));
    }
    done(OTF2_Archive_CloseEvtFiles(archive_));
    write_local_definitions();
    write_definitions(counts);
    done(OTF2_Archive_Close(archive_));
    archive_ = nullptr;
    return folder_ + "/traces.otf2";
  }

 private:
  struct Communicator {
    std::string name;
    std::vector<std::uint64_t> members;
    OTF2_GroupType type;
    OTF2_GroupFlag flags;
  };

  static OTF2_FlushType before_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
  }
  static OTF2_TimeStamp after_flush(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }
  static constexpr OTF2_FlushCallbacks kFlush{&before_flush, &after_flush};

  static void done(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS) throw std::runtime_error(OTF2_Error_GetDescription(code));
  }

  std::uint32_t number_of(const std::string& region) {
    return regions_.try_emplace(region, static_cast<std::uint32_t>(regions_.size())).first->second;
  }

  void write_local_definitions() {
    if (maps_.empty()) return;
    done(OTF2_Archive_OpenDefFiles(archive_));
    for (std::size_t place = 0; place < writers_.size(); ++place) {
      OTF2_DefWriter* file = OTF2_Archive_GetDefWriter(archive_, kFirstLocation + place);
      const auto at = maps_.find(place);
      if (at != maps_.end()) {
        OTF2_IdMap* map = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, 1);
        done(OTF2_IdMap_AddIdPair(map, at->second.first, at->second.second));
        done(OTF2_DefWriter_WriteMappingTable(file, OTF2_MAPPING_COMM, map));
        OTF2_IdMap_Free(map);
      }
      done(OTF2_Archive_CloseDefWriter(archive_, file));
    }
    done(OTF2_Archive_CloseDefFiles(archive_));
  }

  void write_definitions(const std::vector<std::uint64_t>& counts) {
    OTF2_GlobalDefWriter* to = OTF2_Archive_GetGlobalDefWriter(archive_);
    done(OTF2_GlobalDefWriter_WriteClockProperties(to, 1'000'000'000, 0, 1'000'000, 0));
    const std::uint32_t empty = text(to, "");
    done(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, empty, empty, OTF2_UNDEFINED_UINT32));
    done(OTF2_GlobalDefWriter_WriteLocationGroup(to, 0, empty, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                 OTF2_UNDEFINED_UINT32));
    std::vector<std::uint64_t> locations;
    for (std::size_t place = 0; place < counts.size(); ++place) {
      if (place < ranks_) locations.push_back(kFirstLocation + place);
      const std::uint32_t name = text(to, "thread " + std::to_string(place));
      done(OTF2_GlobalDefWriter_WriteLocation(to, kFirstLocation + place, name,
                                              OTF2_LOCATION_TYPE_CPU_THREAD, counts[place], 0));
    }
    for (const auto& [name, number] : regions_) {
      const bool is_call = name.starts_with("MPI_");
      const std::uint32_t called = text(to, name);
      done(OTF2_GlobalDefWriter_WriteRegion(to, number, called, called, empty,
                                            OTF2_REGION_ROLE_FUNCTION,
                                            is_call ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_COMPILER,
                                            OTF2_REGION_FLAG_NONE, empty, 0, 0));
    }
    if (has_locations_) {
      done(OTF2_GlobalDefWriter_WriteGroup(
          to, 0, empty, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
          static_cast<std::uint32_t>(locations.size()), locations.data()));
    }
    for (std::uint32_t i = 0; i < communicators_.size(); ++i) {
      const Communicator& one = communicators_[i];
      done(OTF2_GlobalDefWriter_WriteGroup(to, i + 1, empty, one.type, OTF2_PARADIGM_MPI, one.flags,
                                           static_cast<std::uint32_t>(one.members.size()),
                                           one.members.data()));
      const std::uint32_t name = text(to, one.name);
      done(OTF2_GlobalDefWriter_WriteComm(to, i, name, i + 1, OTF2_UNDEFINED_UINT32,
                                          OTF2_COMM_FLAG_NONE));
    }
    done(OTF2_Archive_CloseGlobalDefWriter(archive_, to));
  }

  std::uint32_t text(OTF2_GlobalDefWriter* to, const std::string& string) {
    done(OTF2_GlobalDefWriter_WriteString(to, strings_, string.c_str()));
    return strings_++;
  }

  std::string folder_;
  OTF2_Archive* archive_ = nullptr;
  std::uint32_t ranks_ = 0;
  std::vector<OTF2_EvtWriter*> writers_;
  std::map<std::string, std::uint32_t> regions_;
  std::vector<Communicator> communicators_;
  std::map<std::size_t, std::pair<std::uint32_t, std::uint32_t>> maps_;
  std::uint64_t claimed_ = 0;
  bool has_locations_ = true;
  std::uint32_t strings_ = 0;
};

}  // namespace weir::otf2_support

#endif
