#include "transformer/reference_model.h"

#include "core/transformer/model/parameter_id.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <map>

using namespace headlight::core;
using Json = nlohmann::json;

namespace {

double numberOf(const Json &json) {
    return json.is_string() ? -std::numeric_limits<double>::infinity() : json.get<double>();
}

std::vector<float> valuesOf(const Json &json) {
    std::vector<float> values;
    for (const Json &value : json.at("values"))
        values.push_back(static_cast<float>(numberOf(value)));
    return values;
}

/// Returns the value of a word in the file. Fails the test if the word is unknown.
template <typename Value>
Value oneOf(const std::map<std::string, Value> &meanings, const Json &word) {
    return meanings.at(word.get<std::string>());
}

Activation activationFrom(const Json &word) {
    return oneOf<Activation>({{"relu", Activation::Relu},
                              {"gelu", Activation::Gelu},
                              {"gelu_tanh", Activation::GeluTanh},
                              {"silu", Activation::Silu},
                              {"quick_gelu", Activation::QuickGelu},
                              {"squared_relu", Activation::SquaredRelu}},
                             word);
}

Norm normFrom(const Json &json) {
    return {oneOf<NormKind>({{"none", NormKind::None},
                             {"layer", NormKind::Layer},
                             {"rms", NormKind::RootMeanSquare},
                             {"batch", NormKind::Batch}},
                            json.at("kind")),
            oneOf<NormPosition>({{"before", NormPosition::Before},
                                 {"after", NormPosition::After},
                                 {"output", NormPosition::Output},
                                 {"before_and_output", NormPosition::BeforeAndOutput}},
                                json.at("place")),
            json.at("epsilon"), json.at("final"), json.at("embedding")};
}

RotaryConfig rotaryFrom(const Json &json) {
    RotaryConfig rotary;
    rotary.base = json.at("base");
    rotary.width = json.at("width");
    rotary.scaling = oneOf<RotaryScaling>({{"none", RotaryScaling::None},
                                           {"linear", RotaryScaling::Linear},
                                           {"dynamic", RotaryScaling::Dynamic},
                                           {"yarn", RotaryScaling::Yarn},
                                           {"llama3", RotaryScaling::Llama3}},
                                          json.at("scaling"));
    rotary.factor = json.value("factor", rotary.factor);
    rotary.originalLength = json.value("original_length", rotary.originalLength);
    rotary.lowFrequencyFactor = json.value("low_frequency_factor", rotary.lowFrequencyFactor);
    rotary.highFrequencyFactor = json.value("high_frequency_factor", rotary.highFrequencyFactor);
    rotary.betaFast = json.value("beta_fast", rotary.betaFast);
    rotary.betaSlow = json.value("beta_slow", rotary.betaSlow);
    rotary.attentionFactor = json.value("attention_factor", rotary.attentionFactor);
    return rotary;
}

OutputLayer headFrom(const Json &json) {
    OutputLayer head;
    head.kind = oneOf<OutputLayerKind>({{"none", OutputLayerKind::None},
                                        {"language", OutputLayerKind::Language},
                                        {"masked_language", OutputLayerKind::MaskedLanguage},
                                        {"classifier", OutputLayerKind::Classifier}},
                                       json.at("kind"));
    head.scaled = json.value("scaled", false);
    if (json.contains("activation"))
        head.activation = activationFrom(json.at("activation"));
    head.norm = json.value("norm", false);
    head.classes = json.value("classes", Index(0));
    if (json.contains("pooling"))
        head.pooling = oneOf<Pooling>(
            {{"first", Pooling::First}, {"last", Pooling::Last}, {"mean", Pooling::Mean}},
            json.at("pooling"));
    return head;
}

Config configFrom(const Json &json) {
    Config config;
    config.width = json.at("width");
    config.heads = json.at("heads");
    config.headSize = json.at("head_size");
    config.keyValueHeads = json.at("key_value_heads");
    config.layerCount = json.value("layer_count", Index(0));
    config.scale = scaleFrom(json.at("scale"));
    config.temperature = json.at("temperature");
    config.scoreCap.limit = json.value("score_cap", 0.0f);
    config.logitCap.limit = json.value("logit_cap", 0.0f);
    config.alibiSlopes = json.value("alibi_slopes", std::vector<float>());
    config.softmax = json.at("softmax");
    config.masking.afterSoftmax = json.at("mask_after_softmax");
    config.masking.value = json.value("mask_value", config.masking.value);
    config.positions = oneOf<Positions>({{"none", Positions::None},
                                         {"sinusoidal", Positions::Sinusoidal},
                                         {"learned", Positions::Learned},
                                         {"rotary", Positions::Rotary},
                                         {"alibi", Positions::Alibi},
                                         {"relative", Positions::Relative}},
                                        json.at("positions"));
    if (json.value("sinusoid_order", "interleaved") == "halves")
        config.sinusoidOrder = SinusoidOrder::Halves;
    config.positionOffset = json.value("position_offset", Index(0));
    if (json.contains("rotary"))
        config.rotary = rotaryFrom(json.at("rotary"));
    if (json.contains("relative"))
        config.relative = {json.at("relative").at("buckets"),
                           json.at("relative").at("maximum_distance")};
    config.norm = normFrom(json.at("norm"));
    config.queryKeyNorm = oneOf<QueryKeyNorm>({{"none", QueryKeyNorm::None},
                                               {"per_head", QueryKeyNorm::PerHead},
                                               {"all_heads", QueryKeyNorm::AllHeads}},
                                              json.value("query_key_norm", "none"));
    config.residual = json.at("residual");
    config.parallel = json.value("parallel", false);
    config.sharedNorm = json.value("shared_norm", false);
    if (const auto it = json.find("encoder"); it != json.end())
        config.encoder = {it->value("heads", Index(0)), it->value("head_size", Index(0)),
                          it->value("value_size", Index(0)), it->value("key_value_heads", Index(0)),
                          it->value("feed_forward_width", Index(0))};
    config.windows = json.value("windows", std::vector<Index>());
    config.valueSize = json.value("value_size", Index(0));
    if (const auto it = json.find("feed_forward"); it != json.end())
        config.feedForward = {it->at("width"), activationFrom(it->at("activation")),
                              it->at("gated")};
    config.embeddingWidth = json.at("embedding_width");
    config.scaleEmbeddings = json.at("scale_embeddings");
    config.outputLayer = headFrom(json.at("head"));
    return config;
}

/// Reads every {"shape", "values"} in the nested objects and lists into the parameter at its path.
void readParameters(const Json &json, const std::string &path, ModelParameters &weights) {
    for (const auto &[key, value] : json.items()) {
        const std::string name = path.empty() ? key : path + "." + key;
        CAPTURE(name);
        if (value.is_object() && value.contains("values")) {
            const auto id = findParameter(name);
            REQUIRE(id.has_value());
            REQUIRE(hasPlaceFor(weights, *id));
            parameterOf(weights, *id) = matrixFrom(value);
        } else if (value.is_object() || (value.is_array() && key == "layers")) {
            readParameters(value, name, weights);
        }
    }
}

BatchPointer batchFrom(const Json &json) {
    auto batch = Batch::ofWords(json.at("tokens"), json.at("length").get<Index>());
    REQUIRE(batch.ok());
    BatchPointer filled = *batch;
    Index sequence = 0;
    for (const Json &types : json.value("token_types", Json::array()))
        filled = filled->withTokenTypes(sequence++, types);
    return filled;
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

} // namespace

std::vector<std::filesystem::path> referenceFiles(const std::string &folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto &entry :
         std::filesystem::directory_iterator(std::string(HEADLIGHT_TEST_DATA "/") + folder))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

Json readReference(const std::filesystem::path &path) {
    std::ifstream file(path);
    return Json::parse(file);
}

Parameter matrixFrom(const Json &json) {
    const auto shape = json.at("shape").get<std::vector<Index>>();
    const Index rows = shape.size() == 1 ? 1 : shape[0];
    return makeParameter(Matrix(rows, shape.back(), valuesOf(json)));
}

Tensor tensorFrom(const Json &json) {
    const Shape shape(json.at("shape").get<std::vector<Index>>());
    std::vector<float> values = valuesOf(json);
    REQUIRE(static_cast<Index>(values.size()) == shape.count());
    return Tensor(shape, std::move(values));
}

Scale scaleFrom(const Json &json) {
    if (json.is_number())
        return {Scale::Kind::Number, json.get<float>()};
    return {json == "off" ? Scale::Kind::Off : Scale::Kind::SquareRoot};
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

Model transformerFrom(const Json &json) {
    Model model;
    model.config = configFrom(json);
    auto vocabulary = Vocabulary::create(json.at("vocabulary"));
    REQUIRE(vocabulary.ok());
    model.vocabulary = *vocabulary;
    model.parameters.main.layers.resize(json.at("layers").size());
    if (json.contains("encoder"))
        model.parameters.encoder.layers.resize(json.at("encoder").at("layers").size());
    readParameters(json, "", model.parameters);
    return model;
}

Input transformerInputFrom(const Json &document) {
    Input input{batchFrom(document.at("batch")), masksFrom(document.at("masks"))};
    if (document.contains("source")) {
        input.source = batchFrom(document.at("source"));
        input.crossMasks = masksFrom(document.at("cross_masks"));
    }
    if (document.contains("encoder_masks"))
        input.encoderMasks = masksFrom(document.at("encoder_masks"));
    return input;
}

Model attentionModelFrom(const Json &document) {
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

Input attentionInputFrom(const Json &document) {
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

double deviationOf(const Tensor &ours, const Json &theirs, double floor, bool exactZeros,
                   double hidden) {
    REQUIRE_FALSE(ours.isNull());
    REQUIRE(ours.shape().sizes() == theirs.at("shape").get<std::vector<Index>>());
    const Json &values = theirs.at("values");
    REQUIRE(values.size() == ours.values().size());
    double largest = floor, deviation = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = numberOf(values[i]);
        const double value = static_cast<double>(ours.values()[i]);
        if (expected == hidden) {
            CHECK(value == expected);
            continue;
        }
        if (exactZeros && expected == 0)
            CHECK(value == 0);
        largest = std::max(largest, std::abs(expected));
        REQUIRE(std::isfinite(value));
        deviation = std::max(deviation, std::abs(value - expected));
    }
    return deviation / largest;
}
