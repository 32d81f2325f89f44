#include "exchange.hpp"

#include <algorithm>

#include "tests/pmpi/persistent_calls.h"
#include "tests/random_programs/draw.hpp"

namespace rondo::random_programs {

namespace {

constexpr int mark_sent = -7;
constexpr int mark_received = -8;

bool gathers(Kind kind) {
  return kind == Kind::allgather || kind == Kind::allgatherv;
}

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
  types.push_back(gaps ? gapped_pair() : MPI_INT);
}

// Some MPI libraries look at the first entry of arrays that need none.
void Exchange::Side::finish() {
  const int end = at.empty() ? 0 : at.back() + pairs.back() * (gaps ? 4 : 2);
  data.resize(static_cast<std::size_t>(end + 2 * guard));
  counts.push_back(0);
  displs.push_back(0);
  byte_displs.push_back(0);
  types.push_back(gaps ? gapped_pair() : MPI_INT);
}

Exchange::Exchange(const Layout &layout, const Group &group) : layout_(layout), group_(group) {
  sent_.gaps = layout.gaps_sent;
  received_.gaps = layout.gaps_received;
  describe();
  sent_.finish();
  received_.finish();
  if (layout.absolute) {
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
  const bool even = layout_.kind == Kind::alltoall || layout_.kind == Kind::allgather;
  const int space = even ? 0 : layout_.space + 4;
  const auto whole = [&](int pairs) { return even ? pairs : pairs / 2 * 2; };  // pairs side by side fill elements
  if (layout_.kind == Kind::neighbor_alltoallv) {
    for (const int to : group_.destinations) sent_.add(to, whole(layout_.pairs(group_.rank, to)), space);
    for (const int from : group_.sources) received_.add(from, whole(layout_.pairs(from, group_.rank)), space);
    return;
  }
  for (int peer = 0; peer < group_.ranks; ++peer) {
    if (!gathers(layout_.kind)) sent_.add(peer, whole(layout_.pairs(group_.rank, peer)), space);
    received_.add(peer, whole(layout_.pairs(peer, group_.rank)), space);
  }
  if (gathers(layout_.kind)) sent_.add(group_.rank, whole(layout_.pairs(group_.rank, 0)), space);
}

int Exchange::value(int act, int from, int to, int copy) const {
  return static_cast<int>(mixed(act, layout_.seed, from, gathers(layout_.kind) ? 0 : to, copy) & 0x3FFFFFFF);
}

void Exchange::put(const Side &side, std::size_t entry, int first, std::vector<int> &data) const {
  int *at = data.data() + guard + side.at[entry];
  const int step = side.gaps ? 2 : 1;
  for (int i = 0; i < 2 * side.pairs[entry]; ++i, at += step) *at = first + i;
}

void Exchange::put_received(int act, std::vector<int> &data) const {
  for (std::size_t i = 0; i < received_.peers.size(); ++i) {
    put(received_, i, value(act, received_.peers[i], group_.rank, received_.copy[i]), data);
  }
}

void Exchange::fill(int act) {
  act_ = act;
  std::fill(sent_.data.begin(), sent_.data.end(), mark_sent);
  std::fill(received_.data.begin(), received_.data.end(), mark_received);
  if (!layout_.in_place) {
    for (std::size_t i = 0; i < sent_.peers.size(); ++i) {
      put(sent_, i, value(act, group_.rank, sent_.peers[i], sent_.copy[i]), sent_.data);
    }
    return;
  }
  for (std::size_t i = 0; i < received_.peers.size(); ++i) {
    const int peer = received_.peers[i];
    if (gathers(layout_.kind) && peer != group_.rank) continue;
    put(received_, i, value(act, group_.rank, peer, 0), received_.data);
  }
}

long Exchange::wrong(int act) {
  expected_.assign(received_.data.size(), mark_received);
  put_received(act, expected_);
  long found = 0;
  for (std::size_t i = 0; i < expected_.size(); ++i) found += expected_[i] != received_.data[i] ? 1 : 0;
  expected_.assign(sent_.data.size(), mark_sent);
  for (std::size_t i = 0; !layout_.in_place && i < sent_.peers.size(); ++i) {
    put(sent_, i, value(act, group_.rank, sent_.peers[i], sent_.copy[i]), expected_);
  }
  for (std::size_t i = 0; i < expected_.size(); ++i) found += expected_[i] != sent_.data[i] ? 1 : 0;
  return found;
}

// The calls have the arguments of their kind and then the same rest.
template <class V, class W, class U, class G, class GV, class N, class... Rest>
int Exchange::call(V v, W w, U u, G g, GV gv, N n, Rest... rest) {
  const void *from = layout_.absolute ? MPI_BOTTOM : static_cast<const void *>(sent_.data.data() + guard);
  const void *out = layout_.in_place ? MPI_IN_PLACE : from;
  void *const in = layout_.absolute ? MPI_BOTTOM : static_cast<void *>(received_.data.data() + guard);
  const Side &s = sent_;
  const Side &r = received_;
  switch (layout_.kind) {
    case Kind::alltoall: return u(out, s.counts[0], s.types[0], in, r.counts[0], r.types[0], group_.comm, rest...);
    case Kind::alltoallv:
      return v(out, s.counts.data(), s.displs.data(), s.types[0], in, r.counts.data(), r.displs.data(), r.types[0],
               group_.comm, rest...);
    case Kind::alltoallw:
      return w(out, s.counts.data(), s.byte_displs.data(), s.types.data(), in, r.counts.data(), r.byte_displs.data(),
               r.types.data(), group_.comm, rest...);
    case Kind::neighbor_alltoallv:
      return n(out, s.counts.data(), s.displs.data(), s.types[0], in, r.counts.data(), r.displs.data(), r.types[0],
               group_.comm, rest...);
    case Kind::allgather: return g(out, s.counts[0], s.types[0], in, r.counts[0], r.types[0], group_.comm, rest...);
    case Kind::allgatherv:
      return gv(out, s.counts[0], s.types[0], in, r.counts.data(), r.displs.data(), r.types[0], group_.comm, rest...);
  }
  return MPI_ERR_OTHER;
}

int Exchange::run() {
  return call(MPI_Alltoallv, MPI_Alltoallw, MPI_Alltoall, MPI_Allgather, MPI_Allgatherv, MPI_Neighbor_alltoallv);
}

int Exchange::begin(MPI_Request *request) {
  return call(MPI_Ialltoallv, MPI_Ialltoallw, MPI_Ialltoall, MPI_Iallgather, MPI_Iallgatherv, MPI_Ineighbor_alltoallv,
              request);
}

int Exchange::init(MPI_Info info, MPI_Request *request) {
  return call(MPI_Alltoallv_init, MPI_Alltoallw_init, MPI_Alltoall_init, MPI_Allgather_init, MPI_Allgatherv_init,
              MPI_Neighbor_alltoallv_init, info, request);
}

}  // namespace rondo::random_programs
