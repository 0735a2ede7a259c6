#include "weir/base/encoding.hpp"

#include <zlib.h>

#include <cstdint>
#include <new>
#include <stdexcept>

namespace weir {
namespace {

constexpr int kLevel = 6;
constexpr int kZlibWindow = 15;
constexpr int kGzipWindow = 15 + 16;

Bytef* bytes(std::string_view text) {
  // zlib does not write to what it reads; its interface is older than const.
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}
Bytef* bytes(std::string& text) { return reinterpret_cast<Bytef*>(text.data()); }

/// All of `data` at once: what zlib takes in one call is bounded by its 32-bit counts.
std::string deflated(std::string_view data, int window) {
  if (data.size() > UINT32_MAX / 2) throw std::length_error("too much to compress at once");
  z_stream stream{};
  constexpr int kMemory = 8;
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, window, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = bytes(data);
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = bytes(out);
  stream.avail_out = static_cast<uInt>(out.size());
  const int outcome = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (outcome != Z_STREAM_END) throw std::logic_error("zlib's bound was too small");
  return out;
}

}  // namespace

std::string compress(std::string_view data) { return deflated(data, kZlibWindow); }

std::string decompress(std::string_view data, std::size_t size) {
  std::string out(size, '\0');
  uLongf length = size;
  const int outcome = ::uncompress(bytes(out), &length, bytes(data), data.size());
  if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
  if (outcome != Z_OK || length != size) throw std::invalid_argument("compressed data is damaged");
  return out;
}

std::string gzip(std::string_view data) { return deflated(data, kGzipWindow); }

std::uint32_t checksum(std::string_view data) {
  return static_cast<std::uint32_t>(::crc32_z(0, bytes(data), data.size()));
}

std::string base64(std::string_view data) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((data.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < data.size(); at += 3) {
    const std::string_view group = data.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= group.size() ? kDigits[bits >> (18U - 6U * i) & 63U] : '=';
    }
  }
  return out;
}

}  // namespace weir
