#include "weir/experiment/campaign/wire.hpp"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "weir/experiment/store/packed_result.hpp"

namespace weir::experiment {
namespace {

using nlohmann::json;

/// Tables as lists: a value is [kind, data, file, line, column], an entry [key, value, file, line,
/// column]. Files are numbered in the order of their first use; -1: none.
class TablePacker {
 public:
  json pack(const ConfigTable& table) {
    json entries = json::array();
    for (const ConfigEntry& entry : table.entries()) {
      json one = json::array({entry.key, pack(entry.value)});
      add(one, entry.key_position);
      entries.push_back(std::move(one));
    }
    json out = json::array({std::move(entries)});
    add(out, table.position);
    return out;
  }
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

 private:
  json pack(const ConfigValue& value) {
    json data = std::visit([&](const auto& plain) { return packed(plain); }, value.data);
    json out = json::array({value.data.index(), std::move(data)});
    add(out, value.position);
    return out;
  }
  json packed(const ConfigTable& table) { return pack(table); }
  json packed(const ConfigArray& array) {
    json out = json::array();
    for (const ConfigValue& value : array) out.push_back(pack(value));
    return out;
  }
  // As bytes: nothing asks whether they are UTF-8.
  static json packed(const std::string& text) { return json::binary({text.begin(), text.end()}); }
  template <class Plain>
  static json packed(const Plain& plain) {
    return plain;
  }
  void add(json& list, const SourcePosition& position) {
    list.push_back(number_of(position));
    list.push_back(position.line);
    list.push_back(position.column);
  }
  int number_of(const SourcePosition& position) {
    if (!position.file) return -1;
    const auto [at, is_new] = numbers_.emplace(*position.file, static_cast<int>(files_.size()));
    if (is_new) files_.push_back(*position.file);
    return at->second;
  }

  std::vector<std::string> files_;
  std::map<std::string, int> numbers_;
};

class TableUnpacker {
 public:
  explicit TableUnpacker(const json& files) {
    for (const json& name : files) {
      files_.push_back(std::make_shared<const std::string>(name.get<std::string>()));
    }
  }

  [[nodiscard]] ConfigTable table(const json& in) const {
    ConfigTable out;
    for (const json& entry : in.at(0)) {
      out.entries().push_back(
          {entry.at(0).get<std::string>(), value(entry.at(1)), position(entry, 2)});
    }
    out.position = position(in, 1);
    return out;
  }

 private:
  [[nodiscard]] ConfigValue value(const json& in) const {
    return {data(in.at(0).get<int>(), in.at(1)), position(in, 2)};
  }
  [[nodiscard]] ConfigValue::Data data(int kind, const json& in) const {
    switch (kind) {
      case 0:
        return in.get<bool>();
      case 1:
        return in.get<std::int64_t>();
      case 2:
        return in.get<double>();
      case 3: {
        const auto& bytes = in.get_binary();
        return std::string(bytes.begin(), bytes.end());
      }
      case 4: {
        ConfigArray array;
        for (const json& one : in) array.push_back(value(one));
        return array;
      }
      default:
        return table(in);
    }
  }
  [[nodiscard]] SourcePosition position(const json& in, std::size_t first) const {
    const int file = in.at(first).get<int>();
    return {file < 0 ? nullptr : files_.at(static_cast<std::size_t>(file)),
            in.at(first + 1).get<int>(), in.at(first + 2).get<int>()};
  }

  std::vector<std::shared_ptr<const std::string>> files_;
};

json packed(const RunRecord& run) {
  return {{"experiment", run.experiment},
          {"case_name", run.case_name},
          {"place", run.place},
          {"parameters", run.parameters},
          {"configuration", run.configuration},
          {"configuration_hash", run.configuration_hash},
          {"seed", run.seed},
          {"version", run.version},
          {"status", run.status},
          {"error", run.error},
          {"host", run.host},
          {"started", run.started},
          {"finished", run.finished},
          {"result", json::binary(experiment::packed(run.result))}};
}

RunRecord record_in(const json& in) {
  const auto text = [&](const char* key) { return in.at(key).get<std::string>(); };
  RunRecord out;
  out.experiment = text("experiment");
  out.case_name = text("case_name");
  out.place = in.at("place").get<std::int64_t>();
  out.parameters = in.at("parameters").get<decltype(out.parameters)>();
  out.configuration = text("configuration");
  out.configuration_hash = text("configuration_hash");
  out.seed = in.at("seed").get<std::uint64_t>();
  out.version = text("version");
  out.status = text("status");
  out.error = text("error");
  out.host = text("host");
  out.started = text("started");
  out.finished = text("finished");
  out.result = unpacked_result(in.at("result").get_binary());
  return out;
}

}  // namespace

WireBytes pack(const Variant& variant) {
  TablePacker packer;
  json table = packer.pack(variant.table);
  return json::to_cbor(json{{"name", variant.name},
                            {"case_name", variant.case_name},
                            {"settings", variant.settings},
                            {"place", variant.place},
                            {"checkpoints", variant.checkpoints.folder},
                            {"checkpoint_seconds", variant.checkpoints.seconds},
                            {"files", packer.files()},
                            {"table", std::move(table)}});
}

Variant unpack_variant(const WireBytes& bytes) {
  const json in = json::from_cbor(bytes);
  Variant out;
  out.name = in.at("name").get<std::string>();
  out.case_name = in.at("case_name").get<std::string>();
  out.settings = in.at("settings").get<decltype(out.settings)>();
  out.place = in.at("place").get<std::int64_t>();
  out.checkpoints.folder = in.at("checkpoints").get<std::string>();
  out.checkpoints.seconds = in.at("checkpoint_seconds").get<double>();
  out.table = TableUnpacker(in.at("files")).table(in.at("table"));
  return out;
}

WireBytes pack(const RunOutcome& outcome) {
  json out{{"is_input_error", outcome.is_input_error}};
  if (outcome.record) out["record"] = packed(*outcome.record);
  return json::to_cbor(out);
}

RunOutcome unpack_outcome(const WireBytes& bytes) {
  const json in = json::from_cbor(bytes);
  RunOutcome out;
  out.is_input_error = in.at("is_input_error").get<bool>();
  if (in.contains("record")) out.record = record_in(in.at("record"));
  return out;
}

}  // namespace weir::experiment
