#include "transformer/reference_model.h"

#include "core/formats/json/reader.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/transformer/model/parameter_id.h"
#include "core_test.h"

#include <fstream>

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

/// Reads the JSON as a part of a session file.
template <typename Part>
void readAsSession(const Json &json, const Part &part) {
    const JsonValue document = valueOf(readJson(json.dump()));
    Reading reading;
    part(Field(&document, "", reading));
    REQUIRE(reading.problems.empty());
}

/// Uses the field names and words of session files.
Config configFrom(const Json &json) {
    Config config;
    readAsSession(json, [&](const Field &field) {
        REQUIRE(readInto(field, config));
        if (json.contains("encoder"))
            REQUIRE(readInto(field.member("encoder"), config.encoder));
    });
    return config;
}

/// Reads each {"shape", "values"} in the nested objects and lists into the parameter at its path.
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
    BatchPointer filled =
        valueOf(Batch::ofWords(json.at("tokens"), json.at("length").get<Index>()));
    Index sequence = 0;
    for (const Json &types : json.value("token_types", Json::array()))
        filled = filled->withTokenTypes(sequence++, types);
    sequence = 0;
    for (const Json &rows : json.value("embeddings", Json::array()))
        filled = filled->withEmbeddings(sequence++, matrixFrom(rows));
    return filled;
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

void readMasksInto(Input &input, const Json &document, const Model &model) {
    readAsSession(document, [&](const Field &field) {
        AttentionMasks masks = readMasks(field, model, nullptr, nullptr);
        input.masks = masks.self.value_or(MaskLayers());
        input.encoderMasks = masks.encoder.value_or(MaskLayers());
        input.crossMasks = masks.cross.value_or(MaskLayers());
    });
}

Model transformerFrom(const Json &json) {
    Model model;
    model.config = configFrom(json);
    if (json.contains("vocabulary"))
        model.vocabulary = valueOf(Vocabulary::create(json.at("vocabulary")));
    model.parameters.main.layers.resize(json.at("layers").size());
    if (json.contains("encoder"))
        model.parameters.encoder.layers.resize(json.at("encoder").at("layers").size());
    readParameters(json, "", model.parameters);
    return model;
}

Input transformerInputFrom(const Json &document, const Model &model) {
    Input input{batchFrom(document.at("batch")), {}};
    if (document.contains("source"))
        input.source = batchFrom(document.at("source"));
    if (document.contains("interventions"))
        readAsSession(document.at("interventions"), [&](const Field &field) {
            input.interventions = readInterventions(field, model);
        });
    readMasksInto(input, document, model);
    return input;
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
