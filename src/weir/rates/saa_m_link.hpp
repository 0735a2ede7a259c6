#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Messages of SAA-M (zdornov2009, section 4.1.3).
///
/// | kind    | amount          | other | heaviest | oversubscribed |
/// |---------|-----------------|-------|----------|----------------|
/// | start   | w               |       | W_f      |                |
/// | update  | rate change     | claimed reservation |  |          |
/// | probe   | least left over |       | W_f      | W_o            |
/// | reserve, cancel | reservation | |   |                          |
/// | end     | w               | r(f)  |          |                |
template <class Number>
struct SaaMMessage {
  enum class Kind : std::uint8_t { start, update, probe, reserve, cancel, end };
  Kind kind = Kind::probe;
  bool is_granted = true;
  Number amount{0};
  Number other{0};
  Number heaviest{0};
  Number oversubscribed{0};
};

/// State of a link; free capacity may be negative for a while.
template <class Number>
struct SaaMLink {
  using Message = SaaMMessage<Number>;

  Number weight{0};    ///< W_l
  Number free{0};      ///< c_l
  Number reserved{0};  ///< cr_l: not yet claimed

  void visit(Message& m, const Number& capacity) {
    switch (m.kind) {
      case Message::Kind::start:
        weight += NumberTraits<Number>::quotient_up(m.amount, capacity);
        m.heaviest = std::max(m.heaviest, weight);
        break;
      case Message::Kind::update:
        free -= m.amount;
        reserved -= m.other;
        break;
      case Message::Kind::probe:
        m.heaviest = std::max(m.heaviest, weight);
        m.amount = std::min(m.amount, Number(free - reserved));
        if (free < Number(0)) m.oversubscribed = std::max(m.oversubscribed, weight);
        break;
      case Message::Kind::reserve:
        reserved += m.amount;
        if (free < reserved) m.is_granted = false;
        break;
      case Message::Kind::cancel:
        reserved -= m.amount;
        break;
      case Message::Kind::end:
        weight -= NumberTraits<Number>::quotient_up(m.amount, capacity);
        free += m.other;
        break;
    }
  }
};

}  // namespace weir::rates
