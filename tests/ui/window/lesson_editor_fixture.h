// Helpers that act like a teacher in the lesson editor.
#pragma once

#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBrowser>

namespace headlight::test {

inline QString preview(const WindowFixture &fixture) {
    return fixture.find<QTextBrowser>("lessonText")->toPlainText();
}

inline void showPage(const WindowFixture &fixture, const char *name) {
    auto *tabs = fixture.find<QTabWidget>("lessonEditorPages");
    for (int tab = 0; tab < tabs->count(); ++tab)
        if (tabs->tabText(tab) == name)
            QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {},
                              tabs->tabBar()->tabRect(tab).center());
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QString(name));
}

/// Replaces the content of a field by typing.
template <typename Field>
void type(const WindowFixture &fixture, const char *name, const QString &text) {
    auto *field = fixture.find<Field>(name);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
}

inline void click(const WindowFixture &fixture, const char *button) {
    auto *widget = fixture.find<QAbstractButton>(button);
    QVERIFY2(widget->isEnabled(), button);
    widget->click();
}

/// Selects an attention weight, such as that of *bank* for *money*.
inline void selectWeight(ui::Document &document, core::Index query, core::Index key) {
    core::Selection selection = document.selection();
    selection.stage = core::Stage::AttentionWeights;
    selection.query = query;
    selection.key = key;
    document.select(selection);
}

inline void beginLesson(WindowFixture &fixture) {
    QVERIFY(test::active(fixture.window));
    QTest::keyClick(&fixture.window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    fixture.settle();
    QVERIFY(fixture.find<QDockWidget>("lessonEditorDock")->isVisible());
}

inline const core::Lesson &lessonOf(const WindowFixture &fixture) {
    return *const_cast<ui::MainWindow &>(fixture.window).document().session().lesson;
}

} // namespace headlight::test
