#include "weir/experiment/claims/changes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/keys.hpp"
#include "weir/experiment/claims/means.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment::claims {
namespace {

struct ChangeKeys {
  ConfigValue where{ConfigTable(), {}};
  ConfigValue set;
};

const Keys<ChangeKeys>& change_keys() {
  static const Keys<ChangeKeys> keys{
      key(&ChangeKeys::where, "where", "keys with the values that a run must have"),
      key(&ChangeKeys::set, "set", "keys with the values that it gets").required()};
  return keys;
}

ConfigTable keys_of(const Checked<ChangeKeys>& file, ConfigValue ChangeKeys::*member) {
  const ConfigValue& value = (*file).*member;
  if (!value.is_table()) {
    throw file.error(member, R"(must be a table, as in { "buffer.ingress" = "4 KiB" })");
  }
  ConfigTable table = expanded(value.table());
  spell_out_models(table);
  return table;
}

bool is_one_of(const ConfigValue& wanted, const ConfigValue& own) {
  if (!wanted.is_array() || own.is_array()) return means(wanted, own);
  return std::any_of(wanted.array().begin(), wanted.array().end(),
                     [&](const ConfigValue& one) { return means(one, own); });
}

}  // namespace

bool Change::is_about(const ConfigTable& resolved) const {
  return std::all_of(where.begin(), where.end(), [&](const KeyedValue& wanted) {
    const ConfigValue* own = find_value(resolved, wanted.key);
    return own != nullptr && is_one_of(wanted.value, *own);
  });
}

std::vector<Change> read_changes(const ConfigValue& written, const std::string& where) {
  if (!written.is_array() || written.array().empty()) {
    throw InputError(written.position, where,
                     R"(must be a list of tables { where = { ... }, set = { ... } })");
  }
  std::vector<Change> out;
  for (const ConfigValue& one : written.array()) {
    const std::string own = fmt::format("{}[{}]", where, out.size());
    if (!one.is_table()) throw InputError(one.position, own, "must be a table");
    const auto file = change_keys().check(one.table(), own);
    Change made{flattened(keys_of(file, &ChangeKeys::where)), keys_of(file, &ChangeKeys::set)};
    if (made.set.entries().empty()) {
      throw file.error(&ChangeKeys::set, "is empty: nothing changes");
    }
    out.push_back(std::move(made));
  }
  return out;
}

ConfigTable changes_for(const std::vector<Change>& changes, const ConfigTable& resolved) {
  ConfigTable out;
  for (const Change& one : changes) {
    if (one.is_about(resolved)) lay_over(out, one.set);
  }
  return out;
}

}  // namespace weir::experiment::claims
