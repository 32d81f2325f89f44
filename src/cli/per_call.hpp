#pragma once

#include "cli/contender.hpp"
#include "cli/selection.hpp"
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
  // Collective over the communicator. The selection serves the problem; the spaces are those of the exchange. Blocks
  // are named one by one in datatypes only where all have one size.
  PerCall(const Problem &problem, const Selection &selection, const Exchange &exchange, const Spaces &spaces,
          MPI_Comm comm, Entries::Form form);

  void run() override;
  [[nodiscard]] std::byte *send_buffer() const override { return const_cast<std::byte *>(spaces_.send); }
  [[nodiscard]] RONDO_Report report() const override { return report_; }

 private:
  void make_schedule();

  Selection selection_;
  Case situation_;
  Exchange exchange_;
  Spaces spaces_;
  Entries::Form form_;
  Channel channel_;
  Route route_;
  ForwardingTable forwarding_;
  Schedule schedule_;
  Storage scratch_;
  Storage staging_;
  RONDO_Report report_{};
};

}  // namespace rondo::internal::cli
