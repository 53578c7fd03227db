#!/usr/bin/env bash
# Holds a month that Spark matched and counted against the same month with all its rows: see
# Reports/guide/spark.md. Needs Java 17 or later and, the first time, PyPI; without them it says so
# and ends well. Arguments go to Tests/Spark/month.py: --orders 3000, -- and parameters of simulate.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "Spark is not tested: $1" >&2
  exit 0
}

command -v java >/dev/null || skip "there is no Java"
java=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -1)
[ "${java:-0}" -ge 17 ] || skip "Java ${java:-of an unknown version} is older than 17"

venv=.build/spark-venv
if ! "$venv/bin/python" -c 'import pyspark' 2>/dev/null; then
  python3 -m venv "$venv" 2>/dev/null || skip "python3 makes no virtual environment"
  "$venv/bin/pip" install --quiet --disable-pip-version-check pyspark==4.3.0 \
    || skip "pyspark cannot be installed"
fi

[ -x .build/debug/tieout ] && [ -x .build/debug/simulate ] || swift build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$venv/bin/python" Tests/Spark/month.py --tieout .build/debug/tieout \
  --simulate .build/debug/simulate --folder "$folder" "$@" 2> >(grep -v -E 'WARN|log4j|adjust logging' >&2)
