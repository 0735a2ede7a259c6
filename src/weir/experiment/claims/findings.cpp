#include "weir/experiment/claims/findings.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "weir/experiment/claims/alternatives.hpp"

namespace weir::experiment::claims {
namespace {

namespace fs = std::filesystem;

template <class T>
const T* find_in(const std::map<std::string, ByScale<T>>& all, const std::string& name,
                 Scale scale) {
  const auto it = all.find(name);
  return it == all.end() || !it->second.at(scale) ? nullptr : &*it->second.at(scale);
}

}  // namespace

const Judgement* Findings::find(const Claim& claim, Scale scale) const {
  return find_in(claims, claim.id, scale);
}

const Judgement* Findings::standing(const Claim& claim) const {
  const Judgement* full = find(claim, Scale::full);
  const Judgement* quick = find(claim, Scale::quick);
  if (full == nullptr) return quick;
  const bool is_old =
      is_stale(claim, Scale::full) && quick != nullptr && !is_stale(claim, Scale::quick);
  return is_old ? quick : full;
}

const Provenance* Findings::find_run(const std::string& experiment, Scale scale) const {
  return find_in(runs, experiment, scale);
}

bool Findings::is_stale(const Claim& claim, Scale scale) const {
  const Provenance* run = find_run(claim.experiment, scale);
  return find(claim, scale) != nullptr && (run == nullptr || run->is_stale);
}

Findings read_findings(const Document& document, const Combination& values) {
  const fs::path path = fs::path(document.folder) / findings_file(values);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    Findings none;
    none.values = values;
    return none;
  }
  Findings out = read_findings_file(path.string(), document);
  if (out.values != values) {
    throw InputError(fmt::format("'{}' was recorded with other values", path.string()));
  }
  return out;
}

Findings read_findings(const Document& document) {
  Findings out = read_findings(document, {});
  std::set<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(document.folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("findings.") && name.ends_with(".toml") && name != "findings.toml") {
      files.insert(entry.path());
    }
  }
  for (const fs::path& file : files) {
    out.alternatives.push_back(read_findings_file(file.string(), document));
  }
  return out;
}

void record(Findings& findings, const Claim& claim, Scale scale, const Judgement& judgement) {
  if (judgement.verdict == Verdict::not_run) return;
  findings.claims[claim.id].at(scale) = judgement;
}

bool is_lost(const Findings& recorded, const Claim& claim, Scale scale, const Judgement& now) {
  const Judgement* before = recorded.find(claim, scale);
  return before != nullptr && before->verdict == Verdict::holds && now.verdict != Verdict::holds &&
         now.verdict != Verdict::not_run;
}

}  // namespace weir::experiment::claims
