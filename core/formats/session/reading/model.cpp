// Reads `model` in a session file: its sizes, switches, vocabulary and word vectors. weights.cpp
// reads its parameters.
#include "core/formats/json/reader.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

/// Returns null if the list is missing, or after a problem.
VocabularyPointer readVocabulary(const Field &list) {
    if (!list.present() || !list.isArray())
        return nullptr;
    if (list.size() < 1 || list.size() > static_cast<std::size_t>(kMaxVocabulary)) {
        list.expected({"a list of 1 to %1 words", kMaxVocabulary});
        return nullptr;
    }
    std::vector<std::string> words;
    for (std::size_t index = 0; index < list.size(); ++index) {
        auto word = list.element(index).text();
        if (!word)
            return nullptr;
        words.push_back(std::move(*word));
    }
    auto vocabulary = Vocabulary::create(std::move(words));
    if (vocabulary)
        return *vocabulary;
    const std::string &where = vocabulary.error().where; // such as "vocabulary[3]"
    list.reading().add({vocabulary.error().what,
                        list.path() + where.substr(std::min(where.find('['), where.size())),
                        vocabulary.error().remedy});
    return nullptr;
}

/// Reports a problem if a member that others depend on is missing.
void require(const Field &parent, const char *name) {
    if (parent.is(JsonValue::Kind::Object) && !parent.member(name).present())
        parent.member(name).fail("it is missing",
                                 {"add it, or leave out all of %1", inQuotes(parent.path())});
}

/// Returns false and leaves `config` unchanged if the sizes are invalid.
bool readConfig(const Field &field, Config &config) {
    const std::size_t before = field.reading().problems.size();
    config.heads = 0; // 0 means not read, as for width and headSize
    readInto(field, config);
    require(field.member("norm"), "kind");
    require(field.member("feed_forward"), "width");
    require(field.member("head"), "kind");
    if (const Field encoder = field.member("encoder"); encoder.is(JsonValue::Kind::Object)) {
        readInto(encoder, config.encoder);
        if (const Field count = encoder.member("layer_count"); count.present())
            whole(1, kMaxLayers).read(count, config.encoderLayerCount);
    }
    const bool hasSizes = config.width > 0 && config.heads > 0 && config.headSize > 0;
    const Outcome outcome = hasSizes ? validate(config) : Done{};
    // If a field could not be read, its problem has already been reported.
    if (!outcome && field.reading().problems.size() == before)
        field.reading().add(outcome.error());
    if (hasSizes && outcome)
        return true;
    const Config none;
    config.width = none.width;
    config.heads = none.heads;
    config.headSize = none.headSize;
    return false;
}

} // namespace

std::map<std::string, std::vector<float>> readWords(const Field &words, Index width,
                                                    bool ignoreCase) {
    std::map<std::string, std::vector<float>> read;
    if (!words.isObject())
        return read;
    std::map<std::string, const std::string *> spellings; // by the key that Embeddings looks up
    for (const JsonMember &word : words.value().members()) {
        const Field field = words.entry(word);
        const auto [same, isNew] =
            spellings.emplace(ignoreCase ? foldCase(word.name) : normalized(word.name), &word.name);
        if (!isNew)
            field.fail({"the same word as %1", inQuotes(*same->second)}, "keep one of them");
        else if (word.name.empty())
            field.fail("an empty word", "give it a name or remove it");
        if (auto vector = readVector(field, width))
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

Model readModel(const Field &field) {
    Model model;
    if (!field.isObject())
        return model;
    if (!readConfig(field, model.config)) {
        field.member("layers").isArray();
        return model;
    }
    const Field vocabulary = field.member("vocabulary"), words = field.member("embeddings");
    const Field sourceVocabulary = field.member("encoder").member("vocabulary");
    model.embeddings = readEmbeddings(words, model.config.tokenWidth());
    model.vocabulary = readVocabulary(vocabulary);
    model.sourceVocabulary = readVocabulary(sourceVocabulary);
    if (words.present() && field.member("token_embeddings").present())
        words.fail("the model looks its words up in token_embeddings", "use one of the two");
    const auto language = model.config.outputLayer.kind;
    if (!vocabulary.present() &&
        (language == OutputLayerKind::Language || language == OutputLayerKind::MaskedLanguage))
        vocabulary.fail("it is missing", "give the words of the output layer");
    if (sourceVocabulary.present() && !field.member("encoder").member("token_embeddings").present())
        sourceVocabulary.fail("the encoder has no embeddings of its own",
                              "give its token_embeddings, or remove it");
    const Index known = model.vocabulary ? model.vocabulary->size() : 0;
    readWeights(field, known, model.sourceVocabulary ? model.sourceVocabulary->size() : known,
                model);
    return model;
}

bool readSwitch(const Field &parent, std::string_view name, Config &config) {
    const Field field = parent.member(std::string(name));
    return field.present() && Fields<Config>::table().row(name).read(field, config);
}

} // namespace headlight::core
