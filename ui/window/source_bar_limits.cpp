// SourceBar: what can be changed about the open session.
#include "ui/text/capture_text.h"
#include "ui/window/source_bar.h"

#include <QAction>
#include <QLineEdit>

namespace headlight::ui {

/// Disables and unchecks all switches for a capture, whose settings are unknown.
void SourceBar::showWhatCanBeChanged() {
    const bool isFixed = m_document.isCapture();
    for (QAction *action :
         {m_noMask, m_causal, m_padding, m_otherMasks, m_editMask, m_scaling, m_positions}) {
        if (isFixed)
            action->setChecked(false);
        if (action->isEnabled() != isFixed)
            continue;
        action->setEnabled(!isFixed);
        action->setToolTip(isFixed ? readOnlyReason() : action->data().toString());
    }
    for (QLineEdit *edit : {m_text, m_sourceText}) {
        const bool isOwn = edit == m_text;
        edit->setReadOnly(isFixed);
        edit->setToolTip(isFixed ? readOnlyReason()
                         : isOwn ? tr("Type a sentence: attention follows as you type")
                                 : tr("The sequence that is attended to"));
        const core::BatchPointer &batch =
            isOwn ? m_document.state().input.batch : m_document.state().input.source;
        edit->setPlaceholderText(
            isFixed
                ? (batch ? tr("%n tokens", nullptr, static_cast<int>(batch->length())) : QString())
            : isOwn ? tr("Type a sentence")
                    : tr("Type the sequence to attend to"));
    }
}

} // namespace headlight::ui
