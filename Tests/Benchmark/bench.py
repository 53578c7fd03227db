"""Runs Tieout and DuckDB in turn over the same month and prints time, ratio and peak memory."""

import argparse
import glob
import json
import os
import pty
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# How many times faster than DuckDB each step has to be: its seconds divided by Tieout's.
BUDGETS = {"sales": (1.5, 3.0), "purchases": (1.2, 2.0), "reconcile": (1.0, 3.0)}
STEPS = {
    "sales": "import of the sales files",
    "purchases": "import of orders and transactions",
    "reconcile": "reconcile and workbook",
}
AIM_MEMORY_MIB = 300
FIRST_SIGN_SECONDS = 0.1
# Orders, and consumables beside the built-in ones: 1.4 million sales rows, 5 million orders and
# 5 million transactions, and a twentieth of it.
SIZES = {"full": (4_750_000, 1450), "small": (237_500, 170)}


def main():
    options = parse()
    size = "small" if options.small else "full"
    month = make_month(options, size)
    results = {"tieout": {}, "duckdb": {}}
    contestants = [("duckdb", duckdb_commands)]
    if not options.duckdb_only:
        contestants.insert(0, ("tieout", tieout_commands))
    for run in range(options.runs):
        for name, commands in contestants:
            with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
                for step, command in commands(options, month, scratch):
                    seconds, mebibytes = measure(command)
                    if step:
                        results[name].setdefault(step, []).append((seconds, mebibytes))
            print(f"run {run + 1} of {options.runs}: {name}", file=sys.stderr)
    passed = report(results, month)
    if not options.duckdb_only:
        passed = first_sign(options, month) and passed
    sys.exit(0 if passed else 1)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulate", required=True)
    parser.add_argument("--tieout", required=True)
    parser.add_argument("--folder", required=True, help="where the month and the databases go")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="a twentieth of the month")
    parser.add_argument("--duckdb-only", action="store_true")
    return parser.parse_args()


def make_month(options, size):
    """The month's folder, made when it is absent; a half-made one never gets its name."""
    orders, products = SIZES[size]
    month = os.path.join(options.folder, f"month-{size}-{orders}-{products}")
    if not os.path.isdir(month):
        unfinished = month + ".unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        subprocess.run(
            [options.simulate, "--clean", "--orders", str(orders), "--further-products",
             str(products), "--out", unfinished], check=True)
        os.rename(unfinished, month)
    return month


def sales_files(month):
    return sorted(glob.glob(f"{month}/S_D_*.txt.gz"))


def purchase_files(month):
    return sorted(glob.glob(f"{month}/orders*.csv") + glob.glob(f"{month}/transactions*.csv"))


def table_files(month):
    return [f"{month}/{name}.csv" for name in ("products", "tiers", "rates")]


def tieout_commands(options, month, scratch):
    base = ["--ledger", f"{scratch}/ledger.sqlite", "--config", f"{month}/tieout.toml", "--quiet"]
    tieout = os.path.abspath(options.tieout)
    return [
        ("sales", [tieout, "import", *base, *sales_files(month)]),
        ("purchases", [tieout, "import", *base, *purchase_files(month)]),
        (None, [tieout, "import", *base, *table_files(month)]),
        ("reconcile", [tieout, "reconcile", *base, "--period", "2023-06", "--format", "json",
                       "--out", f"{scratch}/month.xlsx"]),
    ]


def duckdb_commands(options, month, scratch):
    script = os.path.join(os.path.dirname(__file__), "bench_duckdb.py")
    return [(step, [sys.executable, script, step, month, scratch]) for step in STEPS]


def measure(command):
    """Seconds and peak resident MiB of one command, which has to succeed."""
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=output)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            output.seek(0)
            sys.stderr.write(output.read().decode(errors="replace"))
            sys.exit(f"{' '.join(command[:4])} … ended with {child.returncode}")
    return seconds, usage.ru_maxrss / 1024


def report(results, month):
    with open(f"{month}/truth.json", encoding="utf-8") as file:
        counts = json.load(file)["counts"]
    csv = sum(os.path.getsize(path) for path in purchase_files(month))
    print(f"{counts['sales_rows']:,} sales rows in {counts['sales_reports']} reports, "
          f"{counts['orders']:,} orders, {counts['transactions']:,} transactions, "
          f"{csv / 1e9:.2f} GB of CSV; medians")
    print(f"{'step':36}{'Tieout':>9}{'DuckDB':>9}{'ratio':>8}{'must':>7}{'aim':>6}")
    passed = True
    peaks = {}
    for step, title in STEPS.items():
        ours = median(results["tieout"].get(step, []), 0)
        theirs = median(results["duckdb"][step], 0)
        for name in results:
            peak = median(results[name].get(step, []), 1)
            peaks[name] = max(peaks.get(name) or 0, peak or 0)
        must, aim = BUDGETS[step]
        ratio = theirs / ours if ours else None
        verdict = "" if ratio is None else verdict_of(ratio >= must, ratio >= aim)
        passed = passed and (ratio is None or ratio >= must)
        print(f"{title:36}{shown(ours, 's')}{shown(theirs, 's')}"
              f"{'–' if ratio is None else f'{ratio:.2f} ×':>8}{must:>5} ×{aim:>4} ×  {verdict}")
    ours, theirs = peaks["tieout"], peaks["duckdb"]
    verdict = verdict_of(ours < theirs, ours <= AIM_MEMORY_MIB) if ours else ""
    print(f"{'peak memory':36}{shown(ours, 'MiB')}{shown(theirs, 'MiB')}"
          f"{'':8}{'below':>7}{AIM_MEMORY_MIB:>6}  {verdict}")
    for step, title in STEPS.items():
        ours, theirs = (median(results[name].get(step, []), 1) for name in results)
        print(f"{'  ' + title:36}{shown(ours, 'MiB')}{shown(theirs, 'MiB')}")
    return passed and (not ours or ours < theirs)


def median(values, index):
    return statistics.median(value[index] for value in values) if values else None


def shown(value, unit):
    if not value:
        return f"{'–':>9}"
    return f"{f'{value:.2f} s' if unit == 's' else f'{value:.0f} MiB':>9}"


def verdict_of(must, aim):
    return "PASS, aim reached" if aim and must else "PASS" if must else "FAIL"


def first_sign(options, month):
    """How long a person at a terminal waits for the first byte of an import."""
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        arguments = [options.tieout, "import", "--ledger", f"{scratch}/ledger.sqlite",
                     "--config", f"{month}/tieout.toml", *sales_files(month)]
        started = time.monotonic()
        child, terminal = pty.fork()
        if child == 0:
            os.execv(arguments[0], arguments)
        select.select([terminal], [], [], 10)
        seconds = time.monotonic() - started
        drain(terminal)
        os.close(terminal)
        os.waitpid(child, 0)
    passed = seconds <= FIRST_SIGN_SECONDS
    print(f"{'first sign of life':36}{f'{seconds * 1000:.0f} ms':>9}{'':17}{'100 ms':>7}"
          f"{'':6}  {'PASS' if passed else 'FAIL'}")
    return passed


def drain(terminal):
    while True:
        try:
            if not os.read(terminal, 65536):
                return
        except OSError:
            return


if __name__ == "__main__":
    main()
