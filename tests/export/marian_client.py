#!/usr/bin/env python3
"""Reads exported Marian directories without Heed and compares them with the model they came from.

usage: marian_client.py cases.json      exit 77 if packages are missing

Cases are those of client_cases.h, in which directory holds the .npz, and bin (the directory with the
.bin), weights (Heed's safetensors file), joint, interleaved, pre_norm and epsilon of the model.
"""
import json
import os
import sys
import tempfile

try:
    import ctranslate2
    import numpy
    import safetensors.numpy
    import sentencepiece
    import yaml
    from ctranslate2.converters import MarianConverter
    from ctranslate2.converters.marian import load_vocab
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import marian_model

KEYS = """
bert-train-type-embeddings bert-type-vocab-size dec-cell dec-cell-base-depth dec-cell-high-depth
dec-depth dim-emb dim-rnn dim-vocabs enc-cell enc-cell-depth enc-depth enc-type factors-combine
factors-dim-emb input-types layer-normalization lemma-dependency lemma-dim-emb output-omit-bias
right-left skip special-vocab tied-embeddings tied-embeddings-all tied-embeddings-src
transformer-aan-activation transformer-aan-depth transformer-aan-nogate transformer-decoder-autoreg
transformer-decoder-dim-ffn transformer-decoder-ffn-depth transformer-depth-scaling
transformer-dim-aan transformer-dim-ffn transformer-ffn-activation transformer-ffn-depth
transformer-guided-alignment-layer transformer-heads transformer-no-projection transformer-pool
transformer-postprocess transformer-postprocess-emb transformer-postprocess-top
transformer-preprocess transformer-rnn-projection transformer-tied-layers
transformer-train-position-embeddings type ulr ulr-dim-emb ulr-trainable-transformation version
""".split()
faults = []


def expect(condition, *message):
    if not condition:
        faults.append(" ".join(str(part) for part in message))


class Wanted:
    """What Marian's arrays must be, made from Heed's weights."""

    def __init__(self, case, width):
        self.weights = safetensors.numpy.load_file(case["weights"])
        self.width = width
        order = numpy.arange(width)
        # Interleaved sinusoids become halves: the even columns, then the odd ones.
        self.order = numpy.concatenate([order[::2], order[1::2]]) if case["interleaved"] else order
        self.suffix = "_pre" if case["pre_norm"] else ""
        self.arrays = {}

    def put(self, name, value):
        self.arrays[name] = value if value.ndim == 2 else value[None]

    def linear(self, theirs, name, ours, part=slice(None), reads=False, writes=False):
        weight = self.weights[f"{ours}.weight"][part]
        bias = self.weights.get(f"{ours}.bias")
        bias = numpy.zeros(len(weight), numpy.float32) if bias is None else bias[part]
        if reads:
            weight = weight[:, self.order]
        if writes:
            weight, bias = weight[self.order], bias[self.order]
        self.put(f"{theirs}_W{name}", weight.T)
        self.put(f"{theirs}_b{name}", bias)

    def norm(self, theirs, ours, suffix):
        self.put(f"{theirs}_ln_scale{suffix}", self.weights[f"{ours}.weight"][self.order])
        self.put(f"{theirs}_ln_bias{suffix}", self.weights[f"{ours}.bias"][self.order])

    def part(self, number):
        return slice(number * self.width, (number + 1) * self.width)

    def layer(self, stack, number):
        theirs, ours = f"{stack}_l{number}", f"{stack}.layer{number}"
        for place, name in enumerate("qkv"):
            self.linear(f"{theirs}_self", name, f"{ours}.self_attention.qkv", self.part(place), reads=True)
        self.linear(f"{theirs}_self", "o", f"{ours}.self_attention.output", writes=True)
        norm = "attention_norm" if stack == "encoder" else "self_attention_norm"
        self.norm(f"{theirs}_self_Wo", f"{ours}.{norm}", self.suffix)
        if stack == "decoder":
            context, cross = f"{theirs}_context", f"{ours}.cross_attention"
            self.linear(context, "q", f"{cross}.query", reads=True)
            for place, name in enumerate("kv"):
                self.linear(context, name, f"{cross}.key_value", self.part(place), reads=True)
            self.linear(context, "o", f"{cross}.output", writes=True)
            self.norm(f"{context}_Wo", f"{cross}_norm", self.suffix)
        self.linear(f"{theirs}_ffn", "1", f"{ours}.feed_forward.up", reads=True)
        self.linear(f"{theirs}_ffn", "2", f"{ours}.feed_forward.down", writes=True)
        self.norm(f"{theirs}_ffn_ffn", f"{ours}.feed_forward_norm", self.suffix)

    def whole_model(self, config):
        for stack, depth in (("encoder", "enc-depth"), ("decoder", "dec-depth")):
            for number in range(1, config[depth] + 1):
                self.layer(stack, number)
            if self.suffix:
                self.norm(f"{stack}_top", f"{stack}.final_norm", "")
        for theirs, ours in (("Wemb", "embedding"), ("encoder_Wemb", "source_embedding"),
                             ("decoder_Wemb", "target_embedding"), ("decoder_ff_logit_out_Wt", "output")):
            if f"{ours}.weight" in self.weights:
                self.put(theirs, self.weights[f"{ours}.weight"][:, self.order])
        bias = self.weights.get("output.bias")
        self.put("decoder_ff_logit_out_b",
                 numpy.zeros(config["dim-vocabs"][1], numpy.float32) if bias is None else bias)
        return self.arrays


def check_arrays(name, case, npz, binary, config):
    wanted = Wanted(case, config["dim-emb"]).whole_model(config)
    for kind, arrays in (("npz", npz), ("bin", binary)):
        expect(set(arrays) == set(wanted) | {marian_model.CONFIG}, name, kind, "has other arrays:",
               set(arrays) ^ set(wanted))
        for array, value in wanted.items():
            got = arrays[array]
            expect(got.dtype == numpy.float32 and got.shape == value.shape and numpy.array_equal(got, value),
                   name, kind, array, got.dtype, got.shape, "differs from", value.shape)
    text = npz[marian_model.CONFIG]
    expect(text.dtype == numpy.int8 and text[-1] == 0 and not (text[:-1] == 0).any(), name, "text of the npz")
    text = binary[marian_model.CONFIG]
    expect(len(text) % marian_model.BLOCK == 0 and text[-1] == 0, name, "text of the bin")
    expect(config == marian_model.config_of(binary), name, "npz and bin hold other options")


def check_config(name, case, config):
    expect(set(config) == set(KEYS), name, "keys of model.yml:", set(config) ^ set(KEYS))
    pre = case["pre_norm"]
    for key, value in (("transformer-preprocess", "n" if pre else ""),
                       ("transformer-postprocess", "da" if pre else "dan"),
                       ("transformer-postprocess-top", "n" if pre else ""),
                       ("transformer-postprocess-emb", "d"), ("transformer-ffn-depth", 2),
                       ("transformer-aan-depth", 2), ("transformer-aan-nogate", False),
                       ("transformer-no-projection", False), ("layer-normalization", False),
                       ("right-left", False), ("type", "transformer"), ("ulr-dim-emb", 0),
                       ("dec-cell-base-depth", 2), ("dec-cell-high-depth", 1)):
        expect(config[key] == value, name, key, "is", config[key])


def check_directory(name, case, kind, config):
    """decoder.yml and vocabularies; returns the YAML vocabularies and the models of both sides."""
    directory = case["bin" if kind == "bin" else "directory"]
    with open(os.path.join(directory, "decoder.yml"), encoding="utf-8") as file:
        decoder = yaml.safe_load(file)
    for key in ("relative-paths", "models", "vocabs", "beam-size", "normalize", "word-penalty",
                "mini-batch", "maxi-batch", "maxi-batch-sort"):
        expect(key in decoder, name, "decoder.yml lacks", key)
    expect(decoder["models"] == [f"model.{kind}"], name, decoder["models"])
    models = [sentencepiece.SentencePieceProcessor(model_file=os.path.join(directory, vocabulary))
              for vocabulary in decoder["vocabs"]]
    files = ["vocab.yml", "vocab.yml"] if case["joint"] else ["src.vocab.yml", "trg.vocab.yml"]
    files = [os.path.join(directory, file) for file in files]
    for model, path, size in zip(models, files, config["dim-vocabs"]):
        pieces = [model.id_to_piece(i) for i in range(model.get_piece_size())]
        with open(path, encoding="utf-8") as file:
            expect(yaml.safe_load(file) == {piece: i for i, piece in enumerate(pieces)}, name, path)
        expect(load_vocab(path) == pieces and len(pieces) == size, name, path, "for CTranslate2")
    return files, models


def check_values(name, case, arrays, models):
    """Marian's formulas on these arrays give what Heed computed."""
    model = marian_model.Model(arrays)
    worst = 0
    for text, source, one in zip(case["texts"], case["source_ids"], case["greedy"]):
        expect(models[0].encode(text) + [models[0].eos_id()] == source, name, "splits", text)
        values = model.log_probabilities(source, numpy.array(one["ids"], int))
        wanted = one["token_log_probabilities"]
        labels = (one["ids"] + [models[1].eos_id()])[:len(wanted)]
        got = values[numpy.arange(len(labels)), labels]
        worst = max(worst, numpy.abs(got - numpy.array(wanted)).max())
    expect(worst <= 1e-4, name, "log-probabilities differ by", worst)
    expect(model.used == set(model.arrays), name, "has arrays of no use:", set(model.arrays) - model.used)
    return worst, model.positions(64)


class WithMariansPositions(MarianConverter):
    """The converter stores other sinusoids than Marian computes, and lacks the epsilon."""

    def __init__(self, *arguments, table, epsilon):
        super().__init__(*arguments)
        self.table, self.epsilon = table, epsilon

    def _load(self):
        spec = super()._load()
        for stack in (spec.encoder, spec.decoder):
            stack.position_encodings.encodings = self.table.astype(numpy.float32)
        spec.config.layer_norm_epsilon = self.epsilon
        return spec


def check_converter(name, case, files, table):
    """The real converter takes the files as they are; with our positions it computes the same."""
    path = os.path.join(case["directory"], "model.npz")
    sources, targets = case["source_pieces"], [one["pieces"] for one in case["greedy"]]
    with tempfile.TemporaryDirectory() as directory:
        plain = os.path.join(directory, "plain")
        MarianConverter(path, files).convert(plain)
        results = ctranslate2.Translator(plain, device="cpu").translate_batch(sources, max_decoding_length=60)
        expect(all(len(result.hypotheses) == 1 for result in results), name, "does not translate")
        exact = os.path.join(directory, "exact")
        WithMariansPositions(path, files, table=table, epsilon=case["epsilon"]).convert(exact)
        translator = ctranslate2.Translator(exact, device="cpu", inter_threads=1, intra_threads=1)
        worst = 0
        for one, result in zip(case["greedy"], translator.score_batch(sources, targets)):
            wanted = one["token_log_probabilities"]
            worst = max(worst, max(abs(a - b) for a, b in zip(result.log_probs, wanted)))
    expect(worst <= 1e-4, name, "converted log-probabilities differ by", worst)
    return worst


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        name = case["name"]
        npz = marian_model.read_npz(os.path.join(case["directory"], "model.npz"))
        binary = marian_model.read_bin(os.path.join(case["bin"], "model.bin"))
        config = marian_model.config_of(npz)
        check_arrays(name, case, npz, binary, config)
        check_config(name, case, config)
        check_directory(name, case, "bin", config)
        files, models = check_directory(name, case, "npz", config)
        worst, table = check_values(name, case, npz, models)
        converted = check_converter(name, case, files, table)
        print(f"{name:<26} log-probabilities within {worst:.1e}, through CTranslate2's converter {converted:.1e}")
    print("\n".join(faults))
    sys.exit(bool(faults))


main()
