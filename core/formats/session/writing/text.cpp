#include "core/formats/session/writing/text.h"

#include "core/formats/encodings/base64.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/state_fields.h"
#include "core/selection/view.h"
#include "core/tensor/number_formats.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

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

struct LayerMembers {
    Members operator()(const CellMask &mask) const {
        return {{"cells", listOf(mask.cells, [](const MaskCell &cell) { return written(cell); })}};
    }
    template <typename Mask>
    Members operator()(const Mask &mask) const {
        if constexpr (std::is_empty_v<Mask>)
            return {};
        else
            return writtenMembers(mask);
    }
};

/// Returns a list with an entry per token, without padding. An entry is null if textOfOne() is
/// empty.
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

/// True if tokenizing the text restores the whole sequence.
bool followsFromText(const Sequence &sequence) {
    return sequence.isSplit && !hasIds(sequence);
}

bool hasOffsets(const Sequence &sequence) {
    return !followsFromText(sequence) && !sequence.text.empty();
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
    if (!followsFromText(sequence))
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

/// Adds the member of a field that the patch sets.
template <typename Value>
void addMembers(Members &members, const StatePatch &patch,
                const StateField<Config, Value, std::optional<Value>> &field) {
    Config config;
    config.*field.place = *(patch.*field.inPatch);
    members.push_back({field.name, textOfSwitch(config, field.name)});
    if constexpr (std::is_same_v<Value, MaskOptions>)
        members.push_back({"mask_after_softmax", textOfSwitch(config, "mask_after_softmax")});
}

template <typename Value>
void addMembers(Members &members, const StatePatch &patch,
                const StateField<Input, Value, std::optional<Value>> &field) {
    members.push_back({field.name, textOf(*(patch.*field.inPatch))});
}

void addMembers(Members &members, const StatePatch &patch, const SequencesField &field) {
    if (const auto &batch = patch.*field.inPatch)
        members.push_back({field.name, textOf(**batch)});
    else
        members.push_back({field.textName, jsonText(*(patch.*field.text))});
}

void addMembers(Members &members, const StatePatch &patch, const ParametersField &field) {
    members.push_back({field.name, listOf(patch.*field.inPatch, parameterText)});
}

void addMembers(Members &members, const StatePatch &patch, const WordsField &field) {
    Members words;
    for (const auto &[name, vector] : patch.*field.inPatch)
        words.push_back({name, textOf(vector)});
    members.push_back({field.name, jsonObject(words)});
}

} // namespace

std::string textOf(std::span<const float> numbers) {
    return listOf(numbers, jsonNumber);
}

std::string base64Text(const ParameterMatrix &matrix, NumberType type) {
    const Result<Matrix> all = matrix.toMatrix();
    const std::span<const float> floats = all ? all->values() : std::span<const float>();
    Members members{{"base64", {}},
                    {"rows", std::to_string(matrix.rows())},
                    {"columns", std::to_string(matrix.columns())}};
    if (type == NumberType::F16) {
        std::vector<std::uint16_t> halves;
        std::ranges::transform(floats, std::back_inserter(halves), floatToHalf);
        members.front().value = '"' + base64Of(halves) + '"';
        members.push_back({"type", "\"F16\""});
    } else {
        members.front().value = '"' + base64Of(floats) + '"';
    }
    return jsonObject(members);
}

std::string textOf(const ParameterMatrix &matrix, const std::string &separator) {
    if (matrix.rows() * matrix.columns() > static_cast<Index>(kMaxWrittenNumbers))
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
        Members members = std::visit(LayerMembers(), layer);
        members.insert(members.begin(), {"kind", jsonText(kindOf(layer))});
        return jsonObject(members);
    });
}

std::string textOf(const Interventions &interventions) {
    const auto entryText = [](const auto &entry) { return written(entry); };
    Members members;
    if (!interventions.heads.empty())
        members.push_back({"heads", listOf(interventions.heads, entryText)});
    if (!interventions.scores.empty())
        members.push_back({"scores", listOf(interventions.scores, entryText)});
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

int formatVersionOf(const SelectionPatch &patch) {
    const bool hasNewView = patch.view == idOf(View::CloseUp) || patch.view == idOf(View::Whole) ||
                            patch.view == idOf(View::Training) ||
                            patch.view == idOf(View::Softmax) || patch.view == idOf(View::Birth) ||
                            patch.view == idOf(View::Lines) || patch.view == idOf(View::Text) ||
                            patch.view == idOf(View::QueryKey) || patch.view == idOf(View::Model);
    return hasNewView ? 2 : versionOfFields(patch);
}

std::vector<JsonMemberText> membersOf(const StatePatch &patch) {
    std::vector<JsonMemberText> members;
    forEachField(kStateFields, [&](const auto &field) {
        if (isSet(patch, field))
            addMembers(members, patch, field);
    });
    return members;
}

} // namespace headlight::core
