// NewSessionFields: messages about problems, each below its field.
#include "ui/window/saving/new_session_fields.h"
#include "ui/words/core_message.h"

#include <QLabel>
#include <QLineEdit>

namespace headlight::ui {

bool NewSessionFields::showProblem(const core::Error &error) {
    const QString where = QString::fromStdString(error.where);
    QString text = translated(core::Error{error.what, {}, error.remedy});
    QLabel *problem = nullptr;
    if (where == "model.width" || where == "model.layers")
        problem = m_widthProblem;
    else if (where.startsWith("model.encoder"))
        problem = m_encoderProblem;
    else if (where == "model.alibi_slopes")
        problem = m_slopesProblem;
    else if (where == "model.windows")
        problem = m_windowsProblem;
    else if (where.startsWith("model.head") || where.startsWith("model.rotary"))
        problem = m_headsProblem;
    else if (where.startsWith("source"))
        problem = m_sourceProblem;
    else if (where.startsWith("text") || where.startsWith("batch"))
        problem = m_textProblem;
    if (!problem)
        return false;
    if (where == "model.head_size")
        text = tr("The size of a head, width ÷ heads: %1").arg(text);
    const bool nothingTyped = (problem == m_textProblem && m_text->text().isEmpty()) ||
                              (problem == m_sourceProblem && m_source->text().isEmpty());
    if (nothingTyped)
        return true; // the placeholder already asks for it
    problem->setText(text);
    problem->show();
    return true;
}

void NewSessionFields::clearProblem() {
    for (QLabel *problem : {m_widthProblem, m_headsProblem, m_slopesProblem, m_windowsProblem,
                            m_encoderProblem, m_sourceProblem, m_textProblem})
        problem->hide();
}

} // namespace headlight::ui
