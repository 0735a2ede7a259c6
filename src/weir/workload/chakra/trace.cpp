#include "weir/workload/chakra/trace.hpp"

#include <chakra.pb.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/util/json_util.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace weir::workload {
namespace {

constexpr const char* kSupported =
    "COMP_NODE, MEM_LOAD_NODE, MEM_STORE_NODE, COMM_SEND_NODE, COMM_RECV_NODE, COMM_COLL_NODE and "
    "METADATA_NODE are known";

/// What a schedule asks for; all must be whole numbers from 0.
constexpr std::array<const char*, 6> kNumbers{"comm_type", "comm_size", "comm_src",
                                              "comm_dst",  "comm_tag",  "num_ops"};

using File = std::shared_ptr<const std::string>;

InputError error_in(const File& file, std::string_view text) {
  return {SourcePosition{file, 0, 0}, "", text};
}

/// All of a file, as it was before it was gzipped.
std::string content_of(const File& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(*file, ignored)) {
    throw error_in(file, "cannot be read: it is a folder");
  }
  errno = 0;
  const gzFile in = gzopen(file->c_str(), "rb");
  if (in == nullptr) {
    throw error_in(file, fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  std::string all;
  std::array<char, 65536> part{};
  int count = 0;
  while ((count = gzread(in, part.data(), static_cast<unsigned>(part.size()))) > 0) {
    all.append(part.data(), static_cast<std::size_t>(count));
  }
  int problem = Z_OK;
  const std::string text = gzerror(in, &problem);
  gzclose(in);
  if (count < 0 || problem != Z_OK) throw error_in(file, "cannot be read to its end: " + text);
  return all;
}

/// Messages of a file, one after the other.
class Messages {
 public:
  Messages(std::string text, File file) : text_(std::move(text)), file_(std::move(file)) {}
  virtual ~Messages() = default;
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// False at the end of the file.
  virtual bool next(google::protobuf::Message& message) = 0;

 protected:
  [[nodiscard]] InputError error(std::size_t at, std::string_view text) const {
    return error_in(file_, fmt::format("at byte {}: {}", at, text));
  }

  std::string text_;
  File file_;
  std::size_t place_ = 0;
};

class BinaryMessages : public Messages {
 public:
  using Messages::Messages;

  bool next(google::protobuf::Message& message) override {
    if (place_ == text_.size()) return false;
    const std::size_t begin = place_;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text_.data());
    const auto most = std::min<std::size_t>(text_.size() - place_, 10);
    google::protobuf::io::CodedInputStream in(bytes + place_, static_cast<int>(most));
    std::uint32_t size = 0;
    if (!in.ReadVarint32(&size)) throw error(begin, "no length of a message of protobuf");
    place_ += static_cast<std::size_t>(in.CurrentPosition());
    if (size > text_.size() - place_) {
      throw error(begin, fmt::format("a message of {} bytes should be here, of which {} are there: "
                                     "is the file truncated, or no Chakra trace?",
                                     size, text_.size() - place_));
    }
    const bool is_read = size <= std::numeric_limits<int>::max() &&
                         message.ParseFromArray(bytes + place_, static_cast<int>(size));
    if (!is_read) throw error(begin, "no message of a Chakra trace");
    place_ += size;
    return true;
  }
};

class JsonMessages : public Messages {
 public:
  JsonMessages(const std::string& text, File file)
      : Messages(text, std::move(file)), in_(text_), options_() {
    options_.ignore_unknown_fields = true;
  }

  bool next(google::protobuf::Message& message) override {
    in_ >> std::ws;
    if (in_.peek() == std::istringstream::traits_type::eof()) return false;
    place_ = static_cast<std::size_t>(in_.tellg());
    nlohmann::json value;
    try {
      in_ >> value;
    } catch (const nlohmann::json::parse_error& problem) {
      throw error(place_ + std::max<std::size_t>(problem.byte, 1) - 1,
                  fmt::format("no JSON: {}", reason(problem.what())));
    }
    const auto status =
        google::protobuf::util::JsonStringToMessage(value.dump(), &message, options_);
    if (status.ok()) return true;
    throw error(place_, "no message of a Chakra trace: " + std::string(status.message()));
  }

 private:
  /// Without the place, which counts from the beginning of the message.
  static std::string reason(const std::string& said) {
    const std::size_t at = said.find("syntax error");
    return at == std::string::npos ? said : said.substr(at);
  }

  std::istringstream in_;
  google::protobuf::util::JsonParseOptions options_;
};

/// Nothing where it is no whole number from 0.
std::optional<std::uint64_t> whole_number(const chakra::Attribute& attribute) {
  const auto of = [](std::int64_t value) {
    return value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value));
  };
  switch (attribute.value_case()) {
    case chakra::Attribute::kInt32Val:
      return of(attribute.int32_val());
    case chakra::Attribute::kInt64Val:
      return of(attribute.int64_val());
    case chakra::Attribute::kUint32Val:
      return attribute.uint32_val();
    case chakra::Attribute::kUint64Val:
      return attribute.uint64_val();
    case chakra::Attribute::kSint32Val:
      return of(attribute.sint32_val());
    case chakra::Attribute::kSint64Val:
      return of(attribute.sint64_val());
    case chakra::Attribute::kFixed32Val:
      return attribute.fixed32_val();
    case chakra::Attribute::kFixed64Val:
      return attribute.fixed64_val();
    case chakra::Attribute::kSfixed32Val:
      return of(attribute.sfixed32_val());
    case chakra::Attribute::kSfixed64Val:
      return of(attribute.sfixed64_val());
    default:
      return std::nullopt;
  }
}

class NodeReader {
 public:
  NodeReader(const chakra::Node& message, const ChakraTrace& trace)
      : message_(message), trace_(trace) {}

  ChakraNode read() {
    node_.id = message_.id();
    node_.name = message_.name();
    node_.microseconds = message_.duration_micros();
    node_.metadata = message_.inputs().values();
    read_kind();
    for (const chakra::Attribute& attribute : message_.attr()) read_attribute(attribute);
    for (const auto* list : {&message_.data_deps(), &message_.ctrl_deps()}) {
      node_.waits_for.insert(node_.waits_for.end(), list->begin(), list->end());
    }
    std::sort(node_.waits_for.begin(), node_.waits_for.end());
    node_.waits_for.erase(std::unique(node_.waits_for.begin(), node_.waits_for.end()),
                          node_.waits_for.end());
    return std::move(node_);
  }

 private:
  void read_kind() {
    switch (message_.type()) {
      case chakra::METADATA_NODE:
        node_.kind = ChakraKind::nothing;
        return;
      case chakra::MEM_LOAD_NODE:
      case chakra::MEM_STORE_NODE:
        node_.kind = ChakraKind::computation;
        node_.is_memory = true;
        return;
      case chakra::COMP_NODE:
        node_.kind = ChakraKind::computation;
        return;
      case chakra::COMM_SEND_NODE:
        node_.kind = ChakraKind::send;
        return;
      case chakra::COMM_RECV_NODE:
        node_.kind = ChakraKind::receive;
        return;
      case chakra::COMM_COLL_NODE:
        node_.kind = ChakraKind::collective;
        return;
      default:
        break;
    }
    const std::string& name = chakra::NodeType_Name(message_.type());
    throw trace_.error(
        node_, fmt::format("nodes of type {} have no place in a schedule; {}",
                           name.empty() ? std::to_string(message_.type()) : name, kSupported));
  }

  void read_attribute(const chakra::Attribute& attribute) {
    const std::string& name = attribute.name();
    if (name == "is_cpu_op") {
      node_.is_on_host = attribute.value_case() == chakra::Attribute::kBoolVal
                             ? attribute.bool_val()
                             : whole_number(attribute).value_or(0) != 0;
    } else if (name == "pg_name") {
      const auto number = whole_number(attribute);
      node_.group = number ? std::to_string(*number) : attribute.string_val();
    } else if (name == "involved_dim") {
      const auto& dimensions = attribute.bool_list().values();
      if (std::find(dimensions.begin(), dimensions.end(), false) == dimensions.end()) return;
      throw trace_.error(node_,
                         "involved_dim leaves dimensions of the network out, of which a schedule "
                         "knows nothing; pg_name and a file of groups say who takes part");
    } else if (std::find(kNumbers.begin(), kNumbers.end(), name) != kNumbers.end()) {
      const auto number = whole_number(attribute);
      if (!number) throw trace_.error(node_, name + " is no whole number from 0 on");
      node_.numbers[name] = *number;
    }
  }

  const chakra::Node& message_;
  const ChakraTrace& trace_;
  ChakraNode node_;
};

void check_ids(const ChakraTrace& trace) {
  for (std::size_t i = 1; i < trace.nodes.size(); ++i) {
    if (trace.nodes[i].id != trace.nodes[i - 1].id) continue;
    throw trace.error(trace.nodes[i], "another node of this rank has the same id");
  }
}

}  // namespace

InputError ChakraTrace::error(const ChakraNode& node, std::string_view text) const {
  const std::string name = node.name.empty() ? "" : fmt::format(" ({})", node.name);
  return error_in(file, fmt::format("node {}{}: {}", node.id, name, text));
}

ChakraTrace read_chakra(const std::string& path) {
  return parse_chakra(content_of(std::make_shared<const std::string>(path)), path);
}

ChakraTrace parse_chakra(std::string bytes, const std::string& file) {
  ChakraTrace trace;
  trace.file = std::make_shared<const std::string>(file);
  std::unique_ptr<Messages> messages;
  if (file.ends_with(".json")) {
    messages = std::make_unique<JsonMessages>(bytes, trace.file);
  } else {
    messages = std::make_unique<BinaryMessages>(std::move(bytes), trace.file);
  }
  chakra::Metadata metadata;
  if (!messages->next(metadata)) throw error_in(trace.file, "is empty: no Chakra trace");
  chakra::Node message;
  while (messages->next(message)) {
    trace.nodes.push_back(NodeReader(message, trace).read());
    message.Clear();
  }
  std::stable_sort(trace.nodes.begin(), trace.nodes.end(),
                   [](const auto& a, const auto& b) { return a.id < b.id; });
  check_ids(trace);
  return trace;
}

}  // namespace weir::workload
