// The source bar's actions without the bar: each applies an edit of ui/document/edits/.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/document/edits/mechanism_edits.h"

namespace headlight::test {

inline constexpr int kTyping = 1; // the document never returns this gesture id

/// Sets the selected sequence's text. Consecutive calls are one undo step, like continuous typing.
inline core::Outcome typeText(ui::Document &document, const QString &text,
                              ui::InputSide side = ui::InputSide::Own, int gesture = kTyping) {
    return document.apply(ui::edits::setText(document.state(), document.textId(side), text),
                          gesture);
}

/// Sets the masks of the selected attention module.
inline core::Outcome setMasks(ui::Document &document, core::MaskLayers masks) {
    return document.apply(
        ui::edits::setLayers(document.state(), std::move(masks), document.selection().attention()));
}

inline core::Outcome setScale(ui::Document &document, const core::Scale &scale) {
    return document.apply(ui::edits::setScale(document.state(), scale));
}

inline core::Outcome setPositions(ui::Document &document, core::Positions positions) {
    return document.apply(
        ui::edits::setPositions(document.state(), positions, document.session().model.parameters));
}

} // namespace headlight::test
