#include "ui/document/new_model.h"

#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/in_quotes.h"
#include "core/parse_number.h"
#include "core/tokenizers/word_tokenizer.h"
#include "core/transformer/model/parameter_table.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

namespace headlight::ui {

namespace {

using core::Index;
using core::jsonObject;
using core::ParameterKind;
using Members = std::vector<core::JsonMemberText>;
using Words = std::vector<std::string>;

constexpr Index kLearnedPositions = 64; // allows for a longer text later

std::string indent(int levels) {
    return "\n" + std::string(static_cast<std::size_t>(2 * levels), ' ');
}

QStringList listed(const QString &list) {
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    return list.split(between, Qt::SkipEmptyParts);
}

/// Returns padding, an unknown-word token, and each word of the text once.
Words vocabularyOf(const Words &tokens) {
    Words words{std::string(core::kPadToken), "[UNK]"};
    std::unordered_set<std::string> known(words.begin(), words.end());
    for (const std::string &token : tokens)
        if (known.insert(token).second)
            words.push_back(token);
    return words;
}

std::string listOf(const Words &words) {
    std::string list;
    for (const std::string &word : words)
        list += (list.empty() ? "" : ", ") + core::jsonText(word);
    return "[" + list + "]";
}

/// Writes matrices as JSON, one after the other, each with the next seed.
class Recipe {
  public:
    Recipe(const NewSession &wanted, const core::Config &config)
        : m_kind(wanted.kind), m_config(config), m_layers(wanted.layers), m_seed(wanted.seed) {}

    Index numbers() const { return m_numbers; }
    /// Switches to the encoder's configuration.
    void goToEncoder() { m_config = m_config.ofEncoder(); }
    std::string embeddings() { return "{\"others\": " + random() + "}"; }

    std::string layers(bool isEncoder, int depth) {
        std::string all;
        for (Index layer = 0; layer < m_layers; ++layer)
            all += (all.empty() ? "" : ",") + indent(depth + 1) + oneLayer(isEncoder, depth + 2);
        return "[" + all + indent(depth) + "]";
    }

    /// Writes the initial values of a part: its required matrices, W_O and norms. Biases can be
    /// added later. A model without a vocabulary passes 0 words.
    Members parameters(core::ParameterPart part, Index words = 0, Index tokens = 0) {
        Members members;
        for (const core::ParameterInfo &info : core::parametersOf(part))
            if (info.hasPlace(m_config) && isWanted(info, words > 0))
                members.push_back({std::string(info.name), numbersOf(info, words, tokens)});
        return members;
    }

  private:
    std::string random() {
        return "{\"random\": " + jsonObject({{"seed", core::seedText(m_seed++)}}) + "}";
    }

    static bool isWanted(const core::ParameterInfo &info, bool ofWords) {
        switch (info.kind) {
        case ParameterKind::Output:
            return true;
        case ParameterKind::Embeddings:
        case ParameterKind::OutputMatrix:
            return ofWords;
        default:
            return info.isRequired || info.isOfNorm();
        }
    }

    static bool isLookedUp(ParameterKind kind) {
        return kind == ParameterKind::Embeddings || kind == ParameterKind::Positions ||
               kind == ParameterKind::PositionBias;
    }

    std::string numbersOf(const core::ParameterInfo &info, Index words, Index tokens) {
        // Norms start with gain 1 and bias 0, and can be edited.
        if (info.isOfNorm())
            return info.form == core::ParameterForm::NormGain ? R"({"constant": 1})"
                                                              : R"({"constant": 0})";
        const Index fixedRows = info.rows(m_config, words);
        const bool isOpen = fixedRows == core::kAnyRows;
        const Index rows = isOpen ? std::max(tokens, kLearnedPositions) : fixedRows;
        m_numbers += rows * info.columns(m_config, words);
        // Rows of a looked-up matrix are used one at a time, so each value has deviation 1. A
        // product with any other matrix sums over its rows, so the deviation of its values shrinks
        // with the number of rows.
        if (!isLookedUp(info.kind))
            return random();
        Members members{
            {"random",
             jsonObject({{"seed", core::seedText(m_seed++)},
                         {"scale", core::jsonNumber(std::sqrt(static_cast<float>(rows)))}})}};
        if (isOpen)
            members.push_back({"rows", std::to_string(rows)});
        return jsonObject(members);
    }

    std::string oneLayer(bool isEncoder, int depth) {
        Members members;
        const auto add = [&](const char *name, core::ParameterPart part) {
            members.push_back({name, jsonObject(parameters(part), indent(depth + 1))});
        };
        if (hasSelfAttention(m_kind))
            add("self_attention", core::ParameterPart::Attention);
        if (hasSource(m_kind) && !isEncoder)
            add("cross_attention", core::ParameterPart::Attention);
        if (m_config.feedForward.width > 0)
            add("feed_forward", core::ParameterPart::FeedForward);
        return jsonObject(members, indent(depth));
    }

    NewKind m_kind;
    core::Config m_config;
    Index m_layers;
    std::uint64_t m_seed;
    Index m_numbers = 0;
};

void append(Members &members, Members more) {
    members.insert(members.end(), more.begin(), more.end());
}

/// Parses a list of numbers separated by commas or spaces. Errors: an invalid number; `where` is
/// the field.
core::Result<std::vector<Index>> wholeNumbers(const QString &list, const char *where) {
    std::vector<Index> numbers;
    for (const QString &word : listed(list)) {
        bool isNumber = false;
        numbers.push_back(word.toLongLong(&isNumber));
        if (!isNumber)
            return core::Error{{"%1 is not a whole number", core::inQuotes(word.toStdString())},
                               where,
                               "use a list such as 4, 0"};
    }
    return numbers;
}

core::Result<std::vector<float>> numbersIn(const QString &list, const char *where) {
    std::vector<float> numbers;
    for (const QString &word : listed(list)) {
        const core::Result<float> number = core::parseNumber(word.toStdString());
        if (!number)
            return core::Error{number.error().what, where, "use a list such as 0.5, 0.25"};
        numbers.push_back(*number);
    }
    return numbers;
}

} // namespace

core::Outcome checkLists(const NewSession &wanted) {
    if (const auto slopes = numbersIn(wanted.slopes, "model.alibi_slopes"); !slopes)
        return slopes.error();
    if (const auto windows = wholeNumbers(wanted.windows, "model.windows"); !windows)
        return windows.error();
    return core::Done{};
}

core::Config configOf(const NewSession &wanted) {
    core::Config config;
    config.width = wanted.width;
    config.heads = wanted.heads;
    config.headSize = wanted.width / wanted.heads;
    if (wanted.keyValueHeads != wanted.heads)
        config.keyValueHeads = wanted.keyValueHeads;
    if (wanted.valueSize != config.headSize)
        config.valueSize = wanted.valueSize;
    config.scoreCap = wanted.scoreCap;
    config.positions = wanted.positions;
    if (wanted.positions == core::Positions::Alibi)
        if (const auto slopes = numbersIn(wanted.slopes, ""))
            config.alibiSlopes = *slopes;
    if (hasSelfAttention(wanted.kind))
        if (const auto windows = wholeNumbers(wanted.windows, ""))
            config.windows = *windows;
    if (hasBlocks(wanted.kind)) {
        config.residual = wanted.residual;
        config.norm = {.kind = wanted.norm, .place = wanted.normPlace};
        // With post-norm, the last layer's output is already normalised.
        config.norm.final = config.hasNorm() && !config.normsAfter();
        if (config.hasNorm() && config.norm.kind != core::NormKind::Batch)
            config.queryKeyNorm = wanted.queryKeyNorm;
        config.parallel = wanted.parallel && !config.normsAfter();
        config.sharedNorm = config.parallel && wanted.sharedNorm;
        if (wanted.feedForward.width > 0)
            config.feedForward = wanted.feedForward;
    }
    if (writesWords(wanted.kind)) {
        config.outputLayer.kind = core::OutputLayerKind::Language;
        config.logitCap = wanted.logitCap;
    }
    if (wanted.kind == NewKind::EncoderDecoder) {
        if (const Index heads = wanted.encoderHeads; heads > 0 && heads != wanted.heads) {
            config.encoder.heads = heads;
            config.encoder.headSize = wanted.width / heads;
            if (config.valueSize == 0)
                config.encoder.valueSize = config.encoder.headSize;
        }
        if (config.feedForward.width > 0 && wanted.encoderFeedForward != config.feedForward.width)
            config.encoder.feedForwardWidth = wanted.encoderFeedForward;
    }
    return config;
}

NewModel newModel(const NewSession &wanted, const Words &tokens, const Words &source) {
    const core::Config config = configOf(wanted);
    Recipe recipe(wanted, config);
    Members members = core::writtenMembers(config);
    const Words words = writesWords(wanted.kind) ? vocabularyOf(tokens) : Words();
    if (!words.empty())
        members.push_back({"vocabulary", listOf(words)});
    // The layers take their seeds first, so their values do not depend on the rest of the model.
    const std::string layers = recipe.layers(false, 2);
    if (words.empty())
        members.push_back({"embeddings", recipe.embeddings()});
    append(members,
           recipe.parameters(core::ParameterPart::Stack, std::ssize(words), std::ssize(tokens)));
    append(members, recipe.parameters(core::ParameterPart::OutputLayer, std::ssize(words)));
    if (wanted.kind == NewKind::EncoderDecoder) {
        const Words known = vocabularyOf(source);
        Members encoder{{"vocabulary", listOf(known)}};
        append(encoder, core::writtenMembers(config.encoder));
        recipe.goToEncoder();
        const std::string own = recipe.layers(true, 3);
        append(encoder, recipe.parameters(core::ParameterPart::Stack, std::ssize(known),
                                          std::ssize(source)));
        encoder.push_back({"layers", own});
        members.push_back({"encoder", jsonObject(encoder, indent(3))});
    }
    members.push_back({"layers", layers});
    return {jsonObject(members, indent(2)), recipe.numbers()};
}

} // namespace headlight::ui
