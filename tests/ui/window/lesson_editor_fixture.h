// A window in which a teacher writes a lesson.
#pragma once

#include "tests/ui/window/window_fixture.h"

namespace headlight::test {

struct LessonWindow : WindowFixture {
    explicit LessonWindow(const QString &source) : WindowFixture(source, "close-up") {}
    /// Begins a new lesson at this selection of the first lesson.
    explicit LessonWindow(const Place &looked = {}) : LessonWindow("bank") {
        select(looked);
        begin();
    }
    void begin() {
        QVERIFY(test::active(window));
        QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
        QVERIFY(find<QDockWidget>("lessonEditorDock")->isVisible());
    }
    QString preview() const { return find<QTextBrowser>("lessonText")->toPlainText(); }
    const core::Lesson &lesson() { return *document().session().lesson; }
    core::LessonStep firstStep() { return lesson().steps[0]; }

    void showPage(const char *name) const {
        auto *tabs = find<QTabWidget>("lessonEditorPages");
        for (int tab = 0; tab < tabs->count(); ++tab)
            if (tabs->tabText(tab) == name)
                QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {},
                                  tabs->tabBar()->tabRect(tab).center());
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString(name));
    }
    /// Replaces the content of a field by typing.
    template <typename Field = QLineEdit>
    void type(const char *name, const QString &text) const {
        auto *field = find<Field>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    }
    void press(const char *button) const {
        auto *widget = find<QAbstractButton>(button);
        QVERIFY2(widget->isEnabled(), button);
        widget->click();
    }
};

/// Sets the text size of the next window.
struct LessonTextScale {
    explicit LessonTextScale(double scale) { QSettings().setValue("window/textScale", scale); }
};
/// A short window with large text, in which a new lesson is written.
struct LowLessonWindow : LessonTextScale, LessonWindow {
    explicit LowLessonWindow(double scale) : LessonTextScale(scale), LessonWindow("bank") {
        window.resize(1280, 720);
        begin();
    }
};

/// Returns the place of the attention weight of this query and key.
inline Place weight(core::Index query, core::Index key) {
    return {.stage = core::Stage::AttentionWeights, .query = query, .key = key};
}

} // namespace headlight::test

using test::LessonWindow;
