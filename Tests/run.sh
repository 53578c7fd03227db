#!/usr/bin/env bash
# Everything that CI checks: format, build, tests. Of the tests it prints what failed and a line for
# each target; all that they print is in .build/tests.log.
set -euo pipefail
cd "$(dirname "$0")/.."

export TIEOUT_OPTIMIZED=1
bash .ci/prepare tests
swift format lint --strict --recursive --parallel Package.swift Sources Tests
swift build --build-tests
rm -f .build/tests*.xml
status=0
swift test --skip-build --xunit-output .build/tests.xml > .build/tests.log 2>&1 || status=$?
python3 Tests/told.py .build/tests-swift-testing.xml .build/tests.log "$status"
bash Tests/spark.sh
# With the system's Python, which has the Debian package openpyxl.
/usr/bin/python3 Tests/Torture/torture.py --tieout .build/debug/tieout --count 4 \
  --room fuzz --room kill --room full --room faults
