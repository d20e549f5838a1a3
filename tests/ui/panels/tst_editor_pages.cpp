// The pages Mask, Mechanism, Heads and Tokens, driven by mouse and keyboard.
#include "tests/support/shown_texts.h"
#include "tests/ui/panels/editor_fixture.h"
#include "ui/panels/editor/head_table.h"
#include "ui/panels/editor/number_spin.h"
#include "ui/panels/editor/token_list.h"
#include "ui/widgets/scrolling_page.h"

using core::HeadState;

namespace {

void add(EditorFixture &fixture, const QString &beginning) {
    for (QAction *action : fixture.find<QPushButton>("addMaskLayer")->menu()->actions())
        if (action->text().startsWith(beginning))
            return action->trigger();
    qFatal("no layer %s", qPrintable(beginning));
}

QList<QWidget *> layerRows(const EditorFixture &fixture) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return fixture.editor.findChildren<QWidget *>("maskLayer");
}

void choose(QComboBox *box, int index) {
    box->setCurrentIndex(index);
    emit box->activated(index);
}

/// Turns the wheel down by one notch over the middle of the widget. Qt offers only events from
/// outside the program to the parents, too.
void turnWheel(QWidget &over) {
    const QPointF middle = QRectF(over.rect()).center();
    QWheelEvent turn(middle, over.mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&turn);
    qApp->notify(&over, &turn);
}

} // namespace

class EditorPagesTest : public QObject {
    Q_OBJECT

  private slots:
    /// Without a complete row, the cell that is being edited could be hidden.
    void theTableShowsOneRowHoweverLowTheEditorIs() {
        EditorFixture fixture("cat");
        fixture.editor.resize(260, 40);
        const auto *view = fixture.find<QTableView>("numberTable");
        QVERIFY2(view->viewport()->height() >= view->rowHeight(0),
                 qPrintable(QString::number(view->viewport()->height())));
    }
    void layersAreAddedSizedAndRemoved() {
        EditorFixture fixture("cat");
        fixture.editor.showMask();
        const auto &masks = [&]() -> const core::MaskLayers & {
            return fixture.document.state().input.masks;
        };
        add(fixture, "Causal: ");
        add(fixture, "Window: ");
        add(fixture, "Causal: ");
        QVERIFY(fixture.error().contains("already"));
        QCOMPARE(masks().size(), std::size_t(2));
        const QList<QWidget *> rows = layerRows(fixture);
        QCOMPARE(rows.size(), 2);
        auto *size = rows[1]->findChild<QSpinBox *>();
        QVERIFY(size && !rows[0]->findChild<QSpinBox *>());
        size->setFocus();
        QTest::keyClick(size, Qt::Key_Up);
        QTest::keyClick(size, Qt::Key_Up);
        QCOMPARE(std::get<core::WindowMask>(masks()[1]).width, 4);
        QCOMPARE(fixture.undoText(),
                 QString("Mask layer: window of 2 tokens → window of 4 tokens"));
        QCOMPARE(fixture.document.undoStack().count(), 3); // two key presses are one step
        QCOMPARE(layerRows(fixture), rows);
        rows[0]->findChild<QToolButton *>()->click();
        QCOMPARE(masks().size(), std::size_t(1));
        QCOMPARE(layerRows(fixture).size(), 1);
    }

    void aRowSeesNothingUntilItIsFreed() {
        EditorFixture fixture("cat");
        fixture.editor.showMask();
        auto *hide = fixture.find<QPushButton>("hideMaskRow");
        QVERIFY(!hide->isEnabled());
        fixture.select(Stage::AttentionWeights, 2);
        hide->click();
        QVERIFY(test::settled(fixture.document));
        QVERIFY(fixture.document.trace()->mask(0).seesNothing(2));
        QCOMPARE(fixture.find<QLabel>("maskCells")->text(), QString("6 single-cell edits"));
        fixture.find<QPushButton>("freeMaskRow")->click();
        QVERIFY(fixture.document.state().input.masks.empty());
        hide->click();
        fixture.find<QPushButton>("clearMaskCells")->click();
        QVERIFY(fixture.document.state().input.masks.empty());
    }

    void theMechanismCanBeAnotherOne() {
        EditorFixture fixture("cat");
        fixture.editor.showMask();
        choose(fixture.find<QComboBox>("maskingChoice"), 3);
        QVERIFY(fixture.config().masking.afterSoftmax);
        choose(fixture.find<QComboBox>("maskingChoice"), 2);
        QCOMPARE(fixture.config().masking.value, -1e4f);
        choose(fixture.find<QComboBox>("scaleChoice"), 1);
        auto *divisor = fixture.find<NumberSpin>("scaleDivisor");
        QVERIFY(divisor->isVisible());
        divisor->setValue(3);
        QCOMPARE(fixture.config().scale.factor(8), 1.0f / 3);
        choose(fixture.find<QComboBox>("scaleChoice"), 2);
        QVERIFY(fixture.config().scale.kind == core::Scale::Kind::Off);
        fixture.find<QCheckBox>("softmaxSwitch")->click();
        QVERIFY(!fixture.config().softmax);
        auto *temperature = fixture.find<NumberSpin>("temperature");
        const int steps = fixture.document.undoStack().count();
        temperature->setFocus();
        temperature->selectAll();
        QTest::keyClicks(temperature, "0,5");
        QTest::keyClick(temperature, Qt::Key_Return);
        QCOMPARE(fixture.config().temperature, 0.5f);
        QCOMPARE(temperature->text(), QString("0.5"));
        QCOMPARE(fixture.document.undoStack().count(), steps + 1);
        QCOMPARE(fixture.undoText(), QString("Temperature: 1 → 0.5"));
        while (fixture.document.undoStack().canUndo())
            fixture.document.undoStack().undo();
        QVERIFY(fixture.find<QCheckBox>("softmaxSwitch")->isChecked());
        QCOMPARE(fixture.find<QComboBox>("maskingChoice")->currentIndex(), 0);
        QCOMPARE(temperature->value(), 1.0);
    }

    void theTemperatureIsDraggedLikeANumber() {
        EditorFixture fixture("cat");
        fixture.editor.showMask();
        auto *temperature = fixture.find<NumberSpin>("temperature");
        auto *line = temperature->findChild<QLineEdit *>();
        const QPoint start = line->rect().center();
        const auto move = [&](int by, Qt::KeyboardModifiers modifiers = {}) {
            const QPointF to = start + QPoint(by, 0);
            test::moveMouse(*line, to, Qt::LeftButton, modifiers);
        };
        const auto press = [&] { QTest::mousePress(line, Qt::LeftButton, {}, start); };
        const auto release = [&] { QTest::mouseRelease(line, Qt::LeftButton, {}, start); };
        press();
        move(20);
        QCOMPARE(fixture.config().temperature, 1.2f); // the value follows the mouse
        move(50);
        release();
        QCOMPARE(fixture.config().temperature, 1.5f);
        QCOMPARE(fixture.document.undoStack().count(), 1);
        QCOMPARE(fixture.undoText(), QString("Temperature: 1 → 1.5"));
        press();
        move(10, Qt::ShiftModifier);
        release();
        QCOMPARE(fixture.config().temperature, 1.51f);
        press();
        move(-90);
        QTest::keyClick(line, Qt::Key_Escape);
        release();
        QCOMPARE(fixture.config().temperature, 1.51f);
        QCOMPARE(fixture.document.undoStack().count(), 2);
        fixture.document.undoStack().undo();
        fixture.document.undoStack().undo();
        QVERIFY(!fixture.document.isEdited());
    }

    void theLinesBeneathTheWhatIfsAreTrue() {
        EditorFixture fixture("cat");
        fixture.editor.showMask();
        const auto says = [&](const QString &words) {
            const QList<QLabel *> labels = fixture.editor.findChildren<QLabel *>("explanation");
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel *label) { return label->text().contains(words); });
        };
        choose(fixture.find<QComboBox>("maskingChoice"), 1);
        QVERIFY(says("becomes −1e9") && says("attends equally to all") && says("sums to 1"));
        fixture.find<QCheckBox>("softmaxSwitch")->click();
        // Without softmax, the weights are not uniform, because hidden keys have −1e9.
        QVERIFY(says("is its weight") && !says("attends equally to all"));
        QVERIFY(!says("sums to 1") && !says("enter softmax"));
        choose(fixture.find<QComboBox>("maskingChoice"), 3);
        fixture.find<QCheckBox>("softmaxSwitch")->click();
        QVERIFY(says("no longer sum to 1") && !says("sums to 1"));
        choose(fixture.find<QComboBox>("scaleChoice"), 2);
        QVERIFY(says("softmax is sharper"));
        fixture.find<QCheckBox>("softmaxSwitch")->click();
        QVERIFY(says("are not divided by √d") && !says("softmax is sharper"));
    }

    void theWheelScrollsThePageInsteadOfEditing() {
        EditorFixture fixture("cat");
        fixture.editor.showMask();
        QVERIFY(test::active(fixture.editor));
        fixture.editor.setFocus();
        auto *scale = fixture.find<QComboBox>("scaleChoice");
        auto *temperature = fixture.find<NumberSpin>("temperature");
        for (const QWidget *field :
             {static_cast<QWidget *>(scale), static_cast<QWidget *>(temperature)}) {
            // Qt gives the focus to a field with WheelFocus before it receives the wheel.
            QCOMPARE(field->focusPolicy(), Qt::StrongFocus);
            QVERIFY(!field->hasFocus());
        }
        turnWheel(*scale);
        turnWheel(*temperature);
        turnWheel(*temperature->findChild<QLineEdit *>());
        QVERIFY(!fixture.document.isEdited());
        QVERIFY(fixture.config().scale.kind == core::Scale::Kind::SquareRoot);
        temperature->setFocus();
        turnWheel(*temperature);
        QVERIFY(fixture.config().temperature < 1);
    }

    /// Fields that are added later do not take the wheel either, and the page scrolls.
    void theWheelScrollsOverFieldsThatAreAddedLater() {
        auto *page = new QWidget;
        page->setMinimumHeight(2000);
        const std::unique_ptr<QScrollArea> area(scrollingPage(page));
        auto *group = new QWidget(page);
        auto *spin = new QSpinBox(group);
        auto *slider = new QSlider(Qt::Horizontal, group);
        spin->setValue(7);
        slider->setValue(7);
        area->resize(200, 200);
        area->show();
        QVERIFY(test::exposed(*area));
        QCOMPARE(spin->focusPolicy(), Qt::StrongFocus);
        for (QWidget *field : {static_cast<QWidget *>(spin), static_cast<QWidget *>(slider)}) {
            field->clearFocus();
            const int before = area->verticalScrollBar()->value();
            turnWheel(*field);
            QVERIFY(area->verticalScrollBar()->value() > before);
        }
        QCOMPARE(spin->value(), 7);
        QCOMPARE(slider->value(), 7);
    }

    void everyHeadHasASwitch() {
        EditorFixture fixture("cat");
        fixture.editor.showHeads();
        auto *table = fixture.find<QTableView>("headSwitches");
        const QAbstractItemModelTester tester(
            table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto click = [&](int head, int state) {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(table->model()->index(head, state)).center());
        };
        const auto stateOf = [&](core::Index head) {
            return fixture.document.state().input.interventions.stateOf(0, head);
        };
        click(1, 2);
        QVERIFY(stateOf(1) == HeadState::Mean && stateOf(0) == HeadState::On);
        QCOMPARE(table->model()->index(1, 2).data().toString(), QString("●"));
        table->setCurrentIndex(table->model()->index(0, 1));
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Space);
        QVERIFY(stateOf(0) == HeadState::Zero);
        fixture.find<QPushButton>("clearInterventions")->click();
        QVERIFY(fixture.document.state().input.interventions.empty());
        QCOMPARE(table->model()->index(1, 0).data().toString(), QString("●"));
        QVERIFY(!fixture.find<QPushButton>("clearInterventions")->isEnabled());
    }

    void scoresSetByHandAreListed() {
        EditorFixture fixture("cat");
        fixture.editor.showHeads();
        Edit edit{fixture.document.state(), {"scores", {}, {}}};
        edit.state.input.interventions.setScore({0, 0, 1, 2, 0, 4});
        edit.state.input.interventions.setScore({0, 0, 0, 1, 1, 5});
        QVERIFY(fixture.document.apply(checked(std::move(edit))).ok());
        auto *list = fixture.find<QListWidget>("handScores");
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->item(1)->text(), QString("sat → The, head 1: 4"));
        list->setCurrentRow(0);
        fixture.find<QPushButton>("computeAgain")->click();
        QCOMPARE(list->count(), 1);
        QCOMPARE(fixture.document.state().input.interventions.scores.size(), std::size_t(1));
    }

    void tokensComeGoAndMove() {
        EditorFixture fixture("cat");
        fixture.editor.setCurrentIndex(3);
        auto *list = fixture.find<QListView>("tokens");
        const QAbstractItemModelTester tester(
            list->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto words = [&] {
            QStringList tokens;
            for (int i = 0; i < list->model()->rowCount(); ++i)
                tokens << list->model()->index(i, 0).data().toString();
            return tokens.join(' ');
        };
        QCOMPARE(words(), QString("The cat sat on the mat"));
        list->setCurrentIndex(list->model()->index(1, 0));
        auto *word = fixture.find<QLineEdit>("newToken");
        QTest::keyClicks(word, "black");
        QTest::keyClick(word, Qt::Key_Return);
        QCOMPARE(words(), QString("The black cat sat on the mat"));
        QCOMPARE(list->currentIndex().row(), 2);
        fixture.find<QPushButton>("moveTokenLeft")->click();
        QCOMPARE(words(), QString("The cat black sat on the mat"));
        QCOMPARE(list->currentIndex().row(), 1);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(words(), QString("The black cat sat on the mat"));
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(words(), QString("The black sat on the mat"));
        QVERIFY(list->model()->setData(list->model()->index(1, 0), "dog"));
        QCOMPARE(words(), QString("The dog sat on the mat"));
        QVERIFY(!list->model()->setData(list->model()->index(1, 0), "  "));
        QVERIFY(!fixture.error().isEmpty());
        const std::unique_ptr<QMimeData> dragged(
            list->model()->mimeData({list->model()->index(0, 0)}));
        QVERIFY(!list->model()->dropMimeData(dragged.get(), Qt::MoveAction, 3, 0, {}));
        QCOMPARE(words(), QString("dog sat The on the mat"));
        while (fixture.document.undoStack().canUndo())
            fixture.document.undoStack().undo();
        QCOMPARE(words(), QString("The cat sat on the mat"));
    }

    void theLastTokenStays() {
        EditorFixture fixture("cat");
        fixture.editor.setCurrentIndex(3);
        QVERIFY(test::typeText(fixture.document, "one").ok());
        auto *list = fixture.find<QListView>("tokens");
        list->setCurrentIndex(list->model()->index(0, 0));
        fixture.find<QPushButton>("deleteToken")->click();
        QVERIFY(fixture.error().contains("only token"));
        QCOMPARE(list->model()->rowCount(), 1);
    }

    void everyControlHasANameAndATip() {
        EditorFixture fixture("cat");
        fixture.select(Stage::AttentionWeights, 1, 1);
        for (int page = 0; page < fixture.editor.count(); ++page) {
            fixture.editor.setCurrentIndex(page);
            add(fixture, page == 0   ? "Window: "
                         : page == 1 ? "Blocks"
                         : page == 2 ? "Causal with"
                                     : "Padding");
            QCOMPARE(test::namelessIn(*fixture.editor.widget(page)), QStringList());
        }
    }
};

HEADLIGHT_WIDGET_TEST(EditorPagesTest)
#include "tst_editor_pages.moc"
