#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

/// Compressed with zlib (RFC 1950). The same input gives the same bytes with the same zlib.
std::string compress(std::string_view data);
/// What was compressed. Throws std::invalid_argument when `data` is damaged or does not hold `size`
/// bytes.
std::string decompress(std::string_view data, std::size_t size);

/// A gzip file (RFC 1952) of `data`, without name and time.
std::string gzip(std::string_view data);

/// CRC-32 as in gzip files.
std::uint32_t checksum(std::string_view data);

/// RFC 4648, with padding.
std::string base64(std::string_view data);

}  // namespace weir
