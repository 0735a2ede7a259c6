#pragma once

#include <cstdint>
#include <memory>
#include <vector>

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
/// Keys of SAA-M, and what they say.
std::vector<Parameter> saa_m_parameters();
SaaMSettings read_saa_m(const Settings& settings, std::uint64_t seed);
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

}  // namespace weir::rates
