#include "weir/base/encoding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <stdexcept>

namespace weir {
namespace {

RC_GTEST_PROP(Encoding, DecompressGivesBackWhatWasCompressed, (const std::string& data)) {
  RC_ASSERT(decompress(compress(data), data.size()) == data);
}

TEST(Encoding, CompressesWhatRepeats) {
  const std::string data(100'000, 'x');
  EXPECT_LT(compress(data).size(), 1'000U);
  EXPECT_LT(gzip(data).size(), 1'000U);
}

TEST(Encoding, RefusesDamagedData) {
  const std::string good = compress("buffer buffer buffer buffer");
  EXPECT_THROW((void)decompress(good.substr(0, good.size() - 3), 27), std::invalid_argument);
  EXPECT_THROW((void)decompress(good, 26), std::invalid_argument);
  EXPECT_THROW((void)decompress(good, 28), std::invalid_argument);
  EXPECT_THROW((void)decompress("", 4), std::invalid_argument);
}

TEST(Encoding, GzipHasItsHeaderAndNoTime) {
  const std::string file = gzip("credit");
  EXPECT_EQ(file.substr(0, 8), std::string("\x1F\x8B\x08\0\0\0\0\0", 8));
  z_stream stream{};
  std::string in = file;
  std::string out(6, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  EXPECT_EQ(out, "credit");
}

/// RFC 4648, section 10.
TEST(Encoding, Base64AsInItsStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xFF\xBF"), "+/+/");
}

}  // namespace
}  // namespace weir
