#!/usr/bin/env bash
# Everything that CI checks: format, build, tests.
set -euo pipefail
cd "$(dirname "$0")/.."

bash .ci/prepare tests
swift format lint --strict --recursive --parallel Package.swift Sources Tests
swift build --build-tests
swift test --skip-build
python3 Tests/Torture/torture.py --tieout .build/debug/tieout --count 4 \
  --room fuzz --room kill --room full --room faults
