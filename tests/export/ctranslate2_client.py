#!/usr/bin/env python3
"""Runs exported directories in CTranslate2 and compares with what Heed computed.

usage: ctranslate2_client.py cases.json      exit 77 if packages are missing

A case: name, type, directory, texts, source_pieces, and Heed's translations "greedy" and "beam4":
pieces, and log-probabilities in nats of each piece and the end mark.
"""
import json
import os
import sys

try:
    import ctranslate2
    import sentencepiece
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# How far the average log-probability of a translation may be off, in nats: float32 differs by the
# order of sums; the others by the rounding of weights, and int8 of activations too, which is coarse
# in models as narrow as these.
TOLERANCE = {"float32": 1e-5, "float16": 5e-3, "bfloat16": 5e-2, "int8": 1.0}
TIE = 1e-4  # nats between two translations that may change places
faults = []


def expect(condition, *message):
    if not condition:
        faults.append(" ".join(str(part) for part in message))


def scores(translator, sources, pieces):
    """Log-probabilities of each piece and the end mark."""
    return [list(result.log_probs) for result in translator.score_batch(sources, pieces)]


def average(values):
    return sum(values) / len(values)


def check_tokenizer(case):
    names = ("sentencepiece.model", "source.spm")
    paths = [os.path.join(case["directory"], name) for name in names]
    path = next(path for path in paths if os.path.exists(path))
    processor = sentencepiece.SentencePieceProcessor(model_file=path)
    for text, pieces in zip(case["texts"], case["source_pieces"]):
        expect(processor.encode(text, out_type=str) == pieces, case["name"], "splits", text)


def check_scores(case, translator, ours):
    """The client gives our translations the log-probabilities that we gave them."""
    theirs = scores(translator, case["source_pieces"], [one["pieces"] for one in ours])
    worst = 0
    for mine, their in zip(ours, theirs):
        wanted = mine["token_log_probabilities"]
        expect(len(their) == len(wanted), case["name"], "scores", len(their), "of", len(wanted))
        worst = max(worst, abs(average(their) - average(wanted)))
    expect(worst <= TOLERANCE[case["type"]], case["name"], case["type"], "average log-probability off by", worst)
    return worst


def check_search(case, translator, name, beam):
    """The client finds what we found, or a translation as good. Returns how many are equal."""
    results = translator.translate_batch(
        case["source_pieces"], beam_size=beam, length_penalty=0, max_decoding_length=60,
        min_decoding_length=0, return_scores=True)
    equal = 0
    for number, (result, mine) in enumerate(zip(results, case[name])):
        if result.hypotheses[0] == mine["pieces"]:
            equal += 1
            continue
        gap = abs(result.scores[0] - sum(mine["token_log_probabilities"]))
        if case["type"] == "float32":
            expect(gap < TIE, case["name"], name, "sentence", number, "differs by", gap, "nats:\n   ",
                   result.scores[0], *result.hypotheses[0], "\n   ",
                   sum(mine["token_log_probabilities"]), *mine["pieces"])
    return equal


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        check_tokenizer(case)
        compute = "int8" if case["type"] == "int8" else "float32"
        translator = ctranslate2.Translator(
            case["directory"], device="cpu", compute_type=compute, inter_threads=1, intra_threads=1)
        worst = max(check_scores(case, translator, case[name]) for name in ("greedy", "beam4"))
        greedy = check_search(case, translator, "greedy", 1)
        beam = check_search(case, translator, "beam4", 4)
        print(f"{case['name']:<26} {case['type']:<9} average log-probability within {worst:.1e}, equal: "
              f"greedy {greedy}, beam 4 {beam} of {len(case['texts'])}")
    print("\n".join(faults))
    sys.exit(bool(faults))


main()
