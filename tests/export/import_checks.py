"""What clients that make models for `heed import` share: two runs, and comparing with CTranslate2."""
import json
import os
import sys

faults = []


def expect(condition, *message):
    if not condition:
        faults.append(" ".join(str(part) for part in message))


def compare_translations(translator, case):
    """Scores what Heed found, greedily and with 4 hypotheses, and searches again."""
    sources, worst, equal = case["source_pieces"], 0, 0
    for name, beam in (("greedy", 1), ("beam4", 4)):
        wanted = case[name]
        for one, result in zip(wanted, translator.score_batch(sources, [one["pieces"] for one in wanted])):
            pairs = zip(result.log_probs, one["token_log_probabilities"])
            worst = max(worst, max(abs(a - b) for a, b in pairs))
        found = translator.translate_batch(sources, beam_size=beam, length_penalty=0, return_scores=True,
                                           max_decoding_length=60, min_decoding_length=0)
        for number, (one, result) in enumerate(zip(wanted, found)):
            gap = abs(result.scores[0] - sum(one["token_log_probabilities"]))
            equal += result.hypotheses[0] == one["pieces"]
            expect(result.hypotheses[0] == one["pieces"] or gap < 1e-4, case["name"], name, number,
                   "differs by", gap, "nats:", result.hypotheses[0], "not", one["pieces"])
    expect(worst <= 1e-4, case["name"], "log-probabilities differ by", worst)
    print(f"{case['name']:<24} log-probabilities within {worst:.1e}, equal {equal} of {2 * len(sources)}")


def run(names, make, check):
    """make(directory, name, seed) for each name or, where there is cases.json, check(directory, case)."""
    directory = sys.argv[1]
    path = os.path.join(directory, "cases.json")
    if not os.path.exists(path):
        for seed, name in enumerate(names):
            make(directory, name, seed)
        return
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)
    expect([case["name"] for case in cases] == list(names), "other cases than were made")
    for case in cases:
        check(directory, case)
    print("\n".join(faults))
    sys.exit(bool(faults))
