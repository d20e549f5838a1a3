// Every step of every lesson in present mode: all of it is visible and readable from the back of a
// room. A question covers the picture until it is answered.
#include "tests/ui/window/presented.h"
#include "tests/ui/window/whole_picture.h"

namespace {

constexpr double kMinTextShare = 0.6;  // relative to the usual text size
constexpr double kMinPictureText = 15; // px of a picture's usual text

QStringList faultsOfText(const ui::PresentedLesson &text) {
    QStringList faults;
    if (text.verticalScrollBar()->maximum() > 0)
        faults << QString("the text is %1 px too long").arg(text.verticalScrollBar()->maximum());
    if (text.shownSize() < kMinTextShare * 26)
        faults << QString("the text has type of %1 px").arg(text.shownSize());
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

QStringList faultsOfPicture(const ui::Presentation &presentation) {
    ui::FigureView &view = *presentation.currentView();
    QStringList faults = test::faultsOf(view, test::Scrolls::Never);
    const int type = view.figureStyle().font(ui::FigureStyle::Text::Body).pixelSize();
    if (type < kMinPictureText)
        faults << QString("the picture has type of %1 px").arg(type);
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
    if (field->strip().font().pixelSize() < kMinPictureText)
        faults << QString("the formula has type of %1 px").arg(field->strip().font().pixelSize());
    for (const QRectF &piece : places.pieces)
        if (!QRectF(field->rect()).adjusted(0, 0, 1, 1).contains(piece))
            faults << "a symbol of the formula is cut";
    return faults;
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
        const auto *text = fixture.shown<ui::PresentedLesson>();
        const auto *question = fixture.shown<ui::QuestionCard>();
        const auto steps = fixture.stepCount();
        QStringList faults;
        for (core::Index step = 0; step < steps; ++step) {
            QCOMPARE(document.state().lessonStep, step);
            const auto note = [&](const QStringList &found) {
                for (const QString &fault : found)
                    faults << QString("step %1: %2").arg(step).arg(fault);
            };
            QCOMPARE(question->isVisible(), document.askedQuestion() != nullptr);
            if (document.askedQuestion()) {
                note(faultsOfText(*text));
                note(faultsOfQuestion(*question));
                fixture.press(Qt::Key_Right); // shows the answer first
                QVERIFY(!document.askedQuestion() && !question->isVisible());
            }
            QCOMPARE(document.state().lessonStep, step);
            note(faultsOfText(*text));
            note(faultsOfPicture(*fixture.presentation));
            note(faultsOfFormula(*fixture.presentation, *document.lessonStep()));
            if (step + 1 < steps)
                fixture.press(Qt::Key_Right);
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }
};

HEADLIGHT_WIDGET_TEST(PresentedLessonsTest)
#include "tst_presented_lessons.moc"
