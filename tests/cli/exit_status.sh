#!/bin/sh
# Runs a command and holds its exit status against what is expected.
# usage: exit_status.sh STATUS COMMAND...
expected=$1
shift
"$@"
status=$?
[ "$status" = "$expected" ] && exit 0
echo "exit status $status instead of $expected"
exit 1
