#!/usr/bin/env python3
"""Prints what train_speed.sh measured: one table of ratios and one of kernels for each model."""

import json
import statistics
import sys
from pathlib import Path

PEERS = {
    "stock": "PyTorch, torch.nn",
    "tuned": "PyTorch, tuned",
    "workers": "PyTorch, tuned, 2 workers",
}


def read(directory, name):
    path = directory / f"{name}.json"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def print_peers(directory, model, heed):
    """Rounds are paired: round i of Heed with round i of the peer, and the median of the ratios."""
    print(f"{'':28}{'target tok/s':>14}{'peak memory':>14}{'Heed is':>10}")
    print(f"{'Heed':28}{median(heed, 'tokens_per_second'):14,.0f}"
          f"{median(heed, 'peak_rss_bytes') / 1e9:11.2f} GB")
    for key, title in PEERS.items():
        runs = read(directory, f"{key}-{model}")
        if not runs:
            continue
        ratio = statistics.median(ours["tokens_per_second"] / theirs["tokens_per_second"]
                                  for ours, theirs in zip(heed, runs))
        print(f"{title:28}{median(runs, 'tokens_per_second'):14,.0f}"
              f"{median(runs, 'peak_rss_bytes') / 1e9:11.2f} GB{ratio:9.2f}x")


def print_kernels(heed):
    seconds = median(heed, "seconds_per_update")
    print(f"\n{'kernel':28}{'calls':>7}{'ms':>10}{'share':>9}{'GFLOP/s':>10}")
    names = [kernel["kernel"] for kernel in heed[0]["kernels"]]
    rest = seconds
    for name in names:
        runs = [k for run in heed for k in run["kernels"] if k["kernel"] == name]
        own = median(runs, "seconds")
        rest -= own
        rate = f"{runs[0]['flops'] / own / 1e9:10.1f}" if runs[0]["flops"] else ""
        print(f"{name:28}{runs[0]['calls']:7.0f}{1e3 * own:10.2f}{own / seconds:9.1%}{rate}")
    print(f"{'between kernels':28}{'':7}{1e3 * rest:10.2f}{rest / seconds:9.1%}")


def main():
    directory = Path(sys.argv[1])
    peak = median(read(directory, "fma_peak"), "gflops")
    print(f"FMA peak: {peak:.0f} GFLOP/s")
    for model in ("tiny", "base"):
        heed = read(directory, f"heed-{model}")
        if not heed:
            continue
        print(f"\n== {model}: {heed[0]['backend']}, {heed[0]['parameters']:,} parameters")
        print_peers(directory, model, heed)
        print_kernels(heed)
        flops, seconds = heed[0]["products_flops"], median(heed, "seconds_per_update")
        share = statistics.median(run["products_alone_seconds"] / run["seconds_per_update"]
                                  for run in heed)
        alone = flops / median(heed, "products_alone_seconds") / 1e9
        print(f"\nproducts of linear layers: {flops / 1e9:.0f} GFLOP an update, "
              f"{flops / seconds / 1e9:.0f} GFLOP/s over the whole step = {share:.0%} of the "
              f"{alone:.0f} GFLOP/s that they reach alone, {flops / seconds / 1e9 / peak:.0%} of "
              "the FMA peak")
        rss, plan = median(heed, "peak_rss_bytes"), heed[0]["planned_bytes"]
        print(f"peak resident memory: {rss / 1e6:.0f} MB; the plan said {plan / 1e6:.0f} MB "
              f"({rss / plan - 1:+.0%})")


if __name__ == "__main__":
    main()
