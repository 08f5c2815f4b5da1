"""The third article's code (`fit`, `r2`, its stacks, one np.linalg.solve per lambda) as it is printed, on float32 as it takes
its keys and values; around it the choice of lambda that the article describes and does not print, and its controls."""

import numpy as np
from numpy_data import channel_correlation, run


def fit(X, Y, lam_rel):
    mx, my = X.mean(0), Y.mean(0); A, B = X - mx, Y - my  # fmt: skip
    lam = lam_rel * np.trace(A.T @ A) / A.shape[1]
    return np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ B), mx, my


def r2(W, mx, my, X, Y):
    P = (X - mx) @ W + my
    return 1 - ((Y - P) ** 2).sum() / ((Y - Y.mean(0)) ** 2).sum()


def stack(docs, indices):
    return np.vstack([docs[i] for i in indices])


def pair(docs_x, docs_y, orders, lambdas):
    r2s, shuffled, chosen = [], [], []
    for te in range(len(docs_x)):
        tr = [i for i in range(len(docs_x)) if i != te]
        scores = []
        for lam in lambdas:
            inner = []
            for va in tr:
                rest = [i for i in tr if i != va]
                inner.append(r2(*fit(stack(docs_x, rest), stack(docs_y, rest), lam), docs_x[va], docs_y[va]))
            scores.append(np.mean(inner))
        lam = max(l for l, s in zip(lambdas, scores) if s == max(scores))
        model = fit(stack(docs_x, tr), stack(docs_y, tr), lam)
        r2s.append(float(r2(*model, docs_x[te], docs_y[te])))
        shuffled.append(float(r2(*model, docs_x[te][orders[te]], docs_y[te])))
        chosen.append(lam)
    return r2s, shuffled, chosen


def solve(data):
    out = []
    for kind in "KV":
        for source, target in data["pairs"]:
            xs, ys = data["cache"][kind][source], data["cache"][kind][target]
            r2s, shuffled, chosen = pair(xs, ys, data["orders"], data["lambdas"])
            out.append(
                {
                    "kind": kind,
                    "from": source,
                    "to": target,
                    "r2": r2s,
                    "shuffled": shuffled,
                    "lambda": chosen,
                    "channelCorrelation": channel_correlation(xs, ys),
                }
            )
    return out


run(solve)
