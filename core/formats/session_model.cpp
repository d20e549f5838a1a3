// `model` of a session file: sizes and switches, the words' vectors, the layers' matrices.
#include "core/formats/json_reader.h"
#include "core/formats/session_parts.h"
#include "core/tokenizers/unicode.h"

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

void readWords(const Field &words, Embeddings::Given &given) {
    if (!words.isObject())
        return;
    std::map<std::string, const std::string *> spellings; // by what Embeddings takes for one word
    for (const JsonMember &word : words.value().members()) {
        const Field field = words.entry(word.name);
        const auto [same, isNew] = spellings.emplace(
            given.ignoreCase ? foldCase(word.name) : normalized(word.name), &word.name);
        if (!isNew)
            field.fail("the same word as " + inQuotes(*same->second), "keep one of them");
        else if (word.name.empty())
            field.fail("a word without a letter", "give it a name or take it out");
        if (auto vector =
                readVector(Field(&word.value, field.path(), field.reading()), given.width))
            given.words.emplace(word.name, std::move(*vector));
    }
}

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
    given.seed =
        mixedSeed(random.reading(), random.member("seed").whole(0, Index(1) << 53).value_or(0));
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
            readWords(words, given);
        if (const Field others = field.member("others"); others.present())
            readOthers(others, given);
    }
    return std::make_shared<const Embeddings>(std::move(given));
}

Parameter readBias(const Field &field, Index size) {
    if (!field.present())
        return nullptr;
    auto numbers = readVector(field, size);
    return numbers ? makeParameter(Matrix(1, size, std::move(*numbers))) : nullptr;
}

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
    weights.queryBias = readBias(field.member("query_bias"), hd);
    weights.keyBias = readBias(field.member("key_bias"), hd);
    weights.valueBias = readBias(field.member("value_bias"), hd);
    weights.outputBias = readBias(field.member("output_bias"), c);
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
        model.weights.layers.push_back(
            {readAttention(layers.element(layer).member("self_attention"), model.config)});
    return model;
}

} // namespace headlight::core
