#include "core/lesson/cell_reference.h"

#include "core/closest_name.h"
#include "core/in_quotes.h"
#include "core/lesson/mark_words.h"
#include "core/transformer/model/vocabulary.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr std::string_view kLastToken = "@last";
constexpr std::string_view kLargest = "@most";

/// Returns the attention module, or the one to use instead if the model does not have it.
AttentionId inModel(AttentionId attention, const Model &model) {
    if (!model.hasStack(attention.stack))
        attention.stack = model.mainStack();
    const AttentionId other(attention.layer,
                            attention.block == Block::SelfAttention ? Block::CrossAttention
                                                                    : Block::SelfAttention,
                            attention.stack);
    return !model.hasAttention(attention) && model.hasAttention(other) ? other : attention;
}

/// Returns the batch whose tokens name the indices of an axis; null if the axis has no tokens.
const Batch *tokensOf(const StageReference &marked, std::size_t axis, const Trace &trace) {
    const std::size_t rank = marked.tensor.shape().rank();
    const StageInfo &info = infoOf(marked.at.stage);
    if (rank < 3 || axis + 2 < rank)
        return nullptr;
    const bool isRow = axis + 2 == rank;
    if (isRow ? info.rowsAreDistances() : !info.overKeys())
        return nullptr;
    return isRow && !info.ofKeys() ? &trace.queries(marked.at.attention)
                                   : &trace.keys(marked.at.attention);
}

/// Returns the vocabulary that names the columns; null if the columns are not words.
const Vocabulary *wordsOf(const StageReference &marked, const Trace &trace) {
    if (marked.at.stage != Stage::Logits && marked.at.stage != Stage::UncappedLogits)
        return nullptr;
    return trace.model().vocabularyOf(trace.model().mainStack());
}

/// Returns the index that `word` refers to; −1 if there is none. `row`: the values along the axis,
/// if it is the last one.
Index indexCalled(std::string_view word, const StageReference &marked, std::size_t axis,
                  Index sequence, const Trace &trace, std::span<const float> row) {
    Index index = -1;
    if (readWholeWord(word, index))
        return index < marked.tensor.shape()[axis] ? index : -1;
    const Batch *const batch = tokensOf(marked, axis, trace);
    if (const Index token = batch ? tokenCalled(word, *batch, sequence) : -1; token >= 0)
        return token;
    if (word == kLastToken)
        return batch ? (*batch)[sequence].length - 1 : -1;
    if (word == kLargest)
        return row.empty() ? -1 : std::ranges::max_element(row) - row.begin();
    if (batch)
        return -1;
    const bool isColumn = axis + 1 == marked.tensor.shape().rank();
    const Vocabulary *const words = isColumn ? wordsOf(marked, trace) : nullptr;
    return words ? words->idOf(word).value_or(-1) : -1;
}

constexpr Index kMaxWordsSaid = 12;

/// Returns a message that lists the valid words; empty if they are too many.
Message wordsThere(const StageReference &marked, std::size_t axis, Index sequence,
                   const Trace &trace) {
    const Batch *const batch = tokensOf(marked, axis, trace);
    if (!batch || std::ssize((*batch)[sequence].tokens) > kMaxWordsSaid)
        return "";
    std::string words;
    for (const Token &token : (*batch)[sequence].tokens)
        words += (words.empty() ? "" : ", ") + inQuotes(token.text);
    return {"its words are %1", words};
}

/// Reads a stage and its indices. `beside`: number of trailing axes that have no index.
Result<CellReference> take(std::string_view &mark, const Trace &trace, AttentionId attention,
                           std::size_t beside) {
    const std::string_view name = nextMarkWord(mark);
    CellReference place{stageCalled(name, trace, attention)};
    if (place.stage.tensor.isNull())
        return noStage(name, trace);
    const Shape &shape = place.stage.tensor.shape();
    const std::size_t wanted = shape.rank() - beside;
    place.all = place.stage.tensor.values();
    Index offset = 0;
    for (std::size_t axis = 0; axis < wanted; ++axis) {
        std::string_view rest = mark;
        const std::string_view word = nextMarkWord(rest);
        if (word.empty() || word == ":")
            return Error{{"expected %1 indices, found %2", wanted, axis},
                         "",
                         {"the stage is %1", shape.text()}};
        mark = rest;
        const bool isLast = axis + 1 == shape.rank();
        const auto width = static_cast<std::size_t>(shape[axis]);
        const auto row =
            isLast ? std::span<const float>(
                         place.all.data() + static_cast<std::size_t>(offset) * width, width)
                   : std::span<const float>();
        const Index index = indexCalled(word, place.stage, axis, place.sequence, trace, row);
        if (index < 0 || index >= shape[axis])
            return Error{
                {"\"%1\" is neither an index into %2 nor one of its words", word, shape.text()},
                "",
                wordsThere(place.stage, axis, place.sequence, trace)};
        if (axis == 0)
            place.sequence = index;
        offset = offset * shape[axis] + index;
    }
    const auto length = static_cast<std::size_t>(beside > 0 ? shape[wanted] : 1);
    place.numbers = {place.all.data() + static_cast<std::size_t>(offset) * length, length};
    return place;
}

} // namespace

Error noStage(std::string_view name, const Trace &trace) {
    if (const auto stage = findStage(name, {}); stage && trace.isByRow(*stage))
        return {{"the rows of all tokens of \"%1\" are too large together", name},
                "",
                "use a shorter text"};
    std::vector<std::string> names;
    for (const StageInfo &info : allStages())
        if (!stageCalled(info.name, trace, {}).tensor.isNull())
            names.emplace_back(info.name);
    const std::string near = similarName(name, names);
    return {{"this model has no stage \"%1\"", name},
            "",
            near.empty() ? Message("") : Message("did you mean %1?", inQuotes(near))};
}

StageReference stageCalled(std::string_view name, const Trace &trace, AttentionId attention) {
    if (const auto at = findStageAnywhere(name); at && trace.has(name))
        return {trace.stage(name), *at};
    attention = inModel(attention, trace.model());
    const auto stage = findStage(name, attention);
    return stage ? StageReference{trace.stage(*stage, attention), {*stage, attention}}
                 : StageReference{};
}

Result<CellReference> takeCell(std::string_view &mark, const Trace &trace, AttentionId attention) {
    return take(mark, trace, attention, 0);
}

Result<CellReference> takeRow(std::string_view &mark, const Trace &trace, AttentionId attention) {
    return take(mark, trace, attention, 1);
}

Index columnCalled(std::string_view word, const CellReference &row, const Trace &trace) {
    return indexCalled(word, row.stage, row.stage.tensor.shape().rank() - 1, row.sequence, trace,
                       row.numbers);
}

std::string nameOfColumn(Index column, const CellReference &row, const Trace &trace) {
    if (const Vocabulary *const words = wordsOf(row.stage, trace))
        return words->word(column);
    const std::size_t last = row.stage.tensor.shape().rank() - 1;
    if (const Batch *const batch = tokensOf(row.stage, last, trace))
        return (*batch)[row.sequence][column].text;
    return std::to_string(column);
}

} // namespace headlight::core
