"""What both NumPy sides share: the data that the bench wrote, and how results go back."""

import json
import os
import sys
import time

import numpy as np


def load(description_path):
    """The description with `cache[kind][layer]` = one float32 array [tokens, channels] a document, and `orders`, one a document."""
    with open(description_path, encoding="utf8") as file:
        description = json.load(file)
    folder = os.path.dirname(description_path)
    shape = (2, description["layers"], description["documents"], description["tokens"], description["channels"])
    values = np.fromfile(os.path.join(folder, description["values"]), dtype="<f4").reshape(shape)
    orders = np.fromfile(os.path.join(folder, description["orders"]), dtype="<u4")
    return {
        **description,
        "cache": {kind: values[index] for index, kind in enumerate("KV")},
        "orders": orders.reshape(description["documents"], description["tokens"]),
    }


def channel_correlation(xs, ys):
    """Median over channels of |Pearson| of channel c with channel c, over the tokens of all documents."""
    x, y = np.vstack(xs).astype(np.float64), np.vstack(ys).astype(np.float64)
    x -= x.mean(0)
    y -= y.mean(0)
    products = np.einsum("tc,tc->c", x, y)
    norms = np.sqrt(np.einsum("tc,tc->c", x, x) * np.einsum("tc,tc->c", y, y))
    alive = norms > 0
    return float(np.median(np.abs(products[alive] / norms[alive])))


def run(solve):
    """Loads, times `solve(data)`, which returns one dict a pair, and prints all as JSON."""
    data = load(sys.argv[1])
    started, cpu_started = time.perf_counter(), time.process_time()
    pairs = solve(data)
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"] if hasattr(np, "show_config") else {}
    json.dump(
        {
            "seconds": seconds,
            "cpuSeconds": cpu_seconds,
            "blas": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip(),
            "pairs": pairs,
        },
        sys.stdout,
    )
