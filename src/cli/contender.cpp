#include "cli/contender.hpp"

#include <fmt/format.h>
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include "exchange/error.hpp"

namespace rondo::cli {

namespace {

class Blocking : public Contender {
 public:
  Blocking(const Arguments &arguments, const Spaces &spaces) : a_(arguments), spaces_(spaces) {}

  void run(std::int64_t times) override {
    for (; times > 0; --times) {
      MPI_Alltoallv(spaces_.send, a_.send_counts.data(), a_.send_displacements.data(), MPI_BYTE, spaces_.receive,
                    a_.receive_counts.data(), a_.receive_displacements.data(), MPI_BYTE, MPI_COMM_WORLD);
    }
  }

 private:
  const Arguments &a_;
  Spaces spaces_;
};

// MPI_Alltoallv_init, where the MPI library has it.
#if MPI_VERSION >= 4
#define RONDO_BENCH_ALLTOALLV_INIT MPI_Alltoallv_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define RONDO_BENCH_ALLTOALLV_INIT MPIX_Alltoallv_init
#endif

#ifdef RONDO_BENCH_ALLTOALLV_INIT
class Persistent : public Contender {
 public:
  Persistent(const Arguments &a, const Spaces &spaces) {
    RONDO_BENCH_ALLTOALLV_INIT(spaces.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, spaces.receive,
                               a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE, MPI_COMM_WORLD,
                               MPI_INFO_NULL, &request_);
  }
  ~Persistent() override { MPI_Request_free(&request_); }
  Persistent(const Persistent &) = delete;
  Persistent &operator=(const Persistent &) = delete;

  void run(std::int64_t times) override {
    for (; times > 0; --times) {
      MPI_Start(&request_);
      MPI_Wait(&request_, MPI_STATUS_IGNORE);
    }
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};
#endif

std::unique_ptr<Contender> make_persistent([[maybe_unused]] const Arguments &arguments,
                                           [[maybe_unused]] const Spaces &spaces,
                                           [[maybe_unused]] std::string &refused) {
#ifdef RONDO_BENCH_ALLTOALLV_INIT
  return std::make_unique<Persistent>(arguments, spaces);
#else
  refused = "this MPI library has no persistent collective operations";
  return nullptr;
#endif
}

class RondoContender : public Contender {
 public:
  RondoContender(const Problem &problem, const Arguments &arguments, const Spaces &spaces)
      : plan_(problem, arguments, spaces) {}

  void run(std::int64_t times) override {
    for (; times > 0; --times) {
      if (const int code = plan_.run(); code != MPI_SUCCESS) throw Error(Fault::mpi, error_text(code));
    }
  }
  [[nodiscard]] RONDO_Report report() const override { return plan_.report(); }
  [[nodiscard]] const std::string &refusal() const { return plan_.message(); }

 private:
  RondoPlan plan_;
};

}  // namespace

std::unique_ptr<Contender> make_contender(const ContenderSpec &spec, const Problem &problem, const Arguments &arguments,
                                          const Spaces &spaces, std::string &refused) {
  if (spec.kind == ContenderSpec::Kind::mpi_blocking) return std::make_unique<Blocking>(arguments, spaces);
  if (spec.kind == ContenderSpec::Kind::mpi_persistent) return make_persistent(arguments, spaces, refused);
  Problem wished = problem;
  wished.algorithm = spec.algorithm;
  wished.parameters = spec.parameters;
  auto contender = std::make_unique<RondoContender>(wished, arguments, spaces);
  refused = contender->refusal();
  return refused.empty() ? std::move(contender) : nullptr;
}

}  // namespace rondo::cli
