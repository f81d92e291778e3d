"""The model of pytorch_model.py out of torch.nn, on padded batches.

What the tuned one is checked against, and what shows how much the tuning gained.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from pytorch_shape import LABEL_SMOOTHING, sinusoids


class StockTransformer(nn.Module):
    """torch.nn's layers; they also drop attention weights and activations."""

    def __init__(self, shape, parameters):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Parameter(torch.empty(shape.vocabulary, shape.width))
        self.output_bias = nn.Parameter(torch.empty(shape.vocabulary))
        options = dict(dim_feedforward=shape.feed_forward, dropout=shape.dropout, batch_first=True,
                       norm_first=shape.pre_norm)
        # The last norms of nn.Transformer are not in the post-norm model.
        norm = (lambda: nn.LayerNorm(shape.width)) if shape.pre_norm else (lambda: None)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(shape.width, shape.heads, **options), shape.layers, norm(),
            enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(shape.width, shape.heads, **options), shape.layers, norm())
        self._sinusoids = sinusoids(1024, shape.width)
        with torch.no_grad():
            for name, rows, parameter, own_rows in stock_parameters(self, shape):
                parameter[own_rows] = parameters[name][rows]

    def _embed(self, ids, starts_with_zero):
        x = F.embedding(ids, self.embedding) * math.sqrt(self.shape.width)
        if starts_with_zero:
            x = torch.cat([torch.zeros_like(x[:, :1]), x[:, 1:]], 1)
        return F.dropout(x + self._sinusoids[:ids.shape[1]], self.shape.dropout, self.training)

    def loss(self, batch, normaliser):
        pad = lambda parts: nn.utils.rnn.pad_sequence(parts, batch_first=True)
        ids = batch.ids.split([batch.source.tokens, batch.target.tokens])
        source, target = (pad(x.split(side.lengths)) for x, side in zip(ids, (batch.source,
                                                                              batch.target)))
        padding = ~batch.source.is_real
        memory = self.encoder(self._embed(source, False), src_key_padding_mask=padding)
        y = self.decoder(self._embed(target, True), memory, tgt_mask=batch.causal,
                         memory_key_padding_mask=padding)
        logits = F.linear(y[batch.target.is_real], self.embedding, self.output_bias)
        return F.cross_entropy(logits, batch.labels, reduction="sum",
                               label_smoothing=LABEL_SMOOTHING)


def stock_parameters(model, shape):
    """(our name, rows of ours, torch.nn's parameter, rows of it), for every parameter."""
    everything, d = slice(None), shape.width
    pairs = [("embedding", everything, model.embedding, everything),
             ("output.bias", everything, model.output_bias, everything)]

    def linear(name, weight, bias, rows=everything, own_rows=everything):
        pairs.extend([(name + ".weight", rows, weight, own_rows),
                      (name + ".bias", rows, bias, own_rows)])

    def norm(name, module):
        pairs.extend([(name + ".norm.scale", everything, module.weight, everything),
                      (name + ".norm.bias", everything, module.bias, everything)])

    def layer(name, module):
        attention = module.self_attn
        linear(name + ".self.qkv", attention.in_proj_weight, attention.in_proj_bias)
        linear(name + ".self.out", attention.out_proj.weight, attention.out_proj.bias)
        linear(name + ".feed.in", module.linear1.weight, module.linear1.bias)
        linear(name + ".feed.out", module.linear2.weight, module.linear2.bias)
        norm(name + ".self", module.norm1)

    for i, module in enumerate(model.encoder.layers):
        layer(f"encoder.{i}", module)
        norm(f"encoder.{i}.feed", module.norm2)
    for i, module in enumerate(model.decoder.layers):
        name, attention = f"decoder.{i}", module.multihead_attn
        layer(name, module)
        weight, bias = attention.in_proj_weight, attention.in_proj_bias
        linear(name + ".cross.q", weight, bias, own_rows=slice(d))
        linear("decoder.cross_kv", weight, bias, slice(2 * d * i, 2 * d * (i + 1)), slice(d, None))
        linear(name + ".cross.out", attention.out_proj.weight, attention.out_proj.bias)
        norm(name + ".cross", module.norm2)
        norm(name + ".feed", module.norm3)
    if shape.pre_norm:
        norm("encoder", model.encoder.norm)
        norm("decoder", model.decoder.norm)
    return pairs
