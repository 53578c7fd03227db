#!/usr/bin/env bash
# Tortures Tieout with mutated inputs, kills, full and failing disks, commands side by side and damaged
# ledgers: Tests/torture.sh MINUTES [--room fuzz|kill|full|faults|beside|damage] [--seed N] [--keep FOLDER]
# With 0 minutes each room runs ten times by a fixed seed. TIEOUT names another program to torture.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?how many minutes}
shift
tieout=${TIEOUT:-}
if [ -z "$tieout" ]; then
  swift build -c release --product tieout
  tieout=.build/release/tieout
fi
exec /usr/bin/python3 Tests/Torture/torture.py --tieout "$tieout" --minutes "$minutes" "$@"
