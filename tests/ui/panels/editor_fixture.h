// A standalone editor with a lesson.
#pragma once

#include "tests/support/clean_test.h"
#include "tests/support/edits.h"
#include "tests/support/forward.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/panels/editor/editor.h"
#include "ui/panels/editor/number_table_view.h"
#include "ui/panels/term_bars.h"

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
    EditorFixture(const EditorFixture &) = delete;
    EditorFixture &operator=(const EditorFixture &) = delete;
    /// Ends the edit of a cell while the editor still exists, as the window does.
    ~EditorFixture() { editor.hide(); }
    void select(core::Stage stage, std::optional<core::Index> query = {},
                std::optional<core::Index> key = {}, std::optional<core::Index> dimension = {}) {
        test::select(document,
                     {.stage = stage, .query = query, .key = key, .dimension = dimension});
    }
    template <typename Widget>
    Widget *find(const char *name) const {
        return test::find<Widget>(editor, name);
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

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::EditorFixture;
