// States of the window that are not a finished picture of a short text: computing, out of date,
// long, deep, one token, no text. Also pictures with less or more than usual: of a capture, with
// nothing selected, of two sequences.
#include "tests/support/long_input.h"
#include "tests/support/painting_record.h"
#include "tests/support/trained_model.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/film_frame.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/layer_chip.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"

using core::Stage;

namespace {

/// A window in which the close-up is shown, 1280 × 720.
struct StateFixture : WindowFixture {
    StateFixture() : WindowFixture("cat", "close-up") {
        find<QDockWidget>("inspectorDock")->hide();
        window.resize(1280, 720);
        settle();
    }
    /// Opens a model with random parameters, without waiting for its pass.
    void openModel(core::Model model, core::Index tokens, core::MaskLayers masks = {}) {
        window.open(test::sourceOf(std::move(model), {test::wordBatch(tokens), std::move(masks)}));
        window.showView("close-up");
    }
    QStringList texts() {
        QStringList all;
        for (const auto &text : test::PaintingRecord::of(window).texts)
            all << text.text;
        return all;
    }
    bool isWritten(const QString &words) {
        return std::ranges::any_of(texts(),
                                   [&](const QString &text) { return text.contains(words); });
    }
    /// Ends the delay after which a pass is slow.
    bool becomeSlow() { return test::expire(*test::find<QTimer>(document(), "slowPassDelay")); }
    const ui::CloseUpFigure &closeUp() const {
        return static_cast<const ui::CloseUpFigure &>(*view()->figure());
    }
    ui::CloseUpFigure::Places places() const {
        return static_cast<const ui::CloseUpView *>(view())->places();
    }
};

QRectF boxOf(const test::PaintingRecord::Text &text) {
    const QSizeF size(text.width, text.pixels);
    return {text.centre - QPointF(size.width() / 2, size.height() / 2), size};
}

} // namespace

class WindowStatesTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Before the first pass, the picture and the strip state that numbers are being computed, and
    /// the frames are empty.
    void computing() {
        StateFixture fixture;
        fixture.openModel(test::largeModel(64, 4), 300);
        QVERIFY(!fixture.document().trace());
        QVERIFY(fixture.becomeSlow());
        QVERIFY(fixture.isWritten("Computing…"));
        QVERIFY(fixture.isWritten("computing…")); // the strip
        QVERIFY(fixture.isWritten("word0"));      // the words are known
        int frames = 0;
        for (const auto *frame :
             fixture.find<ui::Filmstrip>("filmstrip")->findChildren<ui::FilmFrame *>()) {
            QVERIFY(frame->picture().isNull());
            ++frames;
        }
        QVERIFY(frames > 0);
        fixture.settle();
        QVERIFY(!fixture.isWritten("computing…"));
    }

    /// While a pass is slow, the matrices that it may change are marked as older. The notice covers
    /// nothing.
    void outOfDate() {
        StateFixture fixture;
        fixture.select({.stage = Stage::AttentionWeights, .query = 2, .key = 1});
        QVERIFY(test::setScale(fixture.document(), {core::Scale::Kind::Off, 1}).ok());
        QCOMPARE(fixture.view()->olderNumbersText(), QString()); // most passes end before the delay
        QVERIFY(fixture.becomeSlow());
        const QString notice = fixture.view()->olderNumbersText();
        QVERIFY2(notice.startsWith("Computing…"), qPrintable(notice));
        QVERIFY(fixture.view()->accessibleDescription().startsWith(notice));
        const auto record = test::PaintingRecord::of(*fixture.view());
        std::optional<QRectF> place;
        for (const auto &text : record.texts)
            if (text.text == notice) {
                place = boxOf(text);
                const ui::FigureStyle &style = fixture.view()->figureStyle();
                QVERIFY(ui::contrastOf(QColor::fromRgb(text.colour), style.accent) >= 4.5);
            }
        QVERIFY(place && QRectF(fixture.view()->rect()).contains(*place));
        for (const auto &text : record.texts)
            QVERIFY2(text.text == notice || !boxOf(text).intersects(*place), qPrintable(text.text));
        // The keys are not scaled.
        fixture.document().select(ui::atStage(fixture.document().selection(), {Stage::Key, {}}));
        QCOMPARE(fixture.view()->olderNumbersText(), QString());
        fixture.settle();
        fixture.select({.stage = Stage::AttentionWeights, .query = 2, .key = 1});
        QCOMPARE(fixture.view()->olderNumbersText(), QString());
        QVERIFY(!fixture.isWritten(notice));
        QVERIFY(!fixture.view()->accessibleDescription().startsWith(notice));
    }

    /// Views without a range have the notice too. A pinned run does not change.
    void outOfDateInOtherViews() {
        StateFixture fixture;
        fixture.document().comparison().pin();
        fixture.window.showView("lines");
        fixture.settle();
        QVERIFY(test::setScale(fixture.document(), {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(fixture.becomeSlow());
        QVERIFY(fixture.view()->olderNumbersText().startsWith("Computing…"));
        fixture.document().comparison().show(ui::ComparisonSide::A);
        QCOMPARE(fixture.view()->olderNumbersText(), QString());
    }

    /// 4096 tokens are drawn as colours, with the arithmetic of the selected number next to them.
    /// None of its numbers is cut off.
    void manyTokens() {
        StateFixture fixture;
        fixture.openModel(test::largeModel(16, 1), 4096, {core::CausalMask{}});
        fixture.settle();
        fixture.select({.stage = Stage::AttentionWeights, .query = 4000, .key = 1500});
        fixture.settle();
        HEADLIGHT_UNTIL(!fixture.closeUp().parts().result.content.matrix().empty());
        const ui::CloseUpFigure::Places places = fixture.places();
        QCOMPARE(places.picture.form, ui::CloseUpGeometry::Form::Colours);
        QVERIFY(places.picture.result.cells.cells.width() > 150);
        QVERIFY(places.picture.result.cells.cells.height() > 150);
        QVERIFY(!places.table.isEmpty() && !places.table.intersects(places.picture.card));
        QVERIFY(fixture.isWritten("4096 × 4096"));
        static const QRegularExpression cut(QStringLiteral("\\d\\.?\\d*…$"));
        int inTable = 0;
        for (const auto &text : test::PaintingRecord::of(*fixture.view()).texts)
            if (places.table.contains(text.centre)) {
                QVERIFY2(!cut.match(text.text).hasMatch(), qPrintable(text.text));
                ++inTable;
            }
        QVERIFY(inTable > 10);
    }

    /// With 100 layers of 64 heads, the chip of the selected layer is visible and the head named.
    void manyLayersAndHeads() {
        StateFixture fixture;
        core::Model model = test::largeModel(128, 64);
        model.parameters.main.layers.resize(100, model.parameters.main.layers.front());
        fixture.openModel(std::move(model), 6);
        fixture.settle();
        fixture.select({.stage = Stage::AttentionWeights, .query = 3, .head = 63, .layer = 99});
        fixture.settle();
        QVERIFY(fixture.isWritten("layer 99, head 63"));
        const ui::LayerChip *chosen = nullptr;
        for (const auto *chip :
             fixture.find<ui::Filmstrip>("filmstrip")->findChildren<ui::LayerChip *>("layer"))
            if (chip->isChecked())
                chosen = chip;
        QVERIFY(chosen);
        QCOMPARE(chosen->visibleRegion().boundingRect(), chosen->rect());
        QCOMPARE(fixture.places().picture.form, ui::CloseUpGeometry::Form::Numbers);
        fixture.window.showView("model");
        HEADLIGHT_UNTIL(fixture.isWritten("99.63"));
    }

    void oneToken() {
        StateFixture fixture;
        fixture.openModel(test::largeModel(16, 2), 1);
        fixture.settle();
        fixture.select({.stage = Stage::AttentionWeights, .query = 0});
        QVERIFY(fixture.isWritten("There is no other word"));
        QCOMPARE(fixture.places().picture.form, ui::CloseUpGeometry::Form::Numbers);
        QVERIFY(fixture.isWritten("1.00"));
    }

    /// Without a text, the previous words stay and are marked as such, and the error states what to
    /// do.
    void emptyText() {
        StateFixture fixture;
        auto *edit = fixture.find<QLineEdit>("text");
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        HEADLIGHT_UNTIL(fixture.isWritten("for the previous text"));
        QVERIFY2(fixture.problem().contains("at least one word"), qPrintable(fixture.problem()));
        QVERIFY(fixture.isWritten("cat"));
        QVERIFY(!fixture.closeUp().parts().result.content.matrix().empty());
        QTest::keyClicks(edit, "a dog");
        fixture.settle();
        HEADLIGHT_UNTIL(!fixture.isWritten("for the previous text"));
        QVERIFY(fixture.isWritten("dog"));
    }

    /// Before anything is selected, the matrices have all their numbers and no outline, and the
    /// formula has no numbers yet. A click on a cell begins.
    void nothingSelected() {
        StateFixture fixture;
        fixture.select({.stage = Stage::Scores,
                        .query = test::none(),
                        .key = test::none(),
                        .dimension = test::none()});
        fixture.settle();
        const ui::CloseUpFigure::Places places = fixture.places();
        const ui::CloseUpParts &parts = fixture.closeUp().parts();
        QCOMPARE(places.picture.form, ui::CloseUpGeometry::Form::Numbers);
        QCOMPARE(parts.left.size(), std::size_t(1));
        QCOMPARE(parts.above.size(), std::size_t(1));
        for (const ui::CloseUpPart *part : {&parts.result, &parts.left[0], &parts.above[0]})
            QVERIFY(part->content.marks.empty() && !part->content.selectedRow);
        const core::SharedMatrix scores = parts.result.content.matrix();
        const auto numbersIn = [&](const QRectF &cells) {
            qsizetype count = 0;
            for (const QString &text : test::PaintingRecord::of(*fixture.view()).textsIn(cells))
                count += test::looksLikeANumber(text);
            return count;
        };
        QCOMPARE(numbersIn(places.picture.result.cells.cells), scores.rows * scores.columns);
        QVERIFY(!plainText(fixture.closeUp().strip().formula).isEmpty());
        QCOMPARE(plainText(fixture.closeUp().strip().arithmetic), QString());
        QVERIFY(places.table.isEmpty());
        const QRectF cell = places.picture.result.cells.cellRect(2, 1);
        QTest::mouseClick(fixture.view(), Qt::LeftButton, {}, cell.center().toPoint());
        fixture.settle();
        QVERIFY(test::isAt(fixture.document().selection(), {.query = 2, .key = 1}));
        QVERIFY(!plainText(fixture.closeUp().strip().arithmetic).isEmpty());
        QVERIFY(!fixture.closeUp().parts().result.content.marks.empty());
    }

    /// A capture of GPT-2 has only attention weights. They are the whole picture, without operands,
    /// and the line has the selected weight.
    void captureWithoutQueriesAndKeys() {
        HEADLIGHT_TRAINED(folder, "captures");
        StateFixture fixture;
        fixture.openSource(folder + "/gpt2-0.safetensors");
        fixture.window.showView("close-up");
        fixture.select({.stage = Stage::AttentionWeights, .query = 5, .key = 3, .layer = 2});
        fixture.settle();
        const core::TracePointer trace = fixture.document().trace();
        QVERIFY(fixture.document().isCapture() && !trace->has(Stage::Query, {}));
        QCOMPARE(fixture.view()->viewName(), QString("close-up"));
        const ui::CloseUpFigure &figure = fixture.closeUp();
        const ui::CloseUpFigure::Places places = fixture.places();
        QVERIFY(figure.parts().left.empty() && figure.parts().above.empty());
        QCOMPARE(places.picture.form, ui::CloseUpGeometry::Form::Numbers);
        const ui::HeatmapGeometry &cells = places.picture.result.cells;
        QCOMPARE(cells.rows, core::Index(6));
        QCOMPARE(cells.columns, core::Index(6));
        QVERIFY2(cells.cells.width() > 300, test::said("%1 px", cells.cells.width()));
        // Each word is next to its row and above its column.
        const auto record = test::PaintingRecord::of(*fixture.view());
        const QStringList words = figure.parts().result.content.rowLabels;
        QCOMPARE(words.size(), 6);
        for (const QString &word : words) {
            const auto count = std::ranges::count_if(
                record.texts, [&](const auto &text) { return text.text == word; });
            QVERIFY2(count >= 2, test::said("%1: %2", word, count));
        }
        const QString line = plainText(figure.strip().arithmetic);
        const float weight = core::matrixAt(*trace, fixture.document().selection())(5, 3);
        QVERIFY2(line.contains(QString::number(double(weight), 'f', 2)), qPrintable(line));
    }

    /// In cross-attention, the rows are the words of the target, the columns are the words of the
    /// source, and both texts have a strip.
    void twoSequences() {
        StateFixture fixture;
        fixture.openSource(test::sessionPath("encoder_decoder"));
        fixture.window.showView("close-up");
        core::Selection selection = fixture.document().selection();
        selection.setAttention({0, core::Block::CrossAttention, core::Stack::Decoder});
        selection.stage = Stage::Scores;
        selection.query = 1;
        selection.key = 2;
        fixture.document().select(selection);
        fixture.settle();
        const ui::CloseUpFigure &figure = fixture.closeUp();
        const ui::CloseUpFigure::Places places = fixture.places();
        const core::Trace &trace = *fixture.document().trace();
        const core::Index ownWords = trace.batch()[0].length;
        const core::SharedMatrix scores = figure.parts().result.content.matrix();
        QCOMPARE(figure.stage().attention.block, core::Block::CrossAttention);
        QCOMPARE(scores.rows, ownWords);
        QVERIFY(scores.columns != scores.rows); // the texts have different lengths
        QCOMPARE(places.picture.form, ui::CloseUpGeometry::Form::Numbers);
        // Q has a row for each target word, and Kᵀ a column for each source word.
        QCOMPARE(figure.parts().left.front().rows(), scores.rows);
        QCOMPARE(figure.parts().above.front().columns(), scores.columns);
        auto *strip = fixture.find<ui::SentenceStrip>("sentenceStrip");
        for (const ui::InputSide side : {ui::InputSide::Own, ui::InputSide::Source})
            QVERIFY(strip->words(side).isVisible());
        const auto record = test::PaintingRecord::of(*fixture.view());
        const auto isBeside = [&](const QString &word, const QRectF &place) {
            return record.textsIn(place).contains(word);
        };
        const ui::HeatmapGeometry &left = places.picture.left.front().cells;
        const ui::HeatmapGeometry &above = places.picture.above.front().cells;
        const QStringList rows = figure.parts().left.front().content.rowLabels;
        const QStringList columns = figure.parts().above.front().content.columnLabels;
        QVERIFY(rows.size() == scores.rows && columns.size() == scores.columns && rows != columns);
        for (core::Index row = 0; row < scores.rows; ++row)
            QVERIFY2(isBeside(rows[row], left.rowLabel(row)), qPrintable(rows[row]));
        for (core::Index column = 0; column < scores.columns; ++column)
            QVERIFY2(isBeside(columns[column], above.columnLabel(column)),
                     qPrintable(columns[column]));
    }
};

HEADLIGHT_WIDGET_TEST(WindowStatesTest)
#include "tst_window_states.moc"
