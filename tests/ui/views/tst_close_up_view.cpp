// The Close-up view with mouse and keyboard: cells, operands, titles, and the arithmetic.
#include "core/selection/selected.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/views/cell_text.h"
#include "ui/views/close_up_view.h"
#include "ui/views/opener.h"

namespace {

struct CloseUpFixture : test::Fixture<CloseUpView> {
    explicit CloseUpFixture(const QString &source = "cat") : Fixture(source) {
        select(Stage::Scores, 2, 1);
    }
    const CloseUpFigure &figure() { return static_cast<const CloseUpFigure &>(*view.figure()); }
    CloseUpGeometry picture() {
        (void)figure();
        return view.places().picture;
    }
    QPointF cell(const HeatmapGeometry &cells, core::Index row, core::Index column) {
        return cells.cellRect(row, column).center();
    }
};

} // namespace

class CloseUpViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// The arrows that open the arithmetic stay within their frame, even in a short row.
    void theOpenerIsWhole() {
        const FigureStyle style = FigureStyle::light(2);
        for (const QRect frame : {QRect(10, 10, 68, 28), QRect(10, 10, 68, 60)}) {
            QImage image(90, 80, QImage::Format_RGB32);
            image.fill(style.surface);
            QPainter painter(&image);
            paintOpener(painter, frame, false, style);
            painter.end();
            QRect arrows;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y) == style.accent)
                        arrows |= QRect(x, y, 1, 1);
            QVERIFY(arrows.height() > 12);
            QVERIFY(frame.adjusted(2, 2, -2, -2).contains(arrows));
        }
    }

    void aClickSelectsACell() {
        CloseUpFixture fixture;
        fixture.click(fixture.cell(fixture.picture().result.cells, 4, 3));
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Scores, .query = 4, .key = 3}));
    }

    /// A row of Q belongs to a row of the scores, and a column of Kᵀ to a column.
    void aClickOnAnOperandSelectsWhatItMeets() {
        CloseUpFixture fixture;
        const HeatmapGeometry queries = fixture.picture().left.front().cells;
        fixture.click(fixture.cell(queries, 5, queries.origin.column));
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Scores, .query = 5, .key = 1}));
        const HeatmapGeometry keys = fixture.picture().above.front().cells;
        fixture.click(fixture.cell(keys, keys.origin.row, 4));
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Scores, .query = 5, .key = 4}));
    }

    void aTitleLeadsToItsStage() {
        CloseUpFixture fixture;
        fixture.click(fixture.picture().left.front().title.topLeft() + QPointF(6, 8));
        QCOMPARE(fixture.selection().stage, Stage::Query);
        fixture.select(Stage::Scores, 2, 1);
        fixture.click(fixture.picture().above.front().title.topLeft() + QPointF(6, 8));
        QCOMPARE(fixture.selection().stage, Stage::Key);
    }

    /// A line above the title marks a matrix that the last edit has recomputed.
    void recomputedMatricesAreMarkedAtTheirTitles() {
        CloseUpFixture fixture;
        fixture.select(Stage::Context, 2);
        QCOMPARE(fixture.figure().parts().left.front().at->stage, Stage::AttentionWeights);
        QCOMPARE(fixture.figure().parts().above.front().at->stage, Stage::Value);
        auto *time = test::find<QTimer>(fixture.document, "recomputedTime");
        time->setInterval(test::kPatience); // the marks stay until expire()
        const auto isMarked = [&](const CloseUpGeometry::Placed &placed) {
            const QPointF line = placed.title.topLeft() + QPointF(2, -1.5);
            return fixture.view.grab().toImage().pixelColor(line.toPoint()) ==
                   fixture.view.figureStyle().accent;
        };
        QVERIFY(!isMarked(fixture.picture().result));
        QVERIFY(test::setScale(fixture.document, {core::Scale::Kind::Off, 1}).ok());
        fixture.settle();
        QVERIFY(isMarked(fixture.picture().result));
        QVERIFY(isMarked(fixture.picture().left.front()));
        QVERIFY(!isMarked(fixture.picture().above.front())); // V does not depend on the scale
        QVERIFY(test::expire(*time));
        QVERIFY(!isMarked(fixture.picture().result));
    }

    /// A number of a transposed operand has the same description as in its stage.
    void anOperandIsDescribedLikeItsStage() {
        CloseUpFixture fixture;
        const HeatmapGeometry keys = fixture.picture().above.front().cells;
        const core::Index dimension = keys.origin.row;
        const QString words = fixture.hover(fixture.cell(keys, dimension, 4));
        core::Selection at = fixture.selection();
        at.stage = Stage::Key;
        QCOMPARE(words, cellText(*fixture.document.trace(), at,
                                 fixture.document.comparison().compared(), 4, dimension));
        QVERIFY(
            words.contains(fullText(core::matrixAt(*fixture.document.trace(), at)(4, dimension))));
    }

    void enterOpensTheArithmeticAndEscClosesIt() {
        CloseUpFixture fixture;
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.view.showsArithmetic());
        QVERIFY(!fixture.view.places().table.isEmpty());
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.view.showsArithmetic());
        QVERIFY(test::isAt(fixture.selection(), {.query = 2, .key = 1}));
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {},
                          fixture.view.openerRect().center().toPoint());
        (void)fixture.figure();
        QVERIFY(fixture.view.showsArithmetic());
    }

    /// Clicking a number of the line, or pressing Ctrl+Enter, selects its source.
    void aNumberOfTheLineLeadsToItsSource() {
        CloseUpFixture fixture;
        (void)fixture.figure();
        const auto middleOf = [&](bool isOrigin, core::Index which) {
            const QRectF strip = fixture.view.places().strip;
            const ArithmeticStrip &line = fixture.figure().strip();
            const FigureStyle &style = fixture.view.figureStyle();
            const QRectF numbers = line.numbersIn(strip, style);
            std::optional<core::NumberOrigin> before;
            for (double x = numbers.left(); x < numbers.right(); ++x) {
                const auto origin = line.originAt(x, strip, style);
                if (origin.has_value() == isOrigin && (!isOrigin || origin != before) &&
                    which-- == 0)
                    return QPointF(x + 2, numbers.center().y());
                before = origin;
            }
            return QPointF();
        };
        QSignalSpy inspector(&fixture.view, &FigureView::inspectorRequested);
        const QPointF key = middleOf(true, 1);
        const QString words = fixture.hover(key);
        QVERIFY2(words.contains("click to go there"), qPrintable(words));
        QCOMPARE(fixture.view.cursor().shape(), Qt::PointingHandCursor);
        fixture.click(key);
        QVERIFY(test::until([&] { return fixture.selection().stage == Stage::Key; }));
        QVERIFY(test::isAt(fixture.selection(), {.query = 2, .key = 1, .dimension = 0}));
        QCOMPARE(inspector.count(), 0);

        // The source of a parameter is shown in the editor.
        QSignalSpy edited(&fixture.view, &FigureView::parameterRequested);
        (void)fixture.figure();
        fixture.click(middleOf(true, 1));
        QVERIFY(test::until([&] { return edited.count() == 1; }));
        QCOMPARE(edited.first()[0].value<core::ParameterId>().which, core::ParameterKind::Key);
        QCOMPARE(edited.first()[2].value<core::Index>(), core::Index(0));

        // Clicking next to the numbers opens the inspector.
        fixture.click(middleOf(false, 0));
        QVERIFY(test::until([&] { return inspector.count() == 1; }));

        fixture.select(Stage::Scores, 2, 1);
        (void)fixture.figure();
        QTest::keyClick(&fixture.view, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(test::until([] { return QApplication::activePopupWidget() != nullptr; }));
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu && menu->actions().size() > 2);
        menu->actions().first()->trigger();
        QCOMPARE(fixture.selection().stage, Stage::Query);
        menu->close();
    }

    /// A parameter can be dragged where it is drawn. The drag is one undo step.
    void aNumberIsDraggedWhereItIs() {
        CloseUpFixture fixture;
        fixture.select({.stage = Stage::Query, .query = 1, .dimension = 0});
        const HeatmapGeometry weights = fixture.picture().above.front().cells;
        const core::Index row = weights.origin.row;
        const auto number = [&] {
            const auto &layer = fixture.document.state().model.parameters.main.layers[0];
            return (*layer.selfAttention.query)(row, 0);
        };
        const float before = number();
        const QPointF start = fixture.cell(weights, row, 0);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, start.toPoint());
        fixture.move(start + QPointF(30, 0), Qt::LeftButton);
        fixture.move(start + QPointF(60, 0), Qt::LeftButton);
        QVERIFY(number() > before);
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, (start + QPointF(60, 0)).toPoint());
        fixture.settle();
        QCOMPARE(fixture.document.undoStack().count(), 1);
        fixture.document.undoStack().undo();
        QCOMPARE(number(), before);
        // Esc restores the number.
        fixture.settle();
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, start.toPoint());
        fixture.move(start + QPointF(40, 0), Qt::LeftButton);
        QVERIFY(number() != before);
        fixture.key(Qt::Key_Escape);
        QCOMPARE(number(), before);
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, start.toPoint());
    }

    /// A double click edits a number. If the number is computed, it expands the arithmetic instead.
    void aDoubleClickTypes() {
        CloseUpFixture fixture;
        fixture.select({.stage = Stage::Embeddings, .query = 1, .dimension = 0});
        const auto rect = [&] { return fixture.picture().result.cells; };
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, fixture.cell(rect(), 1, 0).toPoint());
        auto *field = fixture.view.findChild<QLineEdit *>("cellField");
        QVERIFY(field && field->isVisible());
        QTest::keyClicks(field, "2.5");
        QTest::keyClick(field, Qt::Key_Return);
        fixture.settle();
        QCOMPARE(fixture.document.trace()->stage(Stage::Embeddings).matrix(0)(1, 0), 2.5F);
        QVERIFY(!fixture.view.showsArithmetic()); // the field handled Enter
        QCOMPARE(fixture.document.undoStack().count(), 1);
        fixture.select(Stage::Context, 1, 0);
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, fixture.cell(rect(), 1, 0).toPoint());
        (void)fixture.figure();
        QVERIFY(fixture.view.showsArithmetic());
    }

    void arrowsMoveTheCell() {
        CloseUpFixture fixture;
        fixture.key(Qt::Key_Right);
        fixture.key(Qt::Key_Down);
        QVERIFY(test::isAt(fixture.selection(), {.query = 3, .key = 2}));
    }

    /// The visible part of a long vector follows the selected dimension.
    void theSelectedColumnStaysInSight() {
        CloseUpFixture fixture;
        fixture.view.resize(420, 400);
        for (core::Index dimension = 0; dimension < 16; ++dimension) {
            fixture.select({.stage = Stage::Output, .query = 1, .dimension = dimension});
            QVERIFY(fixture.picture().result.cells.showsColumn(dimension));
        }
    }

    /// The table for screen readers has the result matrix.
    void theTableIsTheResult() {
        CloseUpFixture fixture;
        const ShownHeatmap shown = fixture.view.shownHeatmap();
        QVERIFY(shown.content);
        QCOMPARE(shown.stage, Stage::Scores);
        QCOMPARE(shown.content->matrix().rows, core::Index(6));
    }

    /// Lines are drawn next to a result whose rows are queries, for the selected row only.
    void linesStandBesideTheMatrix() {
        CloseUpFixture fixture;
        fixture.select({.stage = Stage::AttentionWeights, .query = 2});
        const auto figure = [&] {
            return static_cast<const CloseUpFigure *>(fixture.view.figure());
        };
        QVERIFY(!figure()->lines());
        QVERIFY(fixture.view.places().picture.result.cells.lines.isEmpty());
        fixture.view.setOption(&FigureOptions::lines, true);
        for (const Stage stage : {Stage::Scores, Stage::AttentionWeights, Stage::Context}) {
            fixture.select({.stage = stage, .query = 2});
            const AttentionLines *lines = figure()->lines();
            QVERIFY(lines);
            const CloseUpGeometry places = fixture.view.places().picture;
            QVERIFY(places.card.contains(places.result.cells.lines));
            const core::Tensor stageOfWeights =
                fixture.document.trace()->stage(Stage::AttentionWeights);
            const core::SharedMatrix weights = stageOfWeights.matrix(0, fixture.selection().head);
            double last = 0, sum = 0;
            for (const AttentionLines::Line &line : lines->lines(places.result.cells, 2)) {
                QCOMPARE(line.query, core::Index(2));
                QCOMPARE(line.weight, static_cast<double>(weights(2, line.key)));
                QCOMPARE(line.from.y(), places.result.cells.rowRect(2).center().y());
                QCOMPARE(line.to.y(), lines->wordPlace(places.result.cells, line.key).center().y());
                QVERIFY(line.width >= last);
                last = line.width;
                sum += line.weight;
            }
            QVERIFY(sum > 0.9);
            QVERIFY(lines->lines(places.result.cells, {}).size() >
                    lines->lines(places.result.cells, 2).size());
            QVERIFY(figure()->description().contains(QStringLiteral("sat attends to ")));
        }
        fixture.select({.stage = Stage::Query, .query = 2});
        QVERIFY(!figure()->lines()); // its columns are not tokens
        Document other;
        QVERIFY(CloseUpView(other).options().lines); // the option is stored
    }

    /// The other sentences of a batch are behind the card: each next one further to the right and
    /// lower, so that its edge is visible. A click there selects it.
    void theOtherSentencesAreSheets() {
        CloseUpFixture fixture("batch");
        fixture.select(Stage::AttentionWeights, 1);
        const auto buttons = [&] {
            (void)fixture.view.grab();
            QCoreApplication::processEvents();
            QList<QAbstractButton *> shown;
            for (auto *each : fixture.view.findChildren<QAbstractButton *>("sheet"))
                if (each->isVisible())
                    shown << each;
            return shown;
        };
        const core::Index count = fixture.document.trace()->batch().count();
        QVERIFY(count > 1);
        const core::Index others = std::min(count - 1, kMaxSheets);
        const CloseUpGeometry picture = fixture.picture();
        QCOMPARE(std::ssize(picture.sheets), others);
        QRectF before = picture.card;
        for (const QRectF &sheet : picture.sheets) {
            QVERIFY(sheet.right() >= before.right() + 5 && sheet.bottom() >= before.bottom() + 5);
            QVERIFY(sheet.left() > before.left() && sheet.top() > before.top());
            QVERIFY(QRectF(fixture.view.rect()).contains(sheet));
            QVERIFY(!sheet.intersects(picture.result.cells.colourBar));
            before = sheet;
        }
        for (const CloseUpGeometry::Placed &left : picture.left)
            QVERIFY(left.cells.cells.right() <= picture.card.left());
        const QList<QAbstractButton *> all = buttons();
        QCOMPARE(all.size(), qsizetype(others));
        for (qsizetype i = 0; i < all.size(); ++i) {
            const CloseUpSheet &sheet = fixture.figure().sheets()[static_cast<std::size_t>(i)];
            QCOMPARE(sheet.sequence, (fixture.selection().sequence + i + 1) % count);
            QVERIFY(all[i]->accessibleName().startsWith(
                QString("Sentence %1 of %2").arg(sheet.sequence + 1).arg(count)));
            QVERIFY(fixture.figure().description().contains(all[i]->accessibleName()));
            // Only the visible edge takes the mouse, not what is covered.
            const QRectF &place = picture.sheets[static_cast<std::size_t>(i)];
            const auto edge = (place.bottomRight() - QPointF(3, 20)).toPoint();
            QCOMPARE(fixture.view.childAt(edge), all[i]);
            QVERIFY(!qobject_cast<QAbstractButton *>(
                fixture.view.childAt(picture.result.cells.cells.center().toPoint())));
        }
        const core::Index wanted = fixture.figure().sheets().back().sequence;
        QTest::mouseClick(all.back(), Qt::LeftButton, {},
                          QPoint(all.back()->width() - 3, all.back()->height() - 20));
        fixture.settle();
        QCOMPARE(fixture.selection().sequence, wanted);
        QCOMPARE(fixture.selection().stage, Stage::AttentionWeights);
        CloseUpFixture one;
        QVERIFY(one.picture().sheets.empty());
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpViewTest)
#include "tst_close_up_view.moc"
