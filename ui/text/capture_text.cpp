#include "ui/text/capture_text.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct CaptureText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CaptureText)
};

} // namespace

QString readOnlyReason() {
    return CaptureText::tr(
        "Not available for a capture: it contains the results of another program, but no model");
}

QString playUnavailableReason() {
    return CaptureText::tr(
        "Not available for a capture: it is unknown how its stages were computed from each other");
}

} // namespace headlight::ui
