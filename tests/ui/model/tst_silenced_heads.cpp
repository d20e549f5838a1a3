// The tab Model: the effect of silencing each head, one at a time.
#include "tests/ui/model/model_fixture.h"

#include "core/analysis/head_ablation.h"
#include "ui/views/word_field.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QCompleter>
#include <QLineEdit>
#include <QProgressBar>

using core::HeadId;
using test::ModelFixture;

namespace {

QAction *silencingAction(const ModelFixture &fixture, const char *button) {
    return fixture.find<QToolButton>(button)->defaultAction();
}

/// Compares every cell with the engine's own result.
void compareWithCore(const ModelFixture &fixture, core::HeadState state, bool isLoss) {
    const core::TracePointer &trace = fixture.document.trace();
    const core::AblatedHeads own = test::valueOf(core::ablateHeads(
        *fixture.document.computable(), trace,
        {.place = core::outputPlaceOf(*trace, fixture.selection()), .state = state}));
    const ModelFigure &model = *fixture.view.model();
    QVERIFY(model.effects() && model.effects()->found);
    QCOMPARE(model.effects()->found->token, own.token);
    QCOMPARE(model.tiles().size(), own.heads.size());
    for (const core::HeadEffect &effect : own.heads) {
        const ModelFigure::Tile &tile = fixture.tile({effect.attention, effect.head});
        const double expected = isLoss ? effect.lossDifference.value() : effect.logitDifference;
        QCOMPARE(model.effects()->valueOf(tile.place).value(), expected);
        const HeatmapContent &cells = model.effectsOfGroup(tile.group);
        QCOMPARE(cells.matrix()(tile.layer, effect.head), static_cast<float>(expected));
        QVERIFY(!cells.isHidden(tile.layer, effect.head));
    }
}

} // namespace

class SilencedHeadsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theNumbersAreThoseOfTheCore() {
        ModelFixture fixture(test::opened("tales"));
        QVERIFY(!fixture.view.model()->effects());
        fixture.click("silenceAll");
        QVERIFY(fixture.view.model()->effects()); // the cells are empty until they are computed
        QVERIFY(fixture.find<QProgressBar>("silencingProgress")->isVisible());
        QVERIFY(!fixture.view.isComplete());
        fixture.untilReady();
        QVERIFY(fixture.view.isComplete());
        QVERIFY(!fixture.find<QProgressBar>("silencingProgress")->isVisible());
        compareWithCore(fixture, core::HeadState::Zero, false);

        // Measuring the loss, or replacing heads with their mean instead of zero, requires other
        // passes.
        fixture.find<QComboBox>("silencingNumber")->setCurrentIndex(1);
        (void)fixture.view.figure();
        QVERIFY(!fixture.view.model()->effects()->found);
        fixture.click("silenceAll");
        fixture.untilReady();
        compareWithCore(fixture, core::HeadState::Zero, true);
        fixture.find<QComboBox>("silencingState")->setCurrentIndex(1);
        fixture.click("silenceAll");
        fixture.untilReady();
        compareWithCore(fixture, core::HeadState::Mean, true);
        // Computed numbers are kept.
        fixture.find<QComboBox>("silencingState")->setCurrentIndex(0);
        (void)fixture.view.figure();
        compareWithCore(fixture, core::HeadState::Zero, true);

        fixture.click("showEffects");
        QVERIFY(!fixture.view.model()->effects());
        fixture.click("showEffects");
        QVERIFY(fixture.view.model()->effects());
    }

    void theTokenIsTheChosenOne() {
        ModelFixture fixture(test::opened("tales"));
        fixture.view.silenceAll();
        fixture.untilReady();
        const core::TracePointer trace = fixture.document.trace();
        const core::AblatedHeads predicted = *fixture.view.model()->effects()->found;
        const core::Vocabulary &words = *trace->model().vocabulary;
        const core::Index other = predicted.token == 0 ? 1 : 0;
        const QString name = QString::fromStdString(words.word(other));
        auto *field = fixture.find<QLineEdit>("silencingToken");
        QVERIFY(field->isVisible());
        const auto enter = [&](const QString &text) {
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, text);
            field->completer()->popup()->hide();
            QTest::keyClick(field, Qt::Key_Return);
            (void)fixture.view.figure();
        };
        enter(name);
        // Another token needs other numbers.
        QVERIFY(!fixture.view.model()->effects()->found);
        fixture.click("silenceAll");
        fixture.untilReady();
        const core::AblatedHeads own = test::valueOf(
            core::ablateHeads(*fixture.document.computable(), trace,
                              {.place = core::outputPlaceOf(*trace, fixture.selection()),
                               .token = other,
                               .withLoss = false}));
        const ModelFigure &model = *fixture.view.model();
        QVERIFY(model.effects()->found);
        QCOMPARE(model.effects()->found->token, other);
        QVERIFY(own.heads.front().logitDifference != predicted.heads.front().logitDifference);
        for (const core::HeadEffect &effect : own.heads)
            QCOMPARE(model.effects()->of({effect.attention, effect.head})->logitDifference,
                     effect.logitDifference);
        QVERIFY(test::says(model.description(), name));

        // An unknown word silences nothing, and the bar shows the reason.
        enter("no such word");
        QVERIFY(!silencingAction(fixture, "silenceAll")->isEnabled());
        QVERIFY(test::says(fixture.find<QLabel>("silencingWords")->text(),
                           {"no such word", "vocabulary"}));
        // The loss needs no token.
        auto *number = fixture.find<QComboBox>("silencingNumber");
        number->setCurrentIndex(1);
        QVERIFY(silencingAction(fixture, "silenceAll")->isEnabled());
        number->setCurrentIndex(0);
        QVERIFY(!silencingAction(fixture, "silenceAll")->isEnabled());
        // An empty field is the predicted token, whose numbers were kept.
        field->clear();
        QTest::keyClick(field, Qt::Key_Return);
        (void)fixture.view.figure();
        QCOMPARE(fixture.view.model()->effects()->found->token, predicted.token);
    }

    /// A space is shown as a sign, which the field reads too.
    void aTokenWithASpaceIsReadAsItIsShown() {
        core::Model model;
        model.vocabulary = test::valueOf(core::Vocabulary::create({"[PAD]", "kit", " kite"}));
        WordField field;
        field.setModel(model);
        field.choose(2);
        const QString shown = field.text();
        QVERIFY(!shown.contains(' '));
        emit field.textEdited(shown.left(3));
        QCOMPARE(field.completer()->model()->rowCount(), 1);
        field.completer()->popup()->hide();
        field.choose(1);
        field.setText(shown);
        emit field.editingFinished();
        QVERIFY(field.word() == 2);
        QVERIFY(!field.isUnknown());
    }

    void lettersAreCompleted() {
        ModelFixture fixture(test::opened("tales"));
        const core::Vocabulary &words = *fixture.document.trace()->model().vocabulary;
        auto *field = fixture.find<QLineEdit>("silencingToken");
        field->setFocus();
        QTest::keyClicks(field, QString::fromStdString(words.word(words.size() - 1)).left(1));
        QAbstractItemView *const list = field->completer()->popup();
        QVERIFY(list->isVisible());
        const QModelIndex last = list->model()->index(list->model()->rowCount() - 1, 0);
        const QString name = last.data().toString();
        QVERIFY(name.startsWith(field->text()));
        list->setCurrentIndex(last);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(field->text(), name);
        QVERIFY(!list->isVisible());
        fixture.view.silenceAll();
        fixture.untilReady();
        QCOMPARE(words.word(fixture.view.model()->effects()->found->token), name.toStdString());
    }

    void cancelStops() {
        ModelFixture fixture;
        fixture.view.silenceAll();
        QVERIFY(fixture.view.isComputing());
        QVERIFY(!silencingAction(fixture, "silenceAll")->isEnabled());
        silencingAction(fixture, "cancelSilencing")->trigger();
        (void)fixture.view.figure();
        fixture.untilReady();
        QVERIFY(!fixture.view.model()->effects()->found);
        QVERIFY(test::says(fixture.view.model()->description(), "cancelled"));
        QVERIFY(test::says(fixture.find<QLabel>("silencingWords")->text(), "cancelled"));
        QVERIFY(fixture.find<QToolButton>("cancelSilencing")->isHidden());
        fixture.view.silenceAll(); // silencing can start again
        fixture.untilReady();
        QVERIFY(fixture.view.model()->effects()->found);
    }

    void aClickSelectsAndTheMouseSaysTheChange() {
        ModelFixture fixture;
        fixture.view.silenceAll();
        fixture.untilReady();
        const HeadId place{core::AttentionId(2), 7};
        const core::HeadEffect &effect = *fixture.view.model()->effects()->of(place);
        QVERIFY(
            test::says(fixture.hover(fixture.centre(place)),
                       {"head 2.7", "logit", fullText(static_cast<float>(effect.logitDifference)),
                        percentText(effect.probability)}));
        fixture.click(fixture.centre(place));
        QVERIFY(fixture.chosen() == place);
        QVERIFY(fixture.view.model()->effects()); // the effects stay visible
        fixture.key(Qt::Key_Up);
        QVERIFY(fixture.chosen() == (HeadId{core::AttentionId(1), 7}));
        // The frame below the list shows the same numbers.
        fixture.untilReady();
        QVERIFY(test::says(
            fixture.silencing(),
            percentText(fixture.view.model()->effects()->of(fixture.chosen())->probability)));
    }

    void anotherTextDropsThem() {
        ModelFixture fixture;
        fixture.view.silenceAll();
        fixture.untilReady();
        QVERIFY(test::setMasks(fixture.document, {}).ok());
        fixture.settle();
        (void)fixture.view.grab();
        fixture.untilReady();
        QVERIFY(!fixture.view.model()->effects());
        QVERIFY(test::says(fixture.find<QLabel>("silencingWords")->text(), "discarded"));
    }

    void aFileAndATableHaveThem() {
        ModelFixture fixture;
        QVERIFY(fixture.view.shownBeyondOptions().isEmpty());
        fixture.view.silenceAll();
        fixture.untilReady();
        const auto figure = fixture.view.figureIn(FigureStyle::paper());
        const auto &model = static_cast<const ModelFigure &>(*figure);
        QVERIFY(model.effects() && model.effects()->found);
        QVERIFY(test::says(model.description(), "Largest change"));
        QVERIFY(fixture.view.shownBeyondOptions().isEmpty()); // --effect shows them
        fixture.view.headActions().last()->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split('\n');
        QCOMPARE(lines.size(), 37);
        QVERIFY(lines.at(0).startsWith("stack\tblock\tlayer\thead\tlogit_difference"));
        QVERIFY(lines.at(1 + 12 + 4).startsWith("only\tself\t1\t4\t"));
    }

    void withoutAnOutputLayerThereIsNoBar() {
        ModelFixture bare(test::opened("cat"));
        QVERIFY(bare.find<QWidget>("modelBar")->isHidden());
        QVERIFY(!bare.view.headActions().at(4)->isEnabled());
    }
};

HEADLIGHT_WIDGET_TEST(SilencedHeadsTest)
#include "tst_silenced_heads.moc"
