#include "run.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "exchange.hpp"
#include "tests/random_programs/draw.hpp"
#include "tests/random_programs/watchdog.hpp"

namespace rondo::random_programs {

namespace {

// What one rank does of one act.
struct Own {
  enum class State { ahead, open, ended };
  State state = State::ahead;
  MPI_Request request = MPI_REQUEST_NULL;  // of other acts than starts
  bool persistent = false;                 // a message's own request, which is freed at its end
  std::unique_ptr<Exchange> exchange;      // that is not persistent
  std::vector<int> data;                   // of a message, a shift or a sum
};

struct OwnPlan {
  std::unique_ptr<Exchange> exchange;
  MPI_Request request = MPI_REQUEST_NULL;
  int running = -1;  // the act
  int last_act = -1;
};

class Runner {
 public:
  Runner(const Script &script, std::uint64_t seed, Groups &groups, int thread, const Style &style)
      : script_(script),
        groups_(groups),
        draw_(mixed(seed, 3, groups[0].rank, thread)),
        doing_(doing_of(thread)),
        style_(style),
        own_(script.acts.size()),
        plans_(script.plans.size()) {
    for (std::size_t i = 0; i < script.acts.size(); ++i) {
      const Act &act = script.acts[i];
      if (act.what == What::start) plans_[static_cast<std::size_t>(act.plan)].last_act = static_cast<int>(i);
    }
  }

  void run() {
    while (!ended()) {
      const int kind = draw_.below(eager_ + blocking_ + looking_ + 1);
      if (kind < eager_) {
        begin_one();
      } else if (kind < eager_ + blocking_) {
        wait_for_some();
      } else if (kind < eager_ + blocking_ + looking_) {
        look();
      } else {
        pause();
      }
    }
    for (OwnPlan &plan : plans_) free(plan);
    doing_.now("has ended its acts");
  }

 private:
  [[nodiscard]] int acts() const { return static_cast<int>(own_.size()); }
  [[nodiscard]] const Act &act(int number) const { return script_.acts[static_cast<std::size_t>(number)]; }
  Own &own(int number) { return own_[static_cast<std::size_t>(number)]; }
  OwnPlan &plan_of(int number) { return plans_[static_cast<std::size_t>(act(number).plan)]; }
  [[nodiscard]] const Group &group(int number) const { return groups_[static_cast<std::size_t>(act(number).place)]; }
  MPI_Request &request_of(int number) {
    return act(number).what == What::start ? plan_of(number).request : own(number).request;
  }

  bool ended() {
    while (first_ahead_ < acts() && own(first_ahead_).state != Own::State::ahead) ++first_ahead_;
    return first_ahead_ == acts() && open_.empty();
  }

  // ---- beginning

  bool may_begin(int number) {
    if (own(number).state != Own::State::ahead) return false;
    if (act(number).what == What::start) {
      const OwnPlan &plan = plan_of(number);
      return plan.exchange != nullptr && plan.running < 0 && !starts_before(number);
    }
    if (act(number).waits() && number != first_ahead_) return false;
    return !act(number).ordered() || !ordered_before(number);
  }

  bool starts_before(int number) {
    for (int i = first_ahead_; i < number; ++i) {
      if (own(i).state == Own::State::ahead && act(i).what == What::start && act(i).plan == act(number).plan)
        return true;
    }
    return false;
  }

  bool ordered_before(int number) {
    for (int i = first_ahead_; i < number; ++i) {
      if (own(i).state == Own::State::ahead && act(i).ordered() && act(i).place == act(number).place) return true;
    }
    return false;
  }

  void begin_one() {
    std::vector<int> able;
    for (int i = first_ahead_; i < std::min(acts(), first_ahead_ + window_); ++i) {
      if (may_begin(i)) able.push_back(i);
    }
    if (!able.empty()) begin(draw_.pick(able));
  }

  void begin(int number) {
    tell("begins", {number});
    own(number).state = Own::State::open;
    open_.push_back(number);
    switch (act(number).what) {
      case What::init: return begin_init(number);
      case What::start: return begin_start(number);
      case What::exchange: return begin_exchange(number);
      case What::message: return begin_message(number);
      case What::shift: return shift(number);
      case What::barrier: return begin_barrier(number);
      case What::sum: return begin_sum(number);
      case What::short_life: return live_shortly(number);
      case What::farewell:
        check(MPI_Comm_free(&groups_[static_cast<std::size_t>(act(number).place)].comm), number);
        return end(number);
    }
  }

  void begin_init(int number) {
    OwnPlan &plan = plan_of(number);
    const Plan &script_plan = script_.plans[static_cast<std::size_t>(act(number).plan)];
    plan.exchange = std::make_unique<Exchange>(script_plan.layout, group(number));
    MPI_Info info = MPI_INFO_NULL;
    if (!script_plan.hints.empty()) MPI_Info_create(&info);
    for (const auto &[key, value] : script_plan.hints) MPI_Info_set(info, key.c_str(), value.c_str());
    check(plan.exchange->init(info, &plan.request), number);
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    end(number);
  }

  void begin_start(int number) {
    OwnPlan &plan = plan_of(number);
    plan.exchange->fill(number);
    plan.running = number;
    if (draw_.one_in(2)) {
      check(MPI_Start(&plan.request), number);
    } else {
      check(MPI_Startall(1, &plan.request), number);
    }
  }

  void begin_exchange(int number) {
    Own &mine = own(number);
    mine.exchange = std::make_unique<Exchange>(act(number).layout, group(number));
    mine.exchange->fill(number);
    if (!act(number).blocks) return check(mine.exchange->begin(&mine.request), number);
    check(mine.exchange->run(), number);
    end(number);
  }

  static int content(int number, int i) { return number * 1000003 + i; }

  void begin_message(int number) {
    const Act &message = act(number);
    const int rank = group(number).rank;
    if (rank != message.from && rank != message.to) return end(number);
    Own &mine = own(number);
    mine.data.assign(static_cast<std::size_t>(message.length), -1);
    if (rank == message.from) {
      for (int i = 0; i < message.length; ++i) mine.data[static_cast<std::size_t>(i)] = content(number, i);
    }
    const bool may_wait = number == first_ahead_ && message.from != message.to;
    if (message.from == message.to) return exchange_with_self(number);
    if (rank == message.from) return send(number, may_wait);
    receive(number, may_wait);
  }

  void exchange_with_self(int number) {
    Own &mine = own(number);
    std::vector<int> sent(mine.data);
    std::fill(mine.data.begin(), mine.data.end(), -1);
    const Group &in = group(number);
    check(MPI_Irecv(mine.data.data(), act(number).length, MPI_INT, in.rank, number, in.comm, &mine.request), number);
    check(MPI_Send(sent.data(), act(number).length, MPI_INT, in.rank, number, in.comm), number);
  }

  void send(int number, bool may_wait) {
    Own &mine = own(number);
    const Group &in = group(number);
    int *const data = mine.data.data();
    const int length = act(number).length;
    const int to = act(number).to;
    switch (draw_.below(may_wait ? 5 : 3)) {
      case 0: return check(MPI_Isend(data, length, MPI_INT, to, number, in.comm, &mine.request), number);
      case 1: return check(MPI_Issend(data, length, MPI_INT, to, number, in.comm, &mine.request), number);
      case 2:
        check(MPI_Send_init(data, length, MPI_INT, to, number, in.comm, &mine.request), number);
        mine.persistent = true;
        return check(MPI_Start(&mine.request), number);
      case 3: check(MPI_Send(data, length, MPI_INT, to, number, in.comm), number); break;
      default: check(MPI_Ssend(data, length, MPI_INT, to, number, in.comm), number);
    }
    end(number);
  }

  void receive(int number, bool may_wait) {
    Own &mine = own(number);
    const Group &in = group(number);
    int *const data = mine.data.data();
    const int length = act(number).length;
    const int from = draw_.one_in(2) ? MPI_ANY_SOURCE : act(number).from;
    MPI_Message message = MPI_MESSAGE_NULL;
    int found = 0;
    switch (draw_.below(may_wait ? 7 : 2)) {
      case 0: return check(MPI_Irecv(data, length, MPI_INT, from, number, in.comm, &mine.request), number);
      case 1:
        check(MPI_Recv_init(data, length, MPI_INT, from, number, in.comm, &mine.request), number);
        mine.persistent = true;
        return check(MPI_Start(&mine.request), number);
      case 2: break;
      case 3: check(MPI_Probe(from, number, in.comm, MPI_STATUS_IGNORE), number); break;
      case 4:
        while (found == 0) check(MPI_Iprobe(from, number, in.comm, &found, MPI_STATUS_IGNORE), number);
        break;
      case 5:
        check(MPI_Mprobe(from, number, in.comm, &message, MPI_STATUS_IGNORE), number);
        check(MPI_Mrecv(data, length, MPI_INT, &message, MPI_STATUS_IGNORE), number);
        return end(number);
      default:
        while (found == 0) check(MPI_Improbe(from, number, in.comm, &found, &message, MPI_STATUS_IGNORE), number);
        check(MPI_Imrecv(data, length, MPI_INT, &message, &mine.request), number);
        return;
    }
    check(MPI_Recv(data, length, MPI_INT, from, number, in.comm, MPI_STATUS_IGNORE), number);
    end(number);
  }

  void shift(int number) {
    Own &mine = own(number);
    const Group &in = group(number);
    const int to = (in.rank + 1) % in.ranks;
    const int from = (in.rank + in.ranks - 1) % in.ranks;
    const int length = act(number).length;
    std::vector<int> sent(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) sent[static_cast<std::size_t>(i)] = content(number, i);
    mine.data.assign(sent.size(), -1);
    if (draw_.one_in(2)) {
      check(MPI_Sendrecv(sent.data(), length, MPI_INT, to, number, mine.data.data(), length, MPI_INT, from, number,
                         in.comm, MPI_STATUS_IGNORE),
            number);
    } else {
      mine.data = sent;
      check(
          MPI_Sendrecv_replace(mine.data.data(), length, MPI_INT, to, number, from, number, in.comm, MPI_STATUS_IGNORE),
          number);
    }
    end(number);
  }

  void begin_barrier(int number) {
    if (!act(number).blocks) return check(MPI_Ibarrier(group(number).comm, &own(number).request), number);
    check(MPI_Barrier(group(number).comm), number);
    end(number);
  }

  void begin_sum(int number) {
    Own &mine = own(number);
    const Group &in = group(number);
    mine.data = {in.rank + number, 0};
    int *const data = mine.data.data();
    if (!act(number).blocks) {
      return check(MPI_Iallreduce(data, data + 1, 1, MPI_INT, MPI_SUM, in.comm, &mine.request), number);
    }
    check(MPI_Allreduce(data, data + 1, 1, MPI_INT, MPI_SUM, in.comm), number);
    end(number);
  }

  void live_shortly(int number) {
    const long wrong = wrong_in(act(number).life, group(number).comm);
    if (wrong > 0) give_up(std::to_string(wrong) + " ints are wrong in " + to_string(script_, number));
    end(number);
  }

  // ---- ending

  // An act that is complete, whose data is looked at.
  void end(int number) {
    Own &mine = own(number);
    mine.state = Own::State::ended;
    std::erase(open_, number);
    if (long wrong = wrong_data(number); wrong > 0) {
      give_up(std::to_string(wrong) + " ints are wrong after " + to_string(script_, number));
    }
    if (mine.persistent) check(MPI_Request_free(&mine.request), number);
    if (act(number).what != What::start && mine.request != MPI_REQUEST_NULL) give_up("the request is not null");
    mine.exchange.reset();
    mine.data = {};
    if (act(number).what == What::start) {
      OwnPlan &plan = plan_of(number);
      plan.running = -1;
      if (plan.last_act == number && draw_.one_in(2)) free(plan);
    }
    if (act(number).what == What::init && plan_of(number).last_act < 0 && draw_.one_in(2)) free(plan_of(number));
  }

  long wrong_data(int number) {
    Own &mine = own(number);
    switch (act(number).what) {
      case What::start: return plan_of(number).exchange->wrong(number);
      case What::exchange: return mine.exchange->wrong(number);
      case What::message: return group(number).rank == act(number).to ? wrong_content(number) : 0;
      case What::shift: return wrong_content(number);
      case What::sum: {
        const int ranks = group(number).ranks;
        return mine.data[1] == ranks * number + ranks * (ranks - 1) / 2 ? 0 : 1;
      }
      default: return 0;
    }
  }

  long wrong_content(int number) {
    const std::vector<int> &data = own(number).data;
    long wrong = 0;
    for (std::size_t i = 0; i < data.size(); ++i) wrong += data[i] == content(number, static_cast<int>(i)) ? 0 : 1;
    return wrong;
  }

  void free(OwnPlan &plan) {
    if (plan.request == MPI_REQUEST_NULL) return;
    if (MPI_Request_free(&plan.request) != MPI_SUCCESS) give_up("MPI_Request_free of a plan fails");
  }

  // ---- waiting and looking

  // Whether this rank may enter a call that waits for the act.
  [[nodiscard]] bool may_wait_for(int number) const { return number < first_ahead_; }

  // Some open acts that have a request. Where `one` is set it has at least one that may be waited for, where `all` is
  // set it has no others.
  std::vector<int> some(bool one, bool all) {
    std::vector<int> found;
    std::vector<int> able;
    for (const int number : open_) {
      if (may_wait_for(number)) able.push_back(number);
      if ((!all || may_wait_for(number)) && !draw_.one_in(3)) found.push_back(number);
    }
    if (able.empty() && (one || all)) return {};
    if (one && std::none_of(found.begin(), found.end(), [&](int i) { return may_wait_for(i); })) {
      found.push_back(draw_.pick(able));
    }
    std::sort(found.begin(), found.end(), [&](int a, int b) { return mixed(salt_, a) < mixed(salt_, b); });
    ++salt_;
    return found;
  }

  // An array of requests for a call, with some among them that are null or inactive.
  struct Array {
    std::vector<int> acts;  // -1: of none
    std::vector<MPI_Request> requests;
    std::vector<MPI_Status> statuses;
    std::vector<int> indices;
  };

  Array array_of(const std::vector<int> &numbers) {
    Array array;
    for (const int number : numbers) {
      if (draw_.one_in(5)) add_idle(array);
      array.acts.push_back(number);
      array.requests.push_back(request_of(number));
    }
    array.statuses.resize(array.acts.size());
    array.indices.resize(array.acts.size());
    return array;
  }

  void add_idle(Array &array) {
    MPI_Request idle = MPI_REQUEST_NULL;
    for (const OwnPlan &plan : plans_) {
      if (plan.running < 0 && !style_.waits_only && !style_.no_idle && draw_.one_in(2)) idle = plan.request;
    }
    array.acts.push_back(-1);
    array.requests.push_back(idle);
  }

  void end_of(Array &array, int index) {
    const int number = array.acts[static_cast<std::size_t>(index)];
    if (number < 0) return;
    request_of(number) = array.requests[static_cast<std::size_t>(index)];
    end(number);
  }

  void end_all(Array &array) {
    for (std::size_t i = 0; i < array.acts.size(); ++i) end_of(array, static_cast<int>(i));
  }

  [[nodiscard]] bool has_plans(const std::vector<int> &numbers) const {
    return std::any_of(numbers.begin(), numbers.end(), [&](int i) { return act(i).what == What::start; });
  }

  void wait_for_some() {
    const int way = draw_.below(8);
    const bool all = way == 1 || way == 5;
    std::vector<int> numbers = some(true, all);
    if (numbers.empty()) return;
    if (way == 0 || way == 4 || way == 7) {
      std::erase_if(numbers, [&](int i) { return !may_wait_for(i); });
      numbers.resize(1);
    }
    if (style_.waits_only && way > 1 && has_plans(numbers)) return;
    switch (way) {
      case 0: return wait(numbers.front());
      case 1: return wait_all(numbers);
      case 2: return wait_any(numbers);
      case 3: return wait_some(numbers);
      case 4:
        while (!test(numbers.front())) {
        }
        return;
      case 5:
        while (!test_all(numbers)) {
        }
        return;
      case 6:
        while (!(draw_.one_in(2) ? test_any(numbers) : test_some(numbers))) {
        }
        return;
      default:
        while (!look_at(numbers.front())) {
        }
        wait(numbers.front());
    }
  }

  void look() {
    const std::vector<int> numbers = some(false, false);
    const int way = draw_.below(6);
    if (way == 5) return cancel_a_receive();
    if (numbers.empty() || (style_.waits_only && has_plans(numbers))) return;
    switch (way) {
      case 0: test(numbers.front()); return;
      case 1: test_all(numbers); return;
      case 2: test_any(numbers); return;
      case 3: test_some(numbers); return;
      default:
        if (!style_.forgets_what_was_looked_at || !own(numbers.front()).persistent) look_at(numbers.front());
    }
  }

  void wait(int number) {
    tell("MPI_Wait", {number});
    check(MPI_Wait(&request_of(number), MPI_STATUS_IGNORE), number);
    end(number);
  }

  void wait_all(const std::vector<int> &numbers) {
    tell("MPI_Waitall", numbers);
    Array array = array_of(numbers);
    check(MPI_Waitall(static_cast<int>(array.requests.size()), array.requests.data(), array.statuses.data()), array);
    end_all(array);
  }

  void wait_any(const std::vector<int> &numbers) {
    tell("MPI_Waitany", numbers);
    Array array = array_of(numbers);
    int index = MPI_UNDEFINED;
    check(MPI_Waitany(static_cast<int>(array.requests.size()), array.requests.data(), &index, MPI_STATUS_IGNORE),
          numbers.front());
    if (index == MPI_UNDEFINED || array.acts[static_cast<std::size_t>(index)] < 0) give_up("MPI_Waitany found none");
    end_of(array, index);
  }

  void wait_some(const std::vector<int> &numbers) {
    tell("MPI_Waitsome", numbers);
    Array array = array_of(numbers);
    int count = MPI_UNDEFINED;
    check(MPI_Waitsome(static_cast<int>(array.requests.size()), array.requests.data(), &count, array.indices.data(),
                       array.statuses.data()),
          array);
    if (count == MPI_UNDEFINED || count < 1) give_up("MPI_Waitsome found none");
    for (int i = 0; i < count; ++i) end_of(array, array.indices[static_cast<std::size_t>(i)]);
  }

  bool test(int number) {
    tell("MPI_Test", {number});
    int done = 0;
    check(MPI_Test(&request_of(number), &done, MPI_STATUS_IGNORE), number);
    if (done != 0) end(number);
    return done != 0;
  }

  bool test_all(const std::vector<int> &numbers) {
    tell("MPI_Testall", numbers);
    Array array = array_of(numbers);
    int done = 0;
    check(MPI_Testall(static_cast<int>(array.requests.size()), array.requests.data(), &done, array.statuses.data()),
          array);
    if (done != 0) end_all(array);
    return done != 0;
  }

  bool test_any(const std::vector<int> &numbers) {
    tell("MPI_Testany", numbers);
    Array array = array_of(numbers);
    int index = MPI_UNDEFINED;
    int done = 0;
    check(MPI_Testany(static_cast<int>(array.requests.size()), array.requests.data(), &index, &done, MPI_STATUS_IGNORE),
          numbers.front());
    if (done == 0) return false;
    if (index == MPI_UNDEFINED || array.acts[static_cast<std::size_t>(index)] < 0) give_up("MPI_Testany found none");
    end_of(array, index);
    return true;
  }

  bool test_some(const std::vector<int> &numbers) {
    tell("MPI_Testsome", numbers);
    Array array = array_of(numbers);
    int count = MPI_UNDEFINED;
    check(MPI_Testsome(static_cast<int>(array.requests.size()), array.requests.data(), &count, array.indices.data(),
                       array.statuses.data()),
          array);
    if (count == MPI_UNDEFINED) give_up("MPI_Testsome found none");
    for (int i = 0; i < count; ++i) end_of(array, array.indices[static_cast<std::size_t>(i)]);
    return count > 0;
  }

  bool look_at(int number) {
    tell("MPI_Request_get_status", {number});
    int done = 0;
    check(MPI_Request_get_status(request_of(number), &done, MPI_STATUS_IGNORE), number);
    return done != 0;
  }

  void cancel_a_receive() {
    tell("MPI_Cancel", {});
    int nothing = 0;
    int cancelled = 0;
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    const MPI_Comm comm = groups_[0].comm;
    check(MPI_Irecv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, never_sent, comm, &request), -1);
    check(MPI_Cancel(&request), -1);
    check(MPI_Wait(&request, &status), -1);
    MPI_Test_cancelled(&status, &cancelled);
    if (cancelled == 0) give_up("a receive is not cancelled");
  }

  void pause() {
    if (draw_.one_in(2)) {
      usleep(static_cast<useconds_t>(draw_.below(300)));
    } else {
      int found = 0;
      check(MPI_Iprobe(MPI_ANY_SOURCE, never_sent, groups_[0].comm, &found, MPI_STATUS_IGNORE), -1);
    }
  }

  // ---- telling

  void tell(const char *call, const std::vector<int> &numbers) {
    std::string text = call;
    for (const int number : numbers) text += " " + std::to_string(number);
    text += "; has begun all before " + std::to_string(first_ahead_);
    doing_.now(text);
    if (told_ == open_) return;
    told_ = open_;
    std::string acts;
    for (const int number : open_) acts += "    " + to_string(script_, number) + "\n";
    doing_.open(acts);
  }

  // Of a call on an array.
  void check(int code, const Array &array) {
    for (std::size_t i = 0; code == MPI_ERR_IN_STATUS && i < array.acts.size(); ++i) {
      if (array.statuses[i].MPI_ERROR != MPI_ERR_PENDING) check(array.statuses[i].MPI_ERROR, array.acts[i]);
    }
    check(code, array.acts.front());
  }

  void check(int code, int number) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    give_up(std::string(text) + (number < 0 ? "" : " in " + to_string(script_, number)));
  }

  const Script &script_;
  Groups &groups_;
  Draw draw_;
  Doing &doing_;
  const Style &style_;
  std::vector<Own> own_;
  std::vector<OwnPlan> plans_;
  std::vector<int> open_;
  std::vector<int> told_{-1};
  int first_ahead_ = 0;
  std::uint64_t salt_ = 0;
  // How this rank likes it.
  const int window_ = 1 + draw_.below(10);
  const int eager_ = 1 + draw_.below(6);
  const int blocking_ = 1 + draw_.below(6);
  const int looking_ = 1 + draw_.below(6);
};

}  // namespace

void run(const Script &script, std::uint64_t seed, Groups &groups, int thread, const Style &style) {
  Runner(script, seed, groups, thread, style).run();
}

}  // namespace rondo::random_programs
