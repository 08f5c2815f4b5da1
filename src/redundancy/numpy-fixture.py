"""Writes numpy-fixture.json: the third article's own code (fit, r2, leave one document out) with the inner choice of lambda, on seeded data.

Run: python3 src/redundancy/numpy-fixture.py && npx prettier --write src/redundancy/numpy-fixture.json (Debian: python3-numpy). Data are rounded so that float32 holds them exactly.
"""
import json
import pathlib

import numpy as np

LAMBDAS = [0.001, 0.01, 0.1, 1, 10, 100]
CHANNELS, TARGET_CHANNELS = 12, 10
TOKENS = [60, 55, 64, 58]


def fit(X, Y, lam_rel):
    mx, my = X.mean(0), Y.mean(0)
    A, B = X - mx, Y - my
    lam = lam_rel * np.trace(A.T @ A) / A.shape[1]
    return np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ B), mx, my


def r2(W, mx, my, X, Y):
    P = (X - mx) @ W + my
    return 1 - ((Y - P) ** 2).sum() / ((Y - Y.mean(0)) ** 2).sum()


def choose(xs, ys):
    """The candidate with the highest mean R² over documents left out of these; of equal ones the larger."""
    scores = []
    for lam in LAMBDAS:
        found = []
        for te in range(len(xs)):
            tr = [i for i in range(len(xs)) if i != te]
            model = fit(np.vstack([xs[i] for i in tr]), np.vstack([ys[i] for i in tr]), lam)
            found.append(r2(*model, xs[te], ys[te]))
        scores.append(np.mean(found))
    return max(zip(scores, LAMBDAS))[1]


def heldout(xs, ys, orders):
    out = {"r2": [], "shuffled": [], "lambda": []}
    for te in range(len(xs)):
        tr = [i for i in range(len(xs)) if i != te]
        tx, ty = [xs[i] for i in tr], [ys[i] for i in tr]
        lam = choose(tx, ty)
        model = fit(np.vstack(tx), np.vstack(ty), lam)
        out["lambda"].append(lam)
        out["r2"].append(float(r2(*model, xs[te], ys[te])))
        out["shuffled"].append(float(r2(*model, xs[te][orders[te]], ys[te])))
    return out


def main():
    rng = np.random.default_rng(4)
    weights = rng.normal(size=(CHANNELS, TARGET_CHANNELS)) / np.sqrt(CHANNELS)
    scale = 2.0 ** rng.integers(-2, 3, CHANNELS)
    xs, ys = [], []
    for tokens in TOKENS:
        x = np.round((rng.normal(size=(tokens, CHANNELS)) + rng.normal(size=CHANNELS)) * scale * 64) / 64
        y = np.round(((x / scale) @ weights + rng.normal(size=(tokens, TARGET_CHANNELS))) * 64) / 64
        xs.append(x)
        ys.append(y)
    orders = [rng.permutation(tokens) for tokens in TOKENS]
    correlation = [
        abs(np.corrcoef(np.vstack(xs)[:, c], np.vstack(ys)[:, c])[0, 1]) for c in range(TARGET_CHANNELS)
    ]
    result = {
        "numpy": np.__version__,
        "channels": CHANNELS,
        "targetChannels": TARGET_CHANNELS,
        "lambdas": LAMBDAS,
        "source": [x.ravel().tolist() for x in xs],
        "target": [y.ravel().tolist() for y in ys],
        "orders": [order.tolist() for order in orders],
        **heldout(xs, ys, orders),
        # Of the first TARGET_CHANNELS channels of the source with those of the target.
        "channelCorrelation": float(np.median(correlation)),
    }
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(result) + "\n")


main()
