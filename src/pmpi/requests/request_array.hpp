#pragma once

// Arrays of requests that may hold ours among the program's.

#include <mpi.h>

#include <vector>

#include "pmpi/requests/proxy_request.hpp"
#include "wire/library_progress.hpp"

namespace rondo::internal::pmpi {

// Whether calls on several requests set the MPI_ERROR of each status to MPI_SUCCESS when none has failed. MPI leaves
// that open, and programs may count on what their library does. MPICH does so only in MPI_Waitall, for requests that
// are not null; Open MPI in all of these calls but MPI_Waitany and MPI_Testany. Calls on one request leave MPI_ERROR.
#if defined(OPEN_MPI)
constexpr bool statuses_say_success = true;
#else
constexpr bool statuses_say_success = false;
#endif

inline void say_success(MPI_Status *status) {
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}

// Whether the array holds a request of ours. For a null array the answer is no: the MPI library reports the error.
inline bool any_of_ours(int count, const MPI_Request *requests) {
  if (!any_proxies() || requests == nullptr) return false;
  for (int i = 0; i < count; ++i) {
    if (proxy_of(&requests[i]) != nullptr) return true;
  }
  return false;
}

// The array taken apart: ours, and the program's own in an array that can be given to the MPI library.
class RequestArray {
 public:
  struct Ours {
    int index;
    ProxyRequest *proxy;
  };

  RequestArray(int count, MPI_Request *requests) : requests_(requests) {
    for (int i = 0; i < count; ++i) {
      if (ProxyRequest *const mine = pmpi::proxy_of(&requests[i])) {
        if (mine->active()) ours_.push_back({i, mine});
      } else {
        own_.push_back(requests[i]);
        own_indices_.push_back(i);
      }
    }
  }

  // The requests of ours that are active.
  [[nodiscard]] const std::vector<Ours> &ours() const { return ours_; }
  // Looks at each of them; whether all are complete. Where one is not, the library still moves the program's own.
  [[nodiscard]] bool ours_complete() const {
    bool complete = true;
    for (const auto &[index, proxy] : ours_) complete = proxy->complete() && complete;
    if (!complete) let_library_move();
    return complete;
  }
  // The program's own, as the library changes them.
  [[nodiscard]] MPI_Request *own() { return own_.data(); }
  [[nodiscard]] int own_count() const { return static_cast<int>(own_.size()); }

  // Puts a handle that the library has changed back in its place; gives that.
  int put_back(int index_of_own) {
    const int index = own_indices_[index_of_own];
    requests_[index] = own_[index_of_own];
    return index;
  }

 private:
  MPI_Request *requests_;
  std::vector<Ours> ours_;
  std::vector<MPI_Request> own_;
  std::vector<int> own_indices_;
};

}  // namespace rondo::internal::pmpi
