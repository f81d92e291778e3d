#!/usr/bin/env python3
"""Makes models as OPUS-MT gives them out, and compares what Heed does with them with CTranslate2.

usage: opus_client.py directory      exit 77 if packages are missing

The first run finds source.spm and target.spm and writes NAME.zip for each model. The second finds
cases.json too: for each model name and Heed's texts, source_pieces, greedy and beam4, as
client_cases.h says; CTranslate2's own converter makes its model of the same files.
"""
import os
import sys
import tempfile
import zipfile

try:
    import ctranslate2
    import numpy
    import sentencepiece
    import yaml
    from ctranslate2.converters import OpusMTConverter
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from import_checks import compare_translations, expect, run

WIDTH, INNER, HEADS, LAYERS = 16, 24, 2, 2
MODEL = "opus.spm32k-spm32k.transformer-align.model1.npz.best-perplexity.npz"
VOCABULARY = "opus.spm32k-spm32k.vocab.yml"
OPTIONS = {  # as marian 1.9 writes them, as far as they concern the model
    "bert-train-type-embeddings": True, "bert-type-vocab-size": 2, "dec-cell": "gru",
    "dec-cell-base-depth": 2, "dec-cell-high-depth": 1, "dim-rnn": 1024, "enc-cell": "gru",
    "enc-cell-depth": 1, "enc-type": "bidirectional", "input-types": [], "layer-normalization": False,
    "right-left": False, "skip": False, "special-vocab": [], "transformer-aan-activation": "swish",
    "transformer-aan-depth": 2, "transformer-aan-nogate": False,
    "transformer-decoder-autoreg": "self-attention", "transformer-dim-aan": 2048,
    "transformer-ffn-depth": 2, "transformer-guided-alignment-layer": "last",
    "transformer-no-projection": False, "transformer-postprocess-emb": "d",
    "transformer-tied-layers": [], "transformer-train-position-embeddings": False,
    "type": "transformer", "ulr": False, "ulr-dim-emb": 0, "ulr-trainable-transformation": False,
    "version": "v1.9.0 0ff1c1e 2019-12-20 10:19:10 +0000", "enc-depth": LAYERS, "dec-depth": LAYERS,
    "dim-emb": WIDTH, "transformer-dim-ffn": INNER, "transformer-heads": HEADS}
VARIANTS = {
    "opus_swish_tied": {"tied-embeddings-all": True, "transformer-ffn-activation": "swish"},
    "opus_relu_source_tied": {"tied-embeddings-src": True, "transformer-ffn-activation": "relu"},
    "opus_relu_output_tied": {"tied-embeddings": True, "transformer-ffn-activation": "relu"},
    "opus_pre_norm_untied": {"transformer-preprocess": "n", "transformer-postprocess": "da",
                             "transformer-postprocess-top": "n", "transformer-ffn-activation": "relu"}}


def make_arrays(options, pieces, generator):
    """Random parameters, by Marian's names."""
    arrays = {}
    size, pre = len(pieces), "_pre" if options["transformer-preprocess"] == "n" else ""

    def matrix(name, rows, columns):
        arrays[name] = generator.normal(0, (2 / (rows + columns)) ** 0.5, (rows, columns))

    def linear(prefix, letter, rows, columns):
        matrix(f"{prefix}_W{letter}", rows, columns)
        arrays[f"{prefix}_b{letter}"] = generator.normal(0, 0.1, (1, columns))

    def norm(prefix, suffix):
        arrays[f"{prefix}_ln_scale{suffix}"] = generator.normal(1, 0.1, (1, WIDTH))
        arrays[f"{prefix}_ln_bias{suffix}"] = generator.normal(0, 0.1, (1, WIDTH))

    for stack in ("encoder", "decoder"):
        for layer in range(1, LAYERS + 1):
            for block in ("self", "context")[:2 if stack == "decoder" else 1]:
                for letter in "qkvo":
                    linear(f"{stack}_l{layer}_{block}", letter, WIDTH, WIDTH)
                norm(f"{stack}_l{layer}_{block}_Wo", pre)
            linear(f"{stack}_l{layer}_ffn", "1", WIDTH, INNER)
            linear(f"{stack}_l{layer}_ffn", "2", INNER, WIDTH)
            norm(f"{stack}_l{layer}_ffn_ffn", pre)
        if pre:
            norm(f"{stack}_top", "")
    shared = options["tied-embeddings-all"] or options["tied-embeddings-src"]
    for name in ["Wemb"] if shared else ["encoder_Wemb", "decoder_Wemb"]:
        arrays[name] = generator.normal(0, WIDTH ** -0.5, (size, WIDTH))
    if not options["tied-embeddings-all"] and not options["tied-embeddings"]:
        matrix("decoder_ff_logit_out_W", WIDTH, size)  # old versions' name and layout
    bias = generator.normal(0, 0.5, (1, size))
    bias[0, pieces.index("</s>")] += 2.5
    arrays["decoder_ff_logit_out_b"] = bias
    return {name: value.astype(numpy.float32) for name, value in arrays.items()}


def make_pieces(directory):
    """One list for both models, in nobody's order, with marks of languages."""
    pieces = {">>deu<<", ">>fra<<"}
    for name in ("source.spm", "target.spm"):
        model = sentencepiece.SentencePieceProcessor(model_file=os.path.join(directory, name))
        pieces |= {model.id_to_piece(i) for i in range(model.get_piece_size())}
    return ["</s>", "<unk>"] + sorted(pieces - {"</s>", "<unk>"})


def make_model(directory, name, number):
    options = {"tied-embeddings-all": False, "tied-embeddings-src": False, "tied-embeddings": False,
               "transformer-preprocess": "", "transformer-postprocess": "dan",
               "transformer-postprocess-top": "", **OPTIONS, **VARIANTS[name]}
    pieces = make_pieces(directory)
    options["dim-vocabs"] = [len(pieces), len(pieces)]
    arrays = make_arrays(options, pieces, numpy.random.default_rng(number))
    text = yaml.safe_dump(options).encode() + b"\0"
    arrays["special:model.yml"] = numpy.frombuffer(text, numpy.int8)
    path = os.path.join(directory, name)
    os.makedirs(path)
    numpy.savez(os.path.join(path, MODEL), **arrays)
    with open(os.path.join(path, VOCABULARY), "w", encoding="utf-8") as file:
        yaml.safe_dump({piece: i for i, piece in enumerate(pieces)}, file, allow_unicode=True, width=1 << 20)
    with open(os.path.join(path, "decoder.yml"), "w", encoding="utf-8") as file:
        file.write(f"relative-paths: true\nmodels:\n  - {MODEL}\nvocabs:\n  - {VOCABULARY}\n"
                   f"  - {VOCABULARY}\nbeam-size: 6\nnormalize: 1\nword-penalty: 0\nmini-batch: 1\n"
                   "maxi-batch: 1\nmaxi-batch-sort: src\n")
    with zipfile.ZipFile(f"{path}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(os.listdir(path)):
            archive.write(os.path.join(path, file), file)
        for file in ("source.spm", "target.spm"):
            archive.write(os.path.join(directory, file), file)


class WithMariansPositions(OpusMTConverter):
    """The converter stores other sinusoids than Marian computes, and lacks Marian's epsilon."""

    def _load(self):
        spec = super()._load()
        frequencies = 10000 ** (-numpy.arange(WIDTH // 2) / (WIDTH // 2 - 1))
        angles = numpy.arange(2048)[:, None] * frequencies
        table = numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], 1).astype(numpy.float32)
        for stack in (spec.encoder, spec.decoder):
            stack.position_encodings.encodings = table
        spec.config.layer_norm_epsilon = 1e-6
        return spec


def check_case(directory, case):
    with tempfile.TemporaryDirectory() as converted:
        path = os.path.join(converted, "model")
        WithMariansPositions(os.path.join(directory, case["name"])).convert(path)
        translator = ctranslate2.Translator(path, device="cpu", inter_threads=1, intra_threads=1)
        compare_translations(translator, case)


def check_tokenizers(directory, case):
    model = sentencepiece.SentencePieceProcessor(model_file=os.path.join(directory, "source.spm"))
    for text, pieces in zip(case["texts"], case["source_pieces"]):
        expect(model.encode(text, out_type=str) == pieces, case["name"], "cuts", text, "into", pieces)


def check(directory, case):
    check_tokenizers(directory, case)
    check_case(directory, case)


run(VARIANTS, make_model, check)
