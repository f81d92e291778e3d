"""The Transformer of Vaswani et al. 2017 in PyTorch, written for speed on the CPU.

The peer in our claims of speed: configs/transformer_tiny.yaml and transformer_base.yaml, the same
parameters and dropout. pytorch_stock.py has the same model out of torch.nn, as oracle.

Axes as in Heed: tokens (packed, no padding), sentences, heads, steps, head_width, model. Only the
attention products see padding; batches come sorted by length, so there is little of it.

What was tried, on 2 cores of an EPYC with AVX2, no AVX-512, torch 1.13.1 (2.6 where it says so):
 - Dropout draws 16 random bits per element with NumPy's SFC64: 0.6-1 ns an element. bernoulli_, in
   nn.Dropout, is serial and takes 8-13 ns, 0.3-0.4 s of a base update; torch's random_ takes 2 ns.
 - Masks stay int8 in memory and widen to float when used: multiplying floats by bool, masked_fill
   and where are not vectorised and take 4 to 20 times as long.
 - Attention: torch.bmm without MKL calls BLAS per matrix, on one thread: 8 GFLOP/s for sentences
   of 16 tokens. NumPy's matmul calls the same BLAS and spends less between calls: 2 to 3.5 times
   as fast, 1 to 29 % of a tiny update; it is the default. torch 2.6's fused kernel (`--attention
   fused`) draws level with it. Four or eight sentences in one product under a block-diagonal mask
   lost, as did multiply-and-sum, and nn.MultiheadAttention (bmm, and more copies).
 - Linear layers and the output see packed tokens, so that padding costs them nothing.
 - Projection and loss in row chunks, with the gradient made in place: little faster than
   F.cross_entropy, but neither the logits nor their logarithms nor gradients ever exist as a whole.
 - Keys and values of all decoder layers in one product; ReLU, dropout in place; denormals flushed.
 - torch.jit has nothing to fuse with on the CPU (Debian builds it without LLVM); channels_last is
   for images. torch.compile (2.6) was not tried: what it could fuse is under 15 % of a step, and
   each batch brings new shapes.
"""

import math

import numpy as np
import torch
from torch.autograd import Function
from torch.nn import functional as F

from pytorch_shape import LABEL_SMOOTHING, sinusoids

LOSS_CHUNK = 1024  # rows of logits at a time: 33 MB at a vocabulary of 8,000


class Spread(Function):
    """[tokens, parts x model] -> [parts, sentences x heads, steps, head_width], padded.

    Padding repeats token 0. Nobody attends to it, and Collect drops its outputs: its gradient is 0.
    """

    @staticmethod
    def forward(ctx, x, index, parts, steps, head_width):
        ctx.to_packed, ctx.shape = index[1], x.shape
        rows = x.view(-1, head_width).index_select(0, index[0])
        return rows.view(parts, -1, steps, head_width)

    @staticmethod
    def backward(ctx, dy):
        dx = dy.reshape(-1, dy.shape[-1]).index_select(0, ctx.to_packed)
        return dx.view(ctx.shape), None, None, None, None


class Collect(Function):
    """[sentences x heads, steps, head_width] -> [tokens, model], without padding."""

    @staticmethod
    def forward(ctx, x, index, tokens):
        ctx.index, ctx.shape = index, x.shape
        return x.view(-1, x.shape[-1]).index_select(0, index[1]).view(tokens, -1)

    @staticmethod
    def backward(ctx, dy):
        to_padded, to_packed = ctx.index
        dy = dy.reshape(to_packed.numel(), -1)
        if to_padded.numel() == to_packed.numel():
            return dy.index_select(0, to_padded).view(ctx.shape), None, None
        dx = dy.new_zeros(to_padded.numel(), dy.shape[-1]).index_copy_(0, to_packed, dy)
        return dx.view(ctx.shape), None, None


def numpy_bmm(x, y):
    return torch.from_numpy(np.matmul(x.numpy(), y.numpy()))


def fused_attention(q, k, v, mask, heads, dropout):
    """The same with torch 2's kernel (`--attention fused`)."""
    split = lambda x: x.view(-1, heads, *x.shape[1:])
    y = F.scaled_dot_product_attention(split(q), split(k), split(v), mask, dropout)
    return y.flatten(0, 1)


class Attention(Function):
    """Scaled dot-product attention on [sentences x heads, steps, head_width] with an added mask.

    Keeps for backward: q, k, v, the probabilities, and with attention dropout its mask.
    """

    @staticmethod
    def forward(ctx, q, k, v, mask, heads, bmm, keep):
        ctx.scale = q.shape[-1]**-0.5
        scores = bmm(q, k.transpose(1, 2)).mul_(ctx.scale)
        if mask is not None:
            scores.view(-1, heads, *scores.shape[1:]).add_(mask)
        p = torch.softmax(scores, -1)
        dropped = p if keep is None else p * keep
        ctx.save_for_backward(q, k, v, p)
        ctx.bmm, ctx.keep = bmm, keep
        return bmm(dropped, v)

    @staticmethod
    def backward(ctx, dy):
        q, k, v, p = ctx.saved_tensors
        dropped = p if ctx.keep is None else p * ctx.keep
        dv = ctx.bmm(dropped.transpose(1, 2), dy)
        dp = ctx.bmm(dy, v.transpose(1, 2))
        if ctx.keep is not None:
            dp.mul_(ctx.keep)
        ds = torch._softmax_backward_data(dp, p, -1, p.dtype).mul_(ctx.scale)
        return ctx.bmm(ds, k), ctx.bmm(ds.transpose(1, 2), q), dv, None, None, None, None


class Dropout:
    """Keeps an element when its 16 random bits are below a threshold."""

    def __init__(self, rate, seed):
        self._threshold = np.int16(round((1 - rate) * 65536) - 32768) if rate > 0 else None
        self.scale = 65536 / round((1 - rate) * 65536)
        self._random = np.random.Generator(np.random.SFC64(seed))

    def keep(self, shape):
        """int8 of `shape`: 1 = keep, 0 = drop; None without dropout."""
        if self._threshold is None:
            return None
        count = math.prod(shape)
        bits = self._random.integers(0, 2**64, -(-count // 4), dtype=np.uint64).view(np.int16)
        return torch.from_numpy(bits[:count] < self._threshold).view(torch.int8).view(shape)

    def factors(self, shape):
        keep = self.keep(shape)
        return None if keep is None else keep.to(torch.float32).mul_(self.scale)


class DropoutAdd(Function):
    """residual + dropout(x), residual may be None. Overwrites x, the fresh output of a product.

    Keeps for backward: the int8 mask.
    """

    @staticmethod
    def forward(ctx, x, residual, keep, scale):
        ctx.keep, ctx.scale = keep, scale
        x.mul_(keep.to(torch.float32))
        if residual is None:
            ctx.mark_dirty(x)
            return x.mul_(scale)
        return torch.add(residual, x, alpha=scale)

    @staticmethod
    def backward(ctx, dy):
        dx = ctx.keep.to(torch.float32).mul_(ctx.scale).mul_(dy)
        return dx, (dy if ctx.needs_input_grad[1] else None), None, None


class CrossEntropy(Function):
    """Tied projection, softmax, label smoothing and both gradients, LOSS_CHUNK rows at a time.

    x [tokens, model], embedding [vocabulary, model], bias [vocabulary], labels [tokens] -> the sum
    over tokens, nats. The gradient is of sum / normaliser.
    """

    @staticmethod
    def forward(ctx, x, embedding, bias, labels, normaliser):
        vocabulary = embedding.shape[0]
        loss, floor = 0.0, LABEL_SMOOTHING / vocabulary
        dx, dembedding, dbias = map(torch.zeros_like, (x, embedding, bias))
        for rows in torch.arange(x.shape[0]).split(LOSS_CHUNK):
            rows = slice(int(rows[0]), int(rows[-1]) + 1)
            label = labels[rows, None]
            g = torch.log_softmax(torch.addmm(bias, x[rows], embedding.t()), 1)
            loss -= (1 - LABEL_SMOOTHING) * float(g.gather(1, label).sum()) + floor * float(g.sum())
            g.exp_().sub_(floor)
            g.scatter_add_(1, label, g.new_full((1, 1), LABEL_SMOOTHING - 1).expand(label.shape))
            torch.mm(g, embedding, out=dx[rows])
            dembedding.addmm_(g.t(), x[rows])
            dbias.add_(g.sum(0))
        for gradient in (dx, dembedding, dbias):
            gradient.mul_(1 / normaliser)
        ctx.save_for_backward(dx, dembedding, dbias)
        return x.new_tensor(loss)

    @staticmethod
    def backward(ctx, dy):
        # `dy` is 1: the loss is what backward() starts from.
        return (*ctx.saved_tensors, None, None)


class TunedTransformer:
    def __init__(self, shape, parameters, seed, attention):
        self.shape, self.parameters = shape, parameters
        self._head_width = shape.width // shape.heads
        self._bmm = numpy_bmm if attention == "numpy" else torch.bmm
        self._is_fused = attention == "fused"
        self._dropout = Dropout(shape.dropout, seed)
        self._attention_dropout = Dropout(shape.attention_dropout, seed + 1)
        self._sinusoids = sinusoids(1024, shape.width)

    def loss(self, batch, normaliser):
        """Summed over the target tokens, nats; its gradient is divided by `normaliser`."""
        source, target = self._embed(batch)
        source_mask = batch.source.mask if batch.source.is_padded else None
        for i in range(self.shape.layers):
            source = self._block(f"encoder.{i}.self", source, self._self_attention,
                                 batch.source_qkv, batch.source_one, batch.source, source_mask)
            source = self._block(f"encoder.{i}.feed", source, self._feed_forward)
        if self.shape.pre_norm:
            source = self._norm("encoder", source)
        memory = Spread.apply(self._linear("decoder.cross_kv", source), batch.cross_kv,
                              2 * self.shape.layers, batch.source.steps, self._head_width).unbind(0)
        for i in range(self.shape.layers):
            target = self._block(f"decoder.{i}.self", target, self._self_attention,
                                 batch.target_qkv, batch.target_one, batch.target, batch.causal)
            target = self._block(f"decoder.{i}.cross", target, self._cross_attention, batch,
                                 memory[2 * i:2 * i + 2], source_mask)
            target = self._block(f"decoder.{i}.feed", target, self._feed_forward)
        if self.shape.pre_norm:
            target = self._norm("decoder", target)
        return CrossEntropy.apply(target, self.parameters["embedding"],
                                  self.parameters["output.bias"], batch.labels, normaliser)

    def _embed(self, batch):
        x = F.embedding(batch.ids, self.parameters["embedding"])
        x.index_fill_(0, batch.first_inputs, 0)
        x = torch.add(self._sinusoids[batch.positions], x, alpha=math.sqrt(self.shape.width))
        return self._dropout_add(x, None).split([batch.source.tokens, batch.target.tokens])

    def _block(self, name, x, function, *arguments):
        if self.shape.pre_norm:
            return self._dropout_add(function(name, self._norm(name, x), *arguments), x)
        return self._norm(name, self._dropout_add(function(name, x, *arguments), x))

    def _self_attention(self, name, x, qkv_index, one_index, side, mask):
        q, k, v = Spread.apply(self._linear(name + ".qkv", x), qkv_index, 3, side.steps,
                               self._head_width).unbind(0)
        return self._attend(name, q, k, v, mask, one_index, side)

    def _cross_attention(self, name, x, batch, memory, mask):
        q = Spread.apply(self._linear(name + ".q", x), batch.target_one, 1, batch.target.steps,
                         self._head_width)[0]
        return self._attend(name, q, *memory, mask, batch.target_one, batch.target)

    def _attend(self, name, q, k, v, mask, index, side):
        heads, dropout = self.shape.heads, self.shape.attention_dropout
        if self._is_fused:
            attended = fused_attention(q, k, v, mask, heads, dropout)
        else:
            keep = self._attention_dropout.factors((q.shape[0], q.shape[1], k.shape[1]))
            attended = Attention.apply(q, k, v, mask, heads, self._bmm, keep)
        return self._linear(name + ".out", Collect.apply(attended, index, side.tokens))

    def _feed_forward(self, name, x):
        return self._linear(name + ".out", self._linear(name + ".in", x).relu_())

    def _linear(self, name, x):
        return F.linear(x, self.parameters[name + ".weight"], self.parameters[name + ".bias"])

    def _norm(self, name, x):
        return F.layer_norm(x, (self.shape.width,), self.parameters[name + ".norm.scale"],
                            self.parameters[name + ".norm.bias"])

    def _dropout_add(self, x, residual):
        keep = self._dropout.keep(x.shape)
        if keep is None:
            return x if residual is None else residual + x
        return DropoutAdd.apply(x, residual, keep, self._dropout.scale)
