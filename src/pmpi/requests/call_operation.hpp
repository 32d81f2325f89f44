#pragma once

#include "call/pair_call.hpp"
#include "pmpi/requests/operation.hpp"

namespace rondo::internal::pmpi {

// A call that does not wait, of which the program has a request.
class CallOperation : public Operation {
 public:
  explicit CallOperation(std::shared_ptr<call::PairExchange> exchange)
      : exchange_(std::move(exchange)), call_(call::PairCall::Ways::messages) {}

  // What the start is to move.
  void aim(std::shared_ptr<const call::Messages> messages, void *send, void *receive) {
    messages_ = std::move(messages);
    call_.aim(*exchange_, *messages_, send, receive);
  }

  void start() override { call_.start(); }
  bool test() override;
  bool look() override { return call_.look(); }
  void wait() override;

 private:
  const std::shared_ptr<call::PairExchange> exchange_;
  std::shared_ptr<const call::Messages> messages_;
  call::PairCall call_;
};

}  // namespace rondo::internal::pmpi
