"""False alarms of the detectors on unrelated text: `python -m benchmarks.known_alarms UPSTREAM FOLDER [--mb 50]`.

UPSTREAM is a pinned tree, or `-` for the detectors that know nothing. Files of FOLDER whose path holds one of `--skip`
are left out: they are the upstream's own. Prints findings per MB by rule and verdict, with the commonest terms of the
rule, and MB/s of each rule.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from neutralize.known.derive import derive_known
from neutralize.known.detect import detectors
from neutralize.traverse import decode, items


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("upstream")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mb", type=float, default=50)
    parser.add_argument("--skip", nargs="*", default=[])
    given = parser.parse_args()
    made = detectors(None if given.upstream == "-" else derive_known(Path(given.upstream)))
    counts: Counter[tuple[str, str]] = Counter()
    terms: dict[str, Counter[str]] = {detector.rule: Counter() for detector in made}
    spent: Counter[str] = Counter()
    size = 0
    for item in items(given.folder):
        text = decode(item.data) if item.data is not None else None
        if text is None or any(part in item.path for part in given.skip):
            continue
        size += len(item.data or b"")
        for detector in made:
            begun = time.process_time_ns()
            for finding in detector.findings(item, text):
                counts[detector.rule, str(finding.found)] += 1
                terms[detector.rule][finding.term[:60]] += 1
            spent[detector.rule] += time.process_time_ns() - begun
        if size > given.mb * 1e6:
            break
    print(f"{size / 1e6:.1f} MB")
    for (rule, found), count in sorted(counts.items()):
        commonest = ", ".join(f"{term!r} {times}" for term, times in terms[rule].most_common(5))
        print(f"{rule:12} {found:6} {count:7} {1e6 * count / max(1, size):9.3f} per MB   {commonest}")
    print("MB/s: " + ", ".join(f"{rule} {1e3 * size / max(1, spent[rule]):.0f}" for rule in sorted(spent)))


if __name__ == "__main__":
    main()
