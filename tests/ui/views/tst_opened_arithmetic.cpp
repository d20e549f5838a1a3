// The arithmetic of the selected number, expanded and collapsed by keyboard and mouse in Close-up.
#include "core/explain/opened.h"
#include "tests/support/painting_record.h"
#include "tests/ui/views/view_fixture.h"

#include <QScrollBar>

#include <set>

namespace {

struct OpenedFixture : test::Fixture<CloseUpView> {
    explicit OpenedFixture(const QString &source = "cat") : Fixture(source) {
        select(Stage::Scores, 2, 1);
    }
    const CloseUpFigure &figure() { return static_cast<const CloseUpFigure &>(*view.figure()); }
    QPoint cell(core::Index row, core::Index column) {
        (void)figure();
        return view.places().picture.result.cells.cellRect(row, column).center().toPoint();
    }
};

} // namespace

class OpenedArithmeticTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void enterOpensAndEscGoesBack() {
        OpenedFixture fixture;
        const QImage before = fixture.view.grab().toImage();
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.view.isOpened());
        QVERIFY(fixture.figure().isOpened());
        QVERIFY(fixture.view.grab().toImage() != before);
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.view.isOpened());
        QCOMPARE(fixture.selection().query,
                 test::some(2)); // Esc has collapsed the arithmetic only
        QVERIFY(fixture.view.grab().toImage() == before);
        fixture.key(Qt::Key_Escape); // the second Esc deselects the cell
        QVERIFY(!fixture.selection().query);
    }

    void theButtonBesideTheStripOpensAndCloses() {
        OpenedFixture fixture;
        const auto press = [&] {
            (void)fixture.figure();
            fixture.click(fixture.view.openerRect().center());
        };
        QVERIFY(QRectF(fixture.view.rect()).contains(fixture.view.openerRect()));
        QVERIFY(!fixture.view.openerRect().intersects(fixture.view.places().strip));
        press();
        QVERIFY(fixture.view.isOpened());
        press();
        QVERIFY(!fixture.view.isOpened());
    }

    void anotherCellShowsItsOwnArithmetic() {
        OpenedFixture fixture;
        fixture.view.setOpened(true);
        const auto result = [&] {
            return fixture.figure().table().arithmetic().lines.back().back().text;
        };
        const core::SharedMatrix scores = fixture.document.trace()->matrix(
            Stage::Scores, fixture.selection().attention(), 0, fixture.selection().head);
        QCOMPARE(result(), core::resultText(static_cast<double>(scores(2, 1))));
        fixture.click(fixture.cell(3, 2));
        QVERIFY(fixture.view.isOpened());
        QCOMPARE(result(), core::resultText(static_cast<double>(scores(3, 2))));
        fixture.key(Qt::Key_Right);
        QCOMPARE(result(), core::resultText(static_cast<double>(scores(3, 3))));
        // A click on an operand's title goes one step back.
        const core::StageId queries{Stage::Query, fixture.selection().attention()};
        const CloseUpFigure::Places places = fixture.view.places();
        const auto title = places.picture.left.front().title;
        fixture.click(QPointF(title.left() + 4, title.center().y()));
        QVERIFY(fixture.view.isOpened());
        QCOMPARE(fixture.figure().stage(), queries);
    }

    void nothingSelectedStillOpensANumber() {
        OpenedFixture fixture;
        fixture.select({.query = test::none(), .key = test::none(), .opened = true});
        QVERIFY(fixture.figure().isOpened());
        QVERIFY(!fixture.figure().table().arithmetic().rows.empty());
        QVERIFY(!fixture.selection().query); // nothing is selected, as before
    }

    /// A small window has all 16 terms. Those that do not fit can be scrolled to by keys, the wheel
    /// and a bar, and the picture above keeps its numbers.
    void everyTermIsReached() {
        OpenedFixture fixture;
        fixture.view.resize(970, 390);
        fixture.select({.stage = Stage::Query,
                        .query = test::some(2),
                        .dimension = test::some(3),
                        .opened = true});
        const auto layoutNow = [&] {
            (void)fixture.view.grab(); // places the bar
            QCoreApplication::processEvents();
            const CloseUpFigure::Places places = fixture.view.places();
            return fixture.figure().table().layout(places.inTable(), places.tableScroll);
        };
        const ArithmeticLayout first = layoutNow();
        const CloseUpFigure::Places places = fixture.view.places();
        QVERIFY(places.picture.form == CloseUpGeometry::Form::Numbers);
        QVERIFY(places.picture.left.front().hasNumbers);
        QVERIFY2(first.beyond > 0, "all fit");
        const auto *bar = fixture.find<QScrollBar>("scrollTerms");
        QVERIFY(bar->isVisible() && places.table.contains(bar->geometry()));
        for (const ArithmeticLayout::Place &place : first.blocks.front().places)
            QVERIFY(place.cells.front().right() <= bar->x());
        std::set<core::Index> seen;
        for (int press = 0; press < 20; ++press) {
            const ArithmeticLayout layout = layoutNow();
            QVERIFY(std::abs(bar->value() - layout.scrolled) < 1);
            const test::PaintingRecord record = test::PaintingRecord::of(fixture.view);
            for (const QString &text : record.textsIn(places.table))
                QVERIFY2(!text.contains("more"), qPrintable(text));
            for (const ArithmeticLayout::Block &block : layout.blocks)
                for (const ArithmeticLayout::Place &place : block.places)
                    if (layout.window.contains(place.cells.front()) &&
                        layout.window.contains(place.cells.back())) {
                        QVERIFY(!record.textsIn(place.cells.back()).isEmpty());
                        seen.insert(*place.column);
                    }
            fixture.key(Qt::Key_Down, Qt::ShiftModifier);
        }
        QCOMPARE(seen.size(), std::size_t(16));
        QVERIFY(fixture.view.places().picture.result.cells.cells ==
                places.picture.result.cells.cells);
        QVERIFY(layoutNow().scrolled > 0);
        fixture.wheel(places.table.center(), 20);
        QCOMPARE(layoutNow().scrolled, 0.0);
        fixture.key(Qt::Key_Down, Qt::ShiftModifier);
        fixture.key(Qt::Key_Right); // another number begins with its own first terms
        QCOMPARE(layoutNow().scrolled, 0.0);
        fixture.key(Qt::Key_Escape);
        (void)layoutNow();
        QVERIFY(!bar->isVisible());
    }

    /// The arithmetic that a step opens has no scroll bar, because terms that do not fit are added
    /// up. If the user opens it again, it shows all terms.
    void aStepOpensTheLargestTerms() {
        OpenedFixture fixture(QStringLiteral("who-is-it"));
        fixture.view.resize(970, 340);
        QVERIFY(fixture.document.goToStep(3).ok());
        fixture.document.answer({}); // skips the question
        fixture.settle();
        const auto shown = [&] {
            (void)fixture.view.grab(); // places the bar
            QCoreApplication::processEvents();
            const CloseUpFigure::Places places = fixture.view.places();
            return fixture.figure().table().layout(places.inTable(), places.tableScroll);
        };
        const auto *bar = fixture.find<QScrollBar>("scrollTerms");
        QVERIFY(fixture.view.isOpened());
        QVERIFY(std::ranges::count(shown().isShown, false) > 0);
        QVERIFY(!bar->isVisible());
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.view.isOpened());
        QVERIFY(shown().beyond > 0);
        QVERIFY(bar->isVisible());
        fixture.key(Qt::Key_Return);
        QVERIFY(!fixture.view.isOpened());
        fixture.key(Qt::Key_Return); // opened by the user, it has all terms
        QVERIFY(shown().beyond > 0);
    }

    /// Long arithmetic leaves space for a picture, even with a long text or with large text.
    void aLongArithmeticLeavesAPicture() {
        OpenedFixture fixture;
        const auto side = [&] {
            (void)fixture.figure();
            const QSizeF size = fixture.view.places().picture.result.cells.cells.size();
            return std::min(size.width(), size.height());
        };
        fixture.view.resize(966, 245);
        fixture.view.setStyle(FigureStyle::light(1.5));
        fixture.select({.stage = Stage::Query, .dimension = test::some(3), .opened = true});
        QVERIFY(fixture.view.closeUp()->isOpened());
        QVERIFY2(side() > 30, test::said("%1 px", side()));
        fixture.view.setStyle(FigureStyle::light());
        fixture.view.resize(966, 334);
        QVERIFY(test::typeText(fixture.document,
                               QStringList(QStringList(17, "cat sat")).join(QLatin1Char(' ')))
                    .ok());
        fixture.settle();
        fixture.select({.stage = Stage::AttentionWeights,
                        .query = test::some(20),
                        .key = test::some(19),
                        .opened = true});
        QVERIFY(fixture.view.closeUp()->isOpened());
        QVERIFY2(side() > 60, test::said("%1 px", side()));
    }

    /// In every step of every kind of model, all parts are within the picture and do not overlap.
    void everyStepHasItsPlace_data() {
        test::addRows("name",
                      QStringList{"encoder_decoder", "gpt_neox", "t5_like", "olmo_2", "batch_norm",
                                  "wide_encoder", "gemma_2", "decoder_alibi"});
    }
    void everyStepHasItsPlace() {
        QFETCH(QString, name);
        OpenedFixture fixture(test::sessionPath(name));
        const core::Trace &trace = *fixture.document.trace();
        for (const core::StageId at : ModelParts(trace).stages()) {
            core::Selection selection = fixture.selection();
            selection.stage = at.stage;
            selection.setAttention(at.attention);
            selection.opened = true;
            fixture.document.select(selection);
            for (const QSize size : {QSize(1200, 800), QSize(800, 620)}) {
                fixture.view.resize(size);
                QVERIFY(fixture.figure().isOpened());
                const CloseUpFigure::Places places = fixture.view.places();
                QVERIFY(!places.table.intersects(places.picture.card));
                QVERIFY(places.table.bottom() <= places.strip.top());
                const ArithmeticLayout layout =
                    fixture.figure().table().layout(places.table.adjusted(14, 14, -14, -14));
                QVERIFY2(layout.used.bottom() <= places.table.bottom(),
                         core::infoOf(at.stage).name.data());
                QVERIFY(layout.used.right() <= places.table.right());
            }
        }
    }
};

HEADLIGHT_WIDGET_TEST(OpenedArithmeticTest)
#include "tst_opened_arithmetic.moc"
