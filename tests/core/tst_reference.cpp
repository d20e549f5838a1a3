// Every stage against what PyTorch computed in float64 (tests/reference/make_attention.py).
#include "core/transformer/forward.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

using namespace headlight::core;
using Json = nlohmann::json;

namespace {

constexpr double kTolerance = 2e-5;

double numberOf(const Json &json) {
    return json.is_string() ? -std::numeric_limits<double>::infinity() : json.get<double>();
}

Parameter matrixFrom(const Json &json) {
    const auto shape = json.at("shape").get<std::vector<Index>>();
    const Index rows = shape.size() == 1 ? 1 : shape[0];
    std::vector<float> values;
    for (const Json &value : json.at("values"))
        values.push_back(static_cast<float>(numberOf(value)));
    return makeParameter(Matrix(rows, shape.back(), std::move(values)));
}

MaskLayers masksFrom(const Json &json) {
    MaskLayers layers;
    for (const Json &mask : json) {
        const std::string kind = mask.at("kind");
        if (kind == "causal") {
            layers.emplace_back(CausalMask{});
        } else if (kind == "padding") {
            layers.emplace_back(PaddingMask{});
        } else if (kind == "window") {
            layers.emplace_back(WindowMask{mask.at("width"), mask.at("both_ways")});
        } else if (kind == "prefix") {
            layers.emplace_back(PrefixMask{mask.at("length")});
        } else if (kind == "blocks") {
            layers.emplace_back(BlockMask{mask.at("size")});
        } else if (kind == "diagonal") {
            layers.emplace_back(DiagonalMask{});
        } else {
            CellMask cells;
            for (const Json &cell : mask.at("cells")) {
                MaskCell said{std::nullopt, cell.at("query"), cell.at("key"), cell.at("visible")};
                if (cell.contains("sequence"))
                    said.sequence = cell.at("sequence").get<Index>();
                cells.cells.push_back(said);
            }
            layers.emplace_back(cells);
        }
    }
    return layers;
}

Model modelFrom(const Json &document) {
    const Json &json = document.at("config");
    Model model;
    model.config.width = json.at("width");
    model.config.heads = json.at("heads");
    model.config.headSize = json.at("head_size");
    model.config.temperature = json.at("temperature");
    const Json &scale = json.at("scale");
    if (scale.is_number())
        model.config.scale = {Scale::Kind::Number, scale.get<float>()};
    else if (scale == "off")
        model.config.scale.kind = Scale::Kind::Off;
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
    model.weights.main.layers.push_back(
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
    auto batch = Batch::create(std::move(tokens), static_cast<Index>(length));
    REQUIRE(batch.ok());
    BatchPointer filled = *batch;
    for (Index b = 0; b < filled->count(); ++b)
        filled = filled->withEmbeddings(
            b, matrixFrom(document.at("embeddings").at(static_cast<std::size_t>(b))));
    return {filled, masksFrom(document.at("masks")), interventionsFrom(document.at("config"))};
}

/// The largest deviation, relative to the stage's largest value where that is over 1.
/// What stands for hidden scores must be exactly that, and counts for nothing else.
double compare(const Tensor &ours, const Json &theirs, bool isWeights, double hidden) {
    REQUIRE_FALSE(ours.isNull());
    REQUIRE(ours.shape().sizes() == theirs.at("shape").get<std::vector<Index>>());
    const Json &values = theirs.at("values");
    double largest = 1, deviation = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = numberOf(values[i]);
        const double value = static_cast<double>(ours.values()[i]);
        if (expected == hidden) {
            CHECK(value == expected);
            continue;
        }
        if (isWeights && expected == 0)
            CHECK(value == 0);
        largest = std::max(largest, std::abs(expected));
        REQUIRE(std::isfinite(value));
        deviation = std::max(deviation, std::abs(value - expected));
    }
    return deviation / largest;
}

} // namespace

TEST_CASE("every stage of every reference file") {
    std::map<std::string, double> worst;
    std::size_t files = 0;
    std::vector<std::filesystem::path> paths;
    for (const auto &entry : std::filesystem::directory_iterator(HEADLIGHT_TEST_DATA "/attention"))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const auto &path : paths) {
        CAPTURE(path.filename().string());
        std::ifstream file(path);
        const Json document = Json::parse(file);
        const auto trace = forward(modelFrom(document), inputFrom(document));
        REQUIRE(trace.ok());
        for (const auto &[name, stage] : document.at("stages").items()) {
            CAPTURE(name);
            const double hidden = static_cast<double>((*trace)->model().config.masking.value);
            const bool isWeights = name == stageName(Stage::Weights);
            const double deviation = compare((*trace)->stage(name), stage, isWeights, hidden);
            CHECK(deviation <= kTolerance);
            worst[name] = std::max(worst[name], deviation);
        }
        // A stage that only one side has would go unseen otherwise.
        for (const StageInfo &info : allStages())
            if (info.part != Part::Layer && info.stage != Stage::HeadOutputs) // not in the files
                CHECK((*trace)->has(info.stage) ==
                      document.at("stages").contains(stageName(info.stage)));
        const Tensor masked = (*trace)->stage(Stage::MaskedScores);
        const Tensor weights = (*trace)->stage(Stage::Weights);
        for (std::size_t i = 0; !masked.isNull() && i < masked.values().size(); ++i)
            if (std::isinf(masked.values()[i]))
                CHECK(weights.values()[i] == 0);
        ++files;
    }
    CHECK(files >= 37);
    for (const auto &[name, deviation] : worst)
        std::printf("%-42s largest deviation %.2e\n", name.c_str(), deviation);
}
