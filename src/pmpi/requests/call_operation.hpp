#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "call/pair_call.hpp"
#include "pmpi/requests/operation.hpp"

namespace rondo::internal::pmpi {

// A call that does not wait, of which the program has a request.
class CallOperation : public Operation {
 public:
  using Ways = call::PairCall::Ways;

  explicit CallOperation(std::shared_ptr<call::PairExchange> exchange)
      : exchange_(std::move(exchange)),
        call_(exchange_->started_calls() != nullptr ? Ways::links_and_messages : Ways::messages) {}

  // What the start is to move. `number` is that of the call, where its exchange has links.
  void aim(const std::shared_ptr<const call::Messages> &messages, void *send, void *receive, std::uint64_t number) {
    if (messages_ != messages) messages_ = messages;
    call_.aim(*exchange_, *messages_, send, receive, number);
  }

  void start() override { call_.start(); }
  bool test() override;
  bool look() override;
  void wait() override;

 private:
  void release();

  const std::shared_ptr<call::PairExchange> exchange_;
  std::shared_ptr<const call::Messages> messages_;
  call::PairCall call_;
};

}  // namespace rondo::internal::pmpi
