#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "wire/pieces.hpp"

namespace rondo::internal::cli {

// What a benchmark is asked to time.
struct ContenderSpec {
  enum class Kind : std::uint8_t { mpi_blocking, mpi_persistent, mpi_nonblocking, rondo };

  Kind kind = Kind::rondo;
  Problem::Call call = Problem::Call::alltoallv;  // which a label of the MPI library's names
  std::string algorithm = {};                     // of Rondo's; empty: its own choice
  Parameters parameters = {};
  std::string wire = {};  // rondo_wire; empty: not said
  // Nothing is persistent (cli/per_call.hpp), and datatypes have entries of this form; none: made once.
  std::optional<Entries::Form> each_call = std::nullopt;
  bool whole = false;  // the plan is made and freed in each exchange
  PlanWishes wishes = {};

  // Whether something is made once, before all exchanges.
  [[nodiscard]] bool has_init() const { return kind == Kind::mpi_persistent || (kind == Kind::rondo && !whole); }
  [[nodiscard]] std::string label() const;
};

// Reads `all`, or a list such as `tuna:radix=4,scattered:block_count=8,chosen:wire=packed:buffers=plan,nonblocking`, in
// which a number may be a range, tuna:radix=2..4, for one contender each;
// throws UsageError. The MPI library's own blocking and persistent calls come first, whatever the list says: the others
// are held against them.
std::vector<ContenderSpec> parse_contenders(std::string_view text, Problem::Call call = Problem::Call::alltoallv);

// One way to do the exchange, made ready by its constructor: what that costs is the cost of init.
class Contender {
 public:
  virtual ~Contender() = default;

  // One exchange, start to finish. Collective.
  virtual void run() = 0;

  // What it sends from.
  [[nodiscard]] virtual std::byte *send_buffer() const = 0;

  // For contenders that have buffers of their own: load() copies the data to send from the memory that the contender
  // was made with, unload() copies the received data back to it. Neither is a part of an exchange.
  virtual void load(const Spaces &) {}
  virtual void unload(const Spaces &) {}

  // What Rondo planned; empty name for MPI's own.
  [[nodiscard]] virtual RONDO_Report report() const { return {}; }
};

// A contender that can be started and waited for, so that the program may do something else in between.
class SplitContender : public Contender {
 public:
  void run() override {
    start();
    wait();
  }
  virtual void start() = 0;
  virtual void test() = 0;  // has no effect once the exchange is complete
  virtual void wait() = 0;
};

// Collective. Null, with the reason in `refused`, when it does not serve the problem, which is the operation's. Not to
// outlive the operation.
std::unique_ptr<Contender> make_contender(const ContenderSpec &spec, const Problem &problem, const Operation &operation,
                                          const Spaces &spaces, std::string &refused);

}  // namespace rondo::internal::cli
