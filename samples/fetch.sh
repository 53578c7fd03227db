#!/usr/bin/env bash
# Builds Tieout and fetches June 2023 from a stand-in for Apple on loopback, which has the reports
# of samples/2023-06: day by day, a bad day among them. Then imports the company's tables, and
# reconciles the month. Nothing goes over the network. A program that is built already may be named:
# samples/fetch.sh .build/debug/tieout
set -euo pipefail
tieout="${1:+$(realpath "$1")}"
cd "$(dirname "$0")/.."

if [ -z "$tieout" ]; then
  bash .ci/prepare "$(command -v python3 >/dev/null || echo tests)"
  swift build -c release --product tieout >&2
  tieout="$(swift build -c release --show-bin-path)/tieout"
fi

work="$(mktemp -d)"
standin=
trap '[ -z "$standin" ] || kill "$standin"; rm -rf "$work"' EXIT

echo '[{"match": "2023-06-12", "do": "429", "retry_after": 1}, {"match": "2023-06-20", "do": "cut"}]' \
  > "$work/faults.json"
python3 Tests/AppleStandIn/apple.py --data samples/2023-06 --make-key "$work/key.p8" \
  --faults "$work/faults.json" --log "$work/asked.jsonl" > "$work/port" &
standin=$!
until [ -s "$work/port" ]; do sleep 0.1; done

{
  cat samples/2023-06/tieout.toml
  cat <<TOML
[apple]
issuer_id = "57246542-96fe-1a63-e053-0824d011072a"
key_id = "2X9R4HXF34"
key_file = "key.p8"
vendor_number = "85127269"
connect_url = "http://127.0.0.1:$(cat "$work/port")"
TOML
} > "$work/tieout.toml"
cp samples/2023-06/apple-test-root.pem "$work/"

options=(--ledger "$work/sample.sqlite" --config "$work/tieout.toml")
"$tieout" fetch sales --from 2023-05-31 --to 2023-07-01 --into "$work/apple" "${options[@]}"
"$tieout" import samples/2023-06/*.csv samples/2023-06/*.json* "${options[@]}"
"$tieout" reconcile --period 2023-06 --as-of 2023-07-05 "${options[@]}"
echo "asked of the stand-in: $(wc -l < "$work/asked.jsonl") requests"
