#!/usr/bin/env bash
# Builds Tieout, imports the sample month, reconciles June 2023 and writes Reports/2023-06.xlsx.
set -euo pipefail
cd "$(dirname "$0")/.."

bash .ci/prepare
swift build -c release --product tieout >&2
tieout="$(swift build -c release --show-bin-path)/tieout"

ledger="$(mktemp -d)/sample.sqlite"
trap 'rm -rf "$(dirname "$ledger")"' EXIT
"$tieout" import samples/2023-06 --ledger "$ledger" --config samples/2023-06/tieout.toml
"$tieout" reconcile --period 2023-06 --as-of 2023-07-05 --out Reports/2023-06.xlsx \
  --ledger "$ledger" --config samples/2023-06/tieout.toml
