// Sentences, runs and a window for tests of the show for a class.
#pragma once

#include "tests/support/clean_test.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/views/motion/step_motion.h"
#include "ui/window/start/show/moments.h"
#include "ui/window/start/show/opening_show.h"

namespace headlight::test {

inline QString sentenceWith(const QString &lastWord) {
    return "the animal didn't cross the street because it was too " + lastWord;
}

inline ui::DocumentState stateOfSentence(const QString &text) {
    ui::SourceRequest request;
    request.source = "it";
    request.text = text.toStdString();
    return valueOf(ui::openSource(request)).state;
}

inline ui::ShowMoments momentsOfText(const QString &text) {
    ui::OpenedShow show = valueOf(ui::openShow(text));
    return ui::ShowMoments(std::move(show.runs), show.refusal);
}

inline const ui::Moment &momentOf(const ui::ShowMoments &show, ui::MomentKind kind) {
    return show.all()[static_cast<std::size_t>(kind)];
}

inline constexpr double kMinText = 16; // px, in the show

struct ShowFixture {
    ui::OpeningShow show;

    explicit ShowFixture(const QString &text = sentenceWith("tired"), bool dark = false)
        : show(text) {
        ui::StepMotion::choose(false);
        show.setTheme(dark);
        show.resize(1280, 720);
        show.show();
        (void)exposed(show);
        if (!until([&] { return !show.isReading(); }) || !show.moments())
            qFatal("the show is not computed");
        show.resize(1280, 720);
        QCoreApplication::processEvents();
    }
    void press(Qt::Key key) { QTest::keyClick(&show, key); }
    QString sentence() const { return plainOf("showSentence"); }
    QString note() const { return plainOf("showNote"); }
    QString plainOf(const char *name) const {
        QTextDocument text;
        text.setHtml(find<QLabel>(show, name)->text());
        return text.toPlainText();
    }
    const ui::Moment &moment() const {
        return show.moments()->all()[static_cast<std::size_t>(show.momentNow())];
    }
    void goTo(ui::MomentKind kind) { show.goTo(static_cast<int>(kind)); }
    /// Returns the widgets with text that are visible in the show.
    QList<QWidget *> parts() const {
        QList<QWidget *> parts;
        for (QWidget *each : show.findChildren<QWidget *>())
            if (each->isVisible() &&
                (qobject_cast<QLabel *>(each) || qobject_cast<QPushButton *>(each)))
                parts << each;
        return parts;
    }
};

} // namespace headlight::test

using namespace headlight;
using ui::MomentKind;
