// Complete transformers in session files: every field is read correctly, and errors name the wrong
// field.
#include "core/checks/session_check.h"
#include "core/lesson/step_text.h"
#include "core/transformer/plan/model_stages.h"
#include "core_test.h"
#include "random_transformers.h"
#include "support.h"

namespace {

Json example(const std::string &name) {
    return Json::parse(contentOf(std::string(HEADLIGHT_SESSIONS) + "/" + name + ".headlight"));
}

Json changed(const std::string &name, const std::string &pointer, const Json &value) {
    Json json = example(name);
    json[Json::json_pointer(pointer)] = value;
    return json;
}

/// Returns the place of the first problem, empty if there is none. Checks that its message is one
/// line.
std::string placeOf(const Json &json) {
    const auto problems = checkSession(json.dump());
    if (problems.empty())
        return "";
    CHECK_FALSE(problems.front().what.empty());
    CHECK(problems.front().text().find('\n') == std::string::npos);
    return problems.front().where;
}

/// Returns the place of the first warning, empty if there is none.
std::string warnedAt(const Json &json) {
    const auto warnings = inspectSession(json.dump()).warnings;
    return warnings.empty() ? "" : warnings.front().where;
}

} // namespace

TEST_CASE("an encoder, its own words, and masks that hide padding if none are given") {
    Json json = example("encoder_decoder");
    json.erase("encoder_masks");
    json.erase("cross_masks");
    json["model"]["encoder"]["layer_count"] = 3;
    const Session session = read(json.dump());
    CHECK(session.model.hasEncoder());
    CHECK(session.model.config.encoderLayerCount == 3);
    CHECK(session.model.sourceVocabulary->idOf("milk") == 8);
    CHECK(session.model.vocabulary->idOf("Milch") == 10);
    CHECK(session.input.source->count() == 2);
    CHECK(session.input.encoderMasks == MaskLayers{PaddingMask()});
    CHECK(session.input.crossMasks == MaskLayers{PaddingMask()});
    CHECK(session.view.stack == Stack::Decoder);
    CHECK(session.view.block == Block::CrossAttention);
    json["encoder_masks"] = Json::array();
    json["cross_masks"] = Json::parse(R"([{"kind": "window", "width": 2}])");
    json.erase("view");
    const Session other = read(json.dump());
    CHECK(other.input.encoderMasks.empty());
    CHECK(other.input.crossMasks == MaskLayers{WindowMask{2, false}});
    CHECK(other.view.stack == Stack::Decoder); // an encoder-decoder has no main stack
    CHECK(read(example("cross_attention_only").dump()).view.block == Block::CrossAttention);
}

/// Each line: a session, the path of a change, the new value, and the place in the error.
constexpr const char *kWrong = R"(
decoder_rotary /model/layer_count 1e9 => model.layer_count
decoder_rotary /model/layer_count 1 => model.layer_count
decoder_rotary /model/key_value_heads 3 => model.key_value_heads
decoder_rotary /model/key_value_heads 8 => model.key_value_heads
decoder_rotary /model/rotary/width 1 => model.rotary.width
decoder_rotary /model/rotary/width 4 => model.rotary.width
decoder_rotary /model/head_size 3 => model.head_size
decoder_rotary /model/rotary/scaling "yarn" => model.rotary.original_length
decoder_rotary /model/rotary/base 1 => model.rotary.base
decoder_rotary /model/positions "rotating" => model.positions
decoder_rotary /model/norm {"place": "after"} => model.norm.kind
decoder_rotary /model/norm/epsilon -1 => model.norm.epsilon
decoder_rotary /model/norm/kind "none" => model.layers[0].self_attention.norm_gain
decoder_rotary /model/norm/final false => model.final_norm_gain
decoder_rotary /model/feed_forward/width 1e9 => model.feed_forward.width
decoder_rotary /model/feed_forward/gated false => model.layers[0].feed_forward.gate
decoder_rotary /model/layers/1/feed_forward 3 => model.layers[1].feed_forward
decoder_rotary /model/layers/1/feed_forward null => model.layers[1].feed_forward
decoder_rotary /model/position_bias {"identity": 1} => model.position_bias
decoder_rotary /model/classifier {"identity": 1} => model.classifier
decoder_rotary /model/head/kind "none" => model.output_matrix
decoder_rotary /model/vocabulary/3 "" => model.vocabulary[3]
decoder_rotary /model/vocabulary/3 5 => model.vocabulary[3]
decoder_rotary /model/vocabulary "the" => model.vocabulary
decoder_rotary /model/token_embeddings [[1]] => model.token_embeddings
decoder_rotary /model/embeddings {} => model.embeddings
decoder_rotary /model/layers/0/cross_attention {} => model.layers[0].cross_attention.query
decoder_rotary /source {"sequences": [{"text": "a"}, {"text": "a"}]} => source
decoder_rotary /encoder_masks [] => encoder_masks
decoder_rotary /cross_masks [] => cross_masks
decoder_rotary /batch/sequences/0/token_types [0, 1] => batch.sequences[0].token_types[1]
decoder_rotary /view/stack "encoder" => view.stack
decoder_rotary /view/block "cross" => view.block
decoder_rotary /view/stage "feed_forward.norms" => view.stage
decoder_rotary /view/stage "position_bias" => view.stage
decoder_rotary /view/layer 2 => view.layer
decoder_rotary /interventions/heads [{"layer": 0, "head": 0, "state": "zero", "block": "cross"}] => interventions.heads[0].block
decoder_rotary /interventions/heads [{"layer": 0, "head": 0, "state": "zero", "stack": "decoder"}] => interventions.heads[0].stack
encoder_prenorm /model/head/classes 0 => model.head.classes
encoder_prenorm /model/classifier_bias [1, 2, 3] => model.classifier_bias
encoder_prenorm /model/embedding_width 4 => model.embedding_projection
encoder_postnorm /batch/sequences/1/token_types/7 2 => batch.sequences[1].token_types[7]
encoder_postnorm /batch/sequences/1/token_types [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] => batch.sequences[1].token_types
encoder_postnorm /batch/sequences/1/token_types/0 -1 => batch.sequences[1].token_types[0]
encoder_postnorm /model/position_embeddings {"random": {"seed": 1}} => model.position_embeddings.rows
encoder_postnorm /model/position_embeddings {"random": {"seed": 1}, "rows": 8} => batch
encoder_postnorm /model/position_embeddings {"random": {"seed": 1}, "rows": 1e9} => model.position_embeddings.rows
encoder_postnorm /model/head/norm false => model.head_norm_gain
t5_like /model/relative/buckets 3 => model.relative.buckets
t5_like /model/relative/maximum_distance 3 => model.relative.maximum_distance
t5_like /model/encoder/layers [] => model.encoder.layers
t5_like /model/encoder 5 => model.encoder
t5_like /model/encoder/layer_count 1 => model.encoder.layer_count
t5_like /model/encoder/vocabulary ["a"] => model.encoder.vocabulary
t5_like /model/encoder/layers/0/cross_attention {"query": {"identity": 1}, "key": {"identity": 1}, "value": {"identity": 1}} => model.encoder.layers[0].cross_attention
t5_like /model/encoder/layers/1/self_attention/key [[1]] => model.encoder.layers[1].self_attention.key
t5_like /source/sequences/0 {"text": "a", "tokens": ["a"]} => source.sequences[0]
t5_like /source/sequences [{"text": "translate : the old house"}] => source
t5_like /cross_masks [{"kind": "cells", "cells": [{"query": 5, "key": 5}]}] => cross_masks[0].cells[0].query
t5_like /cross_masks [{"kind": "cells", "cells": [{"query": 4, "key": 6}]}] => cross_masks[0].cells[0].key
t5_like /encoder_masks [{"kind": "cells", "cells": [{"query": 6, "key": 0}]}] => encoder_masks[0].cells[0].query
t5_like /view/query 6 => view.query
t5_like /view/stack "source" => view.stack
cross_attention_only /model/layers/0/self_attention {"query": {"identity": 1}, "key": {"identity": 1}} => model.layers[0].self_attention.value
cross_attention_only /source null => source
batch_norm /view/stage "logits" => view.stage
batch_norm /model/head {"kind": "language"} => model.vocabulary)";

TEST_CASE("every example, each with one error") {
    std::istringstream lines(kWrong);
    for (std::string name, pointer, rest; lines >> name >> pointer && std::getline(lines, rest);) {
        CAPTURE(name + " " + pointer + rest);
        const std::size_t arrow = rest.find(" => ");
        REQUIRE(arrow != std::string::npos);
        const std::string place = rest.substr(arrow + 4);
        const Json json = changed(name, pointer, Json::parse(rest.substr(0, arrow)));
        const bool isOnlyLook = pointer.starts_with("/view/");
        CHECK(placeOf(json) == (isOnlyLook ? "" : place));
        CHECK(warnedAt(json) == (isOnlyLook ? place : ""));
    }
}

TEST_CASE("a model without its second sequence, and words that it does not know") {
    Json json = example("t5_like");
    json.erase("source");
    CHECK(placeOf(json) == "source");
    json = example("decoder_rotary");
    json["model"]["vocabulary"][1] = "nobody"; // without [UNK], unknown words are errors
    CHECK(placeOf(json) == "");
    json["batch"]["sequences"][1] = {{"tokens", {"the", "whale"}}};
    const auto problems = checkSession(json.dump());
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where == "batch.sequences[1].tokens[1]");
    CHECK(problems[0].what.text().find("\"whale\" of sequence 1") != std::string::npos);
    json["batch"]["sequences"][1] = {{"text", "the whale"}};
    CHECK(placeOf(json) == "batch.sequences[1].text");
    json["batch"]["sequences"].erase(1);
    json["lesson"] = Json::parse(R"({"summary": "", "steps": [
        {"title": "A whale", "text": [], "set": {"text": "a whale"}}]})");
    CHECK(placeOf(json) == "lesson.steps[0].set.text");
    json["lesson"]["steps"][0]["set"]["text"] = "a cat";
    json["view"] = Json::object();
    CHECK(placeOf(json) == "");
    json["model"]["vocabulary"][0] = "pad"; // without [PAD], padding would be an unknown word
    json["batch"]["length"] = 9;
    CHECK(placeOf(json) == "batch.sequences[0]");
}

TEST_CASE("a step changes switches, and removing a norm removes its gains") {
    Json json = example("encoder_postnorm");
    json["view"] = {{"stage", "weights"}};
    json["lesson"] = Json::parse(R"({"summary": "", "steps": [
      {"title": "No norm", "text": ["{embedding_sum 0 0 0} {feed_forward.hidden 0 1 2} {logits 1 0 3}"],
       "set": {"norm": {"kind": "none"}, "residual": false}},
      {"title": "Before", "text": [], "show": {"stage": "norm"}, "set": {"norm": {"place": "before"}}},
      {"title": "Far", "text": [], "show": {"stage": "position_bias"},
       "set": {"positions": "alibi", "feed_forward": {"activation": "relu"}, "head": {"norm": false}}},
      {"title": "Gains", "text": [],
       "set": {"parameters": [{"parameter": "layers.1.feed_forward.norm_gain", "cells": [[0, 2, 9]]},
                              {"parameter": "layers.0.self_attention.norm_bias", "matrix": null},
                              {"parameter": "token_embeddings", "cells": [[3, 0, 4]]},
                              {"parameter": "head_transform_bias", "matrix": {"constant": 1}}]}}]})");
    REQUIRE(placeOf(json) == "");
    const Session session = read(json.dump());
    const Session none = *atStep(session, 0), before = *atStep(session, 1);
    CHECK_FALSE(none.model.parameters.main.layers[0].selfAttention.norm.gain);
    CHECK_FALSE(none.model.parameters.outputLayer.norm.gain);
    CHECK(none.model.config.norm.epsilon == 1e-12f); // unset fields keep their values
    CHECK_FALSE(none.model.config.residual);
    CHECK_FALSE(hasStage(none.model, Stage::Residual));
    CHECK(before.model.config.norm.place == NormPosition::Before);
    CHECK(before.model.config.norm.kind == NormKind::Layer);
    const Session far = *atStep(session, 2), gains = *atStep(session, 3);
    CHECK_FALSE(far.model.parameters.main.positions);
    CHECK(far.model.config.feedForward == FeedForward{16, Activation::Relu, false});
    CHECK((*gains.model.parameters.main.layers[1].feedForward.norm.gain)(0, 2) == 9);
    CHECK_FALSE(gains.model.parameters.main.layers[0].selfAttention.norm.bias);
    CHECK((*gains.model.parameters.main.embeddings)(3, 0) == 4);
    CHECK((*gains.model.parameters.outputLayer.transformBias)(0, 5) == 1);

    const auto set = [&](const char *text) {
        Json wrong = json;
        wrong["lesson"]["steps"] = Json::array({{{"title", "A"}, {"text", Json::array()}}});
        wrong["lesson"]["steps"][0]["set"] = Json::parse(text);
        return placeOf(wrong);
    };
    CHECK(set(R"({"positions": "relative"})") == "lesson.steps[0].set");
    CHECK(set(R"({"rotary": {"base": 0.5}, "positions": "rotary"})") ==
          "lesson.steps[0].set.rotary.base");
    CHECK(set(R"({"feed_forward": {"gated": true}})") == "lesson.steps[0].set");
    CHECK(set(R"({"source_text": "a"})") == "lesson.steps[0].set.source_text");
    CHECK(set(R"({"words": {"a": [1, 2, 3, 4, 5, 6, 7, 8]}})") == "lesson.steps[0].set.words");
    CHECK(
        set(R"({"parameters": [{"parameter": "layers.2.feed_forward.output", "cells": [[0, 0, 1]]}]})") ==
        "lesson.steps[0].set.parameters[0].parameter");
    CHECK(set(R"({"parameters": [{"parameter": "encoder.final_norm_gain", "matrix": null}]})") ==
          "lesson.steps[0].set.parameters[0].parameter");
    CHECK(
        set(R"({"parameters": [{"parameter": "layers.0.feed_forward.hidden", "matrix": null}]})") ==
        "lesson.steps[0].set.parameters[0].matrix");
    CHECK(set(R"({"parameters": [{"parameter": "position_bias", "matrix": {"identity": 1}}]})") ==
          "lesson.steps[0].set.parameters[0].matrix");
}

TEST_CASE("a parameter has a place exactly where the model may have it") {
    std::size_t refused = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        RandomStates states(seed);
        const Model model = randomSession(seed, states).model;
        ModelParameters kept = model.parameters;
        dropWithoutPlace(kept, model.config);
        CHECK(kept == model.parameters);
        for (const ParameterId &id : allParameters(model.parameters)) {
            const ParameterId query{id.layer, ParameterKind::Query, id.block, id.stack};
            const bool elsewhere =
                partOf(id.which) == ParameterPart::Attention &&
                !parameterOf(model.parameters, query); // the model lacks this attention module
            if (hasPlaceFor(model.config, id) || elsewhere)
                continue;
            CAPTURE(nameOf(id));
            ModelParameters more = model.parameters;
            parameterOf(more, id) = makeParameter(Matrix(1, 1));
            const Outcome outcome = validate(more, model.config);
            REQUIRE_FALSE(outcome);
            CHECK(outcome.error().what == "the model does not use this matrix");
            dropWithoutPlace(more, model.config);
            CHECK(more == model.parameters);
            ++refused;
        }
    }
    CHECK(refused > 1000);
}

TEST_CASE("texts of both sequences may be replaced") {
    Json json = example("encoder_decoder");
    json["source"]["sequences"].erase(1);
    json["batch"]["sequences"].erase(1);
    json["view"] = Json::object();
    json["now"] = Json::parse(R"({"set": {"source_text": "the dog drinks", "text": "der Hund"},
                                  "show": {"stack": "encoder", "block": "self", "key": 2}})");
    REQUIRE(placeOf(json) == "");
    const Session session = read(json.dump());
    const Session now = *patched(session, session.now->set);
    CHECK((*now.input.source)[0].text == "the dog drinks");
    CHECK(textsOf((*now.input.batch)[0].tokens) == std::vector<std::string>{"der", "Hund"});
    json["now"]["show"]["key"] = 3;
    CHECK(placeOf(json) == "");
    CHECK(warnedAt(json) == "now.show.key");
    json["now"]["show"] = Json::parse(R"({"stack": "encoder", "block": "cross"})");
    CHECK(placeOf(json) == "");
    CHECK(warnedAt(json) == "now.show.block");
    json["now"] =
        Json::parse(R"({"set": {"source_text": "the", "source": {"sequences": [{"text": "a"}]}}})");
    CHECK(placeOf(json) == "now.set");
    json["now"] =
        Json::parse(R"({"set": {"source": {"sequences": [{"text": "the"}, {"text": "cat"}]}}})");
    CHECK(placeOf(json) == "now.set.source");
}

TEST_CASE("a step can add cross-attention and the second text that it reads") {
    Json json =
        Json::parse(R"({"headlight": 2, "title": "t", "batch": {"sequences": [{"text": "a b"}]},
      "model": {"width": 2, "heads": 1, "head_size": 2,
                "embeddings": {"words": {"a": [1, 0], "b": [0, 1]}, "others": "zero"},
                "layers": [{"self_attention": {"query": {"identity": 1}, "key": {"identity": 1},
                                               "value": {"identity": 1}}}]},
      "lesson": {"summary": "", "steps": [
        {"title": "Self", "text": []},
        {"title": "Cross", "text": ["{layers.0.cross_attention.weights 0 0 b a}"],
         "show": {"block": "cross", "key": 2},
         "set": {"source": {"sequences": [{"text": "a b b"}]}, "parameters": [
           {"parameter": "layers.0.cross_attention.query", "matrix": {"identity": 1}},
           {"parameter": "layers.0.cross_attention.key", "matrix": {"identity": 1}},
           {"parameter": "layers.0.cross_attention.value", "matrix": {"identity": 1}}]}}]}})");
    REQUIRE(placeOf(json) == "");
    const Session session = read(json.dump());
    const Session self = *atStep(session, 0), cross = *atStep(session, 1);
    CHECK_FALSE(self.model.hasCrossAttention());
    CHECK_FALSE(self.input.source);
    CHECK(cross.model.hasCrossAttention());
    CHECK(textsOf((*cross.input.source)[0].tokens) == std::vector<std::string>{"a", "b", "b"});
    CHECK(cross.view.applied({}).key == Index(2)); // a token that only the second text has
    // One needs the other.
    Json &set = json["lesson"]["steps"][1]["set"];
    const Json both = set;
    set.erase("source");
    CHECK(placeOf(json) == "lesson.steps[1].set");
    set = both;
    set.erase("parameters");
    CHECK(placeOf(json) == "lesson.steps[1].set.source");
}

TEST_CASE("a mark without its layer means the shown stack and layer") {
    const TracePointer trace = traceOf(read(example("t5_like").dump()));
    const auto same = [&](const char *shorter, const char *full) {
        CHECK(*expandNumbers(shorter, *trace) == *expandNumbers(full, *trace));
    };
    same("{weights 0 0 1 0 : 6}", "{decoder.layers.0.self_attention.weights 0 0 1 0 : 6}");
    same("{layer.input 0 1 0 : 6}", "{decoder.layers.0.input 0 1 0 : 6}");
    same("{final_norm 0 1 0 : 6}", "{decoder.final_norm 0 1 0 : 6}");
    CHECK(*expandNumbers("{weights 0 0 1 0 : 6}", *trace, {1, Block::CrossAttention}) ==
          *expandNumbers("{decoder.layers.1.cross_attention.weights 0 0 1 0 : 6}", *trace));
    const TracePointer cross = traceOf(read(example("cross_attention_only").dump()));
    CHECK(expandNumbers("{weights 0 0 1 0}", *cross));
    const TracePointer grouped = traceOf(read(example("decoder_rotary").dump()));
    CHECK(expandNumbers("{key 0 1 0 0}", *grouped));
    CHECK_FALSE(expandNumbers("{key 0 1 0 0 0}", *grouped));
    CHECK_FALSE(expandNumbers("{key 0 2 0 0}", *grouped)); // there are only two groups
    CHECK(expandNumbers("{class_logits 0 1}", *traceOf(read(example("encoder_prenorm").dump()))));
}
