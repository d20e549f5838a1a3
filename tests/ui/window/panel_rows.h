// Rows of test data: a panel at the right edge, or a page of the editor, in light and in dark.
#pragma once

#include "tests/ui/window/window_fixture.h"
#include "ui/panels/editor/editor.h"

namespace headlight::test {

/// Adds the columns "panel" and "dark", and two rows for each panel.
inline void addPanelRows(const std::vector<QString> &panels) {
    addCombinations<QString, bool>({"panel", "dark"}, panels, {false, true});
}

/// Opens the panel with a selected score, an edit to show, and an edit that was undone.
inline void openPanel(WindowFixture &fixture, const QString &panel) {
    fixture.select({.stage = core::Stage::Scores, .query = 1, .key = 0});
    fixture.setQuery(0.5F);
    fixture.setQuery(0.75F);
    fixture.document().undoStack().undo();
    fixture.settle();
    const QString name = panel.section(' ', 0, 0), page = panel.section(' ', 1);
    auto *dock = fixture.find<QDockWidget>(qPrintable(name + "Dock"));
    dock->show();
    if (!page.isEmpty())
        dock->findChild<ui::Editor *>()->showPage(page);
    fixture.settle();
    QVERIFY(dock->isVisible());
}

} // namespace headlight::test
