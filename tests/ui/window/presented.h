// A window in present mode, and the keys of a presenter remote.
#pragma once

#include "tests/support/painting_record.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/presenting/presentation.h"
#include "ui/window/presenting/presented_lesson.h"

namespace headlight::test {

struct PresentedFixture : WindowFixture {
    ui::Presentation *presentation = nullptr;

    explicit PresentedFixture(const QString &source, const QString &view = "close-up",
                              bool isPresented = true)
        : WindowFixture(source, view) {
        if (isPresented)
            present();
    }
    /// Enters present mode, at the size of a small projector.
    void present(QSize size = {1280, 720}) {
        settle(); // the window must be active again
        QTest::keyClick(&window, Qt::Key_F11);
        presentation = window.presentation();
        if (!presentation)
            qFatal("F11 presents nothing");
        presentation->showNormal(); // the test's screen is smaller than full screen
        (void)test::exposed(*presentation);
        settle();     // waits for the screen's own resize, which is late
        int calm = 0; // the text is fitted after the layout, and another resize may come in between
        (void)until([&] {
            calm = presentation->size() == size ? calm + 1 : 0;
            if (calm == 0)
                presentation->resize(size);
            settle();
            return calm > 3;
        });
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(presentation, key, modifiers);
        settle();
    }
    void showView(const char *name) {
        presentation->showView(name);
        settle(); // fits the text after the layout
    }
    bool contains(const QWidget *each) const {
        return presentation->rect().contains(
            QRect(each->mapTo(presentation, QPoint()), each->size()));
    }
    template <typename Widget>
    Widget *shown() const {
        return presentation->findChild<Widget *>();
    }
    ui::FigureView *picture() const { return presentation->currentView(); }
    /// Records what the presentation paints now, in its own pixels.
    PaintingRecord painted() const { return PaintingRecord::of(*presentation); }
    QString footer() const { return presentation->findChild<QLabel *>("presentedStep")->text(); }
    core::Index step() { return document().state().lessonStep; }
};

} // namespace headlight::test
