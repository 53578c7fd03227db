"""Has LibreOffice calculate every formula of some workbooks anew and holds the answers against the
values that the workbooks hold: Tests/recalculate.py WORKBOOK ...

Cells that differ are printed; the status is 1 where there are any. It needs soffice and, from PyPI,
openpyxl. A value agrees that is the same text, or the same number to the ninth digit; a binary
number's own inexactness is no difference.
"""
import pathlib
import subprocess
import sys
import tempfile

import openpyxl

# Formulas are calculated on loading, always; else LibreOffice trusts the values of the file.
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""


def recalculated(paths, folder):
    """Copies of the workbooks that hold what LibreOffice calculates, in their order."""
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(SETTINGS)
    named = []
    for number, path in enumerate(paths):
        named.append(folder / f"{number}.xlsx")
        named[-1].write_bytes(path.read_bytes())
    command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"]
    command += ["--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out")]
    subprocess.run(
        command + [str(path) for path in named], check=True, stdout=subprocess.DEVNULL)
    return [folder / "out" / path.name for path in named]


def agree(held, calculated):
    if isinstance(held, (int, float)) and isinstance(calculated, (int, float)):
        return abs(held - calculated) <= 1e-9 * max(1, abs(held))
    # An empty text is written as no value.
    return (held or "") == (calculated or "")


def differences(path, other):
    """How many formulas there are, and the cells whose values differ."""
    formulas, held, calculated = (
        openpyxl.load_workbook(file, data_only=values)
        for file, values in ((path, False), (path, True), (other, True)))
    count, found = 0, []
    for sheet in formulas:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    count += 1
                pair = [book[sheet.title][cell.coordinate].value for book in (held, calculated)]
                if not agree(*pair):
                    found.append((f"{sheet.title}!{cell.coordinate}", cell.value, *pair))
    return count, found


def main():
    paths = [pathlib.Path(path) for path in sys.argv[1:]]
    if not paths:
        raise SystemExit(__doc__)
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for path, other in zip(paths, recalculated(paths, pathlib.Path(folder))):
            count, found = differences(path, other)
            for place, formula, held, calculated in found:
                print(f"{path.name} {place} {formula}: {held!r} is held, {calculated!r} calculated")
            print(f"{path.name}: {count} formulas, {len(found)} cells differ")
            differing += len(found)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
