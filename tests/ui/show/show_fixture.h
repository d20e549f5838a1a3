// Sentences, runs and a window for tests of the show for a class.
#pragma once

#include "tests/support/clean_test.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/window/start/show/moments.h"

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

} // namespace headlight::test

using namespace headlight;
using ui::MomentKind;
