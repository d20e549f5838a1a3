// A window with the start page.
#pragma once

#include "tests/ui/window/window_fixture.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"
#include "ui/window/start/opening_scene.h"
#include "ui/window/start/start_page.h"

namespace headlight::test {

/// Returns null if the page is closed.
inline ui::StartPage *startPage(const WindowFixture &fixture) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return fixture.window.findChild<ui::StartPage *>();
}

/// A window without a source, as the program starts it.
struct StartFixture : WindowFixture {
    StartFixture() : WindowFixture("bank", "close-up", &ui::MainWindow::openBelowStart) {
        window.offerStart();
        settle();
    }
    ui::OpeningScene *scene() const { return window.findChild<ui::OpeningScene *>(); }
    QPushButton *word(const QString &text) const {
        for (QPushButton *each : window.findChildren<QPushButton *>("startWord"))
            if (each->text() == text)
                return each;
        qFatal("no button of this word");
    }
    /// Waits until the scene has its answer. Returns its first word.
    QString answers() {
        auto *strip = scene()->findChild<ui::SentenceStrip *>();
        (void)test::until([&] { return !scene()->isReading(); });
        (void)test::settled(scene()->document());
        (void)test::until([&] { return !strip->isReading(); });
        settle();
        const auto &bars = strip->answer().content().bars;
        return bars.empty() ? QString() : bars.front().name;
    }
};

} // namespace headlight::test
