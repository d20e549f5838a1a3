// A number with a slider in a lesson's text: its mark and its picture, and moving it with mouse and
// keyboard.
#include "core/lesson/slider_mark.h"
#include "core/lesson/step_number.h"
#include "core/lesson/step_text.h"
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/panels/fitted_text.h"
#include "ui/panels/marked_html.h"

#include <QTextBlock>

namespace {

constexpr const char *kTemperature = "slider temperature 0.25 to 4";
constexpr const char *kQuery = "slider parameter layers.0.self_attention.query 0 1 -3 to 3";

/// Returns the middle of the slider's picture in the viewport.
QRect rectOfSlider(const QTextBrowser &text) {
    for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next())
        for (auto each = block.begin(); !each.atEnd(); ++each)
            if (each.fragment().charFormat().isImageFormat()) {
                QTextCursor cursor(text.document());
                cursor.setPosition(each.fragment().position());
                const QRect begin = text.cursorRect(cursor);
                const QTextImageFormat image = each.fragment().charFormat().toImageFormat();
                return {begin.left(), begin.top(), static_cast<int>(image.width()), begin.height()};
            }
    return {};
}

} // namespace

class AuthorSliderTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theMarkIsANumber() {
        LessonWindow fixture("bank");
        const core::Trace &trace = *fixture.document().trace();
        QCOMPARE(core::numberOf(kTemperature, trace)->text, std::string("1.00"));
        QCOMPARE(core::numberOf(kQuery, trace)->text, std::string("0.50"));
        QCOMPARE(core::numberOf(std::string(kQuery) + " : 1", trace)->text, std::string("0.5"));
        for (const char *wrong :
             {"slider", "slider head 0 to 1", "slider temperature 0 to 4",
              "slider temperature 4 to 1", "slider temperature 1", "slider temperature 1 to 2 3",
              "slider parameter layers.0.self_attention.query 9 0 -1 to 1",
              "slider parameter layers.7.self_attention.query 0 0 -1 to 1"})
            QVERIFY2(!core::numberOf(wrong, trace), wrong);
    }

    void positionsAndNumbers() {
        LessonWindow fixture("bank");
        std::string_view mark = std::string_view(kQuery).substr(6);
        const core::SliderMark slider = *core::takeSlider(mark, *fixture.document().trace());
        QCOMPARE(slider.at(0), -3.F);
        QCOMPARE(slider.at(1), 3.F);
        QCOMPARE(slider.at(0.5), 0.F);
        QCOMPARE(slider.at(7), 3.F);
        QVERIFY(std::abs(slider.share() - 3.5 / 6) < 1e-6);
        QCOMPARE(core::textOfHex(core::hexOf(kQuery)), std::string(kQuery));
        QCOMPARE(core::textOfHex("zz"), std::string());
    }

    void onlyALessonHasThePicture() {
        LessonWindow fixture("bank");
        const core::Trace *trace = fixture.document().trace().get();
        const std::string text = std::string("T is {") + kTemperature + "}.";
        const QPalette palette;
        QVERIFY(ui::markedHtml(text, trace, palette, true).contains("<img src='slider:"));
        QVERIFY(!ui::markedHtml(text, trace, palette).contains("slider"));
        QCOMPARE(core::stepTextToHtml(text, trace), std::string("T is 1.00."));
    }

    void itIsDraggedInOneUndoStep() {
        LessonWindow fixture(test::weight(1, 0));
        ui::Document &document = fixture.document();
        fixture.find<QMenu>("insertSliders")->actions().first()->trigger();
        QCOMPARE(fixture.firstStep().text[0], std::string("{") + kTemperature + "}");
        auto *text = fixture.find<QTextBrowser>("lessonText");
        HEADLIGHT_UNTIL(!rectOfSlider(*text).isNull());
        const int steps = document.undoStack().index();
        const QRect at = rectOfSlider(*text);
        QWidget *viewport = text->viewport();
        QTest::mousePress(viewport, Qt::LeftButton, {}, at.center());
        fixture.settle();
        QVERIFY(document.state().model.config.temperature > 1.5F);
        QTest::mouseMove(viewport, at.center() + QPoint(20, 0));
        QTest::mouseMove(viewport, {at.right() + 30, at.center().y()});
        fixture.settle();
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, {at.right() + 30, at.center().y()});
        QCOMPARE(document.state().model.config.temperature, 4.F);
        QVERIFY(fixture.preview().contains("4.00"));
        QCOMPARE(document.undoStack().index(), steps + 1);
        document.undoStack().undo();
        fixture.settle();
        QCOMPARE(document.state().model.config.temperature, 1.F);
        QVERIFY(fixture.preview().contains("1.00"));
    }

    void itIsMovedByKeys() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.type<QPlainTextEdit>("stepText", QString("{%1}").arg(kTemperature));
        auto *text = fixture.find<QTextBrowser>("lessonText");
        HEADLIGHT_UNTIL(!rectOfSlider(*text).isNull());
        text->setFocus();
        QTest::keyClick(text, Qt::Key_Tab);
        const auto temperature = [&] {
            fixture.settle();
            return fixture.document().state().model.config.temperature;
        };
        const float before = temperature();
        QTest::keyClick(text, Qt::Key_Right);
        const float more = temperature();
        QVERIFY(more > before);
        QTest::keyClick(text, Qt::Key_Right); // still focused, although the text was replaced
        QVERIFY(temperature() > more);
        QTest::keyClick(text, Qt::Key_Home);
        QCOMPARE(temperature(), 0.25F);
    }

    void aChangedNumberIsOffered() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.setQuery(2);
        auto *menu = fixture.find<QMenu>("insertSliders");
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        menu->actions()[1]->trigger();
        QCOMPARE(fixture.firstStep().text[0],
                 std::string("{slider parameter layers.0.self_attention.query 0 0 -3 to 3}"));
    }
};

HEADLIGHT_WIDGET_TEST(AuthorSliderTest)
#include "tst_author_slider.moc"
