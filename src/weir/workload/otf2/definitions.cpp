#ifdef WEIR_HAS_OTF2

#include "weir/workload/otf2/definitions.hpp"

#include <algorithm>
#include <exception>
#include <set>

#include "weir/workload/goal_limits.hpp"

namespace weir::workload {
namespace {

struct DefinedGroup {
  OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
  bool has_global_ranks = false;
  std::vector<std::uint64_t> members;
};

struct DefinedRegion {
  OTF2_StringRef name = 0;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
};

struct DefinedCommunicator {
  OTF2_StringRef name = 0;
  OTF2_GroupRef group = 0;
  bool is_inter = false;
};

bool is_of_accelerators(OTF2_Paradigm paradigm) {
  return paradigm == OTF2_PARADIGM_CUDA || paradigm == OTF2_PARADIGM_OPENCL ||
         paradigm == OTF2_PARADIGM_OPENACC || paradigm == OTF2_PARADIGM_HIP;
}

/// Definitions as they stand in the file; what they mean together is asked for behind its end.
class DefinitionReader {
 public:
  DefinitionReader(const Otf2Library& library, OTF2_Reader* reader)
      : library_(library), reader_(reader) {}

  Otf2Definitions read() {
    OTF2_GlobalDefReader* file = library_.check(OTF2_Reader_GetGlobalDefReader(reader_), kWhat);
    OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    set(callbacks);
    const OTF2_ErrorCode known =
        OTF2_Reader_RegisterGlobalDefCallbacks(reader_, file, callbacks, this);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    library_.check(known, kWhat);
    std::uint64_t count = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader_, file, &count);
    if (problem_) std::rethrow_exception(problem_);
    library_.check(code, kWhat);
    library_.check(OTF2_Reader_CloseGlobalDefReader(reader_, file), kWhat);
    return result();
  }

 private:
  static constexpr const char* kWhat = "its definitions";

  /// A callback that hands what is defined to a member function, from which nothing may be thrown
  /// through the library.
  template <auto Handler, class... More>
  static OTF2_CallbackCode call(void* data, More... more) {
    auto* self = static_cast<DefinitionReader*>(data);
    try {
      (self->*Handler)(more...);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      self->problem_ = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }

  static void set(OTF2_GlobalDefReaderCallbacks* callbacks) {
    using Self = DefinitionReader;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, &call<&Self::clock>);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, &call<&Self::string>);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, &call<&Self::location>);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, &call<&Self::region>);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, &call<&Self::group>);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, &call<&Self::communicator>);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, &call<&Self::inter>);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, &call<&Self::window>);
  }

  void clock(std::uint64_t resolution, std::uint64_t, std::uint64_t, std::uint64_t) {
    made_.ticks_per_second = resolution;
  }
  void string(OTF2_StringRef self, const char* text) { strings_[self] = text; }
  void location(OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                std::uint64_t events, OTF2_LocationGroupRef) {
    all_locations_.insert(self);
    if (type != OTF2_LOCATION_TYPE_CPU_THREAD) return;
    made_.locations.push_back({self, text(name), events, OTF2_UNDEFINED_UINT32});
  }
  void region(OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
              OTF2_RegionRole, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef,
              std::uint32_t, std::uint32_t) {
    regions_[self] = {name, paradigm};
  }
  void group(OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
             OTF2_GroupFlag flags, std::uint32_t count, const std::uint64_t* members) {
    groups_[self] = {
        type, paradigm, (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0, {members, members + count}};
  }
  void communicator(OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef,
                    OTF2_CommFlag) {
    communicators_[self] = {name, group, false};
  }
  void inter(OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_GroupRef,
             OTF2_CommRef, OTF2_CommFlag) {
    communicators_[self] = {name, group, true};
  }
  void window(OTF2_RmaWinRef self, OTF2_StringRef, OTF2_CommRef of, OTF2_RmaWinFlag) {
    windows_[self] = of;
  }

  [[nodiscard]] std::string text(OTF2_StringRef name) const {
    const auto at = strings_.find(name);
    return at == strings_.end() ? "" : at->second;
  }

  Otf2Definitions result() {
    if (made_.ticks_per_second == 0) {
      throw library_.error("does not say how many ticks of its clock a second has");
    }
    place_ranks();
    for (const auto& [self, region] : regions_) {
      const std::string name = text(region.name);
      if (region.paradigm == OTF2_PARADIGM_MPI || name.starts_with("MPI_")) {
        made_.calls[self] = name;
      }
    }
    for (const auto& [self, one] : communicators_) add(self, one);
    for (const auto& [self, of] : windows_) {
      const auto whose = communicators_.find(of);
      const auto group =
          whose == communicators_.end() ? groups_.end() : groups_.find(whose->second.group);
      made_.windows[self] = group != groups_.end() && is_of_accelerators(group->second.paradigm);
    }
    return std::move(made_);
  }

  /// The group of all locations that take part in MPI, in the order of their ranks.
  void place_ranks() {
    const DefinedGroup* all = nullptr;
    for (const auto& [self, group] : groups_) {
      if (group.type != OTF2_GROUP_TYPE_COMM_LOCATIONS) continue;
      if (group.paradigm == OTF2_PARADIGM_MPI) all = &group;
    }
    if (all == nullptr || all->members.empty()) {
      throw library_.error(
          "is not of an MPI program: it defines no group of the locations that take part in MPI");
    }
    made_.ranks = all->members.size();
    if (made_.ranks > kMostRanks) {
      throw library_.error(fmt::format("has {} ranks; the most is {}", made_.ranks, kMostRanks));
    }
    std::map<OTF2_LocationRef, std::uint32_t> rank_of;
    for (const std::uint64_t location : all->members) {
      const auto rank = static_cast<std::uint32_t>(rank_of.size());
      if (!rank_of.try_emplace(location, rank).second) {
        throw library_.error(fmt::format("location {} is two ranks", location));
      }
    }
    std::size_t found = 0;
    for (Otf2Location& location : made_.locations) {
      const auto at = rank_of.find(location.id);
      if (at == rank_of.end()) continue;
      location.rank = at->second;
      ++found;
    }
    if (found == made_.ranks) return;
    for (const auto& [location, rank] : rank_of) {
      const bool is_there =
          std::any_of(made_.locations.begin(), made_.locations.end(),
                      [&, id = location](const auto& one) { return one.id == id; });
      if (is_there) continue;
      throw library_.error(
          fmt::format("rank {} is location {}, which is {}", rank, location,
                      all_locations_.contains(location) ? "no thread of a CPU" : "not defined"));
    }
  }

  void add(OTF2_CommRef self, const DefinedCommunicator& one) {
    const auto at = groups_.find(one.group);
    if (at == groups_.end() || at->second.paradigm != OTF2_PARADIGM_MPI) return;
    const DefinedGroup& group = at->second;
    Otf2Communicator& made = made_.communicators[self];
    made.name = text(one.name);
    if (made.name.empty()) made.name = fmt::format("communicator {}", self);
    made.is_inter = one.is_inter;
    made.is_self = group.type == OTF2_GROUP_TYPE_COMM_SELF;
    made.has_global_ranks = group.has_global_ranks;
    if (made.is_inter || made.is_self) return;
    if (group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {  // its members are locations
      for (std::uint32_t r = 0; r < made_.ranks; ++r) made.members.push_back(r);
      return;
    }
    std::set<std::uint64_t> seen;
    for (const std::uint64_t member : group.members) {
      if (member >= made_.ranks || !seen.insert(member).second) {
        throw library_.error(fmt::format("{} has rank {} {}; there are {} ranks", made.name, member,
                                         member < made_.ranks ? "twice" : "in it", made_.ranks));
      }
      made.members.push_back(static_cast<std::uint32_t>(member));
    }
  }

  const Otf2Library& library_;
  OTF2_Reader* reader_;
  Otf2Definitions made_;
  std::map<OTF2_StringRef, std::string> strings_;
  std::map<OTF2_RegionRef, DefinedRegion> regions_;
  std::map<OTF2_GroupRef, DefinedGroup> groups_;
  std::map<OTF2_CommRef, DefinedCommunicator> communicators_;
  std::map<OTF2_RmaWinRef, OTF2_CommRef> windows_;
  std::set<OTF2_LocationRef> all_locations_;
  std::exception_ptr problem_;
};

}  // namespace

Otf2Definitions read_definitions(const Otf2Library& library, OTF2_Reader* reader) {
  return DefinitionReader(library, reader).read();
}

}  // namespace weir::workload

#endif
