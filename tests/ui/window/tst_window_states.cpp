// States of the window that are not a finished picture of a short text: computing, out of date,
// long, deep, one token, no text.
#include "tests/support/long_input.h"
#include "tests/support/painting_record.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/film_frame.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/layer_chip.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"

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
    /// Before the first pass, the picture and the strip say that it is being computed, and the
    /// frames are empty.
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

    /// 4096 tokens are colours, with the arithmetic of the selected number beside them. No number
    /// of it is cut.
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

    /// Without a text, the previous words stay, say so, and the error tells what to do.
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
};

HEADLIGHT_WIDGET_TEST(WindowStatesTest)
#include "tst_window_states.moc"
