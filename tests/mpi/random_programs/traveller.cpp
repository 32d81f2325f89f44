#include "tests/mpi/random_programs/traveller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace rondo::random_programs {

namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

bool contains(const std::vector<int> &phases, int phase) {
  return std::find(phases.begin(), phases.end(), phase) != phases.end();
}

}  // namespace

Traveller::Traveller(const Program &program, const Communicators &communicators, const Types &types, MPI_Comm world,
                     Doing &doing)
    : program_(program),
      communicators_(communicators),
      types_(types),
      world_(world),
      doing_(doing),
      rank_(rank_in(world)),
      draw_(mixed(program.seed, rank_, 1)) {}

void Traveller::go() {
  for (phase_ = 0; phase_ < program_.phases; ++phase_) {
    make_plans();
    rebind_native();
    reduce();
    begin_messages();
    start_all();
    wait_for_some();
    free_some();
  }
  complete(active_);
  complete_messages(true);
  say("at the end");
  draw_.shuffle(plans_);
  plans_.clear();
}

void Traveller::make_plans() {
  for (std::size_t i = 0; i < program_.exchanges.size(); ++i) {
    const Exchange &exchange = program_.exchanges[i];
    if (exchange.made_in != phase_) continue;
    dawdle();
    say(fmt::format("in the init of {}", exchange.text()));
    auto plan = std::make_unique<Planned>(exchange, communicators_.place(exchange.group), types_);
    plan->init();
    plans_.push_back(std::move(plan));
  }
}

// Collective, and so at the same place on all ranks; a plan that is active there is left as it is.
void Traveller::rebind_native() {
  for (const Plan &plan : plans_) {
    if (!plan->native() || !plan->may_rebind() || !contains(plan->exchange().rebound_in, phase_)) continue;
    if (is_active(*plan)) complete({plan.get()});
    say(fmt::format("in the rebind of {}", plan->exchange().text()));
    plan->rebind();
  }
}

void Traveller::reduce() {
  if (!contains(program_.reductions, phase_)) return;
  int sum = rank_;
  int ranks = 0;
  MPI_Comm_size(world_, &ranks);
  say("in a reduction of the program's own");
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, world_, &request);
  complete_driving(request, MPI_STATUS_IGNORE);
  if (sum != ranks * (ranks - 1) / 2) give_up("a reduction of the program's own is wrong");
}

void Traveller::begin_messages() {
  for (const Message &message : program_.messages) {
    if (message.phase != phase_) continue;
    const int tag = static_cast<int>(&message - program_.messages.data());
    const int value = static_cast<int>(mixed(program_.seed, tag) >> 40);
    const auto integers = static_cast<std::size_t>(message.bytes / 4);
    const int count = message.bytes / 4;
    if (message.destination == rank_) {
      OwnMessage &own = messages_.emplace_back();
      own = {MPI_REQUEST_NULL, std::vector<int>(integers, -1), &message, true};
      MPI_Irecv(own.data.data(), count, MPI_INT, message.source, tag, world_, &own.request);
    }
    if (message.source == rank_) {
      OwnMessage &own = messages_.emplace_back();
      own = {MPI_REQUEST_NULL, std::vector<int>(integers, value), &message, false};
      MPI_Isend(own.data.data(), count, MPI_INT, message.destination, tag, world_, &own.request);
    }
  }
}

void Traveller::start_all() {
  std::vector<Planned *> plans;
  for (const Plan &plan : plans_) {
    if (starts_in(*plan, phase_)) plans.push_back(plan.get());
  }
  draw_.shuffle(plans);
  while (!plans.empty()) {
    dawdle();
    start_some(plans);
  }
}

void Traveller::start_some(std::vector<Planned *> &plans) {
  const auto some = draw_.one_in(3) ? draw_.between(1, static_cast<int>(plans.size())) : 1;
  const std::vector<Planned *> chosen(plans.end() - some, plans.end());
  plans.resize(plans.size() - chosen.size());
  for (Planned *plan : chosen) {
    if (!plan->native() && plan->may_rebind() && draw_.one_in(4)) plan->rebind();
    plan->prepare();
  }
  say(fmt::format("in a start of {}", chosen.front()->exchange().text()));
  if (chosen.size() == 1) {
    check(RONDO_Start(&chosen.front()->request), "RONDO_Start");
  } else {
    std::vector<RONDO_Request> requests = requests_of(chosen);
    check(RONDO_Startall(some, requests.data()), "RONDO_Startall");
  }
  active_.insert(active_.end(), chosen.begin(), chosen.end());
}

// Those that start again in the next phase have to be complete by then; others may stay under way.
void Traveller::wait_for_some() {
  std::vector<Planned *> due;
  for (Planned *plan : active_) {
    if (starts_in(*plan, phase_ + 1) || draw_.one_in(2)) due.push_back(plan);
  }
  complete(std::move(due));
  complete_messages(false);
}

void Traveller::complete(std::vector<Planned *> plans) {
  draw_.shuffle(plans);
  while (!plans.empty()) {
    const auto some = draw_.one_in(3) ? draw_.between(1, static_cast<int>(plans.size())) : 1;
    const std::vector<Planned *> chosen(plans.end() - some, plans.end());
    plans.resize(plans.size() - chosen.size());
    if (some == 1) {
      complete_one(*chosen.front());
    } else {
      complete_all_of(chosen);
    }
    dawdle();
  }
}

// Another's test may have completed it.
void Traveller::complete_one(Planned &plan) {
  if (!is_active(plan)) return;
  say(fmt::format("waiting for {}", plan.exchange().text()));
  if (draw_.one_in(3)) {
    for (int done = 0; done == 0;) {
      check(RONDO_Test(&plan.request, &done, MPI_STATUS_IGNORE), "RONDO_Test");
      if (done == 0 && draw_.one_in(20)) dawdle();
      if (!is_active(plan)) return;
    }
  } else {
    check(RONDO_Wait(&plan.request, MPI_STATUS_IGNORE), "RONDO_Wait");
  }
  completed(plan);
}

void Traveller::complete_all_of(std::vector<Planned *> plans) {
  std::erase_if(plans, [&](const Planned *plan) { return !is_active(*plan); });
  if (plans.empty()) return;
  std::vector<RONDO_Request> requests = requests_of(plans);
  const int count = static_cast<int>(requests.size());
  say(fmt::format("waiting for {} and {} others", plans.front()->exchange().text(), count - 1));
  if (draw_.one_in(3)) {
    for (int done = 0; done == 0;) {
      check(RONDO_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE), "RONDO_Testall");
    }
  } else {
    check(RONDO_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), "RONDO_Waitall");
  }
  for (Planned *plan : plans) {
    if (is_active(*plan)) completed(*plan);
  }
}

void Traveller::completed(Planned &plan) {
  std::erase(active_, &plan);
  plan.check();
}

// What starts no more may be freed at once, or at the end. A native plan is rebound by all ranks together.
void Traveller::free_some() {
  std::erase_if(plans_, [&](const Plan &plan) {
    const std::vector<int> &starts = plan->exchange().started_in;
    const bool over = !plan->native() && !is_active(*plan) && (starts.empty() || starts.back() <= phase_);
    return over && draw_.one_in(2);
  });
}

// The program keeps its plans moving while it waits, as docs/limits.md asks of it.
void Traveller::complete_driving(MPI_Request &request, MPI_Status *status) {
  for (int done = 0; done == 0;) {
    if (active_.empty()) {
      MPI_Wait(&request, status);
      return;
    }
    test_one();
    MPI_Test(&request, &done, status);
  }
}

void Traveller::test_one() {
  if (active_.empty()) return;
  Planned &plan = *draw_.pick(active_);
  int done = 0;
  check(RONDO_Test(&plan.request, &done, MPI_STATUS_IGNORE), "RONDO_Test");
  if (done != 0) completed(plan);
}

void Traveller::complete_messages(bool all) {
  for (auto own = messages_.begin(); own != messages_.end();) {
    if (all || draw_.one_in(2)) {
      complete_message(*own);
      own = messages_.erase(own);
    } else {
      ++own;
    }
  }
}

void Traveller::complete_message(OwnMessage &own) {
  MPI_Status status;
  say("waiting for a message of the program's own");
  complete_driving(own.request, &status);
  if (!own.received) return;
  const int tag = static_cast<int>(own.message - program_.messages.data());
  const int value = static_cast<int>(mixed(program_.seed, tag) >> 40);
  const bool right = std::all_of(own.data.begin(), own.data.end(), [&](int item) { return item == value; });
  if (!right || status.MPI_SOURCE != own.message->source) give_up("a message of the program's own is wrong");
}

// What a rank does in between: nothing, or something that must change nothing.
void Traveller::dawdle() {
  switch (draw_.below(8)) {
    case 0: std::this_thread::sleep_for(std::chrono::microseconds(draw_.below(1500))); break;
    case 1: test_one(); break;
    case 2: {
      int found = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world_, &found, &status);
      // A rank that is ahead may have sent a message of the next program.
      if (found != 0 && status.MPI_TAG >= most_messages) {
        give_up("a probe finds a message that the program has not sent");
      }
      break;
    }
    default: break;
  }
}

bool Traveller::is_active(const Planned &plan) const {
  return std::find(active_.begin(), active_.end(), &plan) != active_.end();
}

bool Traveller::starts_in(const Planned &plan, int phase) const {
  return contains(plan.exchange().started_in, phase);
}

std::vector<RONDO_Request> Traveller::requests_of(const std::vector<Planned *> &plans) const {
  std::vector<RONDO_Request> requests;
  for (const Planned *plan : plans) requests.push_back(plan->request);
  return requests;
}

void Traveller::check(int code, const char *call) const {
  if (code == MPI_SUCCESS) return;
  char text[RONDO_MAX_ERROR_STRING] = {};
  int length = 0;
  RONDO_Error_string(code, text, &length);
  give_up(fmt::format("{}: {}", call, text));
}

void Traveller::say(const std::string &what) const {
  doing_.now(fmt::format("seed {}, phase {} of {}, {} active: {}", program_.seed, phase_ + 1, program_.phases,
                         active_.size(), what));
}

}  // namespace rondo::random_programs
