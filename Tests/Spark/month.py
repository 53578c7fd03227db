"""A simulated month with every fault, tied out twice: from all of its rows, and from what the
script of `tieout spark` counts and hands over. Both documents have to be the same, but for the
inputs and the places of rows.

The second way runs twice, as the guide says: the first counts lack what rules object to, and say
so; the second ones have it.
"""

import argparse
import csv
import glob
import json
import os
import subprocess
import sys
import time

from pyspark.sql import SparkSession

PERIOD = "2023-06"
AS_OF = ["--as-of", "2023-08-01"]


class Company:
    """A ledger of the month, with the program that works on it."""

    def __init__(self, program, folder, name):
        self.call = [program, "--ledger", f"{folder}/{name}.sqlite"]
        self.call += ["--config", f"{folder}/month/tieout.toml"]

    def run(self, *arguments):
        done = subprocess.run(self.call + list(arguments), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{arguments}: status {done.returncode}\n{done.stderr}")
        return done.stdout

    def load(self, files):
        self.run("import", *files, "--quiet")

    def figures(self):
        """What reconcile prints, without what names files."""
        found = json.loads(self.run("reconcile", PERIOD, "--format", "json", *AS_OF))
        del found["inputs"]
        for finding in found["findings"]:
            del finding["sources"]
        return found


def differences(left, right, place=""):
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            yield from differences(left.get(key), right.get(key), f"{place}.{key}")
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, pair in enumerate(zip(left, right)):
            yield from differences(*pair, f"{place}[{index}]")
    elif left != right:
        yield f"{place}: {str(left)[:200]} <> {str(right)[:200]}"


def lacking(program, kind, file):
    """Options for the columns that a table does not have."""
    command = [program, "template", kind]
    template = subprocess.run(command, capture_output=True, text=True, check=True)
    columns = next(csv.reader([template.stdout]))
    with open(file, encoding="utf-8", newline="") as opened:
        header = next(csv.reader(opened))
    absent = [column for column in columns if column not in header]
    return [word for column in absent for word in ("--lacking", f"{kind}.{column}")]


def session(folder):
    spark = SparkSession.builder.master("local[2]").appName("tieout")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.ui.showConsoleProgress": "false",
    }
    for key, value in settings.items():
        spark = spark.config(key, value)
    spark = spark.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def run_script(spark, path):
    with open(path, encoding="utf-8") as script:
        for statement in script.read().split(";\n"):
            if statement.strip():
                spark.sql(statement)


def counted(output, *things):
    """The sum of what the counts tell of these things."""
    total = 0
    for file in glob.glob(f"{output}/unit_counts/*.csv"):
        with open(file, encoding="utf-8", newline="") as opened:
            rows = csv.DictReader(opened)
            total += sum(int(row["count"]) for row in rows if row["counted"] in things)
    return total


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tieout", required=True)
    options.add_argument("--simulate", required=True)
    options.add_argument("--folder", required=True, help="an empty folder to work in")
    options.add_argument("--orders", default="3000")
    options.add_argument("parameters", nargs="*", help="of simulate, in place of the usual ones")
    given = options.parse_args()
    folder = os.path.abspath(given.folder)
    month = f"{folder}/month"
    faults = ["--faults", "all", "--apple-faults", "all", "--apple-share", "0.1", "--apps"]
    command = [given.simulate, "--out", month, "--orders", given.orders, "--shuffle"]
    subprocess.run(command + (given.parameters or faults), check=True)

    apart = ("truth.json", "tieout.toml", "apple-test-root.pem")
    files = [file for file in sorted(glob.glob(f"{month}/*")) if not file.endswith(apart)]
    tables = {
        kind: [file for file in files if os.path.basename(file).startswith(kind)]
        for kind in ("orders", "transactions")
    }
    rest = [file for file in files if file not in tables["orders"] + tables["transactions"]]
    absent = lacking(given.tieout, "orders", tables["orders"][0])
    absent += lacking(given.tieout, "transactions", tables["transactions"][0])

    whole = Company(given.tieout, folder, "whole")
    whole.load(files)
    expected = whole.figures()

    spark = session(folder)
    for kind, names in tables.items():
        spark.read.csv(names, header=True, escape='"').createOrReplaceTempView(kind)
    counting = Company(given.tieout, folder, "counted")
    counting.load(rest)
    output = f"{folder}/spark"
    for turn in (1, 2):
        script = f"{folder}/level1.sql"
        counting.run("spark", PERIOD, "--out", script, "--into", output, *AS_OF, *absent)
        start = time.monotonic()
        run_script(spark, script)
        seconds = time.monotonic() - start
        counting.load([output])
        found = counting.figures()
        missing = [line["what"] for line in found["basis"]["missing"]]
        sold, rows = counted(output, "sold"), counted(output, "orders", "transactions")
        print(f"turn {turn}: {sold} purchases counted, {rows} rows, {seconds:.1f} s in Spark")
        if "handed-rows" in missing:
            sys.exit("the rows that stand beside the counts are not those that they tell")
        told = list(differences(expected, found))
        if "counted-rows" not in missing:
            break
        if turn == 1 and not told:
            sys.exit("rows are asked for, and nothing differs without them")
    spark.stop()
    for difference in told[:20]:
        print(difference, file=sys.stderr)
    if told or "counted-rows" in missing:
        sys.exit(f"{len(told)} differences, missing: {missing}")
    print(f"equal: {len(expected['findings'])} findings and every figure")


if __name__ == "__main__":
    main()
