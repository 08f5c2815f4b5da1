"""Our own algorithm in NumPy, as one who knows it would write it: Gram sums of each document once, one np.linalg.eigh per
training set (shared by all lambdas, by the folds that leave the same two documents out, and by all targets), float64."""

from itertools import combinations

import numpy as np
from numpy_data import channel_correlation, run


class Source:
    """One layer's documents: their means, centred values and Gram matrices."""

    def __init__(self, docs):
        values = [doc.astype(np.float64) for doc in docs]
        self.tokens = np.array([len(doc) for doc in values], dtype=np.float64)
        self.means = np.array([doc.mean(0) for doc in values])
        self.centred = [doc - mean for doc, mean in zip(values, self.means)]
        self.grams = [doc.T @ doc for doc in self.centred]


class Target:
    """One layer that is predicted: its products with the source, straight and with the source's tokens in another order."""

    def __init__(self, docs, source, orders):
        values = [doc.astype(np.float64) for doc in docs]
        self.means = np.array([doc.mean(0) for doc in values])
        centred = [doc - mean for doc, mean in zip(values, self.means)]
        self.squares = [float(np.einsum("tc,tc->", doc, doc)) for doc in centred]
        self.crosses = [x.T @ y for x, y in zip(source.centred, centred)]
        self.shuffled = [x[order].T @ y for x, y, order in zip(source.centred, centred, orders)]


class Training:
    """A training set in the basis in which its Gram matrix is diagonal."""

    def __init__(self, source, documents):
        self.documents = list(documents)
        weights = source.tokens[self.documents]
        self.mean = weights @ source.means[self.documents] / weights.sum()
        self.shifts = source.means[self.documents] - self.mean
        self.weights = weights
        gram = sum(source.grams[i] for i in self.documents) + (self.shifts.T * weights) @ self.shifts
        self.scale = np.trace(gram) / len(gram)
        self.values, self.basis = np.linalg.eigh(gram)

    def turn(self, target):
        """The right-hand side of a target in this basis, and the target's training mean."""
        mean = self.weights @ target.means[self.documents] / self.weights.sum()
        shifts = target.means[self.documents] - mean
        cross = sum(target.crosses[i] for i in self.documents) + (self.shifts.T * self.weights) @ shifts
        return self.basis.T @ cross, mean


class Fold:
    """A training set and the document that it is tested on."""

    def __init__(self, training, source, test):
        self.training, self.test = training, test
        self.tokens = source.tokens[test]
        self.gram = training.basis.T @ source.grams[test] @ training.basis
        self.offset = (source.means[test] - training.mean) @ training.basis

    def scores(self, target, turned, lambdas, shuffled=False):
        """R² for each lambda, in O(channels²) each: only diagonals change with lambda."""
        right, mean = turned
        crosses = target.shuffled if shuffled else target.crosses
        linear = np.einsum("ij,ij->i", right, self.training.basis.T @ crosses[self.test])
        offset_y = target.means[self.test] - mean
        # The means' part is a rank-one term of the quadratic form and a vector of the linear one.
        quadratic = (self.gram + self.tokens * np.outer(self.offset, self.offset)) * (right @ right.T)
        linear = linear + self.tokens * self.offset * (right @ offset_y)
        constant = target.squares[self.test] + self.tokens * float(offset_y @ offset_y)
        out = []
        for lam in lambdas:
            weight = 1.0 / (self.training.values + lam * self.training.scale)
            error = constant - 2.0 * (weight @ linear) + weight @ quadratic @ weight
            out.append(1.0 - error / target.squares[self.test])
        return out


def solve_source(docs, targets, orders, lambdas):
    """(R², shuffled R², lambda) of each target, by document."""
    source = Source(docs)
    prepared = [Target(target, source, orders) for target in targets]
    count = len(docs)
    inner = [{} for _ in targets]
    for left_out in combinations(range(count), 2):
        training = Training(source, [i for i in range(count) if i not in left_out])
        turned = [training.turn(target) for target in prepared]
        for test, outer in (left_out, left_out[::-1]):
            fold = Fold(training, source, test)
            for index, target in enumerate(prepared):
                inner[index][outer, test] = fold.scores(target, turned[index], lambdas)
    results = [([], [], []) for _ in targets]
    for test in range(count):
        others = [i for i in range(count) if i != test]
        training = Training(source, others)
        fold = Fold(training, source, test)
        for index, target in enumerate(prepared):
            means = np.mean([inner[index][test, other] for other in others], axis=0)
            lam = max(l for l, s in zip(lambdas, means) if s == means.max())
            turned = training.turn(target)
            r2s, shuffled, chosen = results[index]
            r2s.append(float(fold.scores(target, turned, [lam])[0]))
            shuffled.append(float(fold.scores(target, turned, [lam], shuffled=True)[0]))
            chosen.append(lam)
    return results


def solve(data):
    out = []
    for kind in "KV":
        for source in sorted({pair[0] for pair in data["pairs"]}):
            targets = [target for first, target in data["pairs"] if first == source]
            xs = data["cache"][kind][source]
            ys = [data["cache"][kind][target] for target in targets]
            results = solve_source(xs, ys, data["orders"], data["lambdas"])
            for target, y, (r2s, shuffled, chosen) in zip(targets, ys, results):
                out.append(
                    {
                        "kind": kind,
                        "from": source,
                        "to": target,
                        "r2": r2s,
                        "shuffled": shuffled,
                        "lambda": chosen,
                        "channelCorrelation": channel_correlation(xs, y),
                    }
                )
    return out


run(solve)
