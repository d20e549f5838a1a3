// A dialog that shows pages of paper, for tests.
#pragma once

#include "tests/ui/window/window_fixture.h"
#include "ui/document/files_read.h"

namespace headlight::test {

/// The dialog about the session of a window, ready or with a problem.
template <typename Dialog>
struct PagesFixture {
    WindowFixture fixture;
    Dialog dialog;

    /// `problem` is the name of the label with the problem, and `more` are arguments of the dialog
    /// after the session and the state.
    template <typename... More>
    PagesFixture(const QString &source, const char *problem, const More &...more)
        : fixture(source),
          dialog(fixture.document().snapshot({}).session, fixture.document().state(), more...,
                 ui::filesReadBy(fixture.document()), &fixture.window) {
        dialog.show();
        QVERIFY(until([&] { return dialog.isReady() || find<QLabel>(problem)->isVisible(); }));
    }
    template <typename Widget>
    Widget *find(const char *name) const {
        return test::find<Widget>(dialog, name);
    }
};

} // namespace headlight::test
