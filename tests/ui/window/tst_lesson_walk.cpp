// Every step of every lesson in the window. Its numbers exist, its question has the trace's answer,
// only its solution solves its exercise, and its text fits on a small screen.
#include "core/lesson/question.h"
#include "tests/ui/window/window_fixture.h"

namespace {

constexpr QSize kScreen{1280, 720}; // a small screen

/// Returns how much of the text is hidden, in px.
int cut(const QTextBrowser &text) {
    return std::max(text.verticalScrollBar()->maximum(), text.horizontalScrollBar()->maximum());
}

void checkCard(const ui::QuestionCard &card) {
    QVERIFY(card.isVisible());
    const auto *area = card.findChild<QScrollArea *>();
    QCOMPARE(area->verticalScrollBar()->maximum(), 0);
    QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
    for (const QWidget *each : area->widget()->findChildren<QWidget *>()) {
        const QRect place(each->mapTo(&card, QPoint()), each->size());
        QVERIFY2(card.rect().contains(place), qPrintable(each->objectName()));
        if (const auto *label = qobject_cast<const QLabel *>(each))
            QVERIFY(label->heightForWidth(label->width()) <= label->height());
    }
}

} // namespace

class LessonWalkTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyStep_data() { test::addRows("id", ui::lessonIds()); }

    void everyStep() {
        QFETCH(QString, id);
        WindowFixture fixture(id, "close-up");
        fixture.window.resize(kScreen);
        ui::Document &document = fixture.document();
        auto *text = fixture.find<QTextBrowser>("lessonText");
        const auto steps = fixture.stepCount();
        QStringList tooLong, tooWide;
        for (core::Index step = 0; step < steps; ++step) {
            if (step > 0)
                fixture.goToStep(step);
            const auto where = QString("%1, step %2").arg(id).arg(step).toUtf8();
            const core::LessonStep &said = *document.lessonStep();
            if (const core::Question *question = document.askedQuestion()) {
                const auto right = core::rightAnswer(*question, *document.trace());
                QVERIFY2(right.ok(), where);
                checkCard(*fixture.find<ui::QuestionCard>("questionCard"));
                if (QTest::currentTestFailed())
                    qFatal("%s: its question is cut", where.constData());
                document.answer(*right);
                fixture.settle();
                QVERIFY2(text->toPlainText().contains("Right: "), where);
            }
            const QString shown = text->toPlainText();
            QVERIFY2(!shown.contains(QChar(u'…')), where); // "…" would be a missing number
            QVERIFY2(!shown.contains('{') && !shown.contains('}'), where);
            QVERIFY2(
                said.title.empty() ||
                    shown.contains(QString::fromStdString(said.title).remove('_').simplified()),
                where);
            if (const int width = fixture.window.minimumSizeHint().width(); width > kScreen.width())
                tooWide << QString("step %1: %2 px").arg(step).arg(width);
            if (const int pixels = cut(*text); pixels > 0)
                tooLong << QString("step %1 by %2 px").arg(step).arg(pixels);
            if (said.exercise) {
                QVERIFY2(!shown.contains("✓ Solved."), where);
                QVERIFY2(document.showSolution().ok(), where);
                fixture.settle();
                QVERIFY2(text->toPlainText().contains("✓ Solved."), where);
                QVERIFY(document.resetEdits().ok());
                fixture.settle();
                QVERIFY2(!text->toPlainText().contains("✓ Solved."), where);
            }
            const core::Selection &selection = document.selection();
            if (said.show.stage)
                QVERIFY2(selection.stage == *said.show.stage, where);
            if (said.show.query)
                QVERIFY2(selection.query == said.show.query, where);
            if (said.show.key)
                QVERIFY2(selection.key == said.show.key, where);
        }
        QVERIFY2(tooLong.isEmpty(), qPrintable(tooLong.join(", ")));
        QVERIFY2(tooWide.isEmpty(), qPrintable(tooWide.join(", ")));
    }
};

HEADLIGHT_WIDGET_TEST(LessonWalkTest)
#include "tst_lesson_walk.moc"
