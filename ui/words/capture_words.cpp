#include "ui/words/capture_words.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct CaptureText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CaptureText)
};

} // namespace

QString readOnlyReason() {
    return CaptureText::tr(
        "Not for a capture: it holds what another program computed, and no model to compute with");
}

QString playUnavailableReason() {
    return CaptureText::tr("Not for a capture: how its stages were made of each other is unknown");
}

} // namespace headlight::ui
