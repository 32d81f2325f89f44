#pragma once

#include <array>

#include "cli/contender.hpp"
#include "cli/operation.hpp"
#include "cli/selection.hpp"
#include "wire/bound.hpp"
#include "wire/channel.hpp"
#include "wire/learn.hpp"
#include "wire/storage.hpp"

namespace rondo::internal::cli {

// What a call that is not persistent would do, for comparison (Träff 2014, sections 3.3 to 3.5): in each call the
// datatypes of all messages are made, the exchange is run, and they are freed; where blocks differ in size, the sizes
// that pass through are learned first, and places found for them. The route and memory are kept from call to call, and
// nothing is agreed on, so that only what persistence saves is counted.
class PerCall : public Contender {
 public:
  // What its messages are made of.
  struct Messages {
    Entries::Form form = Entries::Form::fewest;
    Wire wire = Wire::datatype;  // or packed
  };

  // The parts of a call, in the order in which they first come.
  enum class Phase : std::uint8_t {
    sizes,          // the largest block is agreed on where the layout needs it; sizes are learned on the route
    preparation,    // places are found; datatypes and requests are made, and freed at the end
    first_copies,   // rotation, or padding
    packing,        // copies of each step: messages are gathered before it, and scattered after it
    inside_nodes,   // messages of steps in which this rank deals with its own node alone
    between_nodes,  // messages of the other steps
    last_copies,    // rotation, or a scan
  };
  static constexpr std::size_t phases = 7;
  using PhaseTimes = std::array<double, phases>;  // seconds

  // Collective over the channel. The selection serves the case; the spaces are those of the exchange. Blocks
  // are named one by one in datatypes only where all have one size.
  PerCall(const Case &situation, const Selection &selection, const Exchange &exchange, const Spaces &spaces,
          Channel channel, const Messages &messages);

  void run() override;
  // The same, one phase after the other; how long each took on this rank.
  PhaseTimes run_by_phases();
  [[nodiscard]] std::byte *send_buffer() const override { return const_cast<std::byte *>(spaces_.send); }
  [[nodiscard]] RONDO_Report report() const override { return report_; }

 private:
  void make_schedule(const Sizes &sizes);
  [[nodiscard]] Sizes sizes();
  [[nodiscard]] BoundSchedule bound();
  [[nodiscard]] bool goes_between_nodes(const Step &step) const;

  Selection selection_;
  Case situation_;
  Exchange exchange_;
  Spaces spaces_;
  Messages messages_;
  Channel channel_;
  Route route_;
  ForwardingTable forwarding_;
  Schedule schedule_;
  Storage scratch_;
  Storage staging_;
  RONDO_Report report_{};
};

// Collective. For the algorithm and parameters that the problem names, or what is chosen for its wire, on the nodes of
// the problem or else on the real ones. Null, with the reason in `refused`, when they do not serve it.
std::unique_ptr<PerCall> make_per_call(const Problem &problem, const Operation &operation, const Spaces &spaces,
                                       const PerCall::Messages &messages, std::string &refused);

}  // namespace rondo::internal::cli
