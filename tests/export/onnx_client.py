#!/ usr / bin / env python3
"""Runs exported ONNX files in ONNX Runtime and compares with what Heed computed.

usage: onnx_client.py cases.json      exit 77 if packages are missing

A case: name, type, directory, source_ids (of each text, with the end mark), and Heed's translations
"greedy": ids without the end mark, and log-probabilities in nats of each and of the end mark.
"""
import glob
import json
import os
import sys

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

#nats : largest difference of a token's log-probability, and mean
TOLERANCE = {"float32": (1e-4, 1e-5), "float16": (5e-2, 5e-3), "int8": (2, 0.2)}
SUFFIX = {"float32": "", "float16": "_fp16", "int8": "_int8"}
faults = []


def expect(condition, *message):
    if not condition:
        faults.append(" ".join(str(part) for part in message))


def padded(rows, value):
    width = max(len(row) for row in rows)
    return numpy.array([row + [value] * (width - len(row)) for row in rows], dtype=numpy.int64)


def log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - numpy.log(numpy.exp(shifted).sum(axis=-1, keepdims=True))


class Model:
    """An exported directory, used as any client of its files would."""

    def __init__(self, directory, kind):
        with open(os.path.join(directory, "config.json"), encoding="utf-8") as file:
            self.config = json.load(file)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.paths = [os.path.join(directory, "onnx", name + SUFFIX[kind] + ".onnx")
                      for name in ("encoder_model", "decoder_model_merged")]
        self.encoder, self.decoder = [
            onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            for path in self.paths]
        self.outputs = [output.name for output in self.decoder.get_outputs()]

    def encode(self, source_ids):
        ids = padded(source_ids, self.config["pad_token_id"])
        mask = padded([[1] * len(row) for row in source_ids], 0)
        states, = self.encoder.run(None, {"input_ids": ids, "attention_mask": mask})
        return {"encoder_attention_mask": mask, "encoder_hidden_states": states}

    def no_past(self, sentences):
        """Every size that has a name but the batch's is 0 at first."""
        past = {}
        for port in self.decoder.get_inputs():
            if port.name.startswith("past_key_values."):
                shape = [size if isinstance(size, int) else 0 for size in port.shape]
                past[port.name] = numpy.zeros([sentences] + shape[1:], dtype=numpy.float32)
        return past

    def decode(self, ids, memory, past):
        """Logits of the new tokens, and the past with them; what is of the source stays."""
        feed = {"input_ids": ids, **memory, **past}
        results = dict(zip(self.outputs, self.decoder.run(None, feed)))
        logits = results.pop("logits")
        present = {name.replace("present", "past_key_values"): value
                   for name, value in results.items()}
        for name, value in past.items():
            if ".encoder." in name and value.shape[2] > 0:
                present[name] = value
        return logits, present

    def greedy(self, source_ids, most):
        memory = self.encode(source_ids)
        sentences = len(source_ids)
        past = self.no_past(sentences)
        ids = numpy.full((sentences, 1), self.config["decoder_start_token_id"], dtype=numpy.int64)
        rows, is_done = [[] for _ in source_ids], [False] * sentences
        for _ in range(most):
            logits, past = self.decode(ids, memory, past)
            ids = logits[:, -1:].argmax(axis=-1)
            for i, token in enumerate(ids[:, 0].tolist()):
                is_done[i] = is_done[i] or token == self.config["eos_token_id"]
                if not is_done[i]:
                    rows[i].append(token)
            if all(is_done):
                break
        return rows


def check_files(case, model):
    for path in model.paths:
        onnx.checker.check_model(path, full_check=True)
    found = glob.glob(os.path.join(case["directory"], "**", "*.onnx"), recursive=True)
    expect(sorted(found) == sorted(model.paths), case["name"], "has", found)


def teacher_inputs(case, model):
    labels = [one["ids"] + [model.config["eos_token_id"]] for one in case["greedy"]]
    starts = [[model.config["decoder_start_token_id"]] + row[:-1] for row in labels]
    return labels, padded(starts, model.config["pad_token_id"])


def check_scores(case, model):
    """One padded batch gives our translations the log-probabilities that we gave them."""
    labels, inputs = teacher_inputs(case, model)
    logits, _ = model.decode(inputs, model.encode(case["source_ids"]), model.no_past(len(inputs)))
    scores = log_softmax(logits)
    differences = [abs(scores[i, step, token] - wanted)
                   for i, row in enumerate(labels)
                   for step, (token, wanted) in enumerate(
                       zip(row, case["greedy"][i]["token_log_probabilities"]))]
    worst, mean = max(differences), sum(differences) / len(differences)
    most, most_mean = TOLERANCE[case["type"]]
    expect(worst <= most and mean <= most_mean, case["name"], case["type"],
           "log-probabilities off by", worst, "on average by", mean)
    return worst, mean, logits


def check_cache(case, model, whole):
    """Steps of 1, 2, 3, ... tokens on the growing cache give the logits of all at once."""
    _, inputs = teacher_inputs(case, model)
    memory, past = model.encode(case["source_ids"]), model.no_past(len(inputs))
    parts, first, size = [], 0, 1
    while first < inputs.shape[1]:
        logits, past = model.decode(inputs[:, first:first + size], memory, past)
        parts.append(logits)
        first, size = first + size, size + 1
    worst = numpy.abs(numpy.concatenate(parts, axis=1) - whole).max()
#In int8, one scale serves all that is computed at once, so that nothing is equal.
    if case["type"] != "int8":
        expect(worst <= TOLERANCE[case["type"]][0], case["name"], case["type"],
               "with a cache logits are off by", worst)
    return worst


def check_greedy(case, model):
    equal = 0
    for number, (ids, one) in enumerate(zip(model.greedy(case["source_ids"], 60), case["greedy"])):
        equal += ids == one["ids"]
        if case["type"] == "float32":
            expect(ids == one["ids"], case["name"], "sentence", number, ids, "not", one["ids"])
    return equal


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        model = Model(case["directory"], case["type"])
        check_files(case, model)
        worst, mean, logits = check_scores(case, model)
        off = check_cache(case, model, logits)
        equal = check_greedy(case, model)
        print(f"{case['name']:<26} {case['type']:<8} log-probabilities within {worst:.1e}, on "
              f"average {mean:.1e}; with a cache {off:.1e}; greedy equal {equal} of "
              f"{len(case['source_ids'])}")
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
