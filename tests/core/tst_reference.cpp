// Every stage compared with PyTorch in float64 (tests/reference/make_attention.py).
#include "core/transformer/run/forward.h"
#include "transformer/reference_model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <doctest/doctest.h>
#include <map>

using namespace headlight::core;
using Json = nlohmann::json;

namespace {

constexpr double kTolerance = 2e-5;

Model modelFrom(const Json &document) {
    const Json &json = document.at("config");
    Model model;
    model.config.width = json.at("width");
    model.config.heads = json.at("heads");
    model.config.headSize = json.at("head_size");
    model.config.temperature = json.at("temperature");
    model.config.scale = scaleFrom(json.at("scale"));
    if (json.at("positions") == "sinusoidal")
        model.config.positions = Positions::Sinusoidal;
    if (json.contains("mask_value"))
        model.config.masking.value = json.at("mask_value");
    model.config.masking.afterSoftmax = json.value("mask_after_softmax", false);
    model.config.softmax = json.value("softmax", true);
    const Json &weights = document.at("weights");
    const auto parameter = [&](const char *name) {
        return weights.contains(name) ? matrixFrom(weights.at(name)) : Parameter();
    };
    model.parameters.main.layers.push_back(
        {{parameter("query"), parameter("key"), parameter("value"), parameter("output"),
          parameter("query_bias"), parameter("key_bias"), parameter("value_bias"),
          parameter("output_bias")}});
    return model;
}

Interventions interventionsFrom(const Json &config) {
    const std::map<std::string, HeadState> states{
        {"zero", HeadState::Zero}, {"mean", HeadState::Mean}, {"uniform", HeadState::Uniform}};
    Interventions interventions;
    for (const Json &said : config.value("head_states", Json::array()))
        interventions.setHead(0, said.at("head"), states.at(said.at("state")));
    for (const Json &said : config.value("scores", Json::array()))
        interventions.setScore({said.at("sequence"), 0, said.at("head"), said.at("query"),
                                said.at("key"), said.at("score")});
    return interventions;
}

Input inputFrom(const Json &document) {
    std::vector<std::vector<std::string>> tokens;
    const std::size_t length = document.at("embeddings").at(0).at("shape").at(0);
    for (const Json &count : document.at("lengths"))
        tokens.emplace_back(count.get<std::size_t>(), "w");
    auto batch = Batch::ofWords(std::move(tokens), static_cast<Index>(length));
    REQUIRE(batch.ok());
    BatchPointer filled = *batch;
    for (Index b = 0; b < filled->count(); ++b)
        filled = filled->withEmbeddings(
            b, matrixFrom(document.at("embeddings").at(static_cast<std::size_t>(b))));
    return {filled, masksFrom(document.at("masks")), interventionsFrom(document.at("config"))};
}

} // namespace

TEST_CASE("every stage of every reference file") {
    std::map<std::string, double> worst;
    std::size_t files = 0;
    for (const auto &path : referenceFiles("attention")) {
        CAPTURE(path.filename().string());
        const Json document = readReference(path);
        const auto trace = forward(modelFrom(document), inputFrom(document));
        REQUIRE(trace.ok());
        for (const auto &[name, stage] : document.at("stages").items()) {
            CAPTURE(name);
            const double hidden = static_cast<double>((*trace)->model().config.masking.value);
            const bool isWeights = name == stageName(Stage::AttentionWeights);
            const double deviation =
                deviationOf((*trace)->stage(name), stage, 1, isWeights, hidden);
            CHECK(deviation <= kTolerance);
            worst[name] = std::max(worst[name], deviation);
        }
        // Stages that only one side has would be missed otherwise.
        for (const StageInfo &info : allStages())
            if (info.part != Part::Layer && info.stage != Stage::HeadOutputs) // not in the files
                CHECK((*trace)->has(info.stage) ==
                      document.at("stages").contains(stageName(info.stage)));
        const Tensor masked = (*trace)->stage(Stage::MaskedScores);
        const Tensor weights = (*trace)->stage(Stage::AttentionWeights);
        for (std::size_t i = 0; !masked.isNull() && i < masked.values().size(); ++i)
            if (std::isinf(masked.values()[i]))
                CHECK(weights.values()[i] == 0);
        ++files;
    }
    CHECK(files >= 37);
    for (const auto &[name, deviation] : worst)
        std::printf("%-42s largest deviation %.2e\n", name.c_str(), deviation);
}
