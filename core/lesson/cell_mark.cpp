#include "core/lesson/cell_mark.h"

#include "core/lesson/mark_words.h"
#include "core/selection/selected.h"
#include "core/transformer/model/vocabulary.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// True if a mark or a condition can contain the word without quotes, and the word is not a number.
bool isPlainWord(std::string_view word) {
    const bool isNumber = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    return !word.empty() && !isNumber &&
           word.find_first_of(" \t\r\n:{}<>=&#") == std::string_view::npos;
}

std::string tokenWord(Index token, const Batch &batch, Index sequence) {
    const std::vector<Token> &tokens = batch[sequence].tokens;
    const std::string number = std::to_string(token);
    if (token >= static_cast<Index>(tokens.size()))
        return number; // padding has no word
    const std::string &text = tokens[static_cast<std::size_t>(token)].text;
    const auto before = std::count_if(tokens.begin(), tokens.begin() + token,
                                      [&text](const Token &other) { return other.text == text; });
    const std::string word = before == 0 ? text : text + "#" + std::to_string(before + 1);
    return isPlainWord(text) && tokenCalled(word, batch, sequence) == token ? word : number;
}

std::string vocabularyWord(Index id, const Vocabulary *words) {
    const bool isNamed = words && id < words->size() && isPlainWord(words->word(id)) &&
                         words->idOf(words->word(id)) == id;
    return isNamed ? words->word(id) : std::to_string(id);
}

/// Returns the short name if it refers to this stage, otherwise the full name.
std::string nameOfStage(Stage stage, AttentionId attention, const Model &model) {
    const StageInfo &info = infoOf(stage);
    const bool inLayer = info.part != Part::Embedding && info.part != Part::Final;
    const bool isUsual = attention.stack == model.mainStack() &&
                         (!inLayer || attention.layer == 0) &&
                         (!info.inAttention() || attention.block == Block::SelfAttention ||
                          !model.hasAttention(layerOf(attention)));
    return isUsual || info.part == Part::OutputLayer ? std::string(info.name)
                                                     : stageName(stage, attention);
}

} // namespace

std::string cellMark(const Selection &selection, const Trace &trace) {
    const AttentionId attention = selection.attention();
    const auto step = trace.plan().find({selection.stage, attention});
    const MatrixSize size = sizeAt(trace, selection);
    const std::optional<Index> row = selectedRow(selection), column = selectedColumn(selection);
    if (!step || !row || *row >= size.rows || (column && *column >= size.columns))
        return {};
    const StageInfo &info = infoOf(selection.stage);
    std::string mark = nameOfStage(selection.stage, attention, trace.model());
    const auto add = [&mark](const std::string &word) { mark += " " + word; };
    const Shape &shape = trace.plan()[*step].shape;
    const Batch &queries = trace.queries(attention), &keys = trace.keys(attention);
    const Index sequence = std::min(selection.sequence, shape[0] - 1); // some stages have only one
    if (!info.rowsAreSequences())
        add(std::to_string(sequence));
    if (shape.rank() == 4)
        add(std::to_string(trace.headOf(*step, selection.head)));
    if (!info.rowsAreTokens())
        add(std::to_string(*row));
    else
        add(tokenWord(*row, info.ofKeys() ? keys : queries, sequence));
    if (!column)
        return (info.overKeys() || info.columns == Columns::Words ? "most " : "length ") + mark;
    if (info.overKeys())
        add(tokenWord(*column, keys, sequence));
    else if (selection.stage == Stage::Logits || selection.stage == Stage::UncappedLogits)
        add(vocabularyWord(*column, trace.model().vocabularyOf(trace.model().mainStack())));
    else
        add(std::to_string(*column));
    return mark;
}

} // namespace headlight::core
