#include "ui/document/edits/token_edits.h"

#include "core/tokenizers/word_tokenizer.h"
#include "ui/document/state/fitting_input.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace headlight::ui::edits {

namespace {

using core::Error;
using core::Index;

struct TokenEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TokenEdits)
};

constexpr Index kNew = -1; // previous index of an inserted token

/// A sequence after an edit: its tokens and their previous indices. Tokens keep their ids but lose
/// their positions in the typed text.
struct Edited {
    std::vector<core::Token> tokens;
    std::vector<Index> from;
};

Edited unedited(const core::Sequence &read) {
    Edited edited;
    for (Index token = 0; token < read.length; ++token) {
        edited.tokens.push_back({read[token].text, read[token].id});
        edited.from.push_back(token);
    }
    return edited;
}

/// Returns the word as typed, or trimmed. If the vocabulary's words include their spaces, "cat"
/// may match " cat".
core::Result<std::string> readWord(const core::Model &model, InputSide side, const QString &word) {
    const core::Vocabulary *known =
        model.vocabularyOf(side == InputSide::Source ? model.sourceStack() : model.mainStack());
    const auto isKnown = [known](const std::string &text) {
        const std::optional<Index> id = known ? known->idOf(text) : std::nullopt;
        return id && known->word(*id) == text;
    };
    const std::string typed = word.toStdString(), utf8 = word.trimmed().toStdString();
    if (isKnown(typed))
        return typed;
    const auto words = core::splitIntoWords(utf8);
    if (!words)
        return Error{words.error().what, "token", "type a word or a symbol"};
    return !isKnown(utf8) && isKnown(" " + utf8) ? " " + utf8 : utf8;
}

/// Maps old token indices to new ones; unset for a deleted token. Padding keeps its distance from
/// the last word.
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

/// The axes of an attention module that belong to the edited sequence.
struct Axes {
    bool queries = false;
    bool keys = false;
};

Axes axesOf(core::AttentionId attention, InputSide side) {
    const bool isCross = attention.block == core::Block::CrossAttention;
    const InputSide queries = sideOf(attention.stack);
    return {queries == side, (isCross ? InputSide::Source : queries) == side};
}

/// Moves a cell with its tokens. Returns false if one of them was deleted.
bool move(Index &query, Index &key, const Moves &moves, const Axes &axes) {
    const std::optional<Index> row = axes.queries ? moves(query) : query;
    const std::optional<Index> column = axes.keys ? moves(key) : key;
    if (!row || !column)
        return false;
    query = *row;
    key = *column;
    return true;
}

/// Moves the cells of one kind of attention. Removes a layer that becomes empty.
void moveMaskCells(core::MaskLayers &layers, const SequenceId &place, bool isOnlySequence,
                   const Moves &moves, const Axes &axes) {
    std::erase_if(layers, [&](core::MaskLayer &layer) {
        auto *cells = std::get_if<core::CellMask>(&layer);
        if (!cells)
            return false;
        const std::size_t gone = std::erase_if(cells->cells, [&](core::MaskCell &cell) {
            const bool isOfIt = cell.sequence ? *cell.sequence == place.sequence : isOnlySequence;
            return isOfIt && !move(cell.query, cell.key, moves, axes);
        });
        return gone > 0 && cells->cells.empty();
    });
}

void moveMaskCells(core::Input &input, const SequenceId &place, const Moves &moves) {
    const bool isOnly = input.batch->count() == 1;
    const core::AttentionId own, encoder(0, core::Block::SelfAttention, core::Stack::Encoder),
        cross(0, core::Block::CrossAttention);
    moveMaskCells(input.masks, place, isOnly, moves, axesOf(own, place.side));
    moveMaskCells(input.encoderMasks, place, isOnly, moves, axesOf(encoder, place.side));
    moveMaskCells(input.crossMasks, place, isOnly, moves, axesOf(cross, place.side));
}

void moveScores(core::Input &input, const SequenceId &place, const Moves &moves) {
    const std::vector<core::ScoreIntervention> before =
        std::exchange(input.interventions.scores, {});
    for (core::ScoreIntervention score : before)
        if (score.sequence != place.sequence ||
            move(score.query, score.key, moves, axesOf(score.attention(), place.side)))
            input.interventions.setScore(score);
}

/// Returns the token types after the edit. An inserted token gets the type of the next token, or of
/// the last one.
std::vector<Index> movedTypes(const core::Sequence &before, const Edited &edited) {
    std::vector<Index> types;
    for (std::size_t token = 0; token < edited.from.size(); ++token) {
        const auto known = std::find_if(edited.from.begin() + static_cast<std::ptrdiff_t>(token),
                                        edited.from.end(), [](Index from) { return from != kNew; });
        const Index from = known == edited.from.end() ? before.length - 1 : *known;
        types.push_back(before.tokenTypes[static_cast<std::size_t>(from)]);
    }
    return types;
}

/// True if the tokens of this side are frames of audio.
bool readsSound(const core::Model &model, InputSide side) {
    const core::Stack stack = side == InputSide::Source ? model.sourceStack() : model.mainStack();
    return model.configOf(stack).convolves();
}

/// Returns the vector that a sequence without its own embeddings would use. Zeros for an unknown
/// word.
std::vector<float> vectorOf(const core::Model &model, InputSide side, const core::Token &token) {
    const core::Stack stack = side == InputSide::Source ? model.sourceStack() : model.mainStack();
    const core::Parameter &matrix = model.embeddingMatrix(stack);
    if (!matrix && model.embeddings)
        return model.embeddings->vectorOf(token.text);
    const core::Vocabulary *vocabulary = model.vocabularyOf(stack);
    const std::optional<Index> id = vocabulary ? vocabulary->idOf(token) : std::nullopt;
    if (!matrix || !id || *id >= matrix->rows())
        return std::vector<float>(static_cast<std::size_t>(model.configOf(stack).tokenWidth()));
    return core::ParameterBlock(matrix).row(*id);
}

/// Returns the sequence's own embeddings [T, C] after the edit.
core::Parameter movedRows(const core::Model &model, InputSide side, const core::Sequence &before,
                          const Edited &edited, Index length) {
    const core::ParameterBlock own(before.embeddings);
    core::Matrix moved(length, own.columns);
    const auto put = [&moved](Index row, std::span<const float> numbers) {
        std::copy(numbers.begin(), numbers.end(), moved.view().row(row).begin());
    };
    const auto words = static_cast<Index>(edited.tokens.size());
    for (Index row = 0; row < length; ++row) {
        const Index from =
            row < words ? edited.from[static_cast<std::size_t>(row)] : row - words + before.length;
        if (from == kNew)
            put(row, vectorOf(model, side, edited.tokens[static_cast<std::size_t>(row)]));
        else if (from < own.rows)
            put(row, own.row(from));
    }
    return core::makeParameter(std::move(moved));
}

const core::Batch &batchOf(const DocumentState &state, InputSide side) {
    return side == InputSide::Source ? *state.input.source : *state.input.batch;
}

core::Result<Edit> changed(const DocumentState &state, const SequenceId &place,
                           const Edited &edited, EditText words) {
    const core::Batch &before = batchOf(state, place.side);
    std::vector<core::TokenizedText> texts;
    for (const core::Sequence &read : before.sequences())
        texts.push_back(read.tokenized());
    texts[static_cast<std::size_t>(place.sequence)] = {edited.tokens};
    core::Result<core::BatchPointer> made =
        core::Batch::create(std::move(texts), place.minimumLength);
    if (!made)
        return made.error();
    core::BatchPointer batch = core::withEmbeddingsOf(*std::move(made), before, place.sequence);
    const core::Sequence &read = before[place.sequence];
    if (read.embeddings)
        batch = batch->withEmbeddings(
            place.sequence, movedRows(state.model, place.side, read, edited, batch->length()));
    if (!read.tokenTypes.empty())
        batch = batch->withTokenTypes(place.sequence, movedTypes(read, edited));
    if (place.side == InputSide::Source)
        words.what = TokenEditText::tr("Source: %1").arg(words.what);
    Edit edit{state, std::move(words)};
    core::Input &input = edit.state.input;
    (place.side == InputSide::Source ? input.source : input.batch) = batch;
    const Moves moves(edited, read.length, batch->length());
    moveMaskCells(input, place, moves);
    moveScores(input, place, moves);
    dropWhatDoesNotFit(input);
    return edit;
}

core::Outcome inside(const DocumentState &state, const SequenceId &place, Index beyond = 0) {
    if (place.side == InputSide::Source && !state.input.source)
        return Error{"there is no second sequence", "", ""};
    const core::Batch &batch = batchOf(state, place.side);
    if (place.sequence < 0 || place.sequence >= batch.count())
        return Error{{"there is no sequence %1", place.sequence}, "", ""};
    const Index count = batch[place.sequence].length;
    if (place.token < 0 || place.token >= count + beyond)
        return Error{{"there is no token %1", place.token}, "", {"use 0 to %1", count - 1}};
    return core::Done{};
}

QString wordAt(const Edited &edited, Index token) {
    return QString::fromStdString(edited.tokens[static_cast<std::size_t>(token)].text);
}

} // namespace

core::Result<Change> insertToken(const DocumentState &state, const SequenceId &place,
                                 const QString &word) {
    if (core::Outcome outcome = inside(state, place, 1); !outcome)
        return outcome.error();
    core::Result<std::string> utf8 = readWord(state.model, place.side, word);
    if (!utf8)
        return utf8.error();
    Edited edited = unedited(batchOf(state, place.side)[place.sequence]);
    edited.tokens.insert(edited.tokens.begin() + place.token, core::Token{*utf8});
    edited.from.insert(edited.from.begin() + place.token, kNew);
    return checked(changed(state, place, edited,
                           {TokenEditText::tr("Insert token %1: %2")
                                .arg(QString::number(place.token), wordAt(edited, place.token)),
                            {},
                            {}}));
}

core::Result<Change> deleteToken(const DocumentState &state, const SequenceId &place) {
    if (core::Outcome outcome = inside(state, place); !outcome)
        return outcome.error();
    Edited edited = unedited(batchOf(state, place.side)[place.sequence]);
    if (edited.tokens.size() == 1)
        return Error{"it is the only token of its sequence", "", "change it instead"};
    const QString words = TokenEditText::tr("Delete token %1: %2")
                              .arg(QString::number(place.token), wordAt(edited, place.token));
    edited.tokens.erase(edited.tokens.begin() + place.token);
    edited.from.erase(edited.from.begin() + place.token);
    return checked(changed(state, place, edited, {words, {}, {}}));
}

core::Result<Change> moveToken(const DocumentState &state, const SequenceId &place, Index to) {
    for (const Index token : {place.token, to})
        if (core::Outcome outcome =
                inside(state, {place.minimumLength, place.sequence, token, place.side});
            !outcome)
            return outcome.error();
    Edited edited = unedited(batchOf(state, place.side)[place.sequence]);
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
    return checked(changed(state, place, edited,
                           {TokenEditText::tr("Move token “%1”").arg(word),
                            QString::number(place.token), QString::number(to)}));
}

core::Result<Change> changeToken(const DocumentState &state, const SequenceId &place,
                                 const QString &word) {
    if (state.model.config.picture.isOn())
        return core::Error{"the tokens are patches of a picture, which have no other names", "",
                           "edit the pixels, or open another picture"};
    if (readsSound(state.model, place.side))
        return core::Error{"the tokens are times in the audio, which have no other names", "",
                           "edit the numbers, or open another audio file"};
    if (core::Outcome outcome = inside(state, place); !outcome)
        return outcome.error();
    core::Result<std::string> utf8 = readWord(state.model, place.side, word);
    if (!utf8)
        return utf8.error();
    const core::Sequence &read = batchOf(state, place.side)[place.sequence];
    Edited edited = unedited(read);
    const QString before = wordAt(edited, place.token);
    const auto index = static_cast<std::size_t>(place.token);
    edited.tokens[index] = {*utf8}; // the id belonged to the old word
    core::Result<Edit> edit = changed(
        state, place, edited,
        {TokenEditText::tr("Token %1").arg(place.token), before, wordAt(edited, place.token)});
    if (!edit || !read.embeddings)
        return checked(std::move(edit));
    // Per-token settings are kept, but the token's own vector belonged to the old word.
    core::Input &input = (*edit).state.input;
    core::BatchPointer &batch = place.side == InputSide::Source ? input.source : input.batch;
    const std::vector<float> vector = vectorOf(state.model, place.side, {*utf8});
    const auto width = static_cast<Index>(vector.size());
    batch = batch->withEmbeddings(place.sequence,
                                  withBlock((*batch)[place.sequence].embeddings, place.token, 0,
                                            {vector.data(), 1, width, width}));
    return checked(std::move(edit));
}

} // namespace headlight::ui::edits
