#!/usr/bin/env bash
# Builds Tieout, imports the sample month, reconciles June 2023 and writes Reports/2023-06.xlsx.
# Then imports two months that Apple settles and pays, and closes them to the bank: the workbooks
# and journals are Reports/closed-*.
set -euo pipefail
cd "$(dirname "$0")/.."

bash .ci/prepare
swift build -c release --product tieout >&2
tieout="$(swift build -c release --show-bin-path)/tieout"

ledger="$(mktemp -d)/sample.sqlite"
trap 'rm -rf "$(dirname "$ledger")"' EXIT
"$tieout" import samples/2023-06 --ledger "$ledger" --config samples/2023-06/tieout.toml
"$tieout" reconcile --period 2023-06 --as-of 2023-07-05 --out Reports/2023-06.xlsx --replace \
  --ledger "$ledger" --config samples/2023-06/tieout.toml

settled="$(dirname "$ledger")/settled.sqlite"
options=(--ledger "$settled" --config samples/two-months/tieout.toml --by sample)
echo
"$tieout" import samples/two-months "${options[@]:0:4}"
for period in 2023-06 2023-07; do
  "$tieout" close "$period" --as-of 2023-08-10 --out "Reports/closed-$period.xlsx" --replace "${options[@]}"
done
for period in FY2023-P09 FY2023-P10; do
  "$tieout" close "$period" --as-of 2023-09-20 --out "Reports/closed-$period.xlsx" --replace "${options[@]}"
done
"$tieout" reconcile --period FY2023-P09 --as-of 2023-09-20 "${options[@]:0:4}"
