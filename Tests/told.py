"""What the tests did, for a person: told.py RESULTS LOG STATUS

Prints what failed, with its place, and a line for each target; where the tests broke off, the end
of their log. RESULTS is the XML that `swift test --xunit-output` writes, LOG all that it printed,
STATUS how it ended.
"""

import collections
import os
import sys
import xml.etree.ElementTree


def main():
    results, log, status = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    issues = issues_in(lines)
    for issue in issues:
        print(issue)
    targets = counts(results)
    for target, (tests, failed) in sorted(targets.items()):
        verdict = f"{failed} failed" if failed else "passed"
        print(f"{target:20} {tests:5} {'test' if tests == 1 else 'tests':5} {verdict}")
    skipped = sum("skipped: shared data absent" in line for line in lines)
    if skipped:
        print(f"shared data absent: {skipped} looks at Apple's own files and tables left out")
    failed = sum(count for _, count in targets.values())
    if not targets or status != 0 and not issues and not failed:
        print("\n".join(lines[-40:]))
        print(f"the tests ended with {status} before they told what they did")
        sys.exit(status or 1)
    sys.exit(status or (1 if issues or failed else 0))


def issues_in(lines):
    """Each recorded issue, with what was said of it below."""
    issues = []
    is_open = False
    for line in lines:
        if "recorded an issue" in line:
            issues.append(line)
        is_open = "recorded an issue" in line or is_open and line.lstrip().startswith("↳")
        if is_open and line is not issues[-1]:
            issues[-1] += "\n" + line
    return issues


def counts(path):
    """Tests and failed ones, by target."""
    targets = collections.defaultdict(lambda: [0, 0])
    if not os.path.exists(path):
        return targets
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        target = targets[case.get("classname", "").split(".")[0]]
        target[0] += 1
        target[1] += any(child.tag in ("failure", "error") for child in case)
    return targets


if __name__ == "__main__":
    main()
