// Helpers for the built-in lessons and for session files with one change.
#pragma once

#include "core/formats/session/data/session.h"
#include "core/formats/session/on_model.h"
#include "tests/support/forward.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace headlight::core::test {

using Json = nlohmann::ordered_json;

inline std::string contentOf(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the document of a lesson, combined with its trained model if it uses one.
inline std::string lessonFile(const std::string &id) {
    const std::string folder = HEADLIGHT_LESSONS;
    const std::string own = folder + "/" + id + ".headlight";
    if (std::filesystem::exists(own))
        return contentOf(own);
    const std::string said = contentOf(folder + "/learned/" + id + ".headlight");
    const Result<std::string> whole =
        onModel(said, contentOf(folder + "/../models/" + modelOf(said) + ".headlight"));
    REQUIRE_MESSAGE(whole, (whole ? "" : whole.error().text()));
    return *whole;
}

inline std::vector<std::string> lessonIds() {
    std::vector<std::string> ids;
    for (const char *folder : {HEADLIGHT_LESSONS, HEADLIGHT_LESSONS "/learned"})
        if (std::filesystem::exists(folder))
            for (const auto &entry : std::filesystem::directory_iterator(folder))
                if (entry.path().extension() == ".headlight")
                    ids.push_back(entry.path().stem().string());
    std::ranges::sort(ids);
    return ids;
}

/// Returns the paths of all lessons and of the example sessions of every kind of transformer.
inline std::vector<std::string> sessionFiles() {
    std::vector<std::string> paths;
    for (const char *folder : {HEADLIGHT_LESSONS, HEADLIGHT_SESSIONS})
        for (const auto &entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".headlight")
                paths.push_back(entry.path().string());
    REQUIRE(paths.size() >= 13);
    return paths;
}

inline Session read(const std::string &json) {
    Result<Session> session = readSession(json);
    REQUIRE_MESSAGE(session, (session ? std::string() : session.error().text()));
    return *std::move(session);
}

inline Session lesson(const std::string &id) {
    return read(lessonFile(id));
}

inline TracePointer traceOf(const Session &session) {
    Result<TracePointer> trace = headlight::test::forward(session.model, session.input);
    REQUIRE_MESSAGE(trace, (trace ? std::string() : trace.error().text()));
    return *std::move(trace);
}

inline TracePointer traceAt(const Session &session, Index step) {
    const Result<Session> state = atStep(session, step);
    REQUIRE(state);
    return traceOf(*state);
}

/// Returns the index of the largest number in the row.
inline Index largest(std::span<const float> row) {
    return std::max_element(row.begin(), row.end()) - row.begin();
}

/// Returns a small session that uses every field.
inline Json smallSession() {
    return Json::parse(R"({
      "headlight": 1, "title": "small",
      "batch": {"sequences": [{"text": "a b"}, {"tokens": ["c"], "embeddings": [[1, 2], [3, 4], [5, 6]]}], "length": 3},
      "model": {
        "width": 2, "heads": 2, "head_size": 1, "scale": 2, "temperature": 1.5, "positions": "sinusoidal",
        "softmax": true, "mask_value": -1e9, "mask_after_softmax": false,
        "embeddings": {"words": {"a": [1, 0], "b": [0, 1]}, "others": {"random": {"seed": 3, "scale": 0.5}}, "ignore_case": true},
        "layers": [{"self_attention": {
          "query": [[1, 2], [3, 4]], "key": {"random": {"seed": 5, "kind": "uniform", "scale": 2}},
          "value": {"heads": [[[1], [2]], {"identity": 3}]}, "output": {"heads": [[[1, 2]], [[3, 4]]]},
          "query_bias": [0.5, 1], "key_bias": [0, 1], "value_bias": [1, 0], "output_bias": [0, 0]
        }}]
      },
      "masks": [{"kind": "causal"}, {"kind": "padding"}, {"kind": "window", "width": 3, "both_ways": true},
                {"kind": "cells", "cells": [{"sequence": 1, "query": 0, "key": 2, "visible": true}]},
                {"kind": "prefix", "length": 1}, {"kind": "blocks", "size": 2}, {"kind": "diagonal"}],
      "interventions": {"heads": [{"layer": 0, "head": 0, "state": "zero"}, {"layer": 0, "head": 1, "state": "mean"}],
                        "scores": [{"sequence": 0, "layer": 0, "head": 1, "query": 1, "key": 0, "score": 1.25}]},
      "view": {"view": "heads", "sequence": 1, "layer": 0, "head": 1, "stage": "weights", "query": 2, "key": 1, "dimension": 0},
      "lesson": {"summary": "One sentence.", "steps": [
        {"title": "First", "text": ["One.", "Two."], "try_it": "Do it.",
         "show": {"stage": "query", "query": null, "head": 0},
         "set": {"text": "d e f g", "masks": [], "positions": "none", "scale": "off", "temperature": 2,
                 "softmax": true, "mask_value": -10000, "mask_after_softmax": false,
                 "interventions": {"heads": [{"layer": 0, "head": 1, "state": "uniform"}]},
                 "parameters": [{"parameter": "layers.0.self_attention.key", "matrix": {"identity": 2}},
                                {"parameter": "layers.0.self_attention.key", "cells": [[0, 1, 0.5], [1, 0, -1]]}],
                 "words": {"d": [1, 2]}}}
      ]},
      "now": {
        "step": 0,
        "set": {
          "batch": {"sequences": [{"text": "a b c"}, {"tokens": ["c"], "embeddings": [[1, 2], [3, 4], [5, 6]]}], "length": 3},
          "masks": [{"kind": "prefix", "length": 1}, {"kind": "blocks", "size": 2}, {"kind": "diagonal"}],
          "positions": "none", "scale": "square_root", "temperature": 0.5, "softmax": true,
          "mask_value": "negative_infinity", "mask_after_softmax": true,
          "interventions": {"heads": [{"layer": 0, "head": 0, "state": "mean"}],
                            "scores": [{"sequence": 1, "layer": 0, "head": 1, "query": 2, "key": 0, "score": -2.5}]},
          "parameters": [{"parameter": "layers.0.self_attention.query", "cells": [[1, 1, 0.25]]},
                         {"parameter": "layers.0.self_attention.query_bias", "matrix": [1, 2]},
                         {"parameter": "layers.0.self_attention.value_bias", "matrix": null}],
          "words": {"b": [3, 4]}
        },
        "show": {"view": "whole", "sequence": 1, "head": 0, "stage": "scores", "query": 2, "key": null}
      }
    })");
}

inline std::string with(const std::string &pointer, const Json &value) {
    Json json = smallSession();
    json[Json::json_pointer(pointer)] = value;
    return json.dump();
}

inline std::string without(const std::string &pointer) {
    Json json = smallSession();
    const Json::json_pointer place(pointer);
    json[place.parent_pointer()].erase(place.back());
    return json.dump();
}

} // namespace headlight::core::test
