// The Softmax tab by mouse and keyboard: a bar is a score of the trace or a custom logit.
#include "core/formats/session/data/session.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/document/edits/softmax_edits.h"
#include "ui/views/softmax_view.h"

using namespace headlight::test;

namespace {

struct SoftmaxFixture : Fixture<SoftmaxView> {
    explicit SoftmaxFixture(const QString &source = "cat") : Fixture(source, {}, {1000, 640}) {}

    const SoftmaxContent &content() {
        (void)view.figure();
        return view.softmax()->content();
    }
    SoftmaxBarsGeometry bars() {
        (void)view.figure();
        return view.geometry().bars;
    }
    QPoint at(std::size_t bar, double logit) {
        const SoftmaxBarsGeometry places = bars();
        return QPointF(places.columns[bar].all.center().x(), places.yOf(logit)).toPoint();
    }
    void moveTo(QPoint point) { move(point, Qt::LeftButton); }
    float trace(Stage stage, core::Index query, core::Index key) {
        return document.trace()->matrix(stage, {}, 0, document.selection().head)(query, key);
    }
};

} // namespace

class SoftmaxViewTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    void side_A_is_As_row_and_stays_as_it_is() {
        SoftmaxFixture fixture;
        fixture.select(Stage::AttentionWeights, 2, 1);
        fixture.document.comparison().pin();
        const core::TracePointer a = fixture.document.trace();
        QVERIFY(typeText(fixture.document, "The cat"));
        fixture.settle();
        fixture.select(Stage::AttentionWeights, 1, 0);
        fixture.document.comparison().show(ComparisonSide::A);
        const SoftmaxContent &content = fixture.content();
        const core::Index head = fixture.selection().head;
        QCOMPARE(std::ssize(content.bars), a->batch()[0].length);
        for (const SoftmaxContent::Bar &bar : content.bars)
            QCOMPARE(bar.probability, a->matrix(Stage::AttentionWeights, {}, 0,
                                                head)(1, static_cast<core::Index>(bar.index)));
        QVERIFY(content.title.contains("A: cat"));
        // The scores of A cannot be set, and a message states this.
        const int steps = fixture.document.undoStack().count();
        const QSignalSpy said(&fixture.view, &FigureView::hovered);
        const double logit = static_cast<double>(content.bars[0].logit);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.at(0, logit));
        fixture.moveTo(fixture.at(0, 0.5 * fixture.content().high));
        QVERIFY(said.last().first().toString().contains("A cannot be edited"));
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, fixture.at(0, logit));
        fixture.key(Qt::Key_Up);
        QCOMPARE(fixture.document.undoStack().count(), steps);
        QVERIFY(!fixture.find<QDoubleSpinBox>("softmaxNumber")->isEnabled());
        fixture.document.comparison().show(ComparisonSide::Difference);
        QVERIFY(fixture.content().nothing.contains("one side"));
        fixture.document.comparison().show(ComparisonSide::Now);
        QCOMPARE(std::ssize(fixture.content().bars), core::Index(2));
    }

    void a_dragged_bar_is_a_score_set_by_hand() {
        SoftmaxFixture fixture;
        fixture.select(Stage::AttentionWeights, 2, 1);
        const float before = fixture.trace(Stage::ScaledScores, 2, 3);
        const float weight = fixture.trace(Stage::AttentionWeights, 2, 3);
        const int steps = fixture.document.undoStack().count();
        const double low = fixture.content().low, high = fixture.content().high;
        const double wanted = 0.9 * high;
        const QSignalSpy said(&fixture.view, &FigureView::hovered);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {},
                          fixture.at(3, static_cast<double>(before)));
        QCOMPARE(fixture.selection().key, core::Index(3));
        for (const double share : {0.3, 0.6, 1.0}) {
            const double from = static_cast<double>(before);
            fixture.moveTo(fixture.at(3, from + share * (wanted - from)));
            fixture.settle();
            // The axis does not change while dragging.
            QCOMPARE(fixture.content().low, low);
            QCOMPARE(fixture.content().high, high);
        }
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, fixture.at(3, wanted));
        fixture.settle();
        const float after = fixture.trace(Stage::ScaledScores, 2, 3);
        QVERIFY(said.last()[0].toString().contains(ui::fullText(after))); // from the newest trace
        QVERIFY(std::abs(static_cast<double>(after) - wanted) < 0.05 * (high - low));
        QVERIFY(fixture.trace(Stage::AttentionWeights, 2, 3) > weight);
        QCOMPARE(fixture.document.state().input.interventions.scores.size(), std::size_t(1));
        QVERIFY(fixture.content().bars[3].isSetByHand);
        // The whole drag is one undo step.
        QCOMPARE(fixture.document.undoStack().count(), steps + 1);
        fixture.document.undoStack().undo();
        fixture.settle();
        QCOMPARE(fixture.trace(Stage::ScaledScores, 2, 3), before);
        QVERIFY(fixture.document.state().input.interventions.empty());
    }

    void escape_takes_a_drag_back() {
        SoftmaxFixture fixture;
        fixture.select(Stage::AttentionWeights, 2, 1);
        const float before = fixture.trace(Stage::ScaledScores, 2, 0);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {},
                          fixture.at(0, static_cast<double>(before)));
        fixture.moveTo(fixture.at(0, fixture.content().high));
        fixture.settle();
        QVERIFY(fixture.trace(Stage::ScaledScores, 2, 0) != before);
        fixture.key(Qt::Key_Escape);
        fixture.settle();
        QCOMPARE(fixture.trace(Stage::ScaledScores, 2, 0), before);
        QCOMPARE(fixture.document.undoStack().count(), 0);
        QCOMPARE(fixture.selection().query, core::Index(2)); // the row stays selected
    }

    void a_click_changes_nothing_and_selects_the_pair() {
        SoftmaxFixture fixture;
        fixture.select(Stage::Query);
        QVERIFY(fixture.content().subtitle.contains("no row is selected"));
        fixture.click(fixture.bars().columns[1].probability.center());
        QCOMPARE(fixture.selection().key, core::Index(1));
        QVERIFY(fixture.selection().query.has_value());
        QVERIFY(core::infoOf(fixture.selection().stage).overKeys());
        QCOMPARE(fixture.document.undoStack().count(), 0);
        QVERIFY(!fixture.content().subtitle.contains("no row is selected"));
    }

    void keys_choose_and_change() {
        SoftmaxFixture fixture;
        fixture.select(Stage::AttentionWeights, 2, 1);
        fixture.key(Qt::Key_Right);
        QCOMPARE(fixture.selection().key, core::Index(2));
        fixture.key(Qt::Key_Home);
        QCOMPARE(fixture.selection().key, core::Index(0));
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.selection().key, core::Index(0));
        const auto before = static_cast<double>(fixture.trace(Stage::ScaledScores, 2, 0));
        fixture.key(Qt::Key_Up);
        fixture.settle();
        const auto after = static_cast<double>(fixture.trace(Stage::ScaledScores, 2, 0));
        QVERIFY(after > before && after < before + 0.16);
        QVERIFY(std::abs(10 * after - std::round(10 * after)) < 1e-4);
        fixture.key(Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(fixture.selection().query, core::Index(3));
        fixture.key(Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(fixture.selection().query, core::Index(2));
        // The field has the same number and can set it.
        auto *field = fixture.find<QDoubleSpinBox>("softmaxNumber");
        QVERIFY(std::abs(field->value() - after) < 1e-3);
        field->setValue(-0.5);
        fixture.settle();
        QVERIFY(std::abs(fixture.trace(Stage::ScaledScores, 2, 0) + 0.5f) < 1e-5f);
    }

    void what_the_mask_hides_cannot_be_dragged() {
        SoftmaxFixture fixture;
        QVERIFY(setMasks(fixture.document, {core::CausalMask{}}).ok());
        fixture.settle();
        fixture.select(Stage::AttentionWeights, 2, 1);
        const int steps = fixture.document.undoStack().count();
        QVERIFY(fixture.content().bars[4].isHidden);
        const QSignalSpy said(&fixture.view, &FigureView::hovered);
        fixture.drag(fixture.at(4, 0), fixture.at(4, fixture.content().high), Qt::LeftButton);
        QCOMPARE(fixture.document.undoStack().count(), steps);
        QVERIFY(said.last()[0].toString().contains("mask"));
        QVERIFY(!fixture.find<QDoubleSpinBox>("softmaxNumber")->isEnabled());
    }

    /// The field shows a number that cannot be set, or a dash, but never 0.0000 instead.
    void a_number_that_cannot_be_set_is_shown_as_it_is() {
        SoftmaxFixture fixture;
        const auto *field = fixture.find<QDoubleSpinBox>("softmaxNumber");
        QVERIFY(setMasks(fixture.document, {core::CausalMask{}}).ok());
        fixture.settle();
        fixture.select(Stage::AttentionWeights, 2, 4);
        (void)fixture.content();
        QVERIFY(!field->isEnabled());
        QCOMPARE(field->text(), ui::fullText(-std::numeric_limits<float>::infinity()));
        const auto shown = [&] {
            const SoftmaxContent &content = fixture.content();
            const float logit = content.bars[content.chosen.value()].logit;
            return field->textFromValue(static_cast<double>(logit));
        };
        fixture.select(Stage::AttentionWeights, 2, 1);
        QVERIFY(field->isEnabled());
        QCOMPARE(field->text(), shown());
        fixture.document.comparison().pin();
        fixture.document.comparison().show(ComparisonSide::A);
        const QString ofA = shown();
        QVERIFY(!field->isEnabled());
        QVERIFY(field->textFromValue(0) != ofA);
        QCOMPARE(field->text(), ofA);
        fixture.document.comparison().show(ComparisonSide::Now);
        fixture.select(Stage::AttentionWeights, {}, {});
        (void)fixture.content();
        QVERIFY(!field->isEnabled());
        QCOMPARE(field->text(), QString("—"));
    }

    void six_numbers_times_a_hundred_in_two_clicks() {
        SoftmaxFixture fixture;
        const core::TracePointer trace = fixture.document.trace();
        fixture.click("softmaxSix");
        QVERIFY(fixture.content().isOwn);
        QCOMPARE(fixture.content().bars.size(), std::size_t(6));
        const double norm = fixture.content().norm;
        QVERIFY(norm > 0.3);
        fixture.click("softmaxTimes100");
        QCOMPARE(fixture.content().bars[1].logit, 40.0f);
        QVERIFY(fixture.content().bars[1].probability > 0.99f);
        QVERIFY(fixture.content().norm < 0.05 * norm);
        QVERIFY(fixture.document.trace() == trace); // the model is not recomputed
        QVERIFY(!fixture.document.traceIsStale());
        QVERIFY(fixture.document.isEdited() && fixture.document.isModified());
        fixture.document.undoStack().undo();
        QCOMPARE(fixture.content().bars[1].logit, 0.4f);
        fixture.document.undoStack().undo();
        QVERIFY(!fixture.content().isOwn);
        QVERIFY(!fixture.document.isEdited());
    }

    void numbers_of_ones_own_are_dragged_too() {
        SoftmaxFixture fixture;
        fixture.click("softmaxSix");
        fixture.click("softmaxTimes10");
        const int steps = fixture.document.undoStack().count();
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.at(3, 0.2));
        fixture.moveTo(fixture.at(3, 2));
        fixture.moveTo(fixture.at(3, 4));
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, fixture.at(3, 4));
        QVERIFY(std::abs(fixture.document.state().softmax.logits[3] - 0.4f) < 0.02f);
        QCOMPARE(fixture.document.undoStack().count(), steps + 1);
        QVERIFY(fixture.content().chosen == std::size_t(3));
        fixture.key(Qt::Key_Down); // changes the logit by −0.1
        QVERIFY(std::abs(fixture.document.state().softmax.logits[3] - 0.3f) < 0.011f);
        fixture.find<QDoubleSpinBox>("softmaxTemperature")->setValue(2);
        QCOMPARE(fixture.document.state().softmax.temperature, 2.0f);
        QCOMPARE(fixture.document.state().model.config.temperature, 1.0f);
    }

    void bars_are_added_and_taken_away() {
        SoftmaxFixture fixture;
        fixture.click("softmaxSix");
        fixture.click("softmaxMore");
        QCOMPARE(fixture.content().bars.size(), std::size_t(7));
        QCOMPARE(fixture.content().bars[6].logit, 0.0f);
        fixture.click(fixture.bars().columns[2].probability.center());
        fixture.click("softmaxLess");
        QCOMPARE(fixture.content().bars.size(), std::size_t(6));
        QCOMPARE(fixture.content().bars[2].logit, core::kSixLogits[3]);
        for (std::size_t i = fixture.content().bars.size(); i < core::kMaxOwnLogits; ++i)
            fixture.click("softmaxMore");
        QCOMPARE(fixture.content().bars.size(), core::kMaxOwnLogits);
        QVERIFY(!fixture.find<QToolButton>("softmaxMore")->isEnabled());
        QVERIFY(!edits::addOwnLogit(fixture.document.state()));
    }

    void the_row_can_be_taken_over() {
        SoftmaxFixture fixture;
        fixture.select(Stage::AttentionWeights, 2, 1);
        std::vector<float> logits;
        for (const SoftmaxContent::Bar &bar : fixture.content().bars)
            logits.push_back(bar.logit);
        fixture.click("softmaxOwn");
        QVERIFY(fixture.document.state().softmax.logits == logits);
        QVERIFY(fixture.content().title.contains("custom logits"));
        fixture.click("softmaxOwn");
        QVERIFY(!fixture.content().isOwn);
        fixture.click("softmaxSix");
        fixture.click("softmaxOwn");
        fixture.click("softmaxOwn"); // switches back to the previous logits
        QCOMPARE(fixture.document.state().softmax.logits.size(), core::kSixLogits.size());
    }

    void the_temperature_of_the_row_is_the_models() {
        SoftmaxFixture fixture;
        fixture.select(Stage::AttentionWeights, 2, 1);
        fixture.find<QDoubleSpinBox>("softmaxTemperature")->setValue(4);
        QCOMPARE(fixture.document.state().model.config.temperature, 4.0f);
        fixture.settle();
        QVERIFY(fixture.content().facts.join(' ').contains("temperature 4"));
        QVERIFY(fixture.content().note.contains(QString::fromUtf8("÷ 4")));
    }

    void the_spread_is_drawn_beside_the_window() {
        SoftmaxFixture fixture;
        fixture.click("softmaxSpread");
        QVERIFY(fixture.content().part == core::SoftmaxPart::Spread);
        HEADLIGHT_UNTIL(!fixture.view.isDrawing());
        QCOMPARE(fixture.content().spread->headSize, core::Index(64));
        const core::SoftmaxSpread first = *fixture.content().spread;
        // Another size cancels the sampling.
        fixture.find<QSpinBox>("softmaxHeadSize")->setValue(4096);
        QVERIFY(!fixture.content().spread);
        QVERIFY(fixture.view.isDrawing());
        fixture.click("softmaxSize16");
        HEADLIGHT_UNTIL(!fixture.view.isDrawing());
        QCOMPARE(fixture.content().spread->headSize, core::Index(16));
        QVERIFY(fixture.find<QToolButton>("softmaxSize16")->isChecked());
        fixture.click("softmaxSize64");
        QVERIFY(!fixture.view.isDrawing()); // the sample of this size was cached
        QVERIFY(*fixture.content().spread == first);
        fixture.click("softmaxDraw");
        HEADLIGHT_UNTIL(!fixture.view.isDrawing());
        QVERIFY(fixture.content().spread->plain != first.plain);
        QVERIFY(!fixture.document.isEdited()); // view settings are not edits
    }

    void reset_takes_numbers_back() {
        SoftmaxFixture fixture;
        fixture.click("softmaxSix");
        QVERIFY(fixture.document.resetEdits().ok());
        QVERIFY(!fixture.content().isOwn);
    }

    void every_control_is_said_and_none_is_cut() {
        for (const int width : {360, 700, 1200}) {
            SoftmaxFixture fixture;
            fixture.click("softmaxSix");
            for (const char *part : {"softmaxRow", "softmaxSpread"}) {
                fixture.click(part);
                fixture.view.resize(width, 640);
                QCoreApplication::processEvents();
                auto *bar = fixture.find<QWidget>("softmaxBar");
                QVERIFY(bar->geometry().bottom() == fixture.view.height() - 1);
                QList<QRect> taken;
                for (QWidget *child :
                     bar->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
                    if (child->isHidden())
                        continue;
                    QVERIFY2(bar->rect().contains(child->geometry()),
                             qPrintable(child->objectName()));
                    for (const QRect &other : taken)
                        QVERIFY(!other.intersects(child->geometry()));
                    taken << child->geometry();
                    if (auto *button = qobject_cast<QToolButton *>(child))
                        QVERIFY(!button->accessibleName().isEmpty() &&
                                !button->toolTip().isEmpty());
                }
                QVERIFY(taken.size() >= 5);
            }
        }
    }
};

HEADLIGHT_WIDGET_TEST(SoftmaxViewTest)
#include "tst_softmax_view.moc"
