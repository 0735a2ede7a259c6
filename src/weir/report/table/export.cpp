#include "weir/report/table/export.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

#include "weir/base/error.hpp"

namespace weir::report {

using experiment::RunRecord;
using nlohmann::json;

namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

/// The columns that say which run a row is of.
class RunColumns {
 public:
  explicit RunColumns(const std::vector<RunRecord>& runs) {
    for (const RunRecord& run : runs) {
      for (const auto& [key, value] : run.parameters) {
        if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.push_back(key);
      }
    }
  }
  [[nodiscard]] std::string header() const {
    std::string text = "experiment,case";
    for (const std::string& key : keys_) text += ',' + csv_text(key);
    return text + ",seed,version,status";
  }
  [[nodiscard]] std::string row(const RunRecord& run) const {
    std::string text = csv_text(run.experiment) + ',' + csv_text(run.case_name);
    for (const std::string& key : keys_) {
      const auto it = std::find_if(run.parameters.begin(), run.parameters.end(),
                                   [&](const auto& p) { return p.first == key; });
      text += ',';
      if (it != run.parameters.end()) text += csv_text(it->second);
    }
    return text + fmt::format(",{},{},{}", run.seed, csv_text(run.version), run.status);
  }

 private:
  std::vector<std::string> keys_;
};

std::string csv_name(const MetricName& name) { return name.metric + ',' + csv_text(name.label); }

json json_number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json json_name(const MetricName& name) {
  return {{"metric", name.metric}, {"label", name.label}, {"unit", metric_kind(name.metric).unit}};
}

json scalars_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::Scalar& s : run.result.scalars) {
    json one = json_name(s.name);
    one["value"] = json_number(s.value);
    one["half_width"] = json_number(s.half_width);
    one["quality"] = to_string(s.quality);
    out.push_back(std::move(one));
  }
  return out;
}

json series_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::Series& s : run.result.series) {
    json one = json_name(s.name);
    one["start_ns"] = to_nanoseconds(s.start);
    one["bin_ns"] = to_nanoseconds(s.bin);
    json values = json::array();
    for (const double v : s.values) values.push_back(json_number(v));
    one["values"] = std::move(values);
    out.push_back(std::move(one));
  }
  return out;
}

json histograms_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::NamedHistogram& h : run.result.histograms) {
    json one = json_name(h.name);
    json buckets = json::array();
    for (const auto& [bucket, times] : h.histogram.stored().buckets) {
      buckets.push_back({to_nanoseconds(Time(metrics::Histogram::lower_bound(bucket))), times});
    }
    one["buckets"] = std::move(buckets);
    out.push_back(std::move(one));
  }
  return out;
}

json links_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::LinkSummary& l : run.result.links) {
    out.push_back({{"port", l.name},
                   {"group", l.group},
                   {"utilization", l.utilization},
                   {"wait", l.wait},
                   {"bytes", l.bytes},
                   {"packets", l.packets},
                   {"queued_max", l.queued_max}});
  }
  return out;
}

json trees_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::TreeRecord& t : run.result.trees) {
    out.push_back({{"time_ns", to_nanoseconds(t.at)},
                   {"root", t.root},
                   {"depth", t.depth},
                   {"branches", t.branches},
                   {"branch_depths", t.branch_depths},
                   {"leaves", t.leaves}});
  }
  return out;
}

json set_aside_trees_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::SetAsideTree& t : run.result.set_aside_trees) {
    out.push_back({{"root", t.root},
                   {"since_ns", to_nanoseconds(t.from)},
                   {"until_ns", to_nanoseconds(t.until)},
                   {"allocations", t.allocations},
                   {"queues_max", t.queues_max},
                   {"hops_max", t.hops_max},
                   {"bytes_max", t.bytes_max},
                   {"sides", t.sides},
                   {"side_hops", t.hops},
                   {"leaves", t.leaves}});
  }
  return out;
}

json set_aside_events_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::SetAsideRecord& e : run.result.set_aside_events) {
    json one{{"time_ns", to_nanoseconds(e.at)},
             {"side", e.side},
             {"root", e.root},
             {"hops", e.hops},
             {"kind", e.kind}};
    if (e.kind == "released") one["lifetime_ns"] = to_nanoseconds(e.lifetime);
    out.push_back(std::move(one));
  }
  return out;
}

json provenance_of(const RunRecord& run) {
  return {
      {"host", run.host},
      {"started", run.started},
      {"finished", run.finished},
      {"wall_seconds", json_number(run.result.wall_seconds)},
      {"cpu_seconds", run.result.cpu_seconds > 0 ? json_number(run.result.cpu_seconds) : json()},
      {"hops_per_second", json_number(run.result.hops_per_second())}};
}

json run_to_json(const RunRecord& run, const JsonParts& parts) {
  json parameters = json::object();
  for (const auto& [key, value] : run.parameters) parameters[key] = value;
  json out{{"experiment", run.experiment},
           {"case", run.case_name},
           {"parameters", parameters},
           {"configuration_hash", run.configuration_hash},
           {"seed", run.seed},
           {"version", run.version},
           {"status", run.status},
           {"error", run.error},
           {"fingerprint", fmt::format("{:016x}", run.result.fingerprint)},
           {"notes", run.result.notes},
           {"scalars", scalars_of(run)}};
  if (parts.provenance) out["provenance"] = provenance_of(run);
  if (parts.configuration) out["configuration"] = run.configuration;
  if (parts.series) out["series"] = series_of(run);
  if (parts.histograms) out["histograms"] = histograms_of(run);
  if (parts.links) out["links"] = links_of(run);
  if (parts.trees) {
    out["trees"] = trees_of(run);
    out["set_aside_trees"] = set_aside_trees_of(run);
  }
  if (parts.events) out["set_aside_events"] = set_aside_events_of(run);
  return out;
}

}  // namespace

void write_scalars_csv(std::ostream& out, const std::vector<RunRecord>& runs) {
  const RunColumns columns(runs);
  out << columns.header() << ",metric,label,value,half_width,unit,quality\n";
  for (const RunRecord& run : runs) {
    const std::string who = columns.row(run);
    for (const metrics::Scalar& s : run.result.scalars) {
      out << who << ',' << csv_name(s.name) << ',' << csv_number(s.value) << ','
          << csv_number(s.half_width) << ',' << metric_kind(s.name.metric).unit << ','
          << to_string(s.quality) << '\n';
    }
  }
}

void write_series_csv(std::ostream& out, const std::vector<RunRecord>& runs) {
  const RunColumns columns(runs);
  out << columns.header() << ",metric,label,time_ns,bin_ns,value,unit\n";
  for (const RunRecord& run : runs) {
    const std::string who = columns.row(run);
    for (const metrics::Series& s : run.result.series) {
      const std::string name = csv_name(s.name);
      for (std::size_t k = 0; k < s.values.size(); ++k) {
        const Time at = s.start + s.bin * static_cast<std::int64_t>(k);
        out << who << ',' << name << ',' << csv_number(to_nanoseconds(at)) << ','
            << csv_number(to_nanoseconds(s.bin)) << ',' << csv_number(s.values[k]) << ','
            << metric_kind(s.name.metric).unit << '\n';
      }
    }
  }
}

void write_links_csv(std::ostream& out, const std::vector<RunRecord>& runs) {
  const RunColumns columns(runs);
  out << columns.header() << ",port,group,utilization,wait,bytes,packets,queued_max\n";
  for (const RunRecord& run : runs) {
    const std::string who = columns.row(run);
    for (const metrics::LinkSummary& l : run.result.links) {
      out << who << ',' << csv_text(l.name) << ',' << l.group << ',' << csv_number(l.utilization)
          << ',' << csv_number(l.wait) << ',' << l.bytes << ',' << l.packets << ',' << l.queued_max
          << '\n';
    }
  }
}

void write_set_aside_trees_csv(std::ostream& out, const std::vector<RunRecord>& runs) {
  const RunColumns columns(runs);
  out << columns.header()
      << ",root,since_ns,until_ns,allocations,queues_max,hops_max,bytes_max,sides,leaves\n";
  for (const RunRecord& run : runs) {
    const std::string who = columns.row(run);
    for (const metrics::SetAsideTree& t : run.result.set_aside_trees) {
      out << who << ',' << csv_text(t.root) << ',' << csv_number(to_nanoseconds(t.from)) << ','
          << csv_number(to_nanoseconds(t.until)) << ',' << t.allocations << ',' << t.queues_max
          << ',' << t.hops_max << ',' << t.bytes_max << ','
          << csv_text(fmt::format("{}", fmt::join(t.sides, "; "))) << ','
          << csv_text(fmt::format("{}", fmt::join(t.leaves, "; "))) << '\n';
    }
  }
}

void write_set_aside_events_csv(std::ostream& out, const std::vector<RunRecord>& runs) {
  const RunColumns columns(runs);
  out << columns.header() << ",time_ns,side,root,hops,kind,lifetime_ns\n";
  for (const RunRecord& run : runs) {
    const std::string who = columns.row(run);
    for (const metrics::SetAsideRecord& e : run.result.set_aside_events) {
      out << who << ',' << csv_number(to_nanoseconds(e.at)) << ',' << csv_text(e.side) << ','
          << csv_text(e.root) << ',' << e.hops << ',' << e.kind << ','
          << (e.kind == "released" ? csv_number(to_nanoseconds(e.lifetime)) : "") << '\n';
    }
  }
}

void write_runs_csv(std::ostream& out, const std::vector<RunRecord>& runs) {
  const RunColumns columns(runs);
  out << columns.header()
      << ",configuration_hash,fingerprint,host,started,finished,wall_seconds,cpu_seconds,"
         "hops_per_second\n";
  for (const RunRecord& run : runs) {
    out << columns.row(run)
        << fmt::format(",{},{:016x},{},{},{},{},{},{}\n", run.configuration_hash,
                       run.result.fingerprint, csv_text(run.host), run.started, run.finished,
                       csv_number(run.result.wall_seconds),
                       run.result.cpu_seconds > 0 ? csv_number(run.result.cpu_seconds) : "",
                       csv_number(run.result.hops_per_second()));
  }
}

std::string to_json(const std::vector<RunRecord>& runs, const JsonParts& parts, int indent) {
  json list = json::array();
  for (const RunRecord& run : runs) list.push_back(run_to_json(run, parts));
  return json{{"runs", std::move(list)}}.dump(indent, ' ', false, json::error_handler_t::replace) +
         "\n";
}

namespace {

void write_to(const std::string& path, const std::string& shown, const WriteText& write) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  write(file);
  file.close();
  if (!file) {
    throw InputError(shown + ": cannot write: " + std::strerror(errno == 0 ? EIO : errno));
  }
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  write_file(path, [&](std::ostream& out) { out << text; });
}

void write_file(const std::string& path, const WriteText& write) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error)
    throw InputError(folder.string() + ": cannot make the output folder: " + error.message());
  const fs::file_status now = fs::symlink_status(path, error);
  if (fs::exists(now) && !fs::is_regular_file(now)) {  // a device, a link, a folder
    write_to(path, path, write);
    return;
  }
  const std::string beside = fmt::format("{}.{}.new", path, getpid());
  try {
    write_to(beside, path, write);
    fs::rename(beside, path);
  } catch (const fs::filesystem_error& failure) {
    fs::remove(beside, error);
    throw InputError(path + ": cannot write: " + failure.code().message());
  } catch (const InputError&) {
    fs::remove(beside, error);
    throw;
  }
}

}  // namespace weir::report
