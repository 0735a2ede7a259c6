#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weir/base/keys.hpp"
#include "weir/rates/dafa_protocol.hpp"
#include "weir/rates/dffa_protocol.hpp"
#include "weir/rates/dffa_star_protocol.hpp"
#include "weir/rates/periodic_dffa_protocol.hpp"
#include "weir/rates/rate_protocol.hpp"
#include "weir/rates/saa_m_protocol.hpp"
#include "weir/rates/saa_protocol.hpp"

namespace weir::rates {

// The protocols in the arithmetic in which they are used, by their settings. Models of the kind
// "protocol" are these with keys.

std::unique_ptr<RateProtocol> make_saa(const ProtocolContext& context, const SaaSettings& settings);
const Keys<SaaMSettings>& saa_m_keys();
/// Throws InputError where a value does not fit the others.
SaaMSettings saa_m_settings(const Checked<SaaMSettings>& given, std::uint64_t seed);
/// Throws InputError when the announced weights of a link do not fit into FixedPoint (4 million).
void check_weights(const ControlPlane& plane);
std::unique_ptr<RateProtocol> make_periodic_dffa(const ProtocolContext& context,
                                                 PeriodicDffaSettings settings);
/// Throws InputError when the weights on a link exceed what fixed-point numbers hold (4 million).
std::unique_ptr<RateProtocol> make_saa_m(const ProtocolContext& context,
                                         const SaaMSettings& settings);
std::unique_ptr<RateProtocol> make_dffa_star(const ProtocolContext& context, bool is_optimized);
std::unique_ptr<RateProtocol> make_dffa(const ProtocolContext& context,
                                        const DffaSettings& settings);
/// DAFA* begins when all applications have started.
std::unique_ptr<RateProtocol> make_dafa_star(const ProtocolContext& context, ElementIndex leader);
std::unique_ptr<RateProtocol> make_dafa(const ProtocolContext& context,
                                        const DafaSettings& settings);

/// The element that a key names.
template <class S>
ElementIndex element_of(const Checked<S>& settings, std::string S::*name,
                        const ProtocolContext& context) {
  try {
    return context.element((*settings).*name);
  } catch (const InputError& error) {
    throw settings.error(name, error.what());
  }
}

}  // namespace weir::rates
