#!/usr/bin/env python3
"""Prints sacreBLEU's paired bootstrap of two systems as `heed evaluate --compare` does.

usage: paired.py REFERENCE BASELINE SYSTEM
"""
import sys

from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
from sacrebleu.utils import Color, _format_score_lines

Color.ENABLE_COLORS = False
reference, baseline, system = ([line.rstrip("\n") for line in open(path, encoding="utf-8", newline="\n")]
                               for path in sys.argv[1:])
metrics = {"BLEU": BLEU(), "chrF2++": CHRF(word_order=2), "TER": TER()}
test = PairedTest([("baseline", baseline), ("system", system)], metrics, [reference], test_type="bs", n_samples=300)
signatures, results = test()
for name in metrics:
    lines = _format_score_lines({"System": ["baseline", "system"], name: results[name]}, multiline=False)
    first, second = list(lines.values())[1]
    print(f"  {name}|{signatures[name]}\n    baseline {first}\n    system   {second}")
