// The list of heads in the tab Model: its measures, order, filter and thumbnails.
#include "tests/ui/model/model_fixture.h"

#include "core/analysis/heads_of_trace.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QToolButton>

using core::HeadId;
using test::ModelFixture;

class ModelListTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theListHasTheMeasuresOfTheCore() {
        ModelFixture fixture;
        const auto measures = test::valueOf(core::measuresOfHeads(*fixture.document.trace(), 0));
        const HeadList &heads = fixture.panel().heads();
        for (int index = 0; index < int(std::size(core::kNamedMeasures)); ++index) {
            const core::NamedMeasure &measure = core::kNamedMeasures[index];
            fixture.find<QComboBox>("modelMeasure")->setCurrentIndex(index);
            QCOMPARE(&heads.measure(), &measure);
            QCOMPARE(heads.rowCount(), int(measures.size()));
            std::optional<double> before;
            for (int row = 0; row < heads.rowCount(); ++row) {
                const HeadId place = heads.headAt(row);
                const auto own = std::ranges::find_if(measures, [&](const core::HeadOfTrace &each) {
                    return each.attention == place.attention && each.head == place.head;
                });
                const std::optional<double> value = own->measures.*measure.measure;
                QCOMPARE(heads.index(row).data(HeadList::Value).toString(), measureText(value));
                if (before && value)
                    QVERIFY(measure.name == "entropy" || measure.name == "distance"
                                ? *before <= *value
                                : *before >= *value);
                before = value;
            }
        }
        QCOMPARE(measureText(std::nullopt), QString("—"));
    }

    /// The list shows its first heads, whichever head is selected.
    void theListBeginsAtItsTop() {
        ModelFixture fixture;
        QListView *list = &fixture.panel().list();
        const HeadList &heads = fixture.panel().heads();
        const auto visible = [&](const HeadId &head) {
            const QRect row = list->visualRect(heads.index(heads.rowOf(head)));
            return row.top() >= 0 && row.bottom() < list->viewport()->height();
        };
        QVERIFY(list->verticalScrollBar()->maximum() > 0);
        for (int index = 0; index < int(std::size(core::kNamedMeasures)); ++index) {
            fixture.find<QComboBox>("modelMeasure")->setCurrentIndex(index);
            QVERIFY(visible(heads.headAt(0)));
        }
        const HeadId last = heads.headAt(heads.rowCount() - 1);
        QVERIFY(!visible(last));
        fixture.click(fixture.centre(last));
        QVERIFY(fixture.chosen() == last);
        QVERIFY(visible(last));
        // This also holds after a head was chosen in the list.
        const QModelIndex low = heads.index(heads.rowCount() / 2);
        list->scrollTo(low);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(low).center());
        QVERIFY(fixture.chosen() == heads.headAt(low.row()));
        for (int index = 0; index < int(std::size(core::kNamedMeasures)); ++index) {
            fixture.find<QComboBox>("modelMeasure")->setCurrentIndex(index);
            QVERIFY(visible(heads.headAt(0)));
        }
    }

    void theListIsSortedTheOtherWayRound() {
        ModelFixture fixture;
        const HeadList &heads = fixture.panel().heads();
        auto *reverse = fixture.find<QToolButton>("modelReverse");
        const auto order = [&] {
            std::vector<QString> values;
            for (int row = 0; row < heads.rowCount(); ++row)
                values.push_back(heads.index(row).data(HeadList::Value).toString());
            return values;
        };
        for (const int index : {0, 2}) { // ascending and descending
            fixture.find<QComboBox>("modelMeasure")->setCurrentIndex(index);
            std::vector<QString> usual = order();
            QVERIFY(usual.front() != usual.back());
            reverse->click();
            std::ranges::reverse(usual);
            QVERIFY(order() == usual);
            reverse->click();
            QVERIFY(order() != usual);
        }
    }

    void theListHasTheColoursOfTheGrid() {
        ModelFixture fixture;
        const HeadList &heads = fixture.panel().heads();
        const auto picture = [&] { return heads.index(1).data(HeadList::Picture).value<QImage>(); };
        const QImage usual = picture();
        fixture.view.setOption(&FigureOptions::scaling, Scaling::Logarithmic);
        const QImage logarithmic = picture();
        QVERIFY(!usual.isNull() && logarithmic != usual);
        fixture.view.setOption(&FigureOptions::scaling, Scaling::Linear);
        QCOMPARE(picture(), usual);
        fixture.view.setOption(&FigureOptions::range, Range::PerRow);
        QVERIFY(picture() != usual);
    }

    /// The list compares with the head that was selected when the measure was chosen.
    void theListIsSortedBySimilarity() {
        ModelFixture fixture;
        const HeadId place{core::AttentionId(1), 4};
        fixture.select({.head = 4, .layer = 1});
        fixture.find<QComboBox>("modelMeasure")->setCurrentIndex(8);
        fixture.untilReady();
        const auto expected = test::valueOf(
            core::measuresOfHeads(*fixture.document.trace(), 0, {}, {.similarTo = place}));
        const HeadList &heads = fixture.panel().heads();
        const auto agrees = [&] {
            double before = 1;
            for (int row = 0; row < heads.rowCount(); ++row) {
                const auto own = std::ranges::find_if(expected, [&](const auto &each) {
                    return HeadId{each.attention, each.head} == heads.headAt(row);
                });
                if (heads.index(row).data(HeadList::Value).toString() !=
                        measureText(own->measures.similarity) ||
                    *own->measures.similarity > before)
                    return false;
                before = *own->measures.similarity;
            }
            return heads.rowCount() == 36;
        };
        QVERIFY(agrees());
        QVERIFY(heads.headAt(0) == place); // equal to itself
        QVERIFY(test::says(fixture.find<QComboBox>("modelMeasure")->currentText(), "1.4"));
        fixture.select({.head = 0, .layer = 2});
        fixture.untilReady();
        QVERIFY(agrees()); // selecting a head does not change the order
        fixture.view.headActions().at(2)->trigger();
        fixture.untilReady();
        QVERIFY(heads.headAt(0) == (HeadId{core::AttentionId(2), 0}));
        // Another text is compared with the same head.
        QVERIFY(test::setMasks(fixture.document, {}).ok());
        fixture.settle();
        (void)fixture.view.grab();
        fixture.untilReady();
        QVERIFY(heads.headAt(0) == (HeadId{core::AttentionId(2), 0}));
        QCOMPARE(heads.index(0).data(HeadList::Value).toString(), measureText(1.0));
    }

    /// Heads of the encoder and of the decoder have the same numbers.
    void theSimilarityNamesTheAttentionBlock() {
        ModelFixture fixture(test::opened(test::sessionPath("encoder_decoder")));
        fixture.view.headActions().at(2)->trigger();
        fixture.untilReady();
        const QString name = headNameOf(fixture.document.trace()->model(), fixture.chosen());
        QVERIFY(name.contains(','));
        QVERIFY(test::says(fixture.find<QComboBox>("modelMeasure")->currentText(), name));
    }

    void theListIsFiltered() {
        ModelFixture fixture;
        auto *filter = fixture.find<QLineEdit>("modelFilter");
        const HeadList &heads = fixture.panel().heads();
        filter->setText("2.1");
        QCOMPARE(heads.rowCount(), 3); // heads 2.1, 2.10 and 2.11
        filter->setText("> 0.2");
        const int above = heads.rowCount();
        filter->setText("<0.2");
        QCOMPARE(above + heads.rowCount(), 36);
        filter->setText("> 7");
        QCOMPARE(heads.rowCount(), 0);
        QVERIFY(!fixture.find<QLabel>("modelNoHeads")->isHidden());
        filter->clear();
        QCOMPARE(heads.rowCount(), 36);
        QVERIFY(fixture.find<QLabel>("modelNoHeads")->isHidden());
    }

    void theLabelCountsTheHeadsThatPass() {
        ModelFixture fixture;
        auto *filter = fixture.find<QLineEdit>("modelFilter");
        const auto *label = fixture.panel().findChild<QLabel *>("eyebrow");
        QCOMPARE(label->text(), QString("36 heads, sorted by"));
        filter->setText("2.1");
        QCOMPARE(label->text(), QString("3 of 36 heads, sorted by"));
        filter->setText("> 7");
        QCOMPARE(label->text(), QString("0 of 36 heads, sorted by"));
        filter->setText(">"); // not a filter yet
        QCOMPARE(label->text(), QString("36 heads, sorted by"));
        filter->clear();
        QCOMPARE(label->text(), QString("36 heads, sorted by"));
    }
};

HEADLIGHT_WIDGET_TEST(ModelListTest)
#include "tst_model_list.moc"
