#include "weir/workload/otf2/archive.hpp"

#include <fmt/format.h>

#include <exception>
#include <filesystem>

#ifdef WEIR_HAS_OTF2
#include "weir/workload/otf2/definitions.hpp"
#include "weir/workload/otf2/library.hpp"
#endif

namespace weir::workload {

InputError Otf2Trace::error(std::size_t rank, const Otf2Event& event, std::string_view text) const {
  const auto call = calls.find(event.region);
  const std::string where = call == calls.end() ? "" : " in " + call->second;
  return {SourcePosition{file, 0, 0}, "",
          fmt::format("rank {}, event {}{}: {}", rank, event.position, where, text)};
}

#ifdef WEIR_HAS_OTF2

namespace {

/// Events of one location.
class LocationReader {
 public:
  LocationReader(const Otf2Library& library, const Otf2Definitions& definitions,
                 const Otf2Location& location, Otf2Trace& trace)
      : library_(library), definitions_(definitions), location_(location), trace_(trace) {}

  void read(OTF2_Reader* reader) {
    const std::string what = fmt::format("the events of location {}", location_.id);
    OTF2_EvtReader* file = library_.check(OTF2_Reader_GetEvtReader(reader, location_.id), what);
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    set(callbacks);
    const OTF2_ErrorCode known = OTF2_Reader_RegisterEvtCallbacks(reader, file, callbacks, this);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    library_.check(known, what);
    std::uint64_t count = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(reader, file, &count);
    if (problem_) std::rethrow_exception(problem_);
    library_.check(code, what);
    library_.check(OTF2_Reader_CloseEvtReader(reader, file), what);
    check_end(count);
  }

 private:
  template <auto Handler, class... More>
  static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                                void* data, OTF2_AttributeList*, More... more) {
    auto* self = static_cast<LocationReader*>(data);
    try {
      self->begin(time, position);
      (self->*Handler)(more...);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      self->problem_ = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }

  static void set(OTF2_EvtReaderCallbacks* to) {
    using Self = LocationReader;
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(to, &call<&Self::program_begin>);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(to, &call<&Self::program_end>);
    OTF2_EvtReaderCallbacks_SetEnterCallback(to, &call<&Self::enter>);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(to, &call<&Self::leave>);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(to, &call<&Self::flush>);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(to, &call<&Self::on_off>);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(to, &call<&Self::send>);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(to, &call<&Self::begin_send>);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(to, &call<&Self::end_send>);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(to, &call<&Self::begin_receive>);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(to, &call<&Self::receive>);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(to, &call<&Self::end_receive>);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(to, &call<&Self::cancel>);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(to, &call<&Self::collective>);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(to,
                                                                    &call<&Self::begin_collective>);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(to,
                                                                     &call<&Self::end_collective>);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(to, &call<&Self::transfer>);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(to, &call<&Self::transfer>);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(to, &call<&Self::atomic>);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(to, &call<&Self::window_collective>);
  }

  /// Of every event that is asked for.
  void begin(OTF2_TimeStamp time, std::uint64_t position) {
    position_ = position;
    if (is_rank()) {
      Otf2Rank& rank = trace_.ranks[location_.rank];
      if (!has_begun_) rank.first_time = time;
      if (has_begun_ && time < rank.last_time) {
        throw error(fmt::format("time goes back, from {} to {} ticks", rank.last_time, time));
      }
      rank.last_time = time;
    }
    has_begun_ = true;
    time_ = time;
  }

  [[nodiscard]] bool is_rank() const { return location_.rank != OTF2_UNDEFINED_UINT32; }

  [[nodiscard]] InputError error(std::string_view text) const {
    Otf2Event at;
    at.position = position_;
    at.region = depth_ > 0 ? region_ : OTF2_UNDEFINED_REGION;
    if (is_rank()) return trace_.error(location_.rank, at, text);
    return library_.error(fmt::format("location {} ({}), event {}: {}", location_.id,
                                      location_.name, position_, text));
  }

  Otf2Event& add(Otf2Kind kind) {
    Otf2Event event;
    event.kind = kind;
    event.position = position_;
    event.time = time_;
    event.region = region_;
    return trace_.ranks[location_.rank].events.emplace_back(event);
  }
  /// An event of communication.
  Otf2Event& add_in_call(Otf2Kind kind) {
    if (!is_rank()) {
      throw error(
          "a thread that is no rank communicates; only threads of the group of MPI's locations "
          "have a place in a schedule");
    }
    if (depth_ == 0) {
      throw error(
          "communication outside of any call of MPI (Enter .. Leave), so that nothing says when "
          "the rank stopped computing");
    }
    return add(kind);
  }

  void program_begin(OTF2_StringRef, std::uint32_t, const OTF2_StringRef*) {}
  void program_end(std::int64_t) {}

  void enter(OTF2_RegionRef region) {
    if (!is_rank() || !definitions_.calls.contains(region)) return;
    if (depth_++ > 0) return;
    region_ = region;
    add(Otf2Kind::enter);
  }
  void leave(OTF2_RegionRef region) {
    if (!is_rank() || !definitions_.calls.contains(region)) return;
    if (depth_ == 0) throw error(definitions_.calls.at(region) + " is left that was not entered");
    if (depth_ == 1) add(Otf2Kind::leave);
    --depth_;
  }
  void flush(OTF2_TimeStamp stop) {
    if (!is_rank() || depth_ > 0 || stop <= time_) return;
    add(Otf2Kind::flush).bytes = stop - time_;
  }
  void on_off(OTF2_MeasurementMode mode) {
    if (mode != OTF2_MEASUREMENT_OFF || !is_rank()) return;
    throw error(
        "recording is switched off here (MeasurementOnOff), so that nothing says what the rank did "
        "until it was switched on");
  }

  void send(std::uint32_t to, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
    add_message(Otf2Kind::send, to, communicator, tag, bytes, 0);
  }
  void receive(std::uint32_t from, OTF2_CommRef communicator, std::uint32_t tag,
               std::uint64_t bytes) {
    add_message(Otf2Kind::receive, from, communicator, tag, bytes, 0);
  }
  void begin_send(std::uint32_t to, OTF2_CommRef communicator, std::uint32_t tag,
                  std::uint64_t bytes, std::uint64_t request) {
    add_message(Otf2Kind::begin_send, to, communicator, tag, bytes, request);
  }
  void end_receive(std::uint32_t from, OTF2_CommRef communicator, std::uint32_t tag,
                   std::uint64_t bytes, std::uint64_t request) {
    add_message(Otf2Kind::end_receive, from, communicator, tag, bytes, request);
  }
  void begin_receive(std::uint64_t request) {
    add_in_call(Otf2Kind::begin_receive).request = request;
  }
  void end_send(std::uint64_t request) { add_in_call(Otf2Kind::end_send).request = request; }
  void cancel(std::uint64_t request) { add_in_call(Otf2Kind::cancel).request = request; }
  void add_message(Otf2Kind kind, std::uint32_t peer, OTF2_CommRef communicator, std::uint32_t tag,
                   std::uint64_t bytes, std::uint64_t request) {
    Otf2Event& event = add_in_call(kind);
    event.peer = peer;
    event.communicator = communicator;
    event.tag = tag;
    event.bytes = bytes;
    event.request = request;
  }

  void collective(OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                  std::uint64_t sent, std::uint64_t received) {
    add_collective(Otf2Kind::collective, operation, communicator, root, sent, received);
  }
  void end_collective(OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                      std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
    add_collective(Otf2Kind::end_collective, operation, communicator, root, sent, received)
        .request = request;
  }
  void begin_collective(std::uint64_t request) {
    add_in_call(Otf2Kind::begin_collective).request = request;
  }
  Otf2Event& add_collective(Otf2Kind kind, OTF2_CollectiveOp operation, OTF2_CommRef communicator,
                            std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
    Otf2Event& event = add_in_call(kind);
    event.operation = operation;
    event.communicator = communicator;
    event.peer = root;
    event.bytes = sent;
    event.received = received;
    return event;
  }

  // What goes to accelerators and back is time between calls of MPI.
  void transfer(OTF2_RmaWinRef window, std::uint32_t, std::uint64_t, std::uint64_t) {
    refuse_window(window);
  }
  void atomic(OTF2_RmaWinRef window, std::uint32_t, OTF2_RmaAtomicType, std::uint64_t,
              std::uint64_t, std::uint64_t) {
    refuse_window(window);
  }
  void window_collective(OTF2_CollectiveOp, OTF2_RmaSyncLevel, OTF2_RmaWinRef window, std::uint32_t,
                         std::uint64_t, std::uint64_t) {
    refuse_window(window);
  }
  void refuse_window(OTF2_RmaWinRef window) const {
    const auto known = definitions_.windows.find(window);
    if (known != definitions_.windows.end() && known->second) return;
    throw error("one-sided communication (RMA) has no place in a schedule");
  }

  void check_end(std::uint64_t count) {
    if (location_.events != OTF2_UNDEFINED_UINT64 && count < location_.events) {
      throw library_.error(fmt::format("location {} ({}) has {} events, of which {} are there",
                                       location_.id, location_.name, location_.events, count));
    }
    if (depth_ > 0) throw error("the trace ends within this call");
  }

  const Otf2Library& library_;
  const Otf2Definitions& definitions_;
  const Otf2Location& location_;
  Otf2Trace& trace_;
  std::uint64_t position_ = 0;
  std::uint64_t time_ = 0;
  std::uint32_t region_ = OTF2_UNDEFINED_REGION;  ///< the outermost call of MPI
  std::size_t depth_ = 0;
  bool has_begun_ = false;
  std::exception_ptr problem_;
};

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};

/// Numbers of communicators and regions within a location become those of the archive by tables
/// that stand in a file of its own. It may be missing.
void read_local_definitions(const Otf2Library& library, OTF2_Reader* reader,
                            const Otf2Location& location) {
  OTF2_DefReader* file = OTF2_Reader_GetDefReader(reader, location.id);
  if (file == nullptr) return;
  const std::string what = fmt::format("the definitions of location {}", location.id);
  std::uint64_t count = 0;
  library.check(OTF2_Reader_ReadAllLocalDefinitions(reader, file, &count), what);
  library.check(OTF2_Reader_CloseDefReader(reader, file), what);
}

}  // namespace

Otf2Trace read_otf2(const std::string& path) {
  Otf2Trace trace;
  trace.file = std::make_shared<const std::string>(path);
  Otf2Library library(trace.file);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw library.error("there is no such file");
  if (std::filesystem::is_directory(path, ignored)) {
    throw library.error("is a folder; an archive is named by its anchor file, as traces.otf2");
  }
  const std::unique_ptr<OTF2_Reader, CloseReader> reader(OTF2_Reader_Open(path.c_str()));
  if (!reader) library.fail("is no anchor file of an OTF2 archive", "it cannot be read");
  library.check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), "the archive");
  Otf2Definitions definitions = read_definitions(library, reader.get());
  trace.ticks_per_second = definitions.ticks_per_second;
  trace.communicators = definitions.communicators;
  trace.calls = definitions.calls;
  trace.ranks.resize(definitions.ranks);
  for (const Otf2Location& location : definitions.locations) {
    library.check(OTF2_Reader_SelectLocation(reader.get(), location.id), "its locations");
  }
  const bool has_local = OTF2_Reader_OpenDefFiles(reader.get()) == OTF2_SUCCESS;
  library.check(OTF2_Reader_OpenEvtFiles(reader.get()), "its events");
  for (const Otf2Location& location : definitions.locations) {
    if (has_local) read_local_definitions(library, reader.get(), location);
    LocationReader(library, definitions, location, trace).read(reader.get());
  }
  return trace;
}

#else

Otf2Trace read_otf2(const std::string& path) {
  throw InputError(SourcePosition{std::make_shared<const std::string>(path), 0, 0}, "",
                   "OTF2 archives cannot be read by this weir: it was built without the OTF2 "
                   "library (Debian: libotf2-trace-dev)");
}

#endif

}  // namespace weir::workload
