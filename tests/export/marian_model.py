"""Reads Marian's model files and computes what such a model does, in NumPy float64.

Written from Marian's sources (common/binary.cpp, common/io.cpp, models/transformer.h), without a
look at Heed's: names, shapes and values that Heed writes must mean here what they mean there.
"""
import struct

import numpy
import yaml

CONFIG = "special:model.yml"
TYPES = {0x101: numpy.int8, 0x404: numpy.float32}
BLOCK = 256  # bytes; every array of a .bin starts at a multiple of it


def read_npz(path):
    with numpy.load(path) as file:
        return {name: file[name] for name in file.files}


def read_bin(path):
    data = open(path, "rb").read()
    version, count = struct.unpack_from("<QQ", data, 0)
    if version != 1:
        raise ValueError(f"version {version}")
    headers = [struct.unpack_from("<QQQQ", data, 16 + 32 * i) for i in range(count)]
    position = 16 + 32 * count
    names, shapes, arrays = [], [], {}
    for length, *_ in headers:
        names.append(data[position:position + length - 1].decode("ascii"))
        if data[position + length - 1] != 0:
            raise ValueError(f"the name {names[-1]} has no end")
        position += length
    for _, _, rank, _ in headers:
        shapes.append(struct.unpack_from(f"<{rank}i", data, position))
        position += 4 * rank
    position += 8 + struct.unpack_from("<Q", data, position)[0]
    for name, shape, (_, kind, _, size) in zip(names, shapes, headers):
        if position % BLOCK != 0 or size % BLOCK != 0:
            raise ValueError(f"{name} lies at {position} with {size} bytes")
        if name in arrays:
            raise ValueError(f"{name} comes twice")
        kind = TYPES[kind]
        arrays[name] = numpy.frombuffer(data, kind, int(numpy.prod(shape)), position).reshape(shape)
        position += size
    if position != len(data):
        raise ValueError(f"{len(data) - position} bytes follow the last array")
    return arrays


def config_of(arrays):
    """model.yml: everything before the zero bytes at the end of the text."""
    return yaml.safe_load(arrays[CONFIG].tobytes().rstrip(b"\0"))


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - numpy.log(numpy.exp(x).sum(-1, keepdims=True))


class Model:
    def __init__(self, arrays, epsilon=1e-6):
        self.arrays = {name: value.astype(numpy.float64) for name, value in arrays.items() if name != CONFIG}
        self.config = config_of(arrays)
        self.epsilon = epsilon
        self.used = set()

    def get(self, name):
        self.used.add(name)
        return self.arrays[name]

    def norm(self, x, prefix, suffix):
        x = x - x.mean(-1, keepdims=True)
        x = x / numpy.sqrt((x * x).mean(-1, keepdims=True) + self.epsilon)
        return x * self.get(f"{prefix}_ln_scale{suffix}") + self.get(f"{prefix}_ln_bias{suffix}")

    def process(self, operations, x, before, prefix, suffix):
        for operation in operations:
            if operation == "n":
                x = self.norm(x, prefix, suffix)
            elif operation == "a":
                x = x + before
        return x

    def affine(self, x, prefix, name):
        return x @ self.get(f"{prefix}_W{name}") + self.get(f"{prefix}_b{name}")

    def sublayer(self, x, prefix, compute):
        y = self.process(self.config["transformer-preprocess"], x, x, prefix, "_pre")
        return self.process(self.config["transformer-postprocess"], compute(y), x, prefix, "")

    def attention(self, x, prefix, memory, causal):
        def compute(query):
            keys = query if memory is None else memory
            heads = self.config["transformer-heads"]
            q, k, v = (
                self.affine(source, prefix, name).reshape(len(source), heads, -1).transpose(1, 0, 2)
                for source, name in ((query, "q"), (keys, "k"), (keys, "v")))
            scores = q @ k.transpose(0, 2, 1) / numpy.sqrt(q.shape[-1])
            if causal:
                scores += numpy.triu(numpy.full(scores.shape[-2:], -1e9), 1)
            values = numpy.exp(log_softmax(scores)) @ v
            return self.affine(values.transpose(1, 0, 2).reshape(len(query), -1), prefix, "o")
        return self.sublayer(x, f"{prefix}_Wo", compute)

    def feed_forward(self, x, prefix):
        act = {"relu": lambda y: numpy.maximum(y, 0),
               "swish": lambda y: y / (1 + numpy.exp(-y)),
               "gelu": lambda y: y / (1 + numpy.exp(-1.702 * y))}[self.config["transformer-ffn-activation"]]
        return self.sublayer(
            x, f"{prefix}_ffn", lambda y: self.affine(act(self.affine(y, prefix, "1")), prefix, "2"))

    def positions(self, count):
        half = self.config["dim-emb"] // 2
        angles = numpy.outer(numpy.arange(count), 10000.0 ** (-numpy.arange(half) / (half - 1)))
        return numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], 1)

    def table(self, stack):
        return self.get("Wemb" if "Wemb" in self.arrays else f"{stack}_Wemb")

    def top(self, x, stack):
        return self.process(self.config["transformer-postprocess-top"], x, None, f"{stack}_top", "")

    def log_probabilities(self, source, target):
        """[target + 1, vocabulary]; source ends with the end mark, target lacks it."""
        width = self.config["dim-emb"]
        x = self.table("encoder")[source] * numpy.sqrt(width) + self.positions(len(source))
        for layer in range(1, self.config["enc-depth"] + 1):
            x = self.attention(x, f"encoder_l{layer}_self", None, False)
            x = self.feed_forward(x, f"encoder_l{layer}_ffn")
        memory = self.top(x, "encoder")
        table = self.table("decoder")
        y = numpy.concatenate([numpy.zeros((1, width)), table[target].reshape(len(target), width)])
        y = y * numpy.sqrt(width) + self.positions(len(y))
        for layer in range(1, self.config["dec-depth"] + 1):
            y = self.attention(y, f"decoder_l{layer}_self", None, True)
            y = self.attention(y, f"decoder_l{layer}_context", memory, False)
            y = self.feed_forward(y, f"decoder_l{layer}_ffn")
        y = self.top(y, "decoder")
        tied = self.config["tied-embeddings"] or self.config["tied-embeddings-all"]
        output = table if tied else self.get("decoder_ff_logit_out_Wt")
        return log_softmax(y @ output.T + self.get("decoder_ff_logit_out_b"))
