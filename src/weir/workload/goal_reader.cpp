#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "weir/traffic/column_reader.hpp"
#include "weir/workload/goal.hpp"
#include "weir/workload/goal_limits.hpp"
#include "weir/workload/goal_tokens.hpp"

namespace weir::workload {
namespace {

constexpr std::uint64_t kHighestTag = kAny - 1;
constexpr std::uint64_t kHighestCpu = 255;

/// Reads statement after statement.
class GoalReader {
 public:
  GoalReader(std::string_view text, const std::string& file) : tokens_(text, file) {}

  Schedule read() {
    skip_lines();
    read_rank_count();
    ScheduleBuilder builder(ranks_, tokens_.file());
    std::vector<int> seen(ranks_, 0);
    for (skip_lines(); tokens_.now().kind != TokenKind::file_end; skip_lines()) {
      read_rank(builder, seen);
    }
    return std::move(builder).build();
  }

 private:
  /// A dependency whose labels are yet to be found.
  struct Waiting {
    Token later;
    Token earlier;
    bool on_start = false;
  };
  struct Label {
    std::uint32_t operation = 0;
    int line = 0;
  };

  void skip_lines() {
    while (tokens_.now().kind == TokenKind::line_end) tokens_.next();
  }

  [[nodiscard]] bool is_word(std::string_view word) const {
    return tokens_.now().kind == TokenKind::word && tokens_.now().text == word;
  }
  [[nodiscard]] bool is_symbol(std::string_view symbol) const {
    return tokens_.now().kind == TokenKind::symbol && tokens_.now().text == symbol;
  }

  /// Refuses the token at hand. A word that is near to one of `words` may be meant as that.
  [[nodiscard]] InputError expected(std::string_view key, const std::string& what,
                                    const std::vector<std::string>& words = {}) const {
    const Token& found = tokens_.now();
    const bool is_wrong_word = found.kind == TokenKind::word && !words.empty();
    const std::string nearest = is_wrong_word ? nearest_name(found.text, words) : "";
    const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
    return tokens_.error(found, key,
                         fmt::format("expected {}, not {}{}", what, quoted(found), hint));
  }

  void take_word(std::string_view key, const std::string& word) {
    if (!is_word(word)) throw expected(key, "'" + word + "'", {word});
    tokens_.next();
  }

  std::uint64_t take_number(std::string_view key, std::uint64_t most, const std::string& what) {
    const Token token = tokens_.now();
    if (token.kind != TokenKind::number) throw expected(key, what);
    std::uint64_t number = 0;
    const auto parsed =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
    if (parsed.ec != std::errc() || number > most) {
      throw tokens_.error(token, key, fmt::format("is too large; the most is {}", most));
    }
    tokens_.next();
    return number;
  }

  void read_rank_count() {
    take_word("num_ranks", "num_ranks");
    const Token token = tokens_.now();
    ranks_ = take_number("num_ranks", kMostRanks, "the number of ranks");
    if (ranks_ == 0) throw tokens_.error(token, "num_ranks", "must be at least 1");
  }

  void read_rank(ScheduleBuilder& builder, std::vector<int>& seen) {
    take_word("rank", "rank");
    const Token token = tokens_.now();
    const std::uint64_t rank = take_number("rank", kHighestTag, "the number of a rank");
    if (rank >= ranks_) {
      throw tokens_.error(token, "rank", fmt::format("there is no rank {} of {}", rank, ranks_));
    }
    if (seen[rank] != 0) {
      throw tokens_.error(token, "rank",
                          fmt::format("rank {} has a block already, in line {}", rank, seen[rank]));
    }
    seen[rank] = token.line;
    if (!is_symbol("{")) throw expected("rank", "'{'");
    tokens_.next();
    labels_.clear();
    waiting_.clear();
    for (skip_lines(); !is_symbol("}"); skip_lines()) {
      if (tokens_.now().kind == TokenKind::file_end) {
        throw tokens_.error(token, "rank",
                            fmt::format("the block of rank {} never ends; '}}' is missing", rank));
      }
      read_statement(builder.rank(rank));
    }
    tokens_.next();
    for (const Waiting& one : waiting_) {
      const std::uint32_t later = find(one.later);
      const std::uint32_t earlier = find(one.earlier);
      if (one.on_start) {
        builder.rank(rank).require_start(later, earlier);
      } else {
        builder.rank(rank).require(later, earlier);
      }
    }
  }

  void read_statement(RankBuilder& rank) {
    static const std::vector<std::string> kOperations{"send", "recv", "calc"};
    const auto is_operation = [this] {
      return is_word("send") || is_word("recv") || is_word("calc");
    };
    if (is_operation()) {
      read_operation(rank);
    } else {
      if (tokens_.now().kind != TokenKind::word) {
        throw expected("statement", "an operation, a label or '}'");
      }
      const Token label = tokens_.next();
      if (is_symbol(":")) {
        tokens_.next();
        if (!is_operation()) throw expected(label.text, "send, recv or calc", kOperations);
        add_label(label, read_operation(rank));
      } else {
        read_dependency(label);
      }
    }
    const Token& after = tokens_.now();
    if (after.kind == TokenKind::line_end || after.kind == TokenKind::file_end) return;
    if (!is_symbol("}")) throw expected("statement", "the end of the line", option_names_);
  }

  void read_dependency(const Token& label) {
    const bool on_start = is_word("irequires");
    if (!on_start && !is_word("requires")) {
      // A misspelt operation without label looks like a label.
      const std::string nearest =
          nearest_name(label.text, std::vector<std::string>{"send", "recv", "calc"});
      if (tokens_.now().kind == TokenKind::number && !nearest.empty()) {
        throw tokens_.error(
            label, "statement",
            fmt::format("'{}' is no operation (did you mean '{}'?)", label.text, nearest));
      }
      throw expected(label.text, "':', requires or irequires", {"requires", "irequires"});
    }
    const std::string_view key = tokens_.next().text;
    if (tokens_.now().kind != TokenKind::word) throw expected(key, "a label");
    waiting_.push_back({label, tokens_.next(), on_start});
  }

  void add_label(const Token& label, std::uint32_t operation) {
    const auto [known, is_new] = labels_.try_emplace(label.text, Label{operation, label.line});
    if (is_new) return;
    throw tokens_.error(
        label, label.text,
        fmt::format("is the label of the operation in line {} already", known->second.line));
  }

  [[nodiscard]] std::uint32_t find(const Token& label) const {
    const auto known = labels_.find(label.text);
    if (known != labels_.end()) return known->second.operation;
    std::vector<std::string> names;
    for (const auto& [name, where] : labels_) names.emplace_back(name);
    std::sort(names.begin(), names.end());
    const std::string nearest = nearest_name(label.text, names);
    throw tokens_.error(label, label.text,
                        "no operation of this rank has this label" +
                            (nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
  }

  std::uint32_t read_operation(RankBuilder& rank) {
    Operation made;
    made.line = static_cast<std::uint32_t>(tokens_.now().line);
    const std::string_view name = tokens_.next().text;
    if (name == "calc") {
      made.amount = static_cast<std::int64_t>(
          take_number(name, kLongestCalculation, "a number of nanoseconds"));
    } else {
      made.kind = name == "send" ? OperationKind::send : OperationKind::receive;
      made.amount = static_cast<std::int64_t>(take_number(name, kMostBytes, "a number of bytes"));
      take_word(name, "b");
      take_word(name, name == "send" ? "to" : "from");
      made.peer = read_peer(name);
    }
    read_options(made, name);
    return rank.add(made);
  }

  bool take_any(bool is_allowed, std::string_view key, const std::string& what) {
    if (!is_symbol("-")) return false;
    if (!is_allowed) throw expected(key, what);
    tokens_.next();
    if (tokens_.now().text != "1") throw expected(key, "-1 (any)");
    tokens_.next();
    return true;
  }

  std::uint32_t read_peer(std::string_view name) {
    const Token token = tokens_.now();
    if (take_any(name == "recv", name, "the number of a rank")) return kAny;
    const std::uint64_t peer = take_number(name, kHighestTag, "the number of a rank");
    if (peer < ranks_) return static_cast<std::uint32_t>(peer);
    throw tokens_.error(token, name, fmt::format("there is no rank {} of {}", peer, ranks_));
  }

  void read_options(Operation& made, std::string_view name) {
    const bool is_message = made.kind != OperationKind::calculation;
    option_names_ = is_message ? std::vector<std::string>{"tag", "cpu", "nic"}
                               : std::vector<std::string>{"cpu", "nic"};
    bool has[3] = {false, false, false};
    const auto starts = [&](bool& is_given, std::string_view option) {
      if (!is_word(option)) return false;
      if (is_given) throw tokens_.error(tokens_.now(), option, "is given twice");
      is_given = true;
      tokens_.next();
      return true;
    };
    for (;;) {
      if (is_message && starts(has[0], "tag")) {
        const bool is_any = take_any(name == "recv", "tag", "a number (only receives take any)");
        made.tag =
            is_any ? kAny : static_cast<std::uint32_t>(take_number("tag", kHighestTag, "a number"));
      } else if (starts(has[1], "cpu")) {
        made.cpu = static_cast<std::uint8_t>(take_number("cpu", kHighestCpu, "a number"));
      } else if (starts(has[2], "nic")) {
        made.nic = static_cast<std::uint8_t>(take_number("nic", kHighestCpu, "a number"));
      } else {
        return;
      }
    }
  }

  GoalTokens tokens_;
  std::uint64_t ranks_ = 0;
  std::unordered_map<std::string_view, Label> labels_;  ///< of the rank being read
  std::vector<Waiting> waiting_;                        ///< likewise
  std::vector<std::string> option_names_;               ///< that the last operation could have had
};

}  // namespace

Schedule parse_goal(std::string_view text, const std::string& file) {
  return GoalReader(text, file).read();
}

Schedule read_goal(std::istream& in, const std::string& file) {
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return is_goal_binary(text) ? parse_goal_binary(text, file) : parse_goal(text, file);
}

}  // namespace weir::workload
