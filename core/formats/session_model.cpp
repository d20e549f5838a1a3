// `model` of a session file: sizes and switches, the words' vectors, the layers' matrices.
#include "core/formats/json_reader.h"
#include "core/formats/session_parts.h"
#include "core/tokenizers/unicode.h"

#include <cmath>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

/// False where the sizes are no use.
bool readConfig(const Field &field, Config &config) {
    const auto width = field.member("width").whole(1, kMaximumWidth);
    const auto heads = field.member("heads").whole(1, kMaximumHeads);
    const auto headSize = field.member("head_size").whole(1, kMaximumWidth);
    if (const Field scale = field.member("scale"); scale.present())
        config.scale = readScale(scale).value_or(Scale());
    if (const Field temperature = field.member("temperature"); temperature.present())
        config.temperature = temperature.positive().value_or(1.0f);
    if (const Field positions = field.member("positions"); positions.present())
        config.positions = readPositions(positions).value_or(Positions::None);
    if (const Field softmax = field.member("softmax"); softmax.present())
        config.softmax = softmax.boolean().value_or(true);
    config.masking = readMasking(field, config.masking).value_or(config.masking);
    if (!width || !heads || !headSize)
        return false;
    Config sized = config;
    sized.width = *width;
    sized.heads = *heads;
    sized.headSize = *headSize;
    if (const Outcome outcome = validate(sized); !outcome) {
        field.reading().add(outcome.error());
        return false;
    }
    config = sized;
    return true;
}

} // namespace

std::map<std::string, std::vector<float>> readWords(const Field &words, Index width,
                                                    bool ignoreCase) {
    std::map<std::string, std::vector<float>> read;
    if (!words.isObject())
        return read;
    std::map<std::string, const std::string *> spellings; // by what Embeddings takes for one word
    for (const JsonMember &word : words.value().members()) {
        const Field field = words.entry(word.name);
        const auto [same, isNew] =
            spellings.emplace(ignoreCase ? foldCase(word.name) : normalized(word.name), &word.name);
        if (!isNew)
            field.fail("the same word as " + inQuotes(*same->second), "keep one of them");
        else if (word.name.empty())
            field.fail("a word without a letter", "give it a name or take it out");
        if (auto vector = readVector(Field(&word.value, field.path(), field.reading()), width))
            read.emplace(word.name, std::move(*vector));
    }
    return read;
}

namespace {

void readOthers(const Field &others, Embeddings::Given &given) {
    if (others.is(Kind::String) && others.value().text() == "zero") {
        given.deviation = 0;
        return;
    }
    const Field random = others.member("random");
    if (!random.is(Kind::Object)) {
        others.expected("\"zero\" or {\"random\": {\"seed\": …}}");
        return;
    }
    given.seed = mixedSeed(random.reading(), readSeed(random.member("seed")).value_or(0));
    if (const Field scale = random.member("scale"); scale.present())
        given.deviation = readRandomScale(scale).value_or(1.0f);
}

EmbeddingsPointer readEmbeddings(const Field &field, Index width) {
    Embeddings::Given given;
    given.width = width;
    given.seed = mixedSeed(field.reading(), 0);
    if (field.present() && field.isObject()) {
        if (const Field ignoreCase = field.member("ignore_case"); ignoreCase.present())
            given.ignoreCase = ignoreCase.boolean().value_or(false);
        if (const Field words = field.member("words"); words.present())
            given.words = readWords(words, width, given.ignoreCase);
        if (const Field others = field.member("others"); others.present())
            readOthers(others, given);
    }
    return std::make_shared<const Embeddings>(std::move(given));
}

} // namespace

Parameter readBias(const Field &field, Index size) {
    auto numbers = readVector(field, size);
    return numbers ? makeParameter(Matrix(1, size, std::move(*numbers))) : nullptr;
}

namespace {

AttentionWeights readAttention(const Field &field, const Config &config) {
    AttentionWeights weights;
    if (!field.isObject())
        return weights;
    const Index c = config.width;
    const Index hd = config.concatenatedWidth();
    const auto project = [&](const char *name) {
        return readHeads(field.member(name), c, hd, config.heads, HeadLayout::SideBySide);
    };
    weights.query = project("query");
    weights.key = project("key");
    weights.value = project("value");
    if (const Field output = field.member("output"); output.present())
        weights.output = readHeads(output, hd, c, config.heads, HeadLayout::Stacked);
    const auto bias = [&field](const char *name, Index size) {
        const Field given = field.member(name);
        return given.present() ? readBias(given, size) : nullptr;
    };
    weights.queryBias = bias("query_bias", hd);
    weights.keyBias = bias("key_bias", hd);
    weights.valueBias = bias("value_bias", hd);
    weights.outputBias = bias("output_bias", c);
    return weights;
}

} // namespace

std::optional<Scale> readScale(const Field &field) {
    if (field.is(Kind::Number)) {
        const auto number = field.positive();
        if (!number)
            return std::nullopt;
        return Scale{Scale::Kind::Number, *number};
    }
    if (field.is(Kind::String) && field.value().text() == "square_root")
        return Scale{};
    if (field.is(Kind::String) && field.value().text() == "off")
        return Scale{Scale::Kind::Off, 1};
    field.expected("\"square_root\", \"off\" or the number to divide by");
    return std::nullopt;
}

std::optional<Positions> readPositions(const Field &field) {
    const auto word = field.word({"none", "sinusoidal"});
    if (!word)
        return std::nullopt;
    return *word == 0 ? Positions::None : Positions::Sinusoidal;
}

std::optional<Masking> readMasking(const Field &parent, Masking masking) {
    const Field value = parent.member("mask_value");
    const Field afterSoftmax = parent.member("mask_after_softmax");
    if (value.is(Kind::String) && value.value().text() == "negative_infinity") {
        masking.value = Masking().value;
    } else if (value.is(Kind::Number) && std::isfinite(value.value().single) &&
               value.value().single < 0) {
        masking.value = value.value().single;
    } else if (value.present()) {
        value.expected("\"negative_infinity\" or a number less than 0");
        return std::nullopt;
    }
    if (afterSoftmax.present())
        masking.afterSoftmax = afterSoftmax.boolean().value_or(false);
    return masking;
}

Model readModel(const Field &field) {
    Model model;
    if (!field.isObject())
        return model;
    const Field layers = field.member("layers");
    const bool countable = layers.isArray();
    if (!readConfig(field, model.config))
        return model;
    model.embeddings = readEmbeddings(field.member("embeddings"), model.config.width);
    if (!countable)
        return model;
    if (layers.size() < 1 || layers.size() > static_cast<std::size_t>(kMaximumLayers)) {
        layers.expected("a list of 1 to " + std::to_string(kMaximumLayers) + " layers");
        return model;
    }
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        model.weights.main.layers.push_back(
            {readAttention(layers.element(layer).member("self_attention"), model.config)});
    return model;
}

} // namespace headlight::core
