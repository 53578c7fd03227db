#!/usr/bin/env bash
# Measures Tieout beside DuckDB over the same month: Tests/bench.sh [--small] [--runs N]
# The month and DuckDB are kept under .build/bench; the first run makes them.
set -euo pipefail
cd "$(dirname "$0")/.."
bench=.build/bench
mkdir -p "$bench"
if [ ! -x "$bench/venv/bin/python" ]; then
  python3 -m venv "$bench/venv"
  "$bench/venv/bin/pip" install --quiet duckdb
fi
swift build -c release --product simulate
swift build -c release --product tieout
exec "$bench/venv/bin/python" Tests/Benchmark/bench.py \
  --simulate .build/release/simulate --tieout .build/release/tieout --folder "$bench" "$@"
