// All text in the window: no sentence has two full stops, and no title has a line break.
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/lesson_edits.h"
#include "ui/document/figure_caption.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/words/sentences.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextBrowser>

using namespace headlight;
using test::WindowFixture;

namespace {

QStringList readIn(const QWidget &widget) {
    QStringList all{widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(),
                    widget.windowTitle()};
    if (const auto *label = qobject_cast<const QLabel *>(&widget))
        all << label->text();
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
        all << button->text();
    if (const auto *line = qobject_cast<const QLineEdit *>(&widget))
        all << line->placeholderText();
    if (const auto *text = qobject_cast<const QTextEdit *>(&widget))
        all << text->toPlainText().split('\n');
    if (const auto *box = qobject_cast<const QComboBox *>(&widget))
        for (int i = 0; i < box->count(); ++i)
            all << box->itemText(i) << box->itemData(i, Qt::ToolTipRole).toString();
    if (const auto *list = qobject_cast<const QListWidget *>(&widget))
        for (int i = 0; i < list->count(); ++i)
            all << list->item(i)->text();
    if (const auto *bar = qobject_cast<const QTabBar *>(&widget))
        for (int i = 0; i < bar->count(); ++i)
            all << bar->tabText(i) << bar->tabToolTip(i);
    return all;
}

/// Includes text of closed and hidden parts.
QStringList readIn(ui::MainWindow &window) {
    QStringList all = readIn(static_cast<const QWidget &>(window));
    for (const QWidget *widget : window.findChildren<QWidget *>())
        all << readIn(*widget);
    for (const QAction *action : window.findChildren<QAction *>())
        all << action->text() << action->toolTip() << action->statusTip();
    for (ui::FigureView *view : window.findChildren<ui::FigureView *>())
        if (view->figure())
            all << view->figure()->description();
    const ui::Document &document = window.document();
    all << ui::suggestedCaption(document.session(), document.state(), document.selection());
    all.removeAll(QString());
    return all;
}

/// Returns the first text with a doubled full stop, or an empty string. A token “.” does not count.
QString endedTwice(const QStringList &texts) {
    static const QRegularExpression twice(
        QStringLiteral("\\w([.!?][\"“”»’]\\.|\\.\\.(?!\\.)|[!?]\\.)"),
        QRegularExpression::UseUnicodePropertiesOption);
    for (const QString &text : texts)
        if (text.contains(twice))
            return text;
    return {};
}

} // namespace

class WindowWordsTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void aSentenceEndsOnce() {
        for (const QString &sentence :
             {QStringLiteral("“The animal was tired.”"), QStringLiteral("“Who?”"),
              QStringLiteral("„Wer?“"), QStringLiteral("Over"), QStringLiteral("«Fini.»"),
              QStringLiteral("Done."), QStringLiteral("It said \"no!\"")}) {
            const QString text = ui::ended(sentence);
            QVERIFY2(endedTwice({text}).isEmpty(), qPrintable(text));
            QVERIFY(text == sentence || text == sentence + '.');
        }
        QCOMPARE(ui::ended("Over"), QString("Over."));
        QCOMPARE(ui::ended(QStringLiteral("“Over”")), QStringLiteral("“Over”."));
        QCOMPARE(ui::ended(QStringLiteral("“Over.”")), QStringLiteral("“Over.”"));
    }

    void noSentenceInTheWindowEndsTwice_data() {
        QTest::addColumn<QString>("source");
        for (const QString &lesson : ui::lessonIds())
            QTest::newRow(qPrintable(lesson)) << lesson;
        QTest::newRow("decoder") << QStringLiteral(HEADLIGHT_TEST_DATA
                                                   "/sessions/gpt_neox.headlight");
        QTest::newRow("example") << ui::translationExample();
    }

    /// Covers every lesson, also if the text, a word or the lesson's title ends in a full stop.
    void noSentenceInTheWindowEndsTwice() {
        QFETCH(QString, source);
        WindowFixture fixture(source, "flow");
        QCOMPARE(endedTwice(readIn(fixture.window)), QString());
        ui::Document &document = fixture.window.document();
        if (!test::typeText(document, "The animal was too tired.").ok())
            return; // it reads only words of its vocabulary
        fixture.settle();
        QCOMPARE(endedTwice(readIn(fixture.window)), QString());
        core::Selection selection = document.selection();
        selection.query = document.trace()->batch().length() - 1; // the full stop
        selection.key = 0;
        selection.dimension.reset();
        document.select(selection);
        QCOMPARE(endedTwice(readIn(fixture.window)), QString());
    }

    void aTitleOfTwoLinesIsReadOnOne() {
        WindowFixture fixture("bank", "flow");
        ui::Document &document = fixture.window.document();
        QVERIFY(document
                    .apply(ui::edits::editLesson(document.state(), document.session(), "Titles",
                                                 [](ui::LessonDraft &draft) {
                                                     draft.title = "Two\nlines";
                                                     for (auto &step : draft.lesson.steps)
                                                         step.title = "Of\ntwo\r\n lines";
                                                 }))
                    .ok());
        QVERIFY(document.goToStep(1).ok());
        fixture.settle();
        fixture.find<QPushButton>("lessonSteps")->menu()->aboutToShow();
        const QStringList all = readIn(fixture.window);
        static const QRegularExpression broken(QStringLiteral("Two\\s*\\n|Of\\s*\\n|two\\s*\\n"));
        for (const QString &text : all)
            QVERIFY2(!text.contains(broken), qPrintable(text));
        QVERIFY(!all.filter("Of two lines").isEmpty());
        QVERIFY(!all.filter("Two lines").isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(WindowWordsTest)
#include "tst_window_words.moc"
