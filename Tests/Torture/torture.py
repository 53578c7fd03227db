"""Tortures Tieout: mutated inputs, kills, full and failing disks, commands side by side, damaged
ledgers.

Each room runs until its share of the time, or its count, is used up. What a run did is told at the
end; whatever broke a promise is kept with its seed under --keep, and ends the call with status 1.

A run is named by the seed and a number, so that `--seed S --room R --first N --count 1` is the same
run again. What was made is opened by openpyxl (PyPI).
"""

import argparse
import collections
import errno
import gzip
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib

import openpyxl

ENDINGS = {0, 1, 2, 3}
PERIOD = "2023-06"
READERS = [
    ["status", "--as-of", "2023-07-05"],
    ["reconcile", "--period", PERIOD, "--format", "json", "--as-of", "2023-07-05"],
    ["export", "orders"],
    ["export", "transactions"],
    ["closes"],
]
TOKENS = [
    b"", b"0", b"-1", b"9223372036854775807", b"-9223372036854775808", b"999999999999999999999",
    b"12/31/9999", b"01/01/0001", b"9999-12-31T23:59:59Z", b"1e400", b"NaN", b"\"", b"\"\"", b"'",
    b"\0", b"\x1b[2J", b"\r", b"\n\n", b"\t\t\t", b",,,,", b"{", b"}", b"[", b"]", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\xed\xa0\x80", "\u202e".encode(), b"CN", b"ZZ", b"XXX", b"CNY", b"=1+1",
]


class Broken(Exception):
    """A promise that did not hold."""


class Torture:
    def __init__(self, options):
        self.options = options
        self.samples = pathlib.Path(options.samples)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tieout-torture-"))
        self.counts = collections.Counter()
        self.broken = []
        self.calls = {}
        self.plain = None
        self.library = None
        self.base = self.folder / "base.sqlite"
        self.begin()

    # Runs

    def run(self, arguments, ledger, seconds=60, within=None, kill_after=None, faults=None):
        """One call of the program: its status, and what it printed."""
        command = [self.options.tieout, *arguments, "--ledger", str(ledger)]
        command += ["--config", str(self.samples / PERIOD / "tieout.toml")]
        self.counts["runs"] += 1
        # A trap prints a backtrace that takes seconds.
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        if faults:
            if not self.library:
                self.library = self.shim()
            environment |= dict(faults, LD_PRELOAD=str(self.library))
        process = subprocess.Popen(
            command, cwd=within or self.folder, stdin=subprocess.DEVNULL, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if kill_after is not None:
            time.sleep(kill_after)
            process.send_signal(signal.SIGKILL)
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Broken(f"{arguments[0]} took more than {seconds} s")
        if kill_after is None and process.returncode not in ENDINGS:
            tail = errors.decode(errors="replace")[:300]
            raise Broken(f"{' '.join(arguments)} ended with {process.returncode}: {tail}")
        return process.returncode, output, errors

    def readings(self, ledger):
        return [self.run(reader, ledger) for reader in READERS]

    def begin(self):
        """A ledger of the sample month with a close, and what its readers print."""
        inputs = self.samples / PERIOD
        status, _, errors = self.run(["import", str(inputs)], self.base)
        if status != 0:
            raise SystemExit(f"the sample cannot be imported: {errors.decode()}")
        files = [path for path in sorted(inputs.rglob("*")) if path.is_file()]
        files += [path for path in sorted((self.samples / "json").rglob("*")) if path.is_file()]
        self.corpus = [path for path in files if path.stat().st_size < 200_000]
        corpus = pathlib.Path(__file__).parent / "corpus"
        if corpus.is_dir():
            self.corpus += [path for path in sorted(corpus.iterdir()) if path.is_file()]
        # The first reconcile records findings, which status tells of.
        self.readings(self.base)
        self.reference = self.readings(self.base)
        self.strangers()
        self.counts["runs"] = 0

    def strangers(self):
        """Another ledger, and the logs of transactions that began to write into it."""
        self.other = self.folder / "other.sqlite"
        self.run(["import", str(self.samples / PERIOD)], self.other)
        self.readings(self.other)
        copy = self.folder / "copy.sqlite"
        self.logs = {}
        for kind, mode in (("-journal", "delete"), ("-wal", "wal")):
            shutil.copy(self.other, copy)
            connection = sqlite3.connect(copy, isolation_level=None)
            connection.execute(f"PRAGMA journal_mode = {mode}")
            connection.execute("PRAGMA cache_size = 5")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE order_block SET content = zeroblob(length(content))")
            if mode == "wal":
                connection.execute("COMMIT")
            self.logs[kind] = pathlib.Path(str(copy) + kind).read_bytes()
            if mode == "delete":
                connection.execute("ROLLBACK")
            connection.close()

    # Rooms; each takes the random numbers of its run and a folder of its own

    def fuzz(self, random_, folder):
        """A mutated file is imported or refused, and no later command ends in a trap."""
        source = random_.choice(self.corpus)
        raw = source.read_bytes()
        packed = raw[:2] == b"\x1f\x8b"
        bytes_ = bytearray(unpacked(raw) if packed and random_.random() < 0.9 else raw)
        for _ in range(random_.choice([1, 1, 2, 4, 16])):
            bytes_ = mutated(bytes_, random_)
        name = source.name[:-3] if packed and source.name.endswith(".gz") else source.name
        path = folder / name
        path.write_bytes(bytes_)
        ledger = folder / "l.sqlite"
        keep = ["--keep-good-rows"] if random_.random() < 0.5 else []
        status, _, errors = self.run(["import", str(path), "--vendor", "1", *keep], ledger)
        self.counts[f"fuzz: import ended with {status}"] += 1
        if status == 2 and not errors:
            raise Broken("a file is refused without a word")
        if ledger.exists():
            self.readings(ledger)

    def kill(self, random_, folder):
        """A killed import leaves each file whole or not at all; the next one ends it."""
        ledger = folder / "l.sqlite"
        arguments = ["import", str(self.samples / PERIOD)]
        started = time.monotonic()
        self.run(arguments, ledger, kill_after=random_.random() * self.import_seconds())
        self.counts["kill: after %d tenths" % ((time.monotonic() - started) * 10)] += 1
        if ledger.exists():
            self.run(["status"], ledger)
        if self.run(arguments, ledger)[0] != 0:
            raise Broken("the import after a kill fails")
        # The order of imports never shows, nor that some came later.
        if self.readings(ledger)[1:] != self.reference[1:]:
            raise Broken("the ledger after a kill prints something else")
        left = [path.name for path in folder.iterdir() if path.name != "l.sqlite"]
        if left:
            raise Broken(f"litter: {left}")

    def import_seconds(self):
        if not hasattr(self, "_seconds"):
            started = time.monotonic()
            self.run(["import", str(self.samples / PERIOD)], self.folder / "timed.sqlite")
            self._seconds = time.monotonic() - started
        return self._seconds

    def full(self, random_, folder):
        """Without room each command says so, leaves nothing half and loses nothing."""
        ledger = folder / "l.sqlite"
        shutil.copy(self.base, ledger)
        blocks = random_.randrange(0, 300)
        out = folder / "out.xlsx"
        command = random_.choice([
            ["reconcile", "--period", PERIOD, "--as-of", "2023-07-05", "--out", str(out)],
            ["export", "orders", "--out", str(out.with_suffix(".csv"))],
            ["import", str(random_.choice(self.corpus)), "--vendor", "1"],
        ])
        limited = ["bash", "-c", f'ulimit -f {blocks}; exec "$0" "$@"', self.options.tieout]
        self.counts["runs"] += 1
        done = subprocess.run(
            [*limited, *command, "--ledger", str(ledger)], cwd=folder, capture_output=True,
            timeout=60, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
        self.counts[f"full: {command[0]} ended with {done.returncode}"] += 1
        if done.returncode not in ENDINGS:
            raise Broken(f"{command[0]} with {blocks} KiB ended with {done.returncode}")
        left = [path.name for path in (out, out.with_suffix(".csv")) if path.exists()]
        if done.returncode >= 2 and left:
            raise Broken(f"{command[0]} failed and left {left[0]}")
        left = [path.name for path in folder.iterdir() if path.name.endswith(".partial")]
        if left:
            raise Broken(f"litter: {left}")
        if command[0] != "import" and self.readings(ledger) != self.reference_at(ledger):
            raise Broken("the ledger prints something else")

    def reference_at(self, ledger):
        """What readers print names the ledger's path."""
        def renamed(bytes_):
            return bytes_.replace(str(self.base).encode(), str(ledger).encode())
        return [(status, renamed(out), renamed(err)) for status, out, err in self.reference]

    def faults(self, random_, folder):
        """Where the disk fails a call, a command says so or does all of it, and loses nothing."""
        ledger = folder / "l.sqlite"
        out = folder / "out.xlsx"
        importing = random_.random() < 0.5
        command = ["import", *self.unrestated()] if importing else random_.choice([
            ["reconcile", "--period", PERIOD, "--as-of", "2023-07-05", "--out", str(out)],
            ["reconcile", "--period", PERIOD, "--as-of", "2023-07-05", "--format", "json"],
            ["export", "orders", "--out", str(out.with_suffix(".csv"))],
            ["status", "--as-of", "2023-07-05"],
            ["backup", str(folder / "backup.sqlite")],
        ])
        if not importing:
            shutil.copy(self.base, ledger)
        kind = random_.choice("rwsno")
        name = f"{command[0]} {kind}"
        if name not in self.calls:
            # Of a ledger of its own: a run that fails nothing, to know how many calls there are.
            counted = folder / "counted.sqlite"
            if not importing:
                shutil.copy(self.base, counted)
            told = folder / "told"
            whole = self.run(command, counted, faults={
                "FAULT_KINDS": kind, "FAULT_ERRNO": "5", "FAULT_TOLD": str(told)})
            self.calls[name] = (int(told.read_text()), whole[0])
            for path in folder.iterdir():
                if path != ledger:
                    path.unlink()
        calls, whole = self.calls[name]
        if not calls:
            return
        first = random_.randrange(calls) + 1
        count = random_.choice([1, 1, 3, 1_000_000])
        error = random_.choice([errno.EIO, errno.ENOSPC] + ([0] if kind in "rw" else []))
        status, output, _ = self.run(command, ledger, faults={
            "FAULT_KINDS": kind, "FAULT_AT": str(first), "FAULT_FOR": str(count),
            "FAULT_ERRNO": str(error)})
        self.counts[f"faults: {name} ended with {status}"] += 1
        told = f"{' '.join(command[:1])}, {kind} {first} of {calls}, {count}, errno {error}"
        if importing:
            # What went in is whole: the next import brings the rest, and nothing twice.
            if self.run(command, ledger)[0] != 0:
                raise Broken(f"the import after a fault fails ({told})")
            # Rows lie in the order of the imports: a file that failed comes after the others.
            if in_any_order(self.readings(ledger)[1:]) != self.unrestated_reference():
                raise Broken(f"the ledger after a fault prints something else ({told})")
        else:
            made = [path for path in (out, out.with_suffix(".csv")) if path.exists()]
            if status >= 2 and made:
                raise Broken(f"failed, and left {made[0].name} ({told})")
            if status < 2 and status != whole:
                raise Broken(f"ended with {status} instead of {whole} ({told})")
            if status < 2 and made and made[0].suffix == ".xlsx":
                self.check_workbook(made[0], command, ledger, told)
            if status == whole and command[-1] == "json":
                if output != self.run(command, ledger)[1]:
                    raise Broken(f"other figures in silence ({told})")
            if command[0] == "backup" and status == 0:
                if self.run(["verify"], folder / "backup.sqlite")[0] != 0:
                    raise Broken(f"a broken backup ({told})")
            if self.readings(ledger)[1:] != self.reference_at(ledger)[1:]:
                raise Broken(f"the ledger prints something else ({told})")
        left = [path.name for path in folder.iterdir() if path.name.endswith(".partial")]
        if left and kind != "n":
            raise Broken(f"litter: {left} ({told})")

    def check_workbook(self, made, command, ledger, told):
        """The workbook that was made beside a fault is the one that is made without."""
        held = made.read_bytes()
        made.unlink()
        self.run(command, ledger)
        if made.read_bytes() != held:
            raise Broken(f"another workbook than without a fault ({told})")
        made.write_bytes(held)
        openpyxl.load_workbook(made)
        self.counts["faults: workbooks as without a fault"] += 1

    def unrestated(self):
        """The month's files without older versions of reports: of two, the one imported last
        counts, which is the older one where it alone failed the first time."""
        return sorted(str(path) for path in (self.samples / PERIOD).iterdir() if path.is_file())

    def unrestated_reference(self):
        if self.plain is None:
            ledger = self.folder / "plain.sqlite"
            self.run(["import", *self.unrestated()], ledger)
            self.plain = in_any_order(self.readings(ledger)[1:])
        return self.plain

    def shim(self):
        """The library that fails calls, made by the C compiler that is there."""
        library = self.folder / "faults.so"
        source = pathlib.Path(__file__).parent / "faults.c"
        compiler = shutil.which("cc") or shutil.which("clang")
        if not compiler:
            raise SystemExit("the room faults needs a C compiler (cc or clang)")
        options = ["-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
        subprocess.run([compiler, *options], check=True)
        return library

    def beside(self, random_, folder):
        """Readers beside an import print a state that the ledger had."""
        ledger = folder / "l.sqlite"
        files = sorted(path for path in (self.samples / PERIOD).iterdir() if path.is_file())
        self.run(["import", *map(str, files[:len(files) // 2])], ledger)
        rest = [*map(str, files[len(files) // 2:])]
        random_.shuffle(rest)
        command = [self.options.tieout, "import", *rest, "--ledger", str(ledger)]
        writer = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            while writer.poll() is None:
                reader = random_.choice(READERS)
                status, _, errors = self.run(reader, ledger, seconds=120)
                self.counts[f"beside: {reader[0]} ended with {status}"] += 1
                if status == 3:
                    raise Broken(f"a reader failed beside an import: {errors.decode()[:200]}")
        finally:
            told = writer.communicate()[1].decode()
        if writer.returncode not in (0, 1, 2):
            raise Broken(
                f"the import beside readers ended with {writer.returncode}: {told[-300:]}")

    def damage(self, random_, folder):
        """A damaged ledger gives what it gave, or is refused with status 3."""
        ledger = folder / "l.sqlite"
        bytes_ = bytearray(self.base.read_bytes())
        kind = random_.randrange(20)
        if kind == 0:
            log = random_.choice(sorted(self.logs))
            (folder / ("l.sqlite" + log)).write_bytes(self.logs[log])
        elif kind == 1:
            edited(ledger, bytes_, random_)
            bytes_ = bytearray(ledger.read_bytes())
        else:
            for _ in range(random_.choice([1, 1, 1, 2, 8])):
                bytes_ = damaged(bytes_, random_, self.other.read_bytes())
        ledger.write_bytes(bytes_)
        refused = 0
        for reading, wanted in zip(self.readings(ledger), self.reference_at(ledger)):
            if reading[0] == 3:
                refused += 1
            elif reading[:2] != wanted[:2]:
                raise Broken("a damaged ledger gives something else in silence")
        self.counts["damage: refused by %d of %d readers" % (refused, len(READERS))] += 1
        # What no reader needed is found by the command that reads everything.
        if self.run(["verify"], ledger)[0] == 3:
            self.counts["damage: found by verify"] += 1
        elif refused:
            raise Broken("verify finds a ledger sound that a reader refuses")
        elif bytes_ != self.base.read_bytes():
            self.counts["damage: in bytes that mean nothing"] += 1

    # All of it

    def torture(self, rooms):
        share = self.options.minutes * 60 / len(rooms) if self.options.minutes else None
        for name in rooms:
            started = time.monotonic()
            number = self.options.first
            while (time.monotonic() - started < share) if share else (
                    number < self.options.first + self.options.count):
                self.one(name, number)
                number += 1
            self.counts[f"{name}: executions"] = number - self.options.first
            self.counts[f"{name}: seconds"] = round(time.monotonic() - started)

    def one(self, name, number):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        random_ = random.Random(f"{self.options.seed}/{name}/{number}")
        try:
            getattr(self, name)(random_, folder)
        except Broken as broken:
            self.broken.append(f"{name} {number} (seed {self.options.seed}): {broken}")
            if self.options.keep:
                kept = pathlib.Path(self.options.keep) / f"{name}-{self.options.seed}-{number}"
                shutil.copytree(folder, kept, dirs_exist_ok=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def in_any_order(readings):
    return [(status, sorted(out.split(b"\n"))) for status, out, _ in readings]


def unpacked(raw):
    """What a gzip file holds, or its own bytes: the corpus has gzip files that are damaged."""
    try:
        return gzip.decompress(raw)
    except (EOFError, OSError, zlib.error):
        return raw


def mutated(bytes_, random_):
    """The bytes with one change that files suffer, or that an attacker makes."""
    place = random_.randrange(len(bytes_) + 1)
    end = min(len(bytes_), place + random_.choice([1, 2, 8, 64, 4096]))
    kind = random_.randrange(7)
    if kind == 0 and place < len(bytes_):
        bytes_[place] ^= 1 << random_.randrange(8)
    elif kind == 1:
        del bytes_[place:end]
    elif kind == 2:
        bytes_[place:place] = random_.choice(TOKENS)
    elif kind == 3:
        bytes_[place:place] = bytes_[place:end] * random_.choice([1, 2, 100])
    elif kind == 4:
        del bytes_[place:]
    elif kind == 5:
        bytes_[place:end] = random_.randbytes(end - place)
    else:
        # A whole value for another one.
        cells = [i for i in range(place, min(len(bytes_), place + 400)) if bytes_[i] in b"\t,:\n"]
        if len(cells) > 1:
            bytes_[cells[0] + 1:cells[1]] = random_.choice(TOKENS)
    return bytes_


def edited(ledger, bytes_, random_):
    """The ledger as another program changed it, which knows nothing of checksums."""
    ledger.write_bytes(bytes_)
    connection = sqlite3.connect(ledger)
    connection.execute(random_.choice([
        "UPDATE order_block SET first_placed_at = first_placed_at - 86400",
        "UPDATE transaction_block SET content = zeroblob(length(content))",
        "DELETE FROM transaction_block WHERE first_row = 1",
        "UPDATE order_terms SET unit_price = unit_price + 1",
        "PRAGMA user_version = -1",
        "PRAGMA user_version = 1",
        "UPDATE finding SET units = units + 1",
        "UPDATE finding_terms SET number = number + 1",
        "DELETE FROM source WHERE id = 3",
        "UPDATE rate_block SET source_id = source_id + 1",
    ]))
    connection.commit()
    connection.close()


def damaged(bytes_, random_, other):
    """The ledger's bytes with one change that disks and copies make."""
    page = 4096
    place = random_.randrange(1, len(bytes_))
    begin = place // page * page
    kind = random_.randrange(7)
    if kind == 0:
        bytes_[place] ^= 1 << random_.randrange(8)
    elif kind == 1:
        bytes_[begin:begin + page] = bytes(page)
    elif kind == 2:
        del bytes_[place:]
    elif kind == 3:
        from_ = random_.randrange(len(bytes_)) // page * page
        bytes_[begin:begin + page] = bytes_[from_:from_ + page]
    elif kind == 4:
        bytes_[begin:begin + page] = other[begin:begin + page]
    elif kind == 5:
        # A header's field: versions, sizes, kinds.
        bytes_[random_.randrange(min(100, len(bytes_)))] = random_.randrange(256)
    else:
        bytes_[place:place + 16] = random_.randbytes(16)
    return bytes_ or bytearray(1)


def main():
    rooms = ["fuzz", "kill", "full", "faults", "beside", "damage"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tieout", required=True)
    parser.add_argument("--samples", default="samples")
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--count", type=int, default=10, help="runs of a room, without --minutes")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--room", action="append", choices=rooms)
    parser.add_argument("--keep", help="where what broke is kept")
    options = parser.parse_args()
    options.tieout = os.path.abspath(options.tieout)
    options.samples = os.path.abspath(options.samples)
    torture = Torture(options)
    try:
        torture.torture(options.room or rooms)
    finally:
        shutil.rmtree(torture.folder, ignore_errors=True)
    for what, count in sorted(torture.counts.items()):
        print(f"{count:8}  {what}")
    for broken in torture.broken[:100]:
        print(f"BROKEN  {broken}")
    print(f"{len(torture.broken)} broken")
    sys.exit(1 if torture.broken else 0)


if __name__ == "__main__":
    main()
