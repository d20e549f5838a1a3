#include "core/formats/session/writing/text.h"

#include "core/formats/encodings/base64.h"
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/data/words.h"
#include "core/selection/view.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

template <typename List, typename TextOf>
std::string listOf(const List &list, TextOf text, const std::string &separator = {}) {
    std::string all = "[";
    bool first = true;
    for (const auto &entry : list) {
        if (!first)
            all += separator.empty() ? ", " : ",";
        all += separator + text(entry);
        first = false;
    }
    if (!first && separator.size() > 2)
        all += separator.substr(0, separator.size() - 2);
    return all + "]";
}

std::string indices(const std::vector<std::pair<const char *, Index>> &named) {
    std::string text;
    for (const auto &[name, index] : named)
        text += (text.empty() ? "" : ", ") + jsonText(name) + ": " + std::to_string(index);
    return text;
}

struct LayerText {
    std::string operator()(const CausalMask &) const { return {}; }
    std::string operator()(const PaddingMask &) const { return {}; }
    std::string operator()(const DiagonalMask &) const { return {}; }
    std::string operator()(const WindowMask &window) const {
        return ", \"width\": " + std::to_string(window.width) +
               (window.bothWays ? ", \"both_ways\": true" : "");
    }
    std::string operator()(const PrefixMask &prefix) const {
        return ", \"length\": " + std::to_string(prefix.length);
    }
    std::string operator()(const BlockMask &blocks) const {
        return ", \"size\": " + std::to_string(blocks.size);
    }
    std::string operator()(const CellMask &mask) const {
        return ", \"cells\": " + listOf(mask.cells, [](const MaskCell &cell) {
                   std::vector<std::pair<const char *, Index>> place;
                   if (cell.sequence)
                       place.emplace_back("sequence", *cell.sequence);
                   place.emplace_back("query", cell.query);
                   place.emplace_back("key", cell.key);
                   return "{" + indices(place) + ", \"visible\": " + textOf(cell.visible) + "}";
               });
    }
};

/// Writes stack and block, unless they are the defaults.
std::string attentionText(AttentionId attention) {
    std::string text;
    if (attention.stack != Stack::Main)
        text += "\"stack\": " + jsonText(wordOf(attention.stack)) + ", ";
    if (attention.block != Block::SelfAttention)
        text += "\"block\": " + jsonText(wordOf(attention.block)) + ", ";
    return text;
}

const char *nameOf(HeadState state) {
    switch (state) {
    case HeadState::Mean:
        return "\"mean\"";
    case HeadState::Uniform:
        return "\"uniform\"";
    case HeadState::Zero:
    case HeadState::On:
        break;
    }
    return "\"zero\"";
}

/// Writes one entry per token without padding; null if `textOfOne` is empty.
template <typename TextOfOne>
std::string listOfTokens(const Sequence &sequence, TextOfOne textOfOne) {
    const std::vector<Token> tokens = sequence.tokenized().tokens;
    return listOf(tokens, [&](const Token &token) {
        const std::string text = textOfOne(token);
        return text.empty() ? "null" : text;
    });
}

bool hasIds(const Sequence &sequence) {
    return std::ranges::any_of(sequence.tokens,
                               [](const Token &token) { return token.id.has_value(); });
}

/// True if the text determines the whole sequence.
bool isSaidByText(const Sequence &sequence) {
    return sequence.isSplit && !hasIds(sequence);
}

bool hasOffsets(const Sequence &sequence) {
    return !isSaidByText(sequence) && !sequence.text.empty();
}

/// Returns the ranges [begin, end) of generated tokens.
std::vector<TextSpan> writtenRanges(const Sequence &sequence) {
    std::vector<TextSpan> ranges;
    for (Index token = 0; token < sequence.length; ++token) {
        if (!sequence[token].isWritten)
            continue;
        if (ranges.empty() || ranges.back().end != token)
            ranges.push_back({token, token});
        ranges.back().end = token + 1;
    }
    return ranges;
}

std::string rangeText(const TextSpan &range) {
    return "[" + std::to_string(range.begin) + ", " + std::to_string(range.end) + "]";
}

std::string sequenceText(const Sequence &sequence) {
    std::vector<JsonMemberText> members;
    if (!sequence.text.empty())
        members.push_back({"text", jsonText(sequence.text)});
    if (!isSaidByText(sequence))
        members.push_back({"tokens", listOfTokens(sequence, [](const Token &token) {
                               return jsonText(token.text);
                           })});
    if (hasIds(sequence))
        members.push_back({"ids", listOfTokens(sequence, [](const Token &token) {
                               return token.id ? std::to_string(*token.id) : "";
                           })});
    if (hasOffsets(sequence))
        members.push_back({"offsets", listOfTokens(sequence, [](const Token &token) {
                               return token.span ? rangeText(*token.span) : "";
                           })});
    if (const std::vector<TextSpan> written = writtenRanges(sequence); !written.empty())
        members.push_back({"written", listOf(written, rangeText)});
    if (sequence.embeddings)
        members.push_back({"embeddings", textOf(*sequence.embeddings)});
    if (!sequence.tokenTypes.empty())
        members.push_back({"token_types", listOf(sequence.tokenTypes,
                                                 [](Index type) { return std::to_string(type); })});
    return jsonObject(members);
}

std::string parameterText(const ParameterPatch &patch) {
    std::vector<JsonMemberText> members{{"parameter", jsonText(nameOf(patch.id))}};
    if (!patch.cells.empty())
        members.push_back({"cells", listOf(patch.cells, [](const ParameterPatch::Cell &cell) {
                               return "[" + std::to_string(cell.row) + ", " +
                                      std::to_string(cell.column) + ", " + jsonNumber(cell.value) +
                                      "]";
                           })});
    else if (!patch.whole)
        members.push_back({"matrix", "null"});
    else
        members.push_back({"matrix", textOf(patch.id.which, *patch.whole)});
    return jsonObject(members);
}

using Members = std::vector<JsonMemberText>;

/// Adds the member that the patch sets.
template <typename Owner, typename Value>
void addMembers(Members &members, const StatePatch &patch,
                const StateField<Owner, Value, std::optional<Value>> &field) {
    members.push_back({field.name, textOf(*(patch.*field.said))});
}

void addMembers(Members &members, const StatePatch &patch,
                const StateField<Config, MaskOptions, std::optional<MaskOptions>> &field) {
    const MaskOptions &masking = *(patch.*field.said);
    members.push_back({field.name, maskValueText(masking.value)});
    members.push_back({"mask_after_softmax", textOf(masking.afterSoftmax)});
}

void addMembers(Members &members, const StatePatch &patch, const SequencesField &field) {
    if (const auto &batch = patch.*field.said)
        members.push_back({field.name, textOf(**batch)});
    else
        members.push_back({field.textName, jsonText(*(patch.*field.text))});
}

void addMembers(Members &members, const StatePatch &patch, const ParametersField &field) {
    members.push_back({field.name, listOf(patch.*field.said, parameterText)});
}

void addMembers(Members &members, const StatePatch &patch, const WordsField &field) {
    Members words;
    for (const auto &[name, vector] : patch.*field.said)
        words.push_back({name, textOf(vector)});
    members.push_back({field.name, jsonObject(words)});
}

} // namespace

std::string textOf(std::span<const float> numbers) {
    return listOf(numbers, jsonNumber);
}

std::string base64Text(const ParameterMatrix &matrix) {
    const Result<Matrix> all = matrix.toMatrix();
    return jsonObject({{"base64", '"' + (all ? base64Of(all->values()) : std::string()) + '"'},
                       {"rows", std::to_string(matrix.rows())},
                       {"columns", std::to_string(matrix.columns())}});
}

std::string textOf(const ParameterMatrix &matrix, const std::string &separator) {
    if (matrix.rows() * matrix.columns() > static_cast<Index>(kMaximumWrittenNumbers))
        return base64Text(matrix);
    std::vector<Index> rows;
    for (Index row = 0; row < matrix.rows(); ++row)
        rows.push_back(row);
    return listOf(
        rows,
        [&matrix](Index row) {
            std::vector<float> numbers;
            for (Index column = 0; column < matrix.columns(); ++column)
                numbers.push_back(matrix(row, column));
            return textOf(numbers);
        },
        separator);
}

std::string textOf(ParameterKind kind, const ParameterMatrix &parameter,
                   const std::string &separator) {
    if (!isRow(kind))
        return textOf(parameter, separator);
    std::vector<float> numbers;
    for (Index column = 0; column < parameter.columns(); ++column)
        numbers.push_back(parameter(0, column));
    return textOf(numbers);
}

std::string textOf(const MaskLayers &layers) {
    return listOf(layers, [](const MaskLayer &layer) {
        return "{\"kind\": " + jsonText(kindOf(layer)) + std::visit(LayerText(), layer) + "}";
    });
}

std::string textOf(const Interventions &interventions) {
    std::vector<JsonMemberText> members;
    if (!interventions.heads.empty())
        members.push_back({"heads", listOf(interventions.heads, [](const HeadIntervention &said) {
                               return "{" + attentionText(said.attention()) +
                                      indices({{"layer", said.layer}, {"head", said.head}}) +
                                      ", \"state\": " + nameOf(said.state) + "}";
                           })});
    if (!interventions.scores.empty())
        members.push_back(
            {"scores", listOf(interventions.scores, [](const ScoreIntervention &said) {
                 return "{" + attentionText(said.attention()) +
                        indices({{"sequence", said.sequence},
                                 {"layer", said.layer},
                                 {"head", said.head},
                                 {"query", said.query},
                                 {"key", said.key}}) +
                        ", \"score\": " + jsonNumber(said.score) + "}";
             })});
    return jsonObject(members);
}

std::string textOf(const Batch &batch, std::optional<Index> minimumLength) {
    Index longest = 0;
    for (const Sequence &sequence : batch.sequences())
        longest = std::max(longest, sequence.length);
    std::vector<JsonMemberText> members;
    if (!minimumLength || batch.length() > longest || batch.length() < *minimumLength)
        members.push_back({"length", std::to_string(batch.length())});
    else if (*minimumLength > 0)
        members.push_back({"length", std::to_string(*minimumLength)});
    members.push_back({"sequences", listOf(batch.sequences(), sequenceText)});
    return jsonObject(members);
}

std::string seedText(std::uint64_t seed) {
    constexpr std::uint64_t kLargestWhole = std::uint64_t(1) << 53; // exact in a double
    const std::string digits = std::to_string(seed);
    return seed > kLargestWhole ? jsonText(digits) : digits;
}

int formatVersionOf(const Batch &batch) {
    const auto isNew = [](const Sequence &sequence) {
        return hasIds(sequence) || hasOffsets(sequence) ||
               std::ranges::any_of(sequence.tokens, &Token::isWritten);
    };
    return std::ranges::any_of(batch.sequences(), isNew) ? 2 : 1;
}

std::string textOf(const SoftmaxLook &look) {
    const SoftmaxLook usual;
    std::vector<JsonMemberText> members;
    if (look.part != usual.part)
        members.push_back({"part", jsonText(wordFor(look.part))});
    if (look.isOwn())
        members.push_back({"logits", textOf(std::span(look.logits))});
    if (look.times != usual.times)
        members.push_back({"times", jsonNumber(look.times)});
    if (look.temperature != usual.temperature)
        members.push_back({"temperature", jsonNumber(look.temperature)});
    if (look.headSize != usual.headSize)
        members.push_back({"d_k", std::to_string(look.headSize)});
    if (look.seed != usual.seed)
        members.push_back({"seed", seedText(look.seed)});
    return jsonObject(members);
}

int formatVersionOf(const SelectionPatch &said) {
    const bool hasNewView = said.view == idOf(View::Training) || said.view == idOf(View::Softmax);
    return said.opened || said.softmax || hasNewView ? 2 : 1;
}

std::string maskValueText(float value) {
    return std::isinf(value) ? "\"negative_infinity\"" : jsonNumber(value);
}

std::vector<JsonMemberText> membersOf(const StatePatch &patch) {
    std::vector<JsonMemberText> members;
    forEachField(kStateFields, [&](const auto &field) {
        if (isSaid(patch, field))
            addMembers(members, patch, field);
    });
    return members;
}

std::vector<JsonMemberText> membersOf(const SelectionPatch &patch) {
    std::vector<JsonMemberText> members;
    const auto add = [&members](const char *name, const std::optional<Index> &index) {
        if (index)
            members.push_back({name, std::to_string(*index)});
    };
    const auto addClearable = [&](const char *name, const std::optional<Index> &index) {
        if (patch.clearsCell && !index)
            members.push_back({name, "null"});
        add(name, index);
    };
    if (patch.view)
        members.push_back({"view", jsonText(*patch.view)});
    add("sequence", patch.sequence);
    if (patch.stack)
        members.push_back({"stack", jsonText(wordOf(*patch.stack))});
    add("layer", patch.layer);
    if (patch.block)
        members.push_back({"block", jsonText(wordOf(*patch.block))});
    add("head", patch.head);
    if (patch.stage)
        members.push_back({"stage", jsonText(infoOf(*patch.stage).name)});
    addClearable("query", patch.query);
    addClearable("key", patch.key);
    addClearable("dimension", patch.dimension);
    if (patch.opened)
        members.push_back({"arithmetic", jsonText(Words<Arithmetic>::all[*patch.opened ? 1 : 0])});
    if (patch.softmax)
        members.push_back({"softmax", textOf(*patch.softmax)});
    return members;
}

} // namespace headlight::core
