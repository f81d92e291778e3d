"""What the PyTorch models share: sizes, parameters and their count, FLOPs, and indexed batches."""

import dataclasses
import math

import torch

LABEL_SMOOTHING = 0.1


@dataclasses.dataclass
class Shape:
    vocabulary: int
    layers: int  # of the encoder, and of the decoder
    width: int
    feed_forward: int
    heads: int
    dropout: float  # of the embeddings and of what is added to the residual
    attention_dropout: float = 0.0
    pre_norm: bool = False

    def parameter_shapes(self):
        """Name -> shape; weights are [out, in]. One embedding serves source, target and output."""
        d, f = self.width, self.feed_forward
        shapes = {"embedding": (self.vocabulary, d), "output.bias": (self.vocabulary,)}

        def linear(name, rows, columns):
            shapes[name + ".weight"], shapes[name + ".bias"] = (rows, columns), (rows,)

        def norm(name):
            shapes[name + ".scale"], shapes[name + ".bias"] = (d,), (d,)

        def block(name, *linears):
            for part, rows, columns in linears:
                linear(f"{name}.{part}", rows, columns)
            norm(name + ".norm")

        attention = (("qkv", 3 * d, d), ("out", d, d))
        feed_forward = (("in", f, d), ("out", d, f))
        for i in range(self.layers):
            block(f"encoder.{i}.self", *attention)
            block(f"encoder.{i}.feed", *feed_forward)
        # Keys and values of all decoder layers are one product: they share their input.
        linear("decoder.cross_kv", self.layers * 2 * d, d)
        for i in range(self.layers):
            block(f"decoder.{i}.self", *attention)
            block(f"decoder.{i}.cross", ("q", d, d), ("out", d, d))
            block(f"decoder.{i}.feed", *feed_forward)
        if self.pre_norm:
            norm("encoder.norm")
            norm("decoder.norm")
        return shapes

    def parameter_count(self):
        """By hand, to check parameter_shapes()."""
        d, f = self.width, self.feed_forward
        feed_forward = 2 * d * f + f + d
        encoder = 4 * (d * d + d) + feed_forward + 2 * 2 * d
        decoder = 8 * (d * d + d) + feed_forward + 3 * 2 * d
        return (self.vocabulary * (d + 1) + self.layers * (encoder + decoder) +
                (4 * d if self.pre_norm else 0))

    def gemm_flops(self, source_tokens, target_tokens):
        """6 x weights x tokens: forward and backward of the weights, not attention's products."""
        d, f = self.width, self.feed_forward
        cross_keys_and_values = 2 * d * d
        by_source = self.layers * (4 * d * d + 2 * d * f + cross_keys_and_values)
        by_target = self.layers * (6 * d * d + 2 * d * f) + self.vocabulary * d
        return 6 * (by_source * source_tokens + by_target * target_tokens)


MODELS = {
    "tiny": Shape(8000, layers=4, width=128, feed_forward=256, heads=4, dropout=0.3),
    "base": Shape(8000, layers=6, width=512, feed_forward=2048, heads=8, dropout=0.1),
}


def initialise(shape, parameters, seed):
    """Xavier for matrices, N(0, 1/width) for the embedding, zero biases."""
    generator = torch.Generator().manual_seed(seed)
    for name, value in parameters.items():
        if name == "embedding":
            value.data.normal_(0, shape.width**-0.5, generator=generator)
        elif name.endswith(".scale"):
            value.data.fill_(1)
        elif name.endswith(".bias"):
            value.data.zero_()
        else:
            rows, columns = value.shape  # of one projection, where several share a matrix
            rows = shape.width if name.endswith((".qkv.weight", "cross_kv.weight")) else rows
            limit = math.sqrt(6 / (rows + columns))
            value.data.copy_(torch.rand(value.shape, generator=generator) * 2 * limit - limit)


def sinusoids(steps, width):
    """[steps, width]: sines in the first half, cosines in the second."""
    frequency = torch.exp(torch.arange(width // 2) * (-math.log(10000.0) / max(1, width // 2 - 1)))
    angle = torch.arange(steps)[:, None] * frequency
    return torch.cat([angle.sin(), angle.cos()], 1)


class Side:
    """Where the tokens of one side of a batch lie, packed and padded."""

    def __init__(self, sentences):
        self.lengths = [len(sentence) for sentence in sentences]
        self.steps, self.tokens = max(self.lengths), sum(self.lengths)
        lengths = torch.tensor(self.lengths)
        self.positions = torch.cat([torch.arange(n) for n in self.lengths])  # [tokens]
        starts = self.starts = lengths.cumsum(0) - lengths
        steps = torch.arange(self.steps)
        self.is_real = steps < lengths[:, None]  # [sentences, steps]
        self.rows = torch.where(self.is_real, starts[:, None] + steps, 0)
        self.is_padded = self.tokens < self.rows.numel()
        # Added to the scores, [sentences, 1, 1, steps].
        self.mask = torch.zeros(self.is_real.shape).masked_fill_(~self.is_real, -math.inf)
        self.mask = self.mask[:, None, None, :]

    def spread(self, parts, heads):
        """Rows of [tokens x parts x heads, head_width] in the order parts, sentences, heads, steps;
        and the way back."""
        offset = torch.arange(parts * heads).view(parts, 1, heads, 1)
        rows = self.rows[None, :, None, :] * (parts * heads) + offset
        to_padded = rows.flatten()
        real = self.is_real[None, :, None, :].expand(rows.shape).flatten()
        to_packed = torch.empty(self.tokens * parts * heads, dtype=torch.int64)
        to_packed[to_padded[real]] = real.nonzero().flatten()
        return to_padded, to_packed


class Batch:
    """A batch with every index that a step needs; made by the data loader, not timed."""

    def __init__(self, batch, shape):
        self.source, self.target = Side(batch["source"]), Side(batch["target"])
        # The decoder starts from a zero vector; id 0 only keeps its place.
        shifted = [[0] + target[:-1] for target in batch["target"]]
        flat = lambda sentences: torch.tensor([i for sentence in sentences for i in sentence])
        self.ids = flat(batch["source"] + shifted)  # [source tokens + target tokens]
        self.first_inputs = self.source.tokens + self.target.starts  # of the decoder
        self.labels = flat(batch["target"])
        self.positions = torch.cat([self.source.positions, self.target.positions])
        heads = shape.heads
        self.source_qkv, self.source_one = (self.source.spread(n, heads) for n in (3, 1))
        self.target_qkv, self.target_one = (self.target.spread(n, heads) for n in (3, 1))
        self.cross_kv = self.source.spread(2 * shape.layers, heads)
        steps = self.target.steps
        self.causal = torch.full((steps, steps), -math.inf).triu_(1)
