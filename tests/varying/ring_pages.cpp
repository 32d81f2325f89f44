// The pages of a ring that the writer makes when it needs them.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "exchange/error.hpp"
#include "varying/raw_memory.hpp"
#include "varying/slot_reader.hpp"
#include "varying/slot_writer.hpp"
#include "wire/page.hpp"

namespace rondo::internal {
namespace {

// A memory file without pages, mapped as if it were as long as the ring.
class Ring {
 public:
  Ring(std::int64_t bytes, std::int64_t file_bytes) : bytes_(bytes), file_(memfd_create("ring", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(file_, file_bytes), 0);
    memory_ = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    EXPECT_NE(memory_, MAP_FAILED);
  }
  ~Ring() {
    munmap(memory_, static_cast<std::size_t>(bytes_));
    close(file_);
  }
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  [[nodiscard]] std::byte *data() const { return static_cast<std::byte *>(memory_); }
  [[nodiscard]] std::int64_t pages() const {
    struct stat status{};
    EXPECT_EQ(fstat(file_, &status), 0);
    return status.st_blocks * 512 / page;
  }

 private:
  std::int64_t bytes_;
  int file_;
  void *memory_;
};

void fill(std::byte *place, std::int64_t bytes) {
  std::fill_n(place, bytes, std::byte{1});
}

class RingPages : public testing::Test {
 protected:
  static constexpr SlotPlaces places{.slots = 4, .ring_bytes = 16 * page, .tray_bytes = 4 * page};

  explicit RingPages(std::int64_t file_bytes = places.data_bytes()) : ring(places.data_bytes(), file_bytes) {
    SlotEnd::clear(slots.data(), places);
    SlotEnd::clear(other.data(), places);
  }
  void SetUp() override {
    if (!makes_pages_on_request() || sysconf(_SC_PAGESIZE) != page) GTEST_SKIP() << "this kernel makes them at once";
  }

  // Whether a message of so many bytes comes as it was sent.
  bool passes(std::int64_t bytes) {
    std::vector<std::byte> message(static_cast<std::size_t>(bytes));
    for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::byte>(i * 7 + (i >> 8));
    std::vector<std::byte> to(message.size());
    std::int64_t written = 0;
    std::int64_t read = 0;
    for (bool sent = false; !sent || read < bytes;) {
      sent = sent || writer.write(bytes, back, [&](std::byte *place, std::int64_t part) {
        std::copy_n(message.data() + written, part, place);
        written += part;
      });
      if (reader.arrived()) read += reader.read(to.data() + read, bytes - read);
    }
    reader.end();
    return to == message;
  }

  Ring ring;  // after a tray
  RawMemory slots{places.slots_bytes()};
  RawMemory other{places.bytes()};
  const SlotMemory memory{slots.data(), ring.data(), false};
  const SlotMemory memory_back = places.in(other.data());
  Trays none{memory, memory_back, {.slots = 4, .ring_bytes = places.ring_bytes, .tray_bytes = 0}};
  SlotWriter writer{memory, places, none};
  SlotReader reader{memory, places, none};
  SlotReader back{memory_back, places, none};  // nothing comes by it
};

TEST_F(RingPages, AreMadeAsFarAsMessagesReach) {
  EXPECT_TRUE(passes(100));
  EXPECT_EQ(ring.pages(), 0) << "what is short lies in the slot";
  EXPECT_TRUE(passes(1000));
  EXPECT_EQ(ring.pages(), 1);
  EXPECT_TRUE(passes(page));
  EXPECT_EQ(ring.pages(), 1) << "the beginning of the ring is used again";
  EXPECT_TRUE(passes(page + 1));
  EXPECT_EQ(ring.pages(), 2);
  EXPECT_TRUE(passes(3 * places.ring_bytes + 5)) << "in parts";
  EXPECT_EQ(ring.pages(), 16);
  EXPECT_TRUE(passes(places.part_bytes()));
  EXPECT_EQ(ring.pages(), 16);
}

TEST_F(RingPages, OfATrayAreMadeByWhoHasIt) {
  Trays trays(memory, memory_back, places);
  Trays trays_of_other(memory_back, memory, places);
  SlotWriter out(memory, places, trays);
  SlotReader in(memory, places, trays_of_other);
  SlotWriter answers(memory_back, places, trays_of_other);
  SlotReader in_back(memory_back, places, trays);
  const auto passes = [](SlotWriter &to, const SlotReader &heard, SlotReader &from, std::int64_t bytes) {
    std::vector<std::byte> received(static_cast<std::size_t>(bytes));
    Looks once;
    return to.write(bytes, heard, fill) && from.read_whole(received.data(), bytes, once) == Whole::taken &&
           received.back() == std::byte{1};
  };
  EXPECT_TRUE(passes(out, in_back, in, 1000));
  EXPECT_EQ(ring.pages(), 1);
  EXPECT_TRUE(passes(answers, in, in_back, 3 * page)) << "by the tray that has come";
  EXPECT_EQ(ring.pages(), 3);
  EXPECT_TRUE(passes(out, in_back, in, 2 * page)) << "by the same";
  EXPECT_EQ(ring.pages(), 3);
}

TEST_F(RingPages, AreMadeForMessagesThatWait) {
  const auto send = [&] { return writer.write(page, back, fill); };
  for (int messages = 1; messages <= 4; ++messages) {
    ASSERT_TRUE(send());
    EXPECT_EQ(ring.pages(), messages);
  }
  EXPECT_FALSE(send()) << "there is no slot left";
  EXPECT_EQ(ring.pages(), 4);
}

// A file that ends after the ring's first page: no other can be made.
struct RingPagesThatRunOut : RingPages {
  RingPagesThatRunOut() : RingPages(places.tray_bytes + page) {}
};

// A file without a page, and a tray that is left where it was.
struct RingPagesOfNoTray : RingPages {
  RingPagesOfNoTray() : RingPages(0) {}
};

TEST_F(RingPagesOfNoTray, AreAnErrorOfTheSenderWhichSendsNothing) {
  Trays trays(memory, memory_back, places);
  SlotWriter out(memory, places, trays);
  const auto write = [&](std::int64_t bytes) { return out.write(bytes, back, fill); };
  EXPECT_THROW(write(1000), Error);
  EXPECT_TRUE(trays.have(1000));
  EXPECT_FALSE(reader.arrived());
  EXPECT_TRUE(write(Trays::least - 1)) << "in a slot";
  EXPECT_TRUE(reader.arrived());
}

TEST_F(RingPagesThatRunOut, AreAnErrorOfTheSenderWhichSendsNothing) {
  EXPECT_TRUE(passes(page));
  const auto fails = [&] {
    try {
      passes(page + 1);
    } catch (const Error &error) {
      return error.fault == Fault::no_memory;
    }
    return false;
  };
  EXPECT_TRUE(fails());
  EXPECT_FALSE(reader.arrived());
  EXPECT_TRUE(passes(page)) << "what there is memory for goes on";
  EXPECT_TRUE(passes(50));
}

}  // namespace
}  // namespace rondo::internal
