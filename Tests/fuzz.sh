#!/usr/bin/env bash
# Fuzzes the readers of files by the code that inputs reach, with libFuzzer:
# Tests/fuzz.sh MINUTES [libFuzzer's options]
# It begins with the samples and what was found before; what it finds is left in .build/fuzz/found, to
# be mended and then kept in Tests/Torture/corpus, which Tests/torture.sh reads too.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?how many minutes}
shift
export TIEOUT_FUZZ=1
swift build -c release --sanitize fuzzer --product FuzzProgram --scratch-path .build/fuzz
mkdir -p .build/fuzz/seeds .build/fuzz/grown .build/fuzz/found
find samples Tests/Torture/corpus -type f -size -100k | while read -r file; do
  cp "$file" ".build/fuzz/seeds/$(sha256sum "$file" | cut -c1-20)"
  case $file in *.gz) gunzip -c "$file" > ".build/fuzz/seeds/$(sha256sum "$file" | cut -c1-20)-open" ;; esac
done
exec .build/fuzz/release/FuzzProgram -max_total_time=$((minutes * 60)) -max_len=65536 -timeout=10 \
  -rss_limit_mb=2048 -artifact_prefix=.build/fuzz/found/ "$@" .build/fuzz/grown .build/fuzz/seeds
