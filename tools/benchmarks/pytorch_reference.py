#!/usr/bin/env python3
"""The peer in our claims of speed: a competent PyTorch trainer of the same model, data, threads.

pytorch_setup.sh installs what it needs and prints the command with the libraries at their best; see
README.md. `--workers 2` splits each batch over two processes with one gradient, as Marian's
synchronous workers do: everything outside BLAS that PyTorch runs on one thread then runs on all.

The update: Adam (0.9, 0.98, 1e-9), inverse square root schedule with warm-up, clipping by the
global norm, loss over the exact number of target tokens. Parameters, gradients and Adam's moments
are flat, and Adam walks them in pieces that stay in the cache; torch.optim's foreach, which
`--implementation stock` uses, goes through all of memory for each of its operations.
"""

import argparse
import ctypes
import json
import math
import mmap
import multiprocessing
import os
import platform
import statistics
import sys
import time

import torch

import batches
from pytorch_model import TunedTransformer
from pytorch_shape import MODELS, Batch, initialise
from pytorch_stock import StockTransformer, stock_parameters

PIECE = 1 << 16  # elements of Adam's state at a time: 4 arrays of 256 KB


def shared_zeros(count):
    """Zeros that worker processes share; /dev/shm is often too small in a container."""
    dtype = torch.get_default_dtype()
    return torch.frombuffer(mmap.mmap(-1, 8 * count), dtype=dtype)[:count]


class FlatState:
    """What the workers share: parameters, one gradient per worker, moments, and a few scalars."""

    def __init__(self, shape, workers, seed):
        shapes = shape.parameter_shapes()
        self.count = sum(math.prod(s) for s in shapes.values())
        self.values, self.mean, self.variance = (shared_zeros(self.count) for _ in range(3))
        self.gradients = [shared_zeros(self.count) for _ in range(workers)]
        self.squares, self.losses = shared_zeros(workers), shared_zeros(workers)
        self._shapes = shapes
        initialise(shape, self.parameters(), seed)

    def parameters(self, worker=0):
        """Name -> parameter, views of the flat values; `grad` is a view of the worker's own."""
        result, at = {}, 0
        for name, shape in self._shapes.items():
            end = at + math.prod(shape)
            result[name] = torch.nn.Parameter(self.values[at:end].view(shape))
            result[name].grad = self.gradients[worker][at:end].view(shape)
            at = end
        return result

    def bytes(self):
        return 4 * self.count * (3 + len(self.gradients))


def learning_rate(update, args):
    return args.learning_rate * min(update / args.warmup_updates,
                                    math.sqrt(args.warmup_updates / update))


@torch.no_grad()
def adam(state, part, update, rate, scale):
    """One step on the elements `part`; clears the gradients. Kingma and Ba 2015, section 2, end."""
    beta1, beta2, epsilon = 0.9, 0.98, 1e-9
    correction = math.sqrt(1 - beta2**update)
    for at in range(part.start, part.stop, PIECE):
        piece = slice(at, min(at + PIECE, part.stop))
        g, m, v = state.gradients[0][piece], state.mean[piece], state.variance[piece]
        m.mul_(beta1).add_(g, alpha=(1 - beta1) * scale)
        v.mul_(beta2).addcmul_(g, g, value=(1 - beta2) * scale * scale)
        denominator = v.sqrt().add_(epsilon * correction)
        state.values[piece].addcdiv_(m, denominator, value=-rate * correction / (1 - beta1**update))
        for gradient in state.gradients:
            gradient[piece].zero_()


def train_tuned(args, shape, data, worker, state, barrier):
    """Runs the updates; every worker reduces, clips and steps its own share of the parameters."""
    share = -(-state.count // args.workers)
    part = slice(worker * share, min((worker + 1) * share, state.count))
    model = TunedTransformer(shape, state.parameters(worker), args.seed + 100 * worker,
                             args.attention)
    own = [Batch(split(batch, args.workers)[worker], shape) for batch in data]
    totals = [batches.count_tokens(batch["target"]) for batch in data]
    results = []
    for update in range(1, args.warmup + args.updates + 1):
        barrier()
        start = time.perf_counter()
        i = (update - 1) % len(data)
        loss = model.loss(own[i], totals[i])
        loss.backward()
        state.losses[worker] = loss.item()
        barrier()
        for gradient in state.gradients[1:]:
            state.gradients[0][part] += gradient[part]
        state.squares[worker] = torch.dot(state.gradients[0][part], state.gradients[0][part])
        barrier()
        norm = math.sqrt(state.squares.sum().item())
        adam(state, part, update, learning_rate(update, args),
             min(1.0, args.clip_norm / (norm + 1e-6)))
        barrier()
        results.append((time.perf_counter() - start, state.losses.sum().item() / totals[i], norm))
    return results


def train_stock(args, shape, data, state):
    """torch.nn's layers, torch.optim's Adam (foreach), gradients set to none."""
    model = StockTransformer(shape, state.parameters())
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, foreach=True)
    own = [Batch(batch, shape) for batch in data]
    results = []
    for update in range(1, args.warmup + args.updates + 1):
        start = time.perf_counter()
        batch = own[(update - 1) % len(own)]
        optimizer.zero_grad(set_to_none=True)
        loss = model.loss(batch, 1) / batch.target.tokens
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip_norm).item()
        optimizer.param_groups[0]["lr"] = learning_rate(update, args)
        optimizer.step()
        results.append((time.perf_counter() - start, loss.item(), norm))
    return results


def split(batch, workers):
    """Every worker-th pair, so that the parts have like lengths."""
    return [{side: batch[side][i::workers] for side in ("source", "target")}
            for i in range(workers)]


def memory_of_process():
    """(peak private bytes, resident bytes of files) of this process, without the shared state."""
    status = {}
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            key, value = line.split(":", 1)
            status[key] = value.split()
    kilobytes = lambda key: int(status[key][0])
    files = kilobytes("RssFile")
    return 1024 * (kilobytes("VmHWM") - kilobytes("RssShmem") - files), 1024 * files


def run_workers(args, shape, data, state):
    """Forks the workers, before any thread starts; rank 0's results and the peak memory of all."""
    if args.workers == 1:
        torch.set_num_threads(args.threads)
        if args.implementation == "stock":
            results = train_stock(args, shape, data, state)
        else:
            results = train_tuned(args, shape, data, 0, state, lambda: None)
        private, files = memory_of_process()
        shared = 0 if args.implementation == "stock" else state.bytes()
        return results, private + files + shared
    context = multiprocessing.get_context("fork")
    barrier, queue = context.Barrier(args.workers), context.SimpleQueue()

    def work(worker):
        try:
            torch.set_num_threads(max(1, args.threads // args.workers))
            results = train_tuned(args, shape, data, worker, state, barrier.wait)
            queue.put((worker, results, memory_of_process()))
        except BaseException:
            barrier.abort()  # or the others wait for ever
            queue.put((worker, None, None))
            raise

    processes = [context.Process(target=work, args=(worker,)) for worker in range(args.workers)]
    for process in processes:
        process.start()
    reports = sorted((queue.get() for _ in processes), key=lambda report: report[0])
    for process in processes:
        process.join()
    if any(results is None for _, results, _ in reports):
        raise SystemExit("a worker failed, see above")
    memory = [memory for _, _, memory in reports]
    return reports[0][1], sum(m[0] for m in memory) + max(m[1] for m in memory) + state.bytes()


def check(args, shape, data):
    """The tuned model's loss and every gradient against torch.nn's, without dropout, in double."""
    shape.dropout = shape.attention_dropout = 0.0
    torch.set_default_dtype(torch.float64)
    state = FlatState(shape, 1, args.seed)
    assert state.count == shape.parameter_count(), (state.count, shape.parameter_count())
    parameters = state.parameters()
    # Every bias and scale off its special value, or errors in them would not show.
    state.values.add_(torch.empty_like(state.values).uniform_(-0.05, 0.05))
    stock = StockTransformer(shape, parameters)
    assert sum(p.numel() for p in stock.parameters()) == state.count
    tuned = TunedTransformer(shape, parameters, 1, args.attention)
    worst = 0.0
    for one in data:
        batch = Batch(one, shape)
        tokens = batches.count_tokens(one["target"])
        state.gradients[0].zero_()
        stock.zero_grad()
        loss = tuned.loss(batch, tokens)
        loss.backward()
        expected = stock.loss(batch, 1)
        (expected / tokens).backward()
        worst = max(worst, abs(loss.item() / expected.item() - 1))
        largest = max(p.grad.abs().max().item() for p in stock.parameters())
        for name, rows, parameter, own_rows in stock_parameters(stock, shape):
            error = (parameters[name].grad[rows] - parameter.grad[own_rows]).abs().max().item()
            worst = max(worst, error / largest)
    print(f"{len(data)} batches, {state.count} parameters: largest error {worst:.1e} (relative)")
    if not worst < 1e-9:
        raise SystemExit("the tuned model differs from torch.nn's")


def blas_description():
    """OpenBLAS' own words, among them the kernel it chose for this CPU."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
    except OSError:
        return "not OpenBLAS"
    library.openblas_get_config.restype = library.openblas_get_corename.restype = ctypes.c_char_p
    parallel = {0: "sequential", 1: "pthreads", 2: "OpenMP"}[library.openblas_get_parallel()]
    return (f"{library.openblas_get_config().decode()}; kernel "
            f"{library.openblas_get_corename().decode()}; {parallel}")


def loaded(name):
    with open("/proc/self/maps", encoding="utf-8") as file:
        return name in file.read()


def warn_of_slow_settings():
    problems = []
    if "OpenMP" not in blas_description():
        problems.append("BLAS is not OpenBLAS with OpenMP")
    if not loaded("tcmalloc"):
        problems.append("tcmalloc is not preloaded")
    for key in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        if key in os.environ:
            problems.append(f"{key} is set")
    if problems:
        print(f"warning: {'; '.join(problems)}: not the best settings, see pytorch_setup.sh",
              file=sys.stderr)


def report(args, shape, data, state, results, peak):
    timed = results[args.warmup:]
    seconds = [second for second, _, _ in timed]
    chosen = [data[(args.warmup + i) % len(data)] for i in range(args.updates)]
    target = [batches.count_tokens(batch["target"]) for batch in chosen]
    source = [batches.count_tokens(batch["source"]) for batch in chosen]
    flops = [shape.gemm_flops(s, t) for s, t in zip(source, target)]
    median = statistics.median(sorted(t / s for t, s in zip(target, seconds)))
    return {
        "model": args.model, "implementation": args.implementation, "attention": args.attention,
        "workers": args.workers, "threads": args.threads, "updates": args.updates,
        "parameters": state.count,
        "tokens_per_second": sum(target) / sum(seconds), "tokens_per_second_median": median,
        "target_tokens_per_update": sum(target) / len(target),
        "source_tokens_per_update": sum(source) / len(source),
        "seconds_per_update": {"median": statistics.median(seconds), "min": min(seconds),
                               "max": max(seconds)},
        "gemm_flops_per_update": sum(flops) / len(flops),
        "gemm_gflops_per_second": sum(flops) / sum(seconds) / 1e9,
        "peak_rss_bytes": peak,
        "loss": [round(loss, 4) for _, loss, _ in results],
        "gradient_norm": [round(norm, 4) for _, _, norm in results],
        "versions": {"torch": torch.__version__, "python": platform.python_version()},
        "blas": blas_description(), "tcmalloc": loaded("tcmalloc"),
    }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", choices=MODELS, default="tiny")
    parser.add_argument("--data", nargs="+", metavar="FILE", help="batches, see batches.py")
    parser.add_argument("--synthetic", action="store_true", help="batches with Multi30k's lengths")
    parser.add_argument("--target-tokens", type=int,
                        help="of a synthetic batch; base: 2048, tiny: 4096")
    parser.add_argument("--vocabulary", type=int, default=batches.VOCABULARY)
    parser.add_argument("--limit-batches", type=int, help="use only the first so many")
    parser.add_argument("--write-batches", metavar="FILE", help="write the batches and leave")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--workers", type=int, default=1, help="processes that share the threads")
    parser.add_argument("--implementation", choices=["tuned", "stock"], default="tuned")
    parser.add_argument("--attention", choices=["numpy", "torch", "fused"], default="numpy",
                        help="who does the batched products, see pytorch_model.py")
    parser.add_argument("--updates", type=int, default=10, help="timed")
    parser.add_argument("--warmup", type=int, default=3, help="updates before the timed ones")
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="the peak")
    parser.add_argument("--warmup-updates", type=int, default=4000, help="of the schedule")
    parser.add_argument("--clip-norm", type=float, default=1.0)
    parser.add_argument("--dropout", type=float, help="instead of the model's own")
    parser.add_argument("--attention-dropout", type=float, default=0.0)
    parser.add_argument("--pre-norm", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="compare with torch.nn and leave")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if bool(args.data) == args.synthetic:
        parser.error("give either --data FILE or --synthetic")
    if args.implementation == "stock" and args.workers > 1:
        parser.error("--implementation stock runs in one process")
    functions = vars(torch.nn.functional)
    if args.attention == "fused" and "scaled_dot_product_attention" not in functions:
        parser.error("--attention fused needs torch 2 (Debian 13)")
    if min(args.threads, args.workers, args.updates) < 1 or args.threads < args.workers:
        parser.error("--threads, --workers, --updates are 1 or more; each worker needs a thread")
    return args


def main():
    args = parse_arguments()
    shape = MODELS[args.model]
    shape.vocabulary = args.vocabulary
    if args.dropout is not None:
        shape.dropout = args.dropout
    shape.attention_dropout, shape.pre_norm = args.attention_dropout, args.pre_norm
    if args.data:
        data = batches.load(args.data, args.vocabulary)
    else:
        tokens = args.target_tokens or {"tiny": 4096, "base": 2048}[args.model]
        data = batches.synthetic(tokens, args.warmup + args.updates)
    data = data[:args.limit_batches]
    if args.write_batches:
        return batches.save(args.write_batches, data)
    torch.set_num_threads(1)  # no thread may exist before the workers are forked
    torch.set_flush_denormal(True)
    if args.check:
        return check(args, shape, data)
    warn_of_slow_settings()
    state = FlatState(shape, args.workers, args.seed)
    results, peak = run_workers(args, shape, data, state)
    summary = report(args, shape, data, state, results, peak)
    if args.json:
        print(json.dumps(summary))
        return
    print(f"{args.model}, {args.implementation}, {args.workers} x {args.threads // args.workers} "
          f"threads: {summary['tokens_per_second']:.0f} target tokens/s, "
          f"{summary['seconds_per_update']['median']:.3f} s an update, "
          f"{summary['gemm_gflops_per_second']:.1f} GFLOP/s of products, peak {peak / 1e9:.2f} GB, "
          f"loss {results[0][1]:.3f} -> {results[-1][1]:.3f}")


if __name__ == "__main__":
    main()
