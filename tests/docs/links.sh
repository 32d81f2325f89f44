#!/bin/sh
# shellcheck disable=SC2016 # awk programs are not for the shell to expand
# Every relative link of a document leads to a file, in the tree named (the project's own without an argument).
set -eu
cd "${1:-"$(dirname "$0")/../.."}"

# file:line:target of each link, without its fragment; fenced code is left out.
links() {
  find . \( -name build -o -name out -o -name .git \) -prune -o -name '*.md' -print | sort | sed 's/^\.\///' |
    tr '\n' '\0' | xargs -0 -r awk '
      FNR == 1 { fenced = 0 }
      /^ *```/ { fenced = !fenced; next }
      fenced { next }
      {
        rest = $0
        while (match(rest, /\]\([^)]*\)/)) {
          target = substr(rest, RSTART + 2, RLENGTH - 3)
          rest = substr(rest, RSTART + RLENGTH)
          sub(/#.*/, "", target)
          if (target != "" && target !~ /^[a-z]+:/) print FILENAME ":" FNR ":" target
        }
      }'
}

faults=$(links | while IFS=: read -r file line target; do
  case $target in
    /*) echo "$file:$line: a link is relative: $target" ;;
    *) [ -e "$(dirname "$file")/$target" ] || echo "$file:$line: nothing is at $target" ;;
  esac
done)
if [ -n "$faults" ]; then
  printf '%s\n' "$faults"
  exit 1
fi
echo "links: $(links | wc -l), all lead somewhere"
