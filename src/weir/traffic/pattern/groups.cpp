#include <fmt/format.h>

#include "weir/traffic/host_list.hpp"
#include "weir/traffic/host_names.hpp"
#include "weir/traffic/pattern.hpp"

namespace weir::traffic {
namespace {

/// Uniform over the other members of the source's group.
class Groups final : public Pattern {
 public:
  Groups(std::vector<std::vector<HostId>> groups, std::size_t hosts)
      : groups_(std::move(groups)), group_(hosts, kNone), rank_(hosts) {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (std::uint32_t r = 0; r < groups_[g].size(); ++r) {
        group_[groups_[g][r].index()] = g;
        rank_[groups_[g][r].index()] = r;
      }
    }
  }

  [[nodiscard]] HostId destination(const Draw& draw, RandomStream& random) const override {
    const std::vector<HostId>& members = groups_[group_[draw.source.index()]];
    const std::uint64_t drawn = random.below(members.size() - 1);
    return members[drawn < rank_[draw.source.index()] ? drawn : drawn + 1];
  }

  [[nodiscard]] bool has(HostId host) const { return group_[host.index()] != kNone; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::vector<HostId>> groups_;
  std::vector<std::uint32_t> group_;  ///< per host
  std::vector<std::uint32_t> rank_;   ///< per host, within its group
};

struct GroupsKeys {
  std::optional<std::uint32_t> size;
  std::optional<ConfigValue> lists;
  std::optional<FilePath> jobs;
};

using GroupsFile = Checked<GroupsKeys>;

std::vector<std::vector<HostId>> equal_groups(const GroupsFile& file, std::size_t hosts) {
  const std::size_t size = *file->size;
  if (size > hosts) {
    throw file.error(&GroupsKeys::size,
                     fmt::format("is more than the {} hosts of this network", hosts));
  }
  if (hosts % size != 0) {
    std::size_t below = size;
    while (hosts % below != 0) --below;
    std::size_t above = size;
    while (above < hosts && hosts % above != 0) ++above;
    const std::string smaller = below > 1 ? fmt::format("{} or ", below) : "";
    throw file.error(&GroupsKeys::size,
                     fmt::format("groups of {} do not divide {} hosts; {}{} would", size, hosts,
                                 smaller, above));
  }
  std::vector<std::vector<HostId>> groups(hosts / size);
  for (std::size_t h = 0; h < hosts; ++h) groups[h / size].emplace_back(h);
  return groups;
}

std::vector<std::vector<HostId>> listed_groups(const GroupsFile& file,
                                               const PatternContext& context) {
  const ConfigValue& value = *file->lists;
  if (!value.is_array()) throw file.error(&GroupsKeys::lists, "must be a list of lists of hosts");
  std::vector<std::vector<HostId>> groups;
  std::vector<bool> taken(context.graph.host_count());
  for (const ConfigValue& list : value.array()) {
    const std::string key = fmt::format("{}[{}]", file.path_to(&GroupsKeys::lists), groups.size());
    groups.push_back(read_hosts(list, context.graph, key));
    if (groups.back().size() < 2) {
      throw InputError(list.position, key, "a group needs at least 2 hosts");
    }
    for (const HostId host : groups.back()) {
      if (taken[host.index()]) {
        throw InputError(list.position, key, fmt::format("host {} is in two groups", host.value));
      }
      taken[host.index()] = true;
    }
  }
  return groups;
}

std::vector<std::vector<HostId>> groups_of_jobs(const GroupsFile& file,
                                                const PatternContext& context) {
  const auto wrong = [&](const std::string& why) { return file.error(&GroupsKeys::jobs, why); };
  std::vector<Job> jobs;
  try {
    jobs = read_jobs(file->jobs->name, context.graph);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& problem) {
    throw wrong(problem.what());
  }
  std::vector<std::vector<HostId>> groups;
  std::vector<const Job*> job_of(context.graph.host_count());
  for (const Job& job : jobs) {
    // Whoever is alone has nobody to send to.
    if (job.hosts.size() < 2) continue;
    for (const HostId host : job.hosts) {
      if (job_of[host.index()] != nullptr) {
        throw wrong(fmt::format("jobs '{}' and '{}' share {}", job_of[host.index()]->name, job.name,
                                context.graph.name(context.graph.node(host))));
      }
      job_of[host.index()] = &job;
    }
    groups.push_back(job.hosts);
  }
  return groups;
}

std::shared_ptr<const Pattern> make_groups(const GroupsFile& file, const PatternContext& context) {
  const int given = (file->size ? 1 : 0) + (file->lists ? 1 : 0) + (file->jobs ? 1 : 0);
  if (given != 1) throw file.error(&GroupsKeys::size, "give one of 'size', 'lists' and 'jobs'");
  const std::size_t hosts = context.graph.host_count();
  auto pattern = std::make_shared<Groups>(file->size    ? equal_groups(file, hosts)
                                          : file->lists ? listed_groups(file, context)
                                                        : groups_of_jobs(file, context),
                                          hosts);
  for (const HostId source : context.sources) {
    if (pattern->has(source)) continue;
    if (file->jobs) {
      throw file.error(&GroupsKeys::jobs,
                       fmt::format("source {} is in no job of two hosts or more (sources = {{ jobs "
                                   "= ... }} names those that are in one)",
                                   context.graph.name(context.graph.node(source))));
    }
    throw file.error(&GroupsKeys::lists, fmt::format("source {} is in no group", source.value));
  }
  return pattern;
}

const PatternRegistration kGroups(
    pattern_registry(),
    {"groups", "Every message to a random other host of the source's group",
     "zdornov2009, section 6.5"},
    Keys<GroupsKeys>{key(&GroupsKeys::size, "size",
                         "hosts of a group; hosts 0 to size - 1 are the first one, and so on")
                         .range(2, 1 << 24),
                     key(&GroupsKeys::lists, "lists", "groups, as in [[0, 1], [2, 3, 4]]"),
                     key(&GroupsKeys::jobs, "jobs",
                         "a group for each job in a file, with lines \"NAME HOSTS\" as squeue -h "
                         "-o \"%i %N\" prints them")},
    make_groups);

}  // namespace
}  // namespace weir::traffic
