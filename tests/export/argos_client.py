#!/usr/bin/env python3
"""Makes packages of Argos Translate with CTranslate2, and compares what Heed does with them.

usage: argos_client.py directory      exit 77 if packages are missing

The first run finds source.spm and writes NAME.argosmodel for each model: as OpenNMT-py's, without an
end mark on sources, a decoder that starts from <s>, and a vocabulary that lacks some pieces. The
second finds cases.json too: for each model name and Heed's texts, source_pieces, greedy and beam4,
as client_cases.h says.
"""
import json
import os
import sys
import zipfile

try:
    import ctranslate2
    import numpy
    import sentencepiece
    from ctranslate2.specs import transformer_spec
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from import_checks import compare_translations, expect, run

WIDTH, INNER, HEADS, LAYERS = 16, 24, 2, 2
NAMES = ["argos_tied", "argos_untied"]


class RandomModel:
    """A pre-norm Transformer of CTranslate2's, as its OpenNMT-py converter fills it."""

    def __init__(self, pieces, is_tied, seed):
        self.generator = numpy.random.default_rng(seed)
        self.spec = transformer_spec.TransformerSpec.from_config((LAYERS, LAYERS), HEADS, pre_norm=True)
        encoder, decoder = self.spec.encoder, self.spec.decoder
        tables = [self.normal(WIDTH ** -0.5, len(pieces), WIDTH) for _ in range(3)]
        encoder.embeddings[0].weight = tables[0]
        decoder.embeddings.weight = tables[0 if is_tied else 1]
        decoder.projection.weight = tables[0 if is_tied else 2]
        decoder.projection.bias = self.normal(0.5, len(pieces))
        decoder.projection.bias[pieces.index("</s>")] += 4  # short translations
        decoder.projection.bias[pieces.index("<s>")] -= 20  # no label in training
        for stack in (encoder, decoder):
            stack.position_encodings.encodings = self.positions()
            self.norm(stack.layer_norm)
            for layer in stack.layer:
                self.attention(layer.self_attention, [3 * WIDTH, WIDTH])
                if stack is decoder:
                    self.attention(layer.attention, [WIDTH, 2 * WIDTH, WIDTH])
                self.linear(layer.ffn.linear_0, INNER, WIDTH)
                self.linear(layer.ffn.linear_1, WIDTH, INNER)
                self.norm(layer.ffn.layer_norm)
        self.spec.register_source_vocabulary(pieces)
        self.spec.register_target_vocabulary(pieces)

    def normal(self, deviation, *shape):
        return self.generator.normal(0, deviation, shape).astype(numpy.float32)

    def linear(self, spec, outputs, inputs):
        spec.weight = self.normal((2 / (inputs + outputs)) ** 0.5, outputs, inputs)
        spec.bias = self.normal(0.1, outputs)

    def norm(self, spec):
        spec.gamma = 1 + self.normal(0.1, WIDTH)
        spec.beta = self.normal(0.1, WIDTH)

    def attention(self, spec, outputs):
        for linear, size in zip(spec.linear, outputs):
            self.linear(linear, size, WIDTH)
        self.norm(spec.layer_norm)

    def positions(self):
        """OpenNMT-py's: sines and cosines in turns."""
        angles = numpy.arange(2048)[:, None] * 10000 ** (-numpy.arange(0, WIDTH, 2) / WIDTH)
        return numpy.stack([numpy.sin(angles), numpy.cos(angles)], 2).reshape(2048, WIDTH).astype(numpy.float32)

    def save(self, directory):
        os.makedirs(directory)
        self.spec.validate()
        self.spec.optimize()
        self.spec.save(directory)


def make_package(directory, name, seed):
    path = os.path.join(directory, "source.spm")
    model = sentencepiece.SentencePieceProcessor(model_file=path)
    known = [model.id_to_piece(i) for i in range(model.get_piece_size())]
    marks = ["<unk>", "<blank>", "<s>", "</s>"]
    pieces = marks + sorted(piece for piece in known[:-5] if piece not in marks)
    converted = os.path.join(directory, name)
    RandomModel(pieces, name == "argos_tied", seed).save(converted)
    with zipfile.ZipFile(f"{converted}.argosmodel", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}/metadata.json", json.dumps({"from_code": "en", "to_code": "de"}))
        archive.write(path, f"{name}/sentencepiece.model")
        for file in sorted(os.listdir(converted)):
            archive.write(os.path.join(converted, file), f"{name}/model/{file}")


def check_case(directory, case):
    translator = ctranslate2.Translator(
        os.path.join(directory, case["name"]), device="cpu", inter_threads=1, intra_threads=1)
    compare_translations(translator, case)


def check_tokenizer(directory, case):
    """Pieces are SentencePiece's, or <unk> where the vocabulary has none."""
    model = sentencepiece.SentencePieceProcessor(model_file=os.path.join(directory, "source.spm"))
    with open(os.path.join(directory, case["name"], "shared_vocabulary.json"), encoding="utf-8") as file:
        listed = set(json.load(file))
    for text, pieces in zip(case["texts"], case["source_pieces"]):
        wanted = [piece if piece in listed else "<unk>" for piece in model.encode(text, out_type=str)]
        expect(wanted == pieces, case["name"], "cuts", text, "into", pieces, "not", wanted)


def check(directory, case):
    check_tokenizer(directory, case)
    check_case(directory, case)


run(NAMES, make_package, check)
