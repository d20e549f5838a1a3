// Every step of every lesson in present mode, on a small projector. All of it is visible and
// readable from the back of a room. A question is next to its picture until it is answered.
#include "tests/support/long.h"
#include "tests/ui/window/presented.h"
#include "tests/ui/window/whole_picture.h"
#include "ui/strip/sentence_strip.h"
#include "ui/views/birth_panel.h"
#include "ui/views/birth_replay.h"
#include "ui/views/birth_view.h"
#include "ui/window/presenting/presented_stages.h"

#include <QTextDocumentFragment>

namespace {

constexpr double kMinText = 16; // px, of every text
constexpr double kMinRow = 22;  // px, height of a cell with a number

/// Returns the painted texts that are too small, and the cells that are too short for numbers.
QStringList faultsOfSizes(const test::PresentedFixture &fixture) {
    QSet<QString> faults;
    const ui::FigureView &view = *fixture.picture();
    if (auto *closeUp = dynamic_cast<ui::CloseUpView *>(fixture.picture()))
        closeUp->motion().finish();
    const QPointF corner(view.mapTo(fixture.presentation, QPoint()));
    const test::PaintingRecord record = fixture.painted();
    for (const auto &text : record.texts) {
        if (text.text.trimmed().isEmpty())
            continue;
        if (text.shown < kMinText - 0.01)
            faults << QString("\"%1\" has type of %2 px").arg(text.text).arg(text.shown);
        const auto cell = view.cellRectAt(text.centre - corner);
        if (cell && test::looksLikeANumber(text.text) && cell->height() < kMinRow - 0.01)
            faults << QString("the cell of %1 is %2 px high").arg(text.text).arg(cell->height());
    }
    if (record.texts.size() < 10)
        faults << "nothing is painted";
    return {faults.begin(), faults.end()};
}

/// Returns the texts of labels and buttons that are completely visible but not among the painted
/// texts, so that faultsOfSizes() would not measure them.
QStringList unmeasured(const test::PresentedFixture &fixture) {
    QString painted;
    for (const auto &text : fixture.painted().texts)
        painted += text.text + '\n';
    QStringList missing;
    for (const QWidget *each : fixture.presentation->findChildren<QWidget *>()) {
        QString text;
        if (const auto *label = qobject_cast<const QLabel *>(each))
            text = Qt::mightBeRichText(label->text())
                       ? QTextDocumentFragment::fromHtml(label->text()).toPlainText()
                       : label->text();
        else if (const auto *tool = qobject_cast<const QToolButton *>(each))
            text = tool->icon().isNull() ? tool->text() : QString();
        else if (const auto *button = qobject_cast<const QAbstractButton *>(each))
            text = button->text();
        const QString word = text.remove('&').simplified().section(' ', 0, 0);
        const bool isWhole =
            each->isVisible() && each->visibleRegion().boundingRect() == each->rect();
        if (isWhole && !word.isEmpty() && !painted.contains(word))
            missing << each->objectName() + ": " + text;
    }
    return missing;
}

/// Returns the faults of the step's sentence at the top.
QStringList faultsOfSentence(const test::PresentedFixture &fixture) {
    const auto &text = *fixture.shown<ui::PresentedLesson>();
    QStringList faults;
    if (text.verticalScrollBar()->maximum() > 0)
        faults
            << QString("the sentence is %1 px too long").arg(text.verticalScrollBar()->maximum());
    if (!fixture.contains(&text) || text.mapTo(fixture.presentation, QPoint()).y() > 16)
        faults << "the sentence is not at the top";
    return faults;
}

/// Returns the faults of the complete text of the step, which a key shows.
QStringList faultsOfText(test::PresentedFixture &fixture) {
    fixture.press(Qt::Key_T);
    const auto &text = *fixture.shown<ui::PresentedText>();
    QStringList faults;
    if (!text.isVisible() || !fixture.contains(&text))
        faults << "the text is not there";
    if (text.verticalScrollBar()->maximum() > 0)
        faults << QString("the text is %1 px too long").arg(text.verticalScrollBar()->maximum());
    if (text.shownSize() < kMinText)
        faults << QString("the text has type of %1 px").arg(text.shownSize());
    fixture.press(Qt::Key_Escape);
    if (!fixture.window.presentation() || text.isVisible())
        faults << "Esc does not close the text";
    return faults;
}

QStringList faultsOfQuestion(const ui::QuestionCard &card) {
    QStringList faults;
    for (const QWidget *each : card.findChildren<QWidget *>()) {
        if (!each->isVisible())
            continue;
        if (!card.rect().contains(QRect(each->mapTo(&card, QPoint()), each->size())))
            faults << each->objectName() + " is cut";
        const auto *label = qobject_cast<const QLabel *>(each);
        if (label && label->heightForWidth(label->width()) > label->height())
            faults << "the question's text is cut";
    }
    return faults;
}

/// Returns the faults of the whole formula: it must be large if the step shows it, and hidden
/// otherwise.
QStringList faultsOfFormula(const ui::Presentation &presentation, const core::LessonStep &step) {
    const auto *field = presentation.findChild<ui::FormulaField *>();
    const bool isAsked =
        step.panels[static_cast<std::size_t>(core::Panel::Formula)].value_or(false);
    if (field->isVisible() != isAsked)
        return {isAsked ? "the formula is not there" : "nobody asked for the formula"};
    if (!isAsked)
        return {};
    QStringList faults;
    const ui::FormulaStripGeometry places = field->geometryNow();
    if (field->height() < places.height)
        faults << "the formula is cut";
    for (const QRectF &piece : places.pieces)
        if (!QRectF(field->rect()).adjusted(0, 0, 1, 1).contains(piece))
            faults << "a symbol of the formula is cut";
    return faults;
}

/// Returns the faults of the line of names in place of the filmstrip.
QStringList faultsOfStages(const test::PresentedFixture &fixture) {
    const auto &stages = *fixture.shown<ui::PresentedStages>();
    QStringList faults;
    if (!stages.isVisible() || !fixture.contains(&stages))
        faults << "the names of the stages are not there";
    const int current = stages.currentItem();
    if (current < 0 || stages.itemRect(current).isEmpty() ||
        !stages.rect().contains(stages.itemRect(current)))
        faults << "the current stage is not named";
    return faults;
}

ui::BirthReplay &replayIn(const QWidget &window) {
    return window.findChild<ui::BirthView *>()->replay();
}

} // namespace

class PresentedLessonsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyStepIsReadWithoutScrolling_data() {
        test::addRows("id", ui::lessonIds() + QStringList{ui::translationExample()});
    }

    void everyStepIsReadWithoutScrolling() {
        QFETCH(QString, id);
        test::PresentedFixture fixture(id);
        ui::Document &document = fixture.document();
        fixture.presentation->showView(document.requestedView());
        fixture.settle();
        const auto *question = fixture.shown<ui::QuestionCard>();
        const auto steps = fixture.stepCount();
        QStringList faults;
        for (core::Index step = 0; step < steps; ++step) {
            QCOMPARE(document.state().lessonStep, step);
            const auto note = [&](const QStringList &found) {
                for (const QString &fault : found)
                    faults << QString("step %1, %2: %3")
                                  .arg(step)
                                  .arg(fixture.picture()->viewName(), fault);
            };
            QCOMPARE(question->isVisible(), document.askedQuestion() != nullptr);
            if (document.askedQuestion()) {
                note(faultsOfSentence(fixture));
                note(faultsOfSizes(fixture));
                note(faultsOfQuestion(*question));
                fixture.press(Qt::Key_Right); // shows the answer first
                QVERIFY(!document.askedQuestion() && !question->isVisible());
            }
            QCOMPARE(document.state().lessonStep, step);
            note(faultsOfSentence(fixture));
            note(faultsOfStages(fixture));
            note(test::faultsOf(*fixture.picture(), test::Scrolls::Never));
            note(faultsOfFormula(*fixture.presentation, *document.lessonStep()));
            note(faultsOfSizes(fixture));
            note(faultsOfText(fixture));
            if (step + 1 < steps)
                fixture.press(Qt::Key_Right);
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    /// Includes the views that no step selects.
    void everyViewIsReadFromTheLastRow_data() {
        const QStringList all =
            ui::lessonIds() + QStringList{ui::translationExample()} + ui::modelIds();
        QStringList tried;
        for (qsizetype i = 0; i < all.size(); ++i)
            if (test::isTried(static_cast<std::size_t>(i), 2))
                tried << all[i];
        test::addRows("id", tried);
    }

    void everyViewIsReadFromTheLastRow() {
        QFETCH(QString, id);
        test::PresentedFixture fixture(id);
        if (fixture.document().askedQuestion())
            fixture.press(Qt::Key_Right);
        QStringList faults;
        for (const QToolButton *name :
             fixture.presentation->findChildren<QToolButton *>("presentedView")) {
            if (!name->isVisible())
                continue;
            QTest::mouseClick(const_cast<QToolButton *>(name), Qt::LeftButton);
            for (int times = 0; times < 2; ++times) // the text is fitted after the layout
                fixture.settle();
            for (const QString &fault : faultsOfSizes(fixture))
                faults << QString("%1: %2").arg(name->text(), fault);
        }
        fixture.showView("close-up");
        fixture.press(Qt::Key_O);
        for (const QString &fault : faultsOfSizes(fixture))
            faults << "arithmetic: " + fault;
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    /// The tests above measure the footer, the controls of the views, and the digits of axes.
    void whatIsNoPictureIsMeasuredToo() {
        test::PresentedFixture fixture("it");
        QStringList missing;
        bool hasFooter = false, hasDigits = false;
        for (const QToolButton *name :
             fixture.presentation->findChildren<QToolButton *>("presentedView")) {
            if (!name->isVisible())
                continue;
            QTest::mouseClick(const_cast<QToolButton *>(name), Qt::LeftButton);
            for (int times = 0; times < 2; ++times)
                fixture.settle();
            missing << unmeasured(fixture);
            for (const auto &text : fixture.painted().texts) {
                const int left = fixture.presentation->height() - qRound(text.centre.y());
                hasFooter |= left < 40 && text.text.contains(name->text());
                bool isNumber = false;
                (void)text.text.toInt(&isNumber);
                hasDigits |= isNumber && fixture.picture()->viewName() == "training";
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
        QVERIFY(hasFooter);
        QVERIFY(hasDigits);
    }

    /// The recorded run is replayed with the keys of a presenter remote, without recording it
    /// again.
    void aHeadBeingBornIsReadFromTheLastRow() {
        test::PresentedFixture fixture("bank");
        fixture.press(Qt::Key_Escape);
        test::actionOf(fixture.window, "Say it again")->trigger();
        ui::BirthReplay &before = replayIn(fixture.window);
        QVERIFY(test::until([&] { return before.run() != nullptr; }));
        const core::RecordedRunPointer run = before.run();
        before.show(run->snapshots.size() / 2);
        fixture.present();
        ui::BirthReplay &replay = replayIn(*fixture.presentation);
        QVERIFY(&replay != &before);
        QCOMPARE(replay.run(), run);
        QCOMPARE(replay.snapshot(), run->snapshots.size() / 2);
        QVERIFY(!fixture.shown<ui::PresentedStages>()->isVisible());

        const core::Stage stage = fixture.document().selection().stage;
        fixture.press(Qt::Key_PageUp);
        QCOMPARE(replay.snapshot(), std::size_t(0));
        fixture.press(Qt::Key_2); // answers the question, which starts the replay
        QVERIFY(replay.isPlaying());
        fixture.press(Qt::Key_PageDown);
        QVERIFY(!replay.isPlaying());
        fixture.press(Qt::Key_End);
        QVERIFY(replay.isAtEnd());
        fixture.press(Qt::Key_S);
        QCOMPARE(fixture.document().selection().stage, stage); // the replay handled the keys

        const QStringList faults = faultsOfSizes(fixture);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
        for (const QWidget *each : fixture.shown<ui::BirthPanel>()->findChildren<QWidget *>())
            if (each->isVisible() && each->metaObject()->indexOfProperty("text") >= 0)
                QVERIFY2(QFontInfo(each->font()).pixelSize() >= kMinText,
                         qPrintable(each->objectName()));
        QVERIFY(fixture.footer().contains("play"));
        fixture.press(Qt::Key_Escape);
        QVERIFY(before.isAtEnd()); // the window is at the end, too
        QCOMPARE(before.run(), run);
        const auto *view = fixture.window.findChild<ui::BirthView *>();
        QVERIFY(view->findChild<ui::BirthPanel *>()->answered() == std::size_t(1));
        QVERIFY(view->findChild<ui::BirthPanel *>()->silenced()); // as in the presentation
    }
};

HEADLIGHT_WIDGET_TEST(PresentedLessonsTest)
#include "tst_presented_lessons.moc"
