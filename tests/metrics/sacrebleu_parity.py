#!/usr/bin/env python3
"""Compares Heed's metrics with the real sacreBLEU; exit 1 and the differing cases if they are not equal.

    sacrebleu_parity.py --driver build/release/tests/metrics_driver [--files 1000] [--seed 1]

Needs the packages of tests/requirements.txt. Statistics, tokenized text, signatures and printed lines must be
identical, scores equal to 1e-9. With HEED_TEST_DATA set to a folder that holds multi30k/, its lines are used too.
"""
import argparse
import json
import logging
import os
import random
import subprocess
import sys
import time

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.utils import Color, _format_score_lines

from parity_text import TextMaker, real_files

BLEU_TOKENIZERS = ["13a", "intl", "zh", "char", "none"]
Color.ENABLE_COLORS = False
logging.getLogger("sacrebleu").setLevel(logging.ERROR)


def bleu_query(tokenizer="13a", lowercase=False, smoothing="exp", smoothing_value=None, effective_order=False,
               max_order=4):
    return dict(metric="bleu", tokenizer=tokenizer, lowercase=lowercase, smoothing=smoothing,
                smoothing_value=smoothing_value, effective_order=effective_order, max_order=max_order)


def chrf_query(char_order=6, word_order=0, beta=2, lowercase=False, whitespace=False, eps_smoothing=False):
    return dict(metric="chrf", char_order=char_order, word_order=word_order, beta=beta, lowercase=lowercase,
                whitespace=whitespace, eps_smoothing=eps_smoothing)


def ter_query(normalized=False, no_punct=False, asian_support=False, case_sensitive=False):
    return dict(metric="ter", normalized=normalized, no_punct=no_punct, asian_support=asian_support,
                case_sensitive=case_sensitive)


def metric_of(query):
    options = {key: value for key, value in query.items()
               if key not in ("kind", "metric", "resamples", "seed", "other")}
    if query["metric"] == "chrf":
        return CHRF(**options)
    if query["metric"] == "ter":
        return TER(**options)
    return BLEU(lowercase=query["lowercase"], tokenize=query["tokenizer"], smooth_method=query["smoothing"],
                smooth_value=query["smoothing_value"], max_ngram_order=query["max_order"],
                effective_order=query["effective_order"], force=True)


def expected_answer(query, hypotheses, references):
    """What the driver must print for one query, from sacreBLEU."""
    if query["kind"] == "tokenize":
        if query["tokenizer"] == "lower":
            return [line.lower() for line in hypotheses]
        if query["tokenizer"] == "tercom":
            flags = ("normalized", "no_punct", "asian_support", "case_sensitive")
            tokenizer = TercomTokenizer(**{flag: query[flag] for flag in flags})
        else:
            tokenizer = _get_tokenizer(query["tokenizer"])()
        return [tokenizer(line) for line in hypotheses]
    metric = metric_of(query)
    if query["kind"] == "corpus":
        statistics = metric._extract_corpus_statistics(hypotheses, references)
        score = metric._aggregate_and_compute(statistics)  # these two calls are corpus_score()
        return [score.score, score.format(width=2), score.format(width=1, signature=str(metric.get_signature())),
                [value for row in statistics for value in row]]
    if query["kind"] == "sentence":
        scores = [metric.sentence_score(line, [stream[i] for stream in references])
                  for i, line in enumerate(hypotheses)]
        return [[score.score, score.format(width=2, signature=str(metric.get_signature()))] for score in scores]
    os.environ["SACREBLEU_SEED"] = str(query["seed"])
    if query["kind"] == "confidence":
        score = metric.corpus_score(hypotheses, references, n_bootstrap=query["resamples"])
        return [float(score._mean), float(score._ci),
                score.format(width=2, signature=str(metric.get_signature()))]
    test = PairedTest([("a", hypotheses), ("b", query["other"])], {"m": metric}, references, test_type="bs",
                      n_samples=query["resamples"])
    name, results = [item for item in test()[1].items() if item[0] != "System"][0]
    printed = list(_format_score_lines({"System": ["a", "b"], name: results}, multiline=False).values())[1]
    return [[result.score, float(result.mean), float(result.ci), result.p_value, text]
            for result, text in zip(results, printed)]


def random_queries(rng):
    """For one nasty file: each tokenizer of BLEU and a few settings of the others."""
    queries = []
    for tokenizer in BLEU_TOKENIZERS:
        smoothing, value = rng.choice([("exp", None), ("exp", None), ("none", None), ("floor", None), ("floor", 0.01),
                                       ("add-k", None), ("add-k", 0.5), ("floor", 0.0)])
        queries.append(bleu_query(tokenizer, rng.random() < 0.4, smoothing, value, rng.random() < 0.5,
                                  rng.choice([4, 4, 4, 1, 2, 6])))
    for _ in range(3):
        flags = [rng.random() < 0.5 for _ in range(3)]
        queries.append(chrf_query(rng.choice([6, 6, 1, 3, 0]), rng.choice([2, 2, 1, 3]), rng.choice([2, 2, 1, 3]), *flags))
    queries.append(chrf_query(lowercase=rng.random() < 0.3, whitespace=rng.random() < 0.3))
    for _ in range(3):
        queries.append(ter_query(*[rng.random() < 0.5 for _ in range(4)]))
    return [dict(query, kind="corpus") for query in queries]


def tokenizer_queries():
    tercom = [ter_query(*[bool(bits >> i & 1) for i in range(4)]) for bits in range(16)]
    return [dict(kind="tokenize", tokenizer=name) for name in BLEU_TOKENIZERS + ["lower"]] + \
        [dict(query, kind="tokenize", tokenizer="tercom") for query in tercom]


def nasty_jobs(maker, count):
    rng = maker.random
    for index in range(count):
        hypotheses, references = maker.nasty_file(index)
        queries = random_queries(rng)
        if index % 10 == 0:
            queries.append(dict(rng.choice(queries), kind="sentence"))
        if index % 10 == 5:
            queries += tokenizer_queries()
        yield f"nasty file {index}", hypotheses, references, queries


def bytes_jobs(maker, count):
    for index in range(count):
        hypotheses = [maker.bad_bytes_line() for _ in range(4)]
        references = [[maker.bad_bytes_line() for _ in range(4)]]
        queries = [dict(query, kind="corpus") for query in (bleu_query("char"), chrf_query(), ter_query())]
        yield f"bad bytes {index}", hypotheses, references, queries


def alphabet_jobs(maker):
    """Every assigned character (of ideographs and private use a sample) between letters, digits and spaces."""
    characters = []
    for category, some in maker.by_category.items():
        characters += maker.random.sample(some, 4000) if category in ("Lo", "Co") else some
    for start in range(0, len(characters), 2000):
        lines = []
        for i in range(start, min(start + 2000, len(characters)), 50):
            some = characters[i:i + 50]
            lines.append(" ".join(f"A{c}B 1{c}2 {c}1{c} {c}" for c in some))
        queries = [dict(kind="tokenize", tokenizer=name) for name in ("13a", "intl", "zh", "lower")]
        queries.append(dict(ter_query(True, True, True, False), kind="tokenize", tokenizer="tercom"))
        yield f"characters from {start}", lines, [], queries


def realistic_jobs(maker, data_folder):
    """Noisy translations with the usual settings, one and two references."""
    sets = [("grammar", [maker.german_line() for _ in range(300)])]
    sets += real_files(data_folder) if data_folder else []
    for name, lines in sets:
        lines = lines[:300]
        queries = [bleu_query(t, lower) for t in BLEU_TOKENIZERS for lower in (False, True)]
        queries += [bleu_query(smoothing=s) for s in ("none", "floor", "add-k")]
        queries += [chrf_query(), chrf_query(word_order=2), chrf_query(eps_smoothing=True), ter_query(normalized=True)]
        hypotheses = [maker.perturb(line, 0.3) for line in lines]
        yield name, hypotheses, [lines], [dict(query, kind="corpus") for query in queries]
        yield name + ", two references", hypotheses, [lines, [maker.perturb(line, 0.15) for line in lines]], \
            [dict(query, kind="corpus") for query in (bleu_query(), chrf_query(word_order=2), ter_query())]
        yield name + ", bootstrap", hypotheses[:200], [lines[:200]], \
            bootstrap_queries([maker.perturb(line, 0.36) for line in lines[:200]], 1000, 12345)


def resampling_jobs(maker):
    """Confidence and significance where rounding, small sizes and zero scores matter."""
    lines = [maker.german_line() for _ in range(60)]
    for size, resamples, seed in ((1, 40, 5), (2, 7, 1), (7, 135, 2**40 + 3), (60, 260, 2**32), (60, 1000, 12345)):
        references = [[maker.perturb(line, 0.2) for line in lines[:size]] for _ in range(3)]
        other = [maker.perturb(line, 0.5) for line in lines[:size]]
        yield f"bootstrap of {size}", lines[:size], references, bootstrap_queries(other, resamples, seed)
    sparse = [line if i % 4 == 0 else "" for i, line in enumerate(lines[:8])]
    queries = bootstrap_queries([""] * 8, 200, 12345)
    yield "bootstrap with zero scores", sparse, [lines[:8]], [query for query in queries if query["kind"] == "paired"]


def bootstrap_queries(other, resamples, seed):
    """Every metric; with few resamples also the rare settings."""
    metrics = [bleu_query(), chrf_query(word_order=2), ter_query()]
    if resamples != 1000:
        metrics += [chrf_query(), chrf_query(eps_smoothing=True)]
        metrics += [bleu_query(smoothing=s) for s in ("floor", "add-k", "none")]
    queries = [dict(metric, kind="paired", other=other) for metric in metrics]
    queries += [dict(metric, kind="confidence") for metric in metrics[:3]]
    return [dict(query, resamples=resamples, seed=seed) for query in queries]


def as_json(line):
    return {"hex": line.hex()} if isinstance(line, bytes) else line


def as_text(line):
    return line.decode("utf-8", errors="replace") if isinstance(line, bytes) else line


def run_driver(driver, jobs):
    document = "".join(json.dumps({"hypotheses": [as_json(line) for line in hypotheses],
                                   "references": [[as_json(line) for line in stream] for stream in references],
                                   "queries": queries}) + "\n" for _, hypotheses, references, queries in jobs)
    done = subprocess.run([driver], input=document, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"metrics_driver failed: {done.stderr}")
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def differences(expected, actual, path=""):
    """Paths of the values that differ: numbers by more than 1e-9, anything else at all."""
    if isinstance(expected, (list, tuple)) and isinstance(actual, list) and len(expected) == len(actual):
        return [found for i, (a, b) in enumerate(zip(expected, actual)) for found in differences(a, b, f"{path}[{i}]")]
    numbers = isinstance(expected, (int, float)) and isinstance(actual, (int, float))
    if numbers and abs(expected - actual) <= 1e-9 * abs(expected) + 1e-12 or expected == actual:
        return []
    return [f"{path}: sacreBLEU {expected!r}, Heed {actual!r}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    maker = TextMaker(random.Random(args.seed))
    jobs = [*nasty_jobs(maker, args.files), *bytes_jobs(maker, 50), *alphabet_jobs(maker),
            *realistic_jobs(maker, os.environ.get("HEED_TEST_DATA")), *resampling_jobs(maker)]
    answers = run_driver(args.driver, jobs)
    if len(answers) != len(jobs):
        sys.exit(f"{len(jobs)} jobs but {len(answers)} answers")
    compared = failed = 0
    for (name, hypotheses, references, queries), answer in zip(jobs, answers):
        hypotheses = [as_text(line) for line in hypotheses]
        references = [[as_text(line) for line in stream] for stream in references]
        for query, actual in zip(queries, answer, strict=True):
            faults = differences(expected_answer(query, hypotheses, references), actual)
            compared += 1
            failed += bool(faults)
            if faults and failed <= 20:
                shown = {key: value for key, value in query.items() if key != "other"}
                print(f"{name} (seed {args.seed}), {shown}:\n  " + "\n  ".join(faults[:3]))
    print(f"sacreBLEU {sacrebleu.__version__}: {len(jobs)} files, {compared - failed} comparisons equal, "
          f"{failed} different, {time.process_time():.0f} s of CPU time")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
