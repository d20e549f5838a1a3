// Edits of tokens: interventions, masks and rows move with the tokens that they belong to.
#include "tests/ui/document/document_fixture.h"

using ui::edits::SequenceId;

namespace {

QString words(const DocumentState &state, Index sequence = 0) {
    QStringList list;
    for (const core::Token &token : (*state.input.batch)[sequence].tokens)
        list << QString::fromStdString(token.text);
    return list.join(' ');
}

/// Returns "The cat sat on the mat" with its own embeddings: every number of row t is t.
DocumentState marked() {
    DocumentState state = test::opened("cat").state;
    core::Matrix own(6, state.model.config.width);
    for (Index token = 0; token < 6; ++token)
        std::ranges::fill(own.view().row(token), static_cast<float>(token));
    state.input.batch = state.input.batch->withEmbeddings(0, core::makeParameter(std::move(own)));
    return state;
}

constexpr Index kNew = -1;

/// Returns the original index of the token at each position. Padding is numbered after the text.
std::vector<Index> places(const core::Batch &batch, Index sequence) {
    std::vector<Index> list;
    for (Index token = 0; token < batch.length(); ++token)
        list.push_back(token < batch[sequence].length ? token
                                                      : 1000 + token - batch[sequence].length);
    return list;
}

/// Returns the expected indices after an edit: `words`, then the numbers of the padding.
std::vector<Index> placesAfter(std::vector<Index> words, Index length) {
    for (Index padding = 0; static_cast<Index>(words.size()) < length; ++padding)
        words.push_back(1000 + padding);
    return words;
}

std::optional<Index> placeOf(Index token, const std::vector<Index> &list) {
    const auto found = std::find(list.begin(), list.end(), token);
    return found == list.end() ? std::nullopt : test::some(found - list.begin());
}

using Cells = std::map<std::pair<Index, Index>, float>;

/// Returns the cells moved along both axes, with their tokens.
Cells movedCells(const Cells &cells, const std::vector<Index> &rows,
                 const std::vector<Index> &rowsAfter, const std::vector<Index> &columns,
                 const std::vector<Index> &columnsAfter) {
    Cells moved;
    for (const auto &[at, number] : cells) {
        const auto row = placeOf(rows[static_cast<std::size_t>(at.first)], rowsAfter);
        const auto column = placeOf(columns[static_cast<std::size_t>(at.second)], columnsAfter);
        if (row && column)
            moved[{*row, *column}] = number;
    }
    return moved;
}

Cells scoresAt(const core::Input &input, core::AttentionId attention, Index sequence) {
    Cells cells;
    for (const core::ScoreIntervention &score : input.interventions.scores)
        if (score.attention() == attention && score.sequence == sequence)
            cells[{score.query, score.key}] = score.score;
    return cells;
}

Cells maskCellsAt(const core::Input &input, core::AttentionId attention, Index sequence) {
    Cells cells;
    for (const core::MaskLayer &layer : input.masksOf(attention))
        if (const auto *said = std::get_if<core::CellMask>(&layer))
            for (const core::MaskCell &cell : said->cells)
                if (cell.sequence == sequence)
                    cells[{cell.query, cell.key}] = cell.visible ? 1 : 0;
    return cells;
}

/// Overrides about half of the scores and mask cells of every attention module.
void setByHand(DocumentState &state) {
    Index drawn = 0;
    const auto half = [&drawn] { return (++drawn * 2654435761LL >> 7) % 2 == 0; };
    for (const core::AttentionId attention : state.model.attentions()) {
        core::CellMask mask;
        for (Index sequence = 0; sequence < state.input.batch->count(); ++sequence)
            for (Index query = 0; query < state.input.queries(attention).length(); ++query)
                for (Index key = 0; key < state.input.keys(attention).length(); ++key) {
                    if (half())
                        state.input.interventions.setScore({sequence, attention.layer, 1, query,
                                                            key, static_cast<float>(drawn),
                                                            attention.block, attention.stack});
                    if (half())
                        mask.cells.push_back({sequence, query, key, half()});
                }
        ui::edits::masksAt(state.input, attention) = {core::PaddingMask{}, mask};
    }
}

} // namespace

class TokenEditsTest : public QObject {
    Q_OBJECT

  private slots:
    /// eachAttentionMovesAlongItsOwnAxes() tests the scores and mask cells.
    void wordsAndRowsMove() {
        const DocumentState state = marked();
        const auto check = [&](const core::Result<ui::Change> &change, const QString &said,
                               const QString &text, const char *drawn, std::vector<float> rows) {
            QVERIFY(change.ok());
            QCOMPARE(change->words().text(), said);
            const core::Sequence &sequence = (*change->state().input.batch)[0];
            QCOMPARE(words(change->state()), text);
            QVERIFY(sequence.text.empty());
            std::ranges::replace(rows, -1.0F, state.model.embeddings->vectorOf(drawn)[0]);
            std::vector<float> found;
            for (Index token = 0; token < sequence.embeddings->rows(); ++token)
                found.push_back((*sequence.embeddings)(token, 0));
            QCOMPARE(found, rows);
        };
        check(ui::edits::deleteToken(state, {0, 0, 0}), "Delete token 0: The", "cat sat on the mat",
              "", {1, 2, 3, 4, 5});
        check(ui::edits::insertToken(state, {0, 0, 2}, " black "), "Insert token 2: black",
              "The cat black sat on the mat", "black", {0, 1, -1, 2, 3, 4, 5});
        check(ui::edits::insertToken(state, {0, 0, 6}, "!"), "Insert token 6: !",
              "The cat sat on the mat !", "!", {0, 1, 2, 3, 4, 5, -1});
        check(ui::edits::moveToken(state, {0, 0, 1}, 4), "Move token “cat”: 1 → 4",
              "The sat on the cat mat", "", {0, 2, 3, 4, 1, 5});
        check(ui::edits::moveToken(state, {0, 0, 4}, 1), "Move token “the”: 4 → 1",
              "The the cat sat on mat", "", {0, 4, 1, 2, 3, 5});
        check(ui::edits::changeToken(state, {0, 0, 1}, "dog"), "Token 1: cat → dog",
              "The dog sat on the mat", "dog", {0, -1, 2, 3, 4, 5});
    }

    void theBatchStaysPadded() {
        const ui::OpenedSource batch = test::opened("batch");
        const DocumentState &before = batch.state;
        const auto change =
            ui::edits::insertToken(before, {batch.session.minimumLength, 0, 0}, "So");
        QVERIFY(change.ok());
        QCOMPARE(change->state().input.batch->length(), before.input.batch->length() + 1);
        QCOMPARE(words(change->state(), 1), words(before, 1) + " [PAD]");
        QCOMPARE((*change->state().input.batch)[1].text, (*before.input.batch)[1].text);
    }

    void eachAttentionMovesAlongItsOwnAxes_data() {
        test::addColumns<QString, ui::InputSide, Index, int>({"file", "side", "sequence", "what"});
        const char *names[] = {"insert", "append", "delete", "move on", "move back", "change"};
        for (const char *file : {"encoder_decoder", "t5_like", "cross_attention_only"})
            for (const ui::InputSide side : {ui::InputSide::Own, ui::InputSide::Source})
                for (const Index sequence : {0, 1}) // without and with padding
                    for (int what = 0; what < 6; ++what)
                        QTest::addRow("%s, %s %d: %s", file,
                                      side == ui::InputSide::Own ? "own" : "source",
                                      static_cast<int>(sequence), names[what])
                            << test::sessionPath(file) << side << sequence << what;
    }

    /// Every score and mask cell of every attention module stays with its two tokens, for any pair
    /// of sequences.
    void eachAttentionMovesAlongItsOwnAxes() {
        QFETCH(QString, file);
        QFETCH(ui::InputSide, side);
        QFETCH(Index, sequence);
        QFETCH(int, what);
        DocumentState state = test::opened(file).state;
        setByHand(state);
        const auto batchOf = [](const core::Input &input,
                                ui::InputSide which) -> const core::Batch & {
            return which == ui::InputSide::Source ? *input.source : *input.batch;
        };
        const core::Batch &before = batchOf(state.input, side);
        std::vector<Index> words(static_cast<std::size_t>(before[sequence].length));
        std::iota(words.begin(), words.end(), 0);
        const Index last = before[sequence].length - 1;
        const SequenceId place{0, sequence, 1, side};
        core::Result<ui::Change> change = core::Error{};
        switch (what) {
        case 0:
            change = ui::edits::insertToken(state, place, "new");
            words.insert(words.begin() + 1, kNew);
            break;
        case 1:
            change = ui::edits::insertToken(state, {0, sequence, last + 1, side}, "new");
            words.push_back(kNew);
            break;
        case 2:
            change = ui::edits::deleteToken(state, place);
            words.erase(words.begin() + 1);
            break;
        case 3:
            change = ui::edits::moveToken(state, place, last);
            std::rotate(words.begin() + 1, words.begin() + 2, words.end());
            break;
        case 4:
            change = ui::edits::moveToken(state, {0, sequence, last, side}, 0);
            std::rotate(words.begin(), words.end() - 1, words.end());
            break;
        default:
            change = ui::edits::changeToken(state, place, "new");
        }
        QVERIFY(test::isOk(change));
        const core::Input &after = change->state().input;
        QCOMPARE(change->words().what.startsWith("Source: "), side == ui::InputSide::Source);
        std::size_t compared = 0;
        for (const core::AttentionId attention : state.model.attentions())
            for (Index each = 0; each < before.count(); ++each) {
                const auto on = [&](bool source) {
                    const ui::InputSide which = source ? ui::InputSide::Source : ui::InputSide::Own;
                    std::vector<Index> was = places(batchOf(state.input, which), each);
                    const Index length = batchOf(after, which).length();
                    std::vector<Index> is =
                        which == side && each == sequence
                            ? placesAfter(words, length)
                            : placesAfter({was.begin(),
                                           was.begin() + batchOf(state.input, which)[each].length},
                                          length);
                    return std::pair(was, is);
                };
                const bool encoder = attention.stack == core::Stack::Encoder;
                const auto [rows, rowsAfter] = on(encoder);
                const auto [columns, columnsAfter] =
                    on(encoder || attention.block == core::Block::CrossAttention);
                const Cells scores = movedCells(scoresAt(state.input, attention, each), rows,
                                                rowsAfter, columns, columnsAfter);
                const Cells cells = movedCells(maskCellsAt(state.input, attention, each), rows,
                                               rowsAfter, columns, columnsAfter);
                QVERIFY(scoresAt(after, attention, each) == scores);
                QVERIFY(maskCellsAt(after, attention, each) == cells);
                compared += scores.size() + cells.size();
            }
        QVERIFY(compared > 20);
    }

    void anEmptiedLayerOfCellsGoes() {
        DocumentState state = test::opened(test::sessionPath("encoder_decoder")).state;
        state.input.crossMasks = {core::PaddingMask{}, core::CellMask{{{0, 2, 5, false}}}};
        state.input.encoderMasks = {core::CellMask{{{0, 2, 5, false}}}};
        DocumentState own = ui::edits::deleteToken(state, {0, 0, 2})->state();
        QCOMPARE(own.input.crossMasks.size(), std::size_t(1));
        QVERIFY(own.input.encoderMasks == state.input.encoderMasks);
        own = ui::edits::deleteToken(state, {0, 0, 5, ui::InputSide::Source})->state();
        QCOMPARE(own.input.crossMasks.size(), std::size_t(1));
        QVERIFY(own.input.encoderMasks.empty());
    }

    /// The text is "[CLS] the bank by …", with text spans and the second of two words "bank".
    void idsGoAlong() {
        const DocumentState state = test::opened(test::sessionPath("words_alike")).state;
        const core::Sequence &before = (*state.input.batch)[0];
        QVERIFY(before[2].id == Index(8) && before[2].span && !before.text.empty());
        const auto of = [](const core::Result<ui::Change> &change) {
            return (*change->state().input.batch)[0];
        };
        core::Sequence edited = of(ui::edits::moveToken(state, {0, 0, 2}, 4));
        QVERIFY(edited[4].id == Index(8) && edited[4].text == "bank" && !edited[2].id);
        // The edited sequence no longer has a text, so it has no spans.
        QVERIFY(edited.text.empty() && !edited.isSplit);
        for (const core::Token &token : edited.tokens)
            QVERIFY(!token.span);
        edited = of(ui::edits::insertToken(state, {0, 0, 0}, "river"));
        QVERIFY(!edited[0].id && edited[3].id == Index(8));
        edited = of(ui::edits::deleteToken(state, {0, 0, 0}));
        QVERIFY(edited[1].id == Index(8));
        edited = of(ui::edits::changeToken(state, {0, 0, 2}, "river"));
        QVERIFY(!edited[2].id && edited[2].text == "river");
        edited = of(ui::edits::changeToken(state, {0, 0, 5}, "bank"));
        QVERIFY(edited[2].id == Index(8) &&
                !edited[5].id); // typed text "bank" is the first of the two words
        // Other sequences keep all their ids.
        const auto change = ui::edits::deleteToken(state, {0, 1, 0});
        QVERIFY((*change->state().input.batch)[0] == before);
    }

    void typesGoAlong() {
        DocumentState state = test::opened(test::sessionPath("encoder_postnorm")).state;
        state.input.batch = state.input.batch->withTokenTypes(0, {0, 0, 1, 1});
        const auto types = [](const core::Result<ui::Change> &change) {
            std::vector<Index> first = (*change->state().input.batch)[0].tokenTypes;
            first.resize(5);
            return first;
        };
        using List = std::vector<Index>;
        QVERIFY((types(ui::edits::insertToken(state, {0, 0, 2}, "x")) == List{0, 0, 1, 1, 1}));
        QVERIFY((types(ui::edits::insertToken(state, {0, 0, 1}, "x")) == List{0, 0, 0, 1, 1}));
        QVERIFY((types(ui::edits::deleteToken(state, {0, 0, 0})) == List{0, 1, 1, 0, 0}));
        QVERIFY((types(ui::edits::moveToken(state, {0, 0, 0}, 2)) == List{0, 1, 0, 1, 0}));
        QVERIFY((types(ui::edits::changeToken(state, {0, 0, 2}, "x")) == List{0, 0, 1, 1, 0}));
    }

    /// Uses a model with an embedding matrix.
    void aNewTokenAmongOwnEmbeddingsBringsItsRow() {
        DocumentState state = test::opened(test::sessionPath("encoder_decoder")).state;
        const auto withOwn = [&](const core::Batch &batch) {
            return batch.withEmbeddings(0, core::makeParameter(core::Matrix(batch.length(), 8)));
        };
        state.input.batch = withOwn(*state.input.batch);
        state.input.source = withOwn(*state.input.source);
        const auto check = [&](const core::Batch &batch, const core::Parameter &matrix,
                               const core::Vocabulary &words, const char *word) {
            QCOMPARE(core::ParameterBlock(batch[0].embeddings).row(1),
                     core::ParameterBlock(matrix).row(*words.idOf(word)));
        };
        const core::Model &model = state.model;
        for (const bool inserts : {true, false}) {
            const SequenceId own{0, 0, 1}, source{0, 0, 1, ui::InputSide::Source};
            check(*(inserts ? ui::edits::insertToken(state, own, "Hund")
                            : ui::edits::changeToken(state, own, "Hund"))
                       ->state()
                       .input.batch,
                  model.parameters.main.embeddings, *model.vocabulary, "Hund");
            check(*(inserts ? ui::edits::insertToken(state, source, "dog")
                            : ui::edits::changeToken(state, source, "dog"))
                       ->state()
                       .input.source,
                  model.parameters.encoder.embeddings, *model.sourceVocabulary, "dog");
        }
    }

    void whatCannotBeIsAnError() {
        DocumentState state = test::opened("cat").state;
        QVERIFY(!ui::edits::insertToken(state, {0, 0, 7}, "x").ok());
        QVERIFY(!ui::edits::insertToken(state, {0, 1, 0}, "x").ok());
        QVERIFY(!ui::edits::insertToken(state, {0, 0, 0, ui::InputSide::Source}, "x").ok());
        QVERIFY(!ui::edits::insertToken(state, {0, 0, 0}, "  ").ok());
        QVERIFY(!ui::edits::changeToken(state, {0, 0, 0}, QString(QChar(0x200D))).ok());
        QVERIFY(!ui::edits::moveToken(state, {0, 0, 0}, 6).ok());
        for (int i = 0; i < 5; ++i)
            state = ui::edits::deleteToken(state, {0, 0, 0})->state();
        const auto last = ui::edits::deleteToken(state, {0, 0, 0});
        QVERIFY(!last.ok());
        QCOMPARE(QString::fromStdString(last.error().text()),
                 QString("it is the only token of its sequence; change it instead"));
    }
};

HEADLIGHT_GUILESS_TEST(TokenEditsTest)
#include "tst_token_edits.moc"
