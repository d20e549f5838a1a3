#!/usr/bin/env python3
"""Attention rollout and flow (Abnar and Zuidema 2020) with NumPy alone. Writes tests/data/attention_flow.json, which
tests/core/analysis/tst_attention_rollout.cpp reads.

The maximum flow is computed twice: with augmenting paths, and as the smallest of all cuts that separate the two tokens.
So the script needs no graph library, and does not depend on one algorithm.
"""
import itertools
import json
import pathlib

import numpy


def mixed(weights):
    """Returns half the mean over the heads of [H, T, T] plus half the identity, as rows that sum to 1. Divides rows by
    their sums first, because the weights are rounded."""
    shares = weights / weights.sum(axis=2, keepdims=True)
    together = 0.5 * shares.mean(axis=0) + 0.5 * numpy.eye(weights.shape[1])
    return together / together.sum(axis=1, keepdims=True)


def rollout(layers):
    result = numpy.eye(len(layers[0]))
    for layer in layers:
        result = layer @ result
    return result


def by_paths(layers, source, target):
    """Returns the maximum flow by Edmonds and Karp. Node (l, t) is token t above l layers."""
    length, height = len(layers[0]), len(layers)
    capacity = {}
    for level, layer in enumerate(layers):
        for i, j in itertools.product(range(length), repeat=2):
            capacity[(level + 1, i), (level, j)] = layer[i, j]
            capacity.setdefault(((level, j), (level + 1, i)), 0.0)
    neighbours = {}
    for a, b in capacity:
        neighbours.setdefault(a, []).append(b)
    start, end, flow = (height, source), (0, target), 0.0
    while True:
        before, queue = {start: None}, [start]
        for node in queue:
            for other in neighbours[node]:
                if other not in before and capacity[node, other] > 1e-14:
                    before[other] = node
                    queue.append(other)
        if end not in before:
            return flow
        path = [end]
        while path[-1] != start:
            path.append(before[path[-1]])
        edges = [(path[k + 1], path[k]) for k in range(len(path) - 1)]
        amount = min(capacity[edge] for edge in edges)
        for a, b in edges:
            capacity[a, b] -= amount
            capacity[b, a] += amount
        flow += amount


def by_cuts(layers, source, target):
    """Returns the smallest capacity of all edges from a set of nodes with the source to the others, which include the
    target."""
    length, height = len(layers[0]), len(layers)
    nodes = [(level, t) for level in range(height + 1) for t in range(length)]
    free = [node for node in nodes if node not in ((height, source), (0, target))]
    inside = {node: k for k, node in enumerate(free)}
    sides = (numpy.arange(2 ** len(free))[:, None] >> numpy.arange(len(free))) & 1

    def side(node):
        if node in inside:
            return sides[:, inside[node]]
        return numpy.full(len(sides), 1 if node == (height, source) else 0)

    cut = numpy.zeros(len(sides))
    for level, layer in enumerate(layers):
        for i, j in itertools.product(range(length), repeat=2):
            cut += layer[i, j] * side((level + 1, i)) * (1 - side((level, j)))
    return float(cut.min())


def weights(random, heads, length, causal):
    scores = random.normal(size=(heads, length, length)) * 2
    if causal:
        scores = numpy.where(numpy.tri(length, dtype=bool), scores, -numpy.inf)
    shares = numpy.exp(scores - scores.max(axis=2, keepdims=True))
    return (shares / shares.sum(axis=2, keepdims=True)).astype(numpy.float32)


cases = []
for seed, (layers, heads, length, causal) in enumerate([(1, 2, 4, True), (2, 3, 5, False), (3, 2, 4, True), (3, 1, 4, False)]):
    random = numpy.random.default_rng(seed)
    all_weights = [weights(random, heads, length, causal) for _ in range(layers)]
    mixing = [mixed(each.astype(numpy.float64)) for each in all_weights]
    flow = numpy.array([[by_paths(mixing, i, j) for j in range(length)] for i in range(length)])
    cuts = numpy.array([[by_cuts(mixing, i, j) for j in range(length)] for i in range(length)])
    assert numpy.abs(flow - cuts).max() < 1e-12, (flow, cuts)
    cases.append({
        "layers": layers, "heads": heads, "length": length,
        "weights": numpy.array(all_weights).astype(float).ravel().tolist(),
        "rollout": rollout(mixing).ravel().tolist(),
        "flow": flow.ravel().tolist(),
    })

target = pathlib.Path(__file__).parent.parent / "data" / "attention_flow.json"
target.write_text(json.dumps(cases, indent=1) + "\n")
