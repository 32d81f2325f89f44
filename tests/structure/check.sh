#!/bin/sh
# shellcheck disable=SC2016 # awk programs are not for the shell to expand
# The rules of the folders, on the tree named (the project's own without an argument):
#   - an #include goes to the same folder or down: exchange, route, plans, schedule, wire, plan, varying, call, model, api, cli, pmpi;
#   - a quoted #include names its folder ("route/route.hpp");
#   - MPI is known in wire, plan, varying, call, api, cli and pmpi only;
#   - what is in src and plans is in namespace rondo::internal, and what a public header has is not;
#   - a switch over Layout has a case for each and no default, so that the compiler names it when a layout is added;
#   - no file is named util, helper, common or misc.
# Prints each fault as file:line: what; exit status 1 if there are any.
set -eu
cd "${1:-"$(dirname "$0")/../.."}"

find_sources() {
  for folder in src plans include; do
    if [ -d "$folder" ]; then
      find "$folder" -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \)
    fi
  done
}

find_all() {
  for folder in src plans include tests examples benchmarks cmake docs; do
    if [ -d "$folder" ]; then find "$folder" -type f; fi
  done
}

includes() {
  find_sources | sort | tr '\n' '\0' | xargs -0 -r awk '
    BEGIN {
      count = split("exchange route plans schedule wire plan varying call model api cli pmpi", order)
      for (i = 1; i <= count; i++) level[order[i]] = i
      split("wire plan varying call api cli pmpi", with_mpi)
      for (i in with_mpi) knows_mpi[with_mpi[i]] = 1
    }
    function fault(what) { print FILENAME ":" FNR ": " what }
    FNR == 1 {
      split(FILENAME, part, "/")
      folder = part[1] == "src" ? part[2] : part[1]
      if (part[1] == "src" && !(folder in level)) fault("folder " folder " has no place in the order of folders")
    }
    !/^[ \t]*#[ \t]*include[ \t]*["<]/ { next }
    {
      quoted = $0 ~ /include[ \t]*"/
      target = $0
      sub(/^[^"<]*["<]/, "", target)
      sub(/[">].*/, "", target)
      depth = split(target, piece, "/")
      to = depth > 1 ? piece[1] : ""
    }
    folder == "include" {
      if (to != "rondo" && (quoted || to in level)) fault("a public header includes " target)
      next
    }
    (target ~ /^mpi(_functions)?\.h$/ || to == "rondo") && !(folder in knows_mpi) { fault(folder " must not know MPI: " target) }
    to in level && level[to] > level[folder] { fault(folder " must not depend on " to ": " target) }
    quoted && !(to in level) && to != "rondo" { fault("an include names its folder, as in \"route/route.hpp\": " target) }
  '
}

# A program may have the public headers and, from a static library, the internal names.
namespaces() {
  find_sources | sort | tr '\n' '\0' | xargs -0 -r awk '
    /^[ \t]*(inline )?namespace rondo/ {
      internal = $0 ~ /namespace rondo::internal([: {]|$)/
      public = FILENAME ~ /^include\//
      if (public && internal) print FILENAME ":" FNR ": a public header has internal names: " $0
      if (!public && !internal) print FILENAME ":" FNR ": internal names are in namespace rondo::internal: " $0
    }
  '
}

switches() {
  find_sources | sort | tr '\n' '\0' | xargs -0 -r awk '
    function fault() { if (over_layout && default_at) print FILENAME ":" default_at ": a switch over Layout has no default" }
    function begin() { fault(); over_layout = default_at = 0 }
    FNR == 1 || /^}/ { if (FNR == 1) { over_layout = default_at = 0 } else begin() }
    /^[ \t]*switch \(/ { begin() }
    /^[ \t]*case Layout::/ { over_layout = 1 }
    /^[ \t]*default:/ { default_at = FNR }
  '
}

names() {
  find_all | sort | awk -F/ '{
    name = tolower($NF)
    count = split(name, word, /[_.-]/)
    for (i = 1; i <= count; i++)
      if (word[i] ~ /^(utils?|utilities|helpers?|common|misc)$/)
        print $0 ":1: a file is named after the one thing in it, not " word[i]
  }'
}

faults=$(includes; namespaces; switches; names)
if [ -n "$faults" ]; then
  printf '%s\n' "$faults"
  exit 1
fi
echo "structure: $(find_sources | wc -l) files, no fault"
