#include "ui/words/capture_words.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct CaptureWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CaptureWords)
};

} // namespace

QString whyNothingIsChanged() {
    return CaptureWords::tr(
        "Not for a capture: it holds what another program computed, and no model to compute with");
}

QString whyNothingIsPlayed() {
    return CaptureWords::tr("Not for a capture: how its stages were made of each other is unknown");
}

} // namespace headlight::ui
