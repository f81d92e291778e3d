#!/usr/bin/env python3
"""Loads exported directories with Hugging Face's transformers and compares with what Heed computed.

usage: huggingface_client.py cases.json      exit 77 if packages are missing

A case: name, type, directory, texts, source_ids (of each text, with the end mark), and Heed's
translations "greedy": ids without the end mark, and log-probabilities in nats of each and of the
end mark.
"""
import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import torch
    import transformers
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, PreTrainedTokenizerFast
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOLERANCE = {"float32": 1e-4, "float16": 2e-2, "bfloat16": 2e-1}  # nats, at any token
faults = []


def expect(condition, *message):
    if not condition:
        faults.append(" ".join(str(part) for part in message))


def check_tokenizers(case):
    """Texts become the ids that they are for us, and come back."""
    directory = case["directory"]
    split = {"MarianTokenizer": AutoTokenizer.from_pretrained(directory)}
    path = os.path.join(directory, "tokenizer.json")
    if os.path.exists(path):
        split["tokenizer.json"] = PreTrainedTokenizerFast(
            tokenizer_file=path, pad_token="<pad>", eos_token="</s>", unk_token="<unk>",
            clean_up_tokenization_spaces=False)
    for name, tokenizer in split.items():
        for text, ids in zip(case["texts"], case["source_ids"]):
            found = tokenizer(text)["input_ids"]
            expect(found == ids, case["name"], name, "splits", text, "into", found, "not", ids)
            if os.path.exists(os.path.join(directory, "target_vocab.json")):
                continue  # two vocabularies: texts do not come back from ids of the source's
            back = tokenizer.decode(ids, skip_special_tokens=True)
            expect(back == text, case["name"], name, "joins", ids, "to", repr(back), "not", repr(text))


def padded(rows, value):
    width = max(len(row) for row in rows)
    return torch.tensor([row + [value] * (width - len(row)) for row in rows])


def check_scores(case, model):
    """One padded batch gives our translations the log-probabilities that we gave them."""
    config = model.config
    labels = [one["ids"] + [config.eos_token_id] for one in case["greedy"]]
    inputs = [[config.decoder_start_token_id] + row[:-1] for row in labels]
    source = padded(case["source_ids"], config.pad_token_id)
    mask = padded([[1] * len(row) for row in case["source_ids"]], 0)
    with torch.no_grad():
        logits = model(input_ids=source, attention_mask=mask,
                       decoder_input_ids=padded(inputs, config.pad_token_id)).logits
    scores = torch.log_softmax(logits.float(), dim=-1)
    worst = 0
    for i, (row, one) in enumerate(zip(labels, case["greedy"])):
        for step, (token, wanted) in enumerate(zip(row, one["token_log_probabilities"])):
            worst = max(worst, abs(scores[i, step, token].item() - wanted))
    expect(worst <= TOLERANCE[case["type"]], case["name"], case["type"], "log-probability off by", worst)
    return worst


def check_greedy(case, model):
    source = padded(case["source_ids"], model.config.pad_token_id)
    mask = padded([[1] * len(row) for row in case["source_ids"]], 0)
    with torch.no_grad():
        found = model.generate(input_ids=source, attention_mask=mask, num_beams=1, do_sample=False,
                               max_new_tokens=61, bad_words_ids=[[model.config.pad_token_id]])
    equal = 0
    for number, (ids, one) in enumerate(zip(found.tolist(), case["greedy"])):
        ids = ids[1:]
        end = ids.index(model.config.eos_token_id) if model.config.eos_token_id in ids else 60
        equal += ids[:end] == one["ids"]
        if case["type"] == "float32":
            expect(ids[:end] == one["ids"], case["name"], "sentence", number, ids[:end], "not", one["ids"])
    return equal


def main():
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        model, report = AutoModelForSeq2SeqLM.from_pretrained(
            case["directory"], output_loading_info=True, torch_dtype=torch.float32)
        model.eval()
        for kind in ("missing_keys", "unexpected_keys", "mismatched_keys"):
            expect(not report[kind], case["name"], kind, report[kind])
        check_tokenizers(case)
        worst = check_scores(case, model)
        equal = check_greedy(case, model)
        print(f"{case['name']:<26} {case['type']:<9} log-probabilities within {worst:.1e}, "
              f"greedy equal {equal} of {len(case['texts'])}")
    print("\n".join(faults))
    sys.exit(bool(faults))


main()
