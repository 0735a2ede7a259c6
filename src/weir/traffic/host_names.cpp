#include "weir/traffic/host_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "weir/base/error.hpp"
#include "weir/traffic/column_reader.hpp"

namespace weir::traffic {
namespace {

constexpr std::size_t kMostNames = std::size_t{1} << 20U;

std::invalid_argument wrong_list(std::string_view list, const std::string& why) {
  return std::invalid_argument(fmt::format("{} is no list of hosts: {}", quoted(list), why));
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{} is too large a number", quoted(text)));
  return number;
}

/// "08-10,12" as 08, 09, 10, 12.
std::vector<std::string> numbers_in(std::string_view list, std::string_view ranges) {
  std::vector<std::string> numbers;
  while (true) {
    const std::size_t comma = std::min(ranges.find(','), ranges.size());
    const std::string_view one = ranges.substr(0, comma);
    const std::size_t dash = std::min(one.find('-'), one.size());
    const std::string_view first = one.substr(0, dash);
    const std::string_view last = dash < one.size() ? one.substr(dash + 1) : first;
    if (!is_number(first) || !is_number(last))
      throw wrong_list(list, fmt::format("{} in brackets is no number or range", quoted(one)));
    const std::uint64_t low = number_of(first);
    const std::uint64_t high = number_of(last);
    if (low > high) throw wrong_list(list, fmt::format("the range {} falls", quoted(one)));
    if (high - low >= kMostNames - numbers.size())
      throw wrong_list(list, fmt::format("it has more than {} hosts", kMostNames));
    for (std::uint64_t n = low; n <= high; ++n)
      numbers.push_back(fmt::format("{:0{}}", n, first.size()));
    if (comma == ranges.size()) return numbers;
    ranges.remove_prefix(comma + 1);
  }
}

/// Where the first name of a list ends: at a comma outside brackets.
std::size_t end_of_name(std::string_view list, std::string_view rest) {
  bool is_inside = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '[') {
      if (is_inside) throw wrong_list(list, "'[' inside brackets");
      is_inside = true;
    } else if (rest[i] == ']') {
      if (!is_inside) throw wrong_list(list, "']' without '['");
      is_inside = false;
    } else if (rest[i] == ',' && !is_inside) {
      return i;
    }
  }
  if (is_inside) throw wrong_list(list, "'[' without ']'");
  return rest.size();
}

/// "r[1-2]n[1-2]" as r1n1, r1n2, r2n1, r2n2.
void expand(std::string_view list, std::string_view name, const std::string& before,
            std::vector<std::string>& names) {
  const std::size_t open = name.find('[');
  if (open == std::string_view::npos) {
    if (names.size() >= kMostNames)
      throw wrong_list(list, fmt::format("it has more than {} hosts", kMostNames));
    names.push_back(before + std::string(name));
    return;
  }
  const std::size_t close = name.find(']');
  for (const std::string& number : numbers_in(list, name.substr(open + 1, close - open - 1)))
    expand(list, name.substr(close + 1), before + std::string(name.substr(0, open)) + number,
           names);
}

}  // namespace

std::vector<std::string> expanded_host_list(std::string_view list) {
  std::vector<std::string> names;
  std::string_view rest = list;
  while (true) {
    const std::size_t end = end_of_name(list, rest);
    if (end == 0) throw wrong_list(list, "a name is empty");
    expand(list, rest.substr(0, end), "", names);
    if (end == rest.size()) return names;
    rest.remove_prefix(end + 1);
  }
}

HostNames::HostNames(const topology::Graph& graph) {
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    const std::string name = graph.name(NodeId(h));
    hosts_[name].emplace_back(h);
    const std::size_t blank = name.find(' ');
    if (blank != std::string::npos && blank > 0) hosts_[name.substr(0, blank)].emplace_back(h);
    names_.push_back(name);
  }
}

std::vector<HostId> HostNames::find(const std::string& name) const {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? std::vector<HostId>() : found->second;
}

std::vector<HostId> HostNames::find_all(std::string_view list) const {
  const std::string whole(list);
  if (std::vector<HostId> one = find(whole); !one.empty()) return one;
  std::vector<HostId> hosts;
  for (const std::string& name : expanded_host_list(list)) {
    const std::vector<HostId> some = find(name);
    if (some.empty()) {
      // A full list of a big network's hosts would help nobody.
      const std::string nearest = nearest_name(name, names_);
      throw std::invalid_argument(
          fmt::format("no host is called '{}'{}", name,
                      nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
    }
    hosts.insert(hosts.end(), some.begin(), some.end());
  }
  return hosts;
}

std::vector<Job> read_jobs(const std::string& path, const topology::Graph& graph) {
  std::ifstream in = open_input(path);
  const auto file = std::make_shared<const std::string>(path);
  const HostNames names(graph);
  std::vector<Job> jobs;
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    const auto wrong = [&](const std::string& why) {
      return InputError(SourcePosition{file, line, 1}, "", why);
    };
    if (const std::size_t comment = text.find('#'); comment != std::string::npos)
      text.resize(comment);
    constexpr const char* kBlanks = " \t\r";
    const std::size_t last = text.find_last_not_of(kBlanks);
    if (last == std::string::npos) continue;
    text.resize(last + 1);
    const std::size_t gap = text.find_last_of(kBlanks);
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (gap == std::string::npos || gap < first)
      throw wrong("expected a job and its hosts, as squeue -h -o \"%i %N\" prints them");
    const std::size_t end = text.find_last_not_of(kBlanks, gap);
    const std::string name = text.substr(first, end - first + 1);
    auto job = std::find_if(jobs.begin(), jobs.end(),
                            [&](const Job& known) { return known.name == name; });
    if (job == jobs.end()) job = jobs.insert(job, {name, {}});
    try {
      const std::vector<HostId> hosts = names.find_all(std::string_view(text).substr(gap + 1));
      job->hosts.insert(job->hosts.end(), hosts.begin(), hosts.end());
    } catch (const std::invalid_argument& problem) {
      throw wrong(problem.what());
    }
  }
  if (jobs.empty()) throw InputError(SourcePosition{file, 1, 1}, "", "has no job");
  for (Job& job : jobs) {
    std::sort(job.hosts.begin(), job.hosts.end());
    job.hosts.erase(std::unique(job.hosts.begin(), job.hosts.end()), job.hosts.end());
  }
  return jobs;
}

std::vector<HostId> hosts_of(const std::vector<Job>& jobs, const std::optional<std::string>& name) {
  std::vector<HostId> hosts;
  std::vector<std::string> names;
  for (const Job& job : jobs) {
    names.push_back(job.name);
    const bool counts = name ? job.name == *name : job.hosts.size() > 1;
    if (counts) hosts.insert(hosts.end(), job.hosts.begin(), job.hosts.end());
  }
  if (hosts.empty()) {
    throw std::invalid_argument(
        name ? fmt::format("no job is called '{}'{}", *name, suggestion(*name, names))
             : "no job has two hosts or more");
  }
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

}  // namespace weir::traffic
