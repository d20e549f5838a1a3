// The arithmetic of the selected number, expanded and collapsed by keyboard and mouse in Close-up.
#include "core/explain/opened.h"
#include "tests/ui/views/view_fixture.h"

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
