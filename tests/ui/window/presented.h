// A window in present mode, and the keys of a presenter remote.
#pragma once

#include "tests/ui/window/window_fixture.h"
#include "ui/window/presenting/presentation.h"

namespace headlight::test {

/// Enters present mode, at the size of a small projector.
inline ui::Presentation *presented(WindowFixture &fixture, QSize size = {1280, 720}) {
    fixture.settle(); // the window is the active one again
    QTest::keyClick(&fixture.window, Qt::Key_F11);
    ui::Presentation *presentation = fixture.window.presentation();
    if (!presentation)
        qFatal("F11 presents nothing");
    presentation->showNormal(); // the test's screen is smaller than full screen
    (void)test::exposed(*presentation);
    fixture.settle(); // the screen's own resize arrives late
    presentation->resize(size);
    for (int times = 0; times < 3; ++times) // layout first, then fitting
        fixture.settle();
    if (presentation->size() != size)
        qFatal("the presentation has %d × %d px", presentation->width(), presentation->height());
    return presentation;
}

inline void press(ui::Presentation *presentation, Qt::Key key,
                  Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(presentation, key, modifiers);
}

} // namespace headlight::test
