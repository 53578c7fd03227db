#!/usr/bin/env bash
# Measures Tieout beside DuckDB over a clean month and a hard one, on one, two and all cores:
#   Tests/bench.sh [--small | --orders N] [--runs N] [--month clean|hard] [--curves]
# --curves instead prints what grows with findings, reuses, products, storefronts, months, the order
# of rows and signed payloads. Months and DuckDB are kept under .build/bench; the first run makes
# them. Where DuckDB cannot be installed, Tieout is measured alone.
set -euo pipefail
cd "$(dirname "$0")/.."
bench=.build/bench
mkdir -p "$bench"
python=$bench/venv/bin/python
if [ ! -x "$python" ]; then
  python3 -m venv "$bench/venv" || python=python3
fi
if ! "$python" -c 'import duckdb' 2>/dev/null && ! "$python" -m pip install --quiet duckdb; then
  echo "bench.sh: DuckDB cannot be installed; Tieout is measured alone" >&2
  set -- --tieout-only "$@"
fi
swift build -c release --product simulate
swift build -c release --product tieout
exec "$python" Tests/Benchmark/bench.py \
  --simulate .build/release/simulate --tieout .build/release/tieout --folder "$bench" "$@"
