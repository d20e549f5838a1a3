#include "ui/document/edits/token_edits.h"

#include "core/tokenizers/word_tokenizer.h"
#include "ui/document/fitting_input.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace headlight::ui::edits {

namespace {

using core::Error;
using core::Index;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TokenEdits)
};

constexpr Index kNew = -1; // a token that was not there before

/// The sequence after an edit: its words, and which token each was.
struct Edited {
    std::vector<std::string> tokens;
    std::vector<Index> from;
};

Edited unedited(const core::Sequence &read) {
    Edited edited;
    for (Index token = 0; token < read.length; ++token) {
        edited.tokens.push_back(read.tokens[static_cast<std::size_t>(token)]);
        edited.from.push_back(token);
    }
    return edited;
}

core::Result<std::string> readWord(const QString &word) {
    const std::string utf8 = word.trimmed().toStdString();
    const auto words = core::splitIntoWords(utf8);
    if (!words)
        return Error{words.error().what, "token", "type a word or a sign"};
    return utf8;
}

/// The token that was at `from` is at …; none: it is gone. Padding keeps its distance from the end
/// of the words.
class Moves {
  public:
    Moves(const Edited &edited, Index lengthBefore, Index allAfter)
        : m_to(static_cast<std::size_t>(lengthBefore), kNew),
          m_shift(static_cast<Index>(edited.from.size()) - lengthBefore),
          m_count(allAfter) {
        for (std::size_t now = 0; now < edited.from.size(); ++now)
            if (edited.from[now] != kNew)
                m_to[static_cast<std::size_t>(edited.from[now])] = static_cast<Index>(now);
    }
    std::optional<Index> operator()(Index from) const {
        const bool isWord = from >= 0 && from < static_cast<Index>(m_to.size());
        const Index to = isWord ? m_to[static_cast<std::size_t>(from)] : from + m_shift;
        return to == kNew || to >= m_count ? std::nullopt : std::optional(to);
    }

  private:
    std::vector<Index> m_to;
    Index m_shift;
    Index m_count;
};

void moveMaskCells(core::Input &input, Index sequence, const Moves &moves) {
    const bool only = input.batch->count() == 1;
    for (core::MaskLayer &layer : input.masks)
        if (auto *cells = std::get_if<core::CellMask>(&layer))
            std::erase_if(cells->cells, [&](core::MaskCell &cell) {
                if (cell.sequence ? *cell.sequence != sequence : !only)
                    return false;
                const auto query = moves(cell.query), key = moves(cell.key);
                if (!query || !key)
                    return true;
                cell.query = *query;
                cell.key = *key;
                return false;
            });
}

void moveScores(core::Input &input, Index sequence, const Moves &moves) {
    const std::vector<core::ScoreIntervention> before =
        std::exchange(input.interventions.scores, {});
    for (core::ScoreIntervention score : before) {
        if (score.sequence == sequence) {
            const auto query = moves(score.query), key = moves(score.key);
            if (!query || !key)
                continue;
            score.query = *query;
            score.key = *key;
        }
        input.interventions.setScore(score);
    }
}

void dropEmptyLayers(core::Input &input) {
    std::erase_if(input.masks, [](const core::MaskLayer &layer) {
        const auto *cells = std::get_if<core::CellMask>(&layer);
        return cells && cells->cells.empty();
    });
}

/// The sequence's own [T, C], its rows gone along with the tokens.
core::Parameter movedRows(const DocumentState &state, const core::Sequence &before,
                          const Edited &edited, Index length) {
    const core::Matrix &own = *before.embeddings;
    core::Matrix moved(length, own.columns());
    const auto put = [&moved](Index row, std::span<const float> numbers) {
        std::copy(numbers.begin(), numbers.end(), moved.view().row(row).begin());
    };
    const auto words = static_cast<Index>(edited.tokens.size());
    for (Index row = 0; row < length; ++row) {
        const Index from =
            row < words ? edited.from[static_cast<std::size_t>(row)] : row - words + before.length;
        if (from == kNew)
            put(row,
                state.model.embeddings->vectorOf(edited.tokens[static_cast<std::size_t>(row)]));
        else if (from < own.rows())
            put(row, own.view().row(from));
    }
    return core::makeParameter(std::move(moved));
}

core::Result<Change> changed(const DocumentState &state, const TokenPlace &place,
                             const Edited &edited, EditWords words) {
    const core::Batch &before = *state.input.batch;
    std::vector<std::vector<std::string>> tokens;
    std::vector<std::string> texts;
    for (const core::Sequence &read : before.sequences()) {
        tokens.push_back(unedited(read).tokens);
        texts.push_back(read.text);
    }
    const auto index = static_cast<std::size_t>(place.sequence);
    tokens[index] = edited.tokens;
    texts[index].clear();
    core::Result<core::BatchPointer> made =
        core::Batch::create(std::move(tokens), place.minimumLength, std::move(texts));
    if (!made)
        return made.error();
    core::BatchPointer batch = core::withEmbeddingsOf(*std::move(made), before, place.sequence);
    const core::Sequence &read = before[place.sequence];
    if (read.embeddings)
        batch =
            batch->withEmbeddings(place.sequence, movedRows(state, read, edited, batch->length()));
    Change change{state, std::move(words)};
    core::Input &input = change.state.input;
    input.batch = batch;
    const Moves moves(edited, read.length, batch->length());
    moveMaskCells(input, place.sequence, moves);
    moveScores(input, place.sequence, moves);
    dropWhatDoesNotFit(input);
    dropEmptyLayers(input);
    return change;
}

core::Outcome inside(const DocumentState &state, const TokenPlace &place, Index beyond = 0) {
    const core::Batch &batch = *state.input.batch;
    if (place.sequence < 0 || place.sequence >= batch.count())
        return Error{"there is no sequence " + std::to_string(place.sequence), "", ""};
    const Index count = batch[place.sequence].length;
    if (place.token < 0 || place.token >= count + beyond)
        return Error{"there is no token " + std::to_string(place.token), "",
                     "they are 0 to " + std::to_string(count - 1)};
    return core::Done{};
}

QString wordAt(const Edited &edited, Index token) {
    return QString::fromStdString(edited.tokens[static_cast<std::size_t>(token)]);
}

} // namespace

core::Result<Change> insertToken(const DocumentState &state, const TokenPlace &place,
                                 const QString &word) {
    if (core::Outcome outcome = inside(state, place, 1); !outcome)
        return outcome.error();
    core::Result<std::string> utf8 = readWord(word);
    if (!utf8)
        return utf8.error();
    Edited edited = unedited((*state.input.batch)[place.sequence]);
    edited.tokens.insert(edited.tokens.begin() + place.token, *utf8);
    edited.from.insert(edited.from.begin() + place.token, kNew);
    return changed(state, place, edited,
                   {Words::tr("Insert token %1: %2")
                        .arg(QString::number(place.token), wordAt(edited, place.token)),
                    {},
                    {}});
}

core::Result<Change> deleteToken(const DocumentState &state, const TokenPlace &place) {
    if (core::Outcome outcome = inside(state, place); !outcome)
        return outcome.error();
    Edited edited = unedited((*state.input.batch)[place.sequence]);
    if (edited.tokens.size() == 1)
        return Error{"it is the last token of its sequence", "", "change it instead"};
    const QString words = Words::tr("Delete token %1: %2")
                              .arg(QString::number(place.token), wordAt(edited, place.token));
    edited.tokens.erase(edited.tokens.begin() + place.token);
    edited.from.erase(edited.from.begin() + place.token);
    return changed(state, place, edited, {words, {}, {}});
}

core::Result<Change> moveToken(const DocumentState &state, const TokenPlace &place, Index to) {
    for (const Index token : {place.token, to})
        if (core::Outcome outcome = inside(state, {place.minimumLength, place.sequence, token});
            !outcome)
            return outcome.error();
    Edited edited = unedited((*state.input.batch)[place.sequence]);
    const QString word = wordAt(edited, place.token);
    const auto move = [&](auto &list) {
        const auto from = list.begin() + place.token;
        if (place.token < to)
            std::rotate(from, from + 1, list.begin() + to + 1);
        else
            std::rotate(list.begin() + to, from, from + 1);
    };
    move(edited.tokens);
    move(edited.from);
    return changed(state, place, edited,
                   {Words::tr("Move token “%1”").arg(word), QString::number(place.token),
                    QString::number(to)});
}

core::Result<Change> changeToken(const DocumentState &state, const TokenPlace &place,
                                 const QString &word) {
    if (core::Outcome outcome = inside(state, place); !outcome)
        return outcome.error();
    core::Result<std::string> utf8 = readWord(word);
    if (!utf8)
        return utf8.error();
    const core::Sequence &read = (*state.input.batch)[place.sequence];
    Edited edited = unedited(read);
    const QString before = wordAt(edited, place.token);
    const auto index = static_cast<std::size_t>(place.token);
    edited.tokens[index] = *utf8;
    core::Result<Change> change =
        changed(state, place, edited,
                {Words::tr("Token %1").arg(place.token), before, wordAt(edited, place.token)});
    if (!change || !read.embeddings)
        return change;
    // What was said of the token stays with its place; its own vector is another word's now.
    core::Input &input = (*change).state.input;
    core::Matrix own = *(*input.batch)[place.sequence].embeddings;
    const std::vector<float> vector = state.model.embeddings->vectorOf(*utf8);
    std::copy(vector.begin(), vector.end(), own.view().row(place.token).begin());
    input.batch = input.batch->withEmbeddings(place.sequence, core::makeParameter(std::move(own)));
    return change;
}

} // namespace headlight::ui::edits
