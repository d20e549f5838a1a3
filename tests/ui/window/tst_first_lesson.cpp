// The first lesson for a newcomer: neither its text nor the window around it uses terms that
// require prior knowledge.
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/views/flow_view.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSettings>
#include <QTabBar>
#include <QTextBrowser>

using namespace headlight;
using test::WindowFixture;

namespace {

/// Returns all text in the window and all hover texts.
QStringList seenIn(WindowFixture &fixture) {
    QStringList seen;
    static const QRegularExpression tag("<[^>]*>");
    for (const QWidget *widget : fixture.window.findChildren<QWidget *>()) {
        if (!widget->isVisible())
            continue;
        seen << widget->toolTip().remove(tag);
        if (const auto *label = qobject_cast<const QLabel *>(widget))
            seen << label->text().remove(tag);
        if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
            seen << button->text();
        if (const auto *text = qobject_cast<const QTextEdit *>(widget))
            seen << text->toPlainText();
        if (const auto *box = qobject_cast<const QComboBox *>(widget))
            seen << box->currentText();
        if (const auto *tabs = qobject_cast<const QTabBar *>(widget))
            for (int index = 0; index < tabs->count(); ++index)
                seen << tabs->tabText(index) << tabs->tabToolTip(index);
    }
    const ui::Figure *figure = fixture.view()->figure();
    seen << figure->description();
    for (core::Index row = 0; row < 2; ++row)
        for (core::Index column = 0; column < 2; ++column)
            seen << fixture.view()->wordsOf(ui::Cell{row, column});
    return seen;
}

} // namespace

class FirstLessonTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void noWordNeedsAGlossary() {
        WindowFixture fixture(ui::openingLesson(), "flow");
        ui::Document &document = fixture.window.document();
        const auto count = std::ssize(document.session().lesson->steps);
        static const QRegularExpression learned(
            "\\bTF-?IDF\\b|\\bnats?\\b|\\bbits\\b|entropy|one-hot|\\blogits?\\b|\\d+ of \\d+ "
            "stages|"
            "\\btensors?\\b|\\bkernel|\\bbackward|\\bsafetensors|perplexity|\\bbag of words",
            QRegularExpression::CaseInsensitiveOption);
        for (core::Index step = 0; step < count; ++step) {
            if (step > 0)
                QVERIFY(document.goToStep(step).ok());
            fixture.settle();
            const QStringList seen = seenIn(fixture);
            QVERIFY(seen.join(' ').size() > 500);
            for (const QString &words : seen)
                QVERIFY2(!words.contains(learned),
                         qPrintable(QString("step %1: %2").arg(step).arg(words)));
        }
    }

    /// Also after a number was changed, when only later stages are recomputed.
    void whatWasComputedAgainIsSaidInWords() {
        WindowFixture fixture(ui::openingLesson(), "flow");
        ui::Document &document = fixture.window.document();
        core::Scale off;
        off.kind = core::Scale::Kind::Off;
        QVERIFY(document.apply(ui::edits::setScale(document.state(), off)).ok());
        fixture.settle();
        const QString seen = seenIn(fixture).join('\n');
        QVERIFY2(!seen.contains("stages computed") && !seen.contains("self_attention"),
                 qPrintable(seen));
        QVERIFY2(seen.contains("computed in ") && seen.contains("Recomputed: scaled scores"),
                 qPrintable(seen));
    }
};

HEADLIGHT_WIDGET_TEST(FirstLessonTest)
#include "tst_first_lesson.moc"
