// SourceBar: restrictions for a session that cannot be edited.
#include "ui/text/capture_text.h"
#include "ui/window/source_bar.h"

#include <QLineEdit>

namespace headlight::ui {

/// Makes the texts of a capture read-only.
void SourceBar::showWhatCanBeChanged() {
    const bool isFixed = m_document.isCapture();
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
