#include "ui/document/new_model.h"

#include "core/formats/session/writing/text.h"
#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

namespace headlight::ui {

namespace {

using core::Index;
using core::jsonObject;
using Members = std::vector<core::JsonMemberText>;
using Words = std::vector<std::string>;

constexpr Index kLearnedPositions = 64; // room for a longer text

std::string indent(int levels) {
    return "\n" + std::string(static_cast<std::size_t>(2 * levels), ' ');
}

/// Padding, a word for all that it does not know, and each word of the text once.
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

/// Says one matrix after the other, each with the next seed.
class Recipe {
  public:
    Recipe(const NewSession &wanted, const core::Config &config)
        : m_kind(wanted.kind), m_config(config), m_layers(wanted.layers), m_seed(wanted.seed) {}

    Index numbers() const { return m_numbers; }
    std::string embeddings() { return "{\"others\": " + random() + "}"; }

    std::string layers(bool isEncoder, int depth) {
        std::string all;
        for (int layer = 0; layer < m_layers; ++layer)
            all += (all.empty() ? "" : ",") + indent(depth + 1) + oneLayer(isEncoder, depth + 2);
        return "[" + all + indent(depth) + "]";
    }

    /// What a stack has beside its layers.
    Members stack(Index tokens) {
        Members members;
        if (m_config.positions == core::Positions::Learned) {
            const Index rows = std::max(tokens, kLearnedPositions);
            members.push_back(
                {"position_embeddings", jsonObject({{"random", even(rows, m_config.width)},
                                                    {"rows", std::to_string(rows)}})});
        }
        if (m_config.positions == core::Positions::Relative)
            members.push_back(
                {"position_bias",
                 "{\"random\": " + even(m_config.relative.buckets, m_config.heads) + "}"});
        if (m_config.norm.final)
            addNorm(members, "final_norm");
        return members;
    }

    std::string tokenEmbeddings(const Words &words) {
        return "{\"random\": " + even(std::ssize(words), m_config.width) + "}";
    }
    std::string outputMatrix(const Words &words) {
        return matrix(m_config.width, std::ssize(words));
    }

  private:
    std::string random(float scale = 1) {
        Members members{{"seed", core::seedText(m_seed++)}};
        if (scale != 1)
            members.push_back({"scale", core::jsonNumber(scale)});
        return "{\"random\": " + jsonObject(members) + "}";
    }
    /// Its rows add up to what they are multiplied with, so they shrink with their number.
    std::string matrix(Index rows, Index columns) {
        m_numbers += rows * columns;
        return random();
    }
    /// Its rows are looked up, one at a time: each number has deviation 1.
    std::string even(Index rows, Index columns) {
        m_numbers += rows * columns;
        return jsonObject({{"seed", core::seedText(m_seed++)},
                           {"scale", core::jsonNumber(std::sqrt(static_cast<float>(rows)))}});
    }

    /// As it begins before any training, and there to be edited.
    void addNorm(Members &members, const std::string &name) const {
        if (!m_config.hasNorm())
            return;
        members.push_back({name + "_gain", R"({"constant": 1})"});
        if (m_config.norm.kind != core::NormKind::RootMeanSquare)
            members.push_back({name + "_bias", R"({"constant": 0})"});
    }

    std::string attention(int depth) {
        const Index c = m_config.width, grouped = m_config.groups() * m_config.headSize;
        Members members{{"query", matrix(c, m_config.concatenatedWidth())},
                        {"key", matrix(c, grouped)},
                        {"value", matrix(c, grouped)},
                        {"output", matrix(m_config.concatenatedWidth(), c)}};
        addNorm(members, "norm");
        return jsonObject(members, indent(depth));
    }

    std::string feedForward(int depth) {
        const Index c = m_config.width, f = m_config.feedForward.width;
        Members members;
        if (m_config.feedForward.gated)
            members.push_back({"gate", matrix(c, f)});
        members.push_back({"hidden", matrix(c, f)});
        members.push_back({"output", matrix(f, c)});
        addNorm(members, "norm");
        return jsonObject(members, indent(depth));
    }

    std::string oneLayer(bool isEncoder, int depth) {
        Members members;
        if (hasSelfAttention(m_kind))
            members.push_back({"self_attention", attention(depth + 1)});
        if (hasSource(m_kind) && !isEncoder)
            members.push_back({"cross_attention", attention(depth + 1)});
        if (m_config.feedForward.width > 0)
            members.push_back({"feed_forward", feedForward(depth + 1)});
        return jsonObject(members, indent(depth));
    }

    NewKind m_kind;
    const core::Config &m_config;
    int m_layers;
    quint64 m_seed;
    Index m_numbers = 0;
};

void append(Members &members, Members more) {
    members.insert(members.end(), more.begin(), more.end());
}

} // namespace

core::Config configOf(const NewSession &wanted) {
    core::Config config;
    config.width = wanted.width;
    config.heads = wanted.heads;
    config.headSize = wanted.width / wanted.heads;
    if (wanted.keyValueHeads != wanted.heads)
        config.keyValueHeads = wanted.keyValueHeads;
    config.positions = wanted.positions;
    if (hasBlocks(wanted.kind)) {
        config.residual = wanted.residual;
        config.norm = {.kind = wanted.norm, .place = wanted.normPlace};
        // What the last layer adds to is normalised by no layer after it.
        config.norm.final = config.normsBefore();
        if (wanted.feedForward.width > 0)
            config.feedForward = wanted.feedForward;
    }
    if (writesWords(wanted.kind))
        config.head.kind = core::HeadKind::Language;
    return config;
}

NewModel newModel(const NewSession &wanted, const Words &tokens, const Words &source) {
    const core::Config config = configOf(wanted);
    Recipe recipe(wanted, config);
    Members members = core::membersOf(config);
    const Words words = writesWords(wanted.kind) ? vocabularyOf(tokens) : Words();
    if (!words.empty())
        members.push_back({"vocabulary", listOf(words)});
    // The layers' seeds come first: their numbers stay whatever else the model has.
    const std::string layers = recipe.layers(false, 2);
    if (words.empty())
        members.push_back({"embeddings", recipe.embeddings()});
    else
        members.push_back({"token_embeddings", recipe.tokenEmbeddings(words)});
    append(members, recipe.stack(std::ssize(tokens)));
    if (!words.empty())
        members.push_back({"output_matrix", recipe.outputMatrix(words)});
    if (wanted.kind == NewKind::EncoderDecoder) {
        const Words known = vocabularyOf(source);
        Members encoder{{"vocabulary", listOf(known)}};
        const std::string own = recipe.layers(true, 3);
        encoder.push_back({"token_embeddings", recipe.tokenEmbeddings(known)});
        append(encoder, recipe.stack(std::ssize(source)));
        encoder.push_back({"layers", own});
        members.push_back({"encoder", jsonObject(encoder, indent(3))});
    }
    members.push_back({"layers", layers});
    return {jsonObject(members, indent(2)), recipe.numbers()};
}

} // namespace headlight::ui
