#include "exchange.hpp"

#include <algorithm>

#include "tests/pmpi/persistent_calls.h"
#include "tests/random_programs/draw.hpp"

namespace rondo::random_programs {

namespace {

constexpr int mark_sent = -7;
constexpr int mark_received = -8;

// The functions of the kinds, in one form.
template <class V, class W, class U, class G, class GV, class NV, class NW, class N>
struct Calls {
  V v;
  W w;
  U u;
  G g;
  GV gv;
  NV nv;
  NW nw;
  N n;
};
template <class V, class W, class U, class G, class GV, class NV, class NW, class N>
Calls(V, W, U, G, GV, NV, NW, N) -> Calls<V, W, U, G, GV, NV, NW, N>;

}  // namespace

MPI_Datatype gapped_pair() {
  static const MPI_Datatype type = [] {
    MPI_Datatype two = MPI_DATATYPE_NULL;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_create_resized(two, 0, 4 * sizeof(int), &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&two);
    return made;
  }();
  return type;
}

void Exchange::Side::add(int peer, int pairs_of_block, int space) {
  const int end = at.empty() ? 0 : at.back() + pairs.back() * (gaps ? 4 : 2) + space;
  copy.push_back(static_cast<int>(std::count(peers.begin(), peers.end(), peer)));
  peers.push_back(peer);
  pairs.push_back(pairs_of_block);
  at.push_back(end);
  counts.push_back(gaps ? pairs_of_block : 2 * pairs_of_block);
  displs.push_back(gaps ? end / 4 : end);
  byte_displs.push_back(end * static_cast<int>(sizeof(int)));
  long_displs.push_back(byte_displs.back());
  types.push_back(gaps ? gapped_pair() : MPI_INT);
}

// Some MPI libraries look at the first entry of arrays that need none.
void Exchange::Side::finish() {
  const int end = at.empty() ? 0 : at.back() + pairs.back() * (gaps ? 4 : 2);
  data.resize(static_cast<std::size_t>(end + 2 * guard));
  counts.push_back(0);
  displs.push_back(0);
  byte_displs.push_back(0);
  long_displs.push_back(0);
  types.push_back(gaps ? gapped_pair() : MPI_INT);
}

Exchange::Exchange(const Layout &layout, const Group &group) : layout_(layout.of_rank(group.rank)), group_(group) {
  sent_.gaps = layout_.gaps_sent;
  received_.gaps = layout_.gaps_received;
  describe();
  sent_.finish();
  received_.finish();
  if (layout_.absolute) {
    sent_.make_absolute();
    received_.make_absolute();
  }
}

Exchange::~Exchange() {
  sent_.free_types();
  received_.free_types();
}

void Exchange::Side::make_absolute() {
  const int one = 1;
  MPI_Aint address = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  MPI_Datatype moved = MPI_DATATYPE_NULL;
  MPI_Get_address(data.data() + guard, &address);
  MPI_Type_get_extent(types.front(), &lower_bound, &extent);
  MPI_Type_create_hindexed(1, &one, &address, types.front(), &moved);
  MPI_Type_create_resized(moved, 0, extent, &made);
  MPI_Type_free(&moved);
  MPI_Type_commit(&made);
  std::fill(types.begin(), types.end(), made);
}

void Exchange::Side::free_types() {
  if (made != MPI_DATATYPE_NULL) MPI_Type_free(&made);
}

// What rounds a displacement to whole elements with gaps is the space, which is a multiple of four ints.
void Exchange::describe() {
  const bool even = is_even(layout_.kind);
  const int space = even ? 0 : layout_.space + 4;
  const auto whole = [&](int pairs) { return even ? pairs : pairs / 2 * 2; };  // pairs side by side fill elements
  const auto send_to = [&](int peer) { sent_.add(peer, whole(layout_.pairs(self(), peer)), space); };
  const auto receive_from = [&](int peer) { received_.add(peer, whole(layout_.pairs(peer, self())), space); };
  if (is_of_neighbors(layout_.kind)) {
    for (const int to : group_.destinations) send_to(to);
    for (const int from : group_.sources) receive_from(from);
    return;
  }
  std::vector<int> peers = group_.others;
  for (int peer = 0; group_.others.empty() && peer < group_.ranks; ++peer) peers.push_back(peer);
  for (const int peer : peers) receive_from(peer);
  if (gathers(layout_.kind)) peers = {0};  // any
  for (const int peer : peers) send_to(peer);
}

// The MPI library may mix up the blocks of a neighbour that comes twice, but in the calls that have counts and one
// type.
int Exchange::value(int act, int from, int to, int copy) const {
  const bool mixed_up = is_of_neighbors(layout_.kind) && layout_.kind != Kind::neighbor_alltoallv;
  const int told_apart = mixed_up ? 0 : copy;
  return static_cast<int>(mixed(act, layout_.seed, from, gathers(layout_.kind) ? 0 : to, told_apart) & 0x3FFFFFFF);
}

void Exchange::put(const Side &side, std::size_t entry, int first, std::vector<int> &data) const {
  int *at = data.data() + guard + side.at[entry];
  const int step = side.gaps ? 2 : 1;
  for (int i = 0; i < 2 * side.pairs[entry]; ++i, at += step) *at = first + i;
}

void Exchange::put_received(int act, std::vector<int> &data) const {
  for (std::size_t i = 0; i < received_.peers.size(); ++i) {
    if (received_.peers[i] == MPI_PROC_NULL) continue;
    put(received_, i, value(act, received_.peers[i], self(), received_.copy[i]), data);
  }
}

void Exchange::fill(int act) {
  act_ = act;
  std::fill(sent_.data.begin(), sent_.data.end(), mark_sent);
  std::fill(received_.data.begin(), received_.data.end(), mark_received);
  if (!layout_.in_place) {
    for (std::size_t i = 0; i < sent_.peers.size(); ++i) {
      put(sent_, i, value(act, self(), sent_.peers[i], sent_.copy[i]), sent_.data);
    }
    return;
  }
  for (std::size_t i = 0; i < received_.peers.size(); ++i) {
    const int peer = received_.peers[i];
    if (gathers(layout_.kind) && peer != group_.rank) continue;
    put(received_, i, value(act, self(), peer, 0), received_.data);
  }
}

long Exchange::wrong(int act) {
  expected_.assign(received_.data.size(), mark_received);
  put_received(act, expected_);
  long found = 0;
  for (std::size_t i = 0; i < expected_.size(); ++i) found += expected_[i] != received_.data[i] ? 1 : 0;
  expected_.assign(sent_.data.size(), mark_sent);
  for (std::size_t i = 0; !layout_.in_place && i < sent_.peers.size(); ++i) {
    put(sent_, i, value(act, self(), sent_.peers[i], sent_.copy[i]), expected_);
  }
  for (std::size_t i = 0; i < expected_.size(); ++i) found += expected_[i] != sent_.data[i] ? 1 : 0;
  return found;
}

// The calls have the arguments of their kind and then the same rest.
template <class Calls, class... Rest>
int Exchange::call(const Calls &calls, Rest... rest) {
  const void *from = layout_.absolute ? MPI_BOTTOM : static_cast<const void *>(sent_.data.data() + guard);
  const void *out = layout_.in_place ? MPI_IN_PLACE : from;
  void *const in = layout_.absolute ? MPI_BOTTOM : static_cast<void *>(received_.data.data() + guard);
  const Side &s = sent_;
  const Side &r = received_;
  const auto with_one_count = [&](auto function) {
    return function(out, s.counts[0], s.types[0], in, r.counts[0], r.types[0], group_.comm, rest...);
  };
  const auto with_counts = [&](auto function) {
    return function(out, s.counts.data(), s.displs.data(), s.types[0], in, r.counts.data(), r.displs.data(), r.types[0],
                    group_.comm, rest...);
  };
  const auto with_types = [&](auto function, const auto *send_displs, const auto *receive_displs) {
    return function(out, s.counts.data(), send_displs, s.types.data(), in, r.counts.data(), receive_displs,
                    r.types.data(), group_.comm, rest...);
  };
  switch (layout_.kind) {
    case Kind::alltoall: return with_one_count(calls.u);
    case Kind::alltoallv: return with_counts(calls.v);
    case Kind::alltoallw: return with_types(calls.w, s.byte_displs.data(), r.byte_displs.data());
    case Kind::neighbor_alltoall: return with_one_count(calls.n);
    case Kind::neighbor_alltoallv: return with_counts(calls.nv);
    case Kind::neighbor_alltoallw: return with_types(calls.nw, s.long_displs.data(), r.long_displs.data());
    case Kind::allgather: return with_one_count(calls.g);
    case Kind::allgatherv:
      return calls.gv(out, s.counts[0], s.types[0], in, r.counts.data(), r.displs.data(), r.types[0], group_.comm,
                      rest...);
  }
  return MPI_ERR_OTHER;
}

int Exchange::run() {
  return call(Calls{MPI_Alltoallv, MPI_Alltoallw, MPI_Alltoall, MPI_Allgather, MPI_Allgatherv, MPI_Neighbor_alltoallv,
                    MPI_Neighbor_alltoallw, MPI_Neighbor_alltoall});
}

int Exchange::begin(MPI_Request *request) {
  return call(Calls{MPI_Ialltoallv, MPI_Ialltoallw, MPI_Ialltoall, MPI_Iallgather, MPI_Iallgatherv,
                    MPI_Ineighbor_alltoallv, MPI_Ineighbor_alltoallw, MPI_Ineighbor_alltoall},
              request);
}

int Exchange::init(MPI_Info info, MPI_Request *request) {
  return call(Calls{MPI_Alltoallv_init, MPI_Alltoallw_init, MPI_Alltoall_init, MPI_Allgather_init, MPI_Allgatherv_init,
                    MPI_Neighbor_alltoallv_init, MPI_Neighbor_alltoallw_init, MPI_Neighbor_alltoall_init},
              info, request);
}

}  // namespace rondo::random_programs
