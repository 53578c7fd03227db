#!/usr/bin/env bash
# Everything that CI checks: format, build, tests.
set -euo pipefail
cd "$(dirname "$0")/.."

bash .ci/prepare tests
swift format lint --strict --recursive --parallel Package.swift Sources Tests
# Tests run on the optimised build: the traps are preconditions, which stay, and simulated months
# of 200,000 orders are quick.
swift build -c release --build-tests
swift test -c release --skip-build --parallel
