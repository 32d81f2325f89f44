#!/bin/sh
# Each rule of check.sh finds the tree that breaks it, and a good tree passes.
set -eu
check=$(dirname "$0")/check.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# file TEXT: a tree with this one file.
plant() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$tree/$1"
}

passes() { # WHAT FILE TEXT
  plant "$2" "$3"
  if ! sh "$check" "$tree"; then
    echo "FAILED: $1: should pass"
    failed=1
  fi
}

finds() { # WHAT FILE TEXT EXPECTED
  plant "$2" "$3"
  if answer=$(sh "$check" "$tree"); then
    echo "FAILED: $1: was not found"
    failed=1
  elif ! printf '%s\n' "$answer" | grep -qF "$4"; then
    printf 'FAILED: %s: expected "%s", got:\n%s\n' "$1" "$4" "$answer"
    failed=1
  fi
}

passes "an include downwards" src/schedule/a.cpp '#include "route/route.hpp"'
passes "an include of the own folder" plans/a.cpp '#include "plans/algorithm.hpp"'
passes "MPI in wire" src/wire/a.cpp '#include <mpi.h>'
passes "the public header in the command" src/cli/a.cpp '#include <rondo/rondo.hpp>'
passes "a comment that names an include" src/route/a.cpp '// #include "plan/plan.hpp"'

passes "an internal namespace" src/pmpi/a.cpp 'namespace rondo::internal::pmpi {'
passes "a public namespace" include/rondo/a.hpp 'namespace rondo {'

finds "an include upwards" src/route/a.cpp '#include "schedule/schedule.hpp"' \
  'src/route/a.cpp:1: route must not depend on schedule: schedule/schedule.hpp'
finds "a plan that knows sizes" plans/a.cpp '  #  include "schedule/schedule.hpp"' 'plans must not depend on schedule'
finds "a cli header in the api" src/api/a.cpp '#include <cli/main.hpp>' 'api must not depend on cli'
finds "MPI in a route" src/route/a.cpp '#include <mpi.h>' 'route must not know MPI: mpi.h'
finds "MPI in the model, by the public header" src/model/a.cpp '#include <rondo/rondo.h>' 'model must not know MPI'
finds "an include without its folder" src/plan/a.cpp '#include "plan.hpp"' 'an include names its folder'
finds "an unknown folder" src/extras/a.cpp 'int a;' 'folder extras has no place in the order'
finds "a public header on the inside" include/rondo/a.h '#include "plan/plan.hpp"' 'a public header includes plan/plan.hpp'
finds "internal names in the public namespace" src/wire/a.hpp 'namespace rondo {' \
  'src/wire/a.hpp:1: internal names are in namespace rondo::internal'
finds "internal names in a public header" include/rondo/a.hpp 'namespace rondo::internal {' 'a public header has internal names'
passes "a switch over something else" src/model/a.cpp 'switch (wire) {
  case Wire::shared: return 1;
  default: return 0;
}'
finds "a default over Layout" src/model/a.cpp '  switch (layout) {
    case Layout::direct: return 1;
    default: return 0;
  }
}' 'src/model/a.cpp:3: a switch over Layout has no default'
finds "a file of leftovers" tests/mpi/test_helpers.hpp 'int a;' 'not helpers'
finds "a file of leftovers in capitals" src/plan/Util.hpp 'int a;' 'not util'

[ "$failed" = 0 ] && echo "structure: every rule finds its fault"
exit "$failed"
