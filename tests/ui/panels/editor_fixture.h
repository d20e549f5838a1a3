// A standalone editor with a lesson.
#pragma once

#include "tests/support/opened.h"
#include "ui/panels/editor/editor.h"

#include <QAction>
#include <QSignalSpy>

namespace headlight::test {

struct EditorFixture {
    ui::Document document;
    QAction painting;
    ui::Editor editor{document, painting};
    QSignalSpy failed{&editor, &ui::Editor::failed};

    explicit EditorFixture(const QString &source, core::Stage stage = core::Stage::Query) {
        painting.setCheckable(true);
        painting.setToolTip("Paint");
        editor.resize(420, 640);
        editor.show();
        (void)test::exposed(editor);
        document.open(opened(source));
        if (!settled(document))
            qFatal("no trace");
        select(stage);
    }
    void select(core::Stage stage, std::optional<core::Index> query = {},
                std::optional<core::Index> key = {}, std::optional<core::Index> dimension = {}) {
        core::Selection selection = document.selection();
        selection.stage = stage;
        selection.query = query;
        selection.key = key;
        selection.dimension = dimension;
        document.select(selection);
    }
    template <typename Widget>
    Widget *find(const char *name) const {
        Widget *widget = editor.findChild<Widget *>(name);
        if (!widget)
            qFatal("no widget %s", name);
        return widget;
    }
    QString error() const {
        return failed.isEmpty()
                   ? QString()
                   : QString::fromStdString(failed.last().first().value<core::Error>().what.text());
    }
    QString undoText() { return document.undoStack().undoText(); }
    const core::Config &config() const { return document.state().model.config; }
};

} // namespace headlight::test
