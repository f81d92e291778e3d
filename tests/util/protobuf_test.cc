#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "util/check.h"
#include "util/protobuf_reader.h"
#include "util/protobuf_writer.h"

namespace heed {
namespace {

using std::string_literals::operator""s;

TEST(ProtobufWriter, WritesTheBytesOfTheSpecification) {
  ProtobufWriter writer;
  writer.Number(1, 150);
  writer.Bytes(2, "testing");
  writer.Float(3, 1.5F);
  writer.Number(1000, -1);
  writer.Begin(4, 300);
  EXPECT_EQ(writer.bytes(), "\x08\x96\x01\x12\x07testing\x1D\x00\x00\xC0\x3F\xC0\x3E"s +
                                std::string(9, '\xFF') + "\x01\x22\xAC\x02"s);
}

TEST(ProtobufReader, ReadsWhatTheWriterWrites) {
  ProtobufWriter inner;
  inner.Number(7, -5);
  ProtobufWriter outer;
  outer.Bytes(1, inner.bytes());
  outer.Float(2, -0.25F);
  outer.Bytes(3, "");
  ProtobufReader reader(outer.bytes(), "damaged");
  const auto message = reader.Next();
  ASSERT_TRUE(message && message->id == 1);
  ProtobufReader inside = reader.Inside(*message);
  EXPECT_EQ(static_cast<int64_t>(inside.Next()->number), -5);
  EXPECT_FALSE(inside.Next());
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(reader.Next()->number)), -0.25F);
  EXPECT_EQ(reader.Next()->bytes, "");
  EXPECT_FALSE(reader.Next());
}

TEST(ProtobufReader, MessagesThatBreakOffAreUserErrors) {
  // A length beyond the end, half a number, a number without end, half a float, groups.
  for (const std::string& message : {"\x0A\x05half"s, "\x08\x96"s,
                                     "\x08"s + std::string(10, '\xFF'), "\x1D\x00\x00"s, "\x0B"s}) {
    try {
      ProtobufReader(message, "what to do").Next();
      ADD_FAILURE() << message;
    } catch (const UserError& error) {
      EXPECT_STREQ(error.what(), "what to do");
    }
  }
}

}  // namespace
}  // namespace heed
