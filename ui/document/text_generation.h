// Generates text token by token. Each token is sampled from the logits of the current trace and
// appended as an edit. All tokens of one run are one undo step.
#pragma once

#include "core/generation/choose_token.h"
#include "ui/compute/output_reader.h"
#include "ui/document/change_event.h"

#include <QObject>
#include <QString>

namespace headlight::ui {

class Document;

class TextGeneration : public QObject {
    Q_OBJECT
  public:
    explicit TextGeneration(Document &document, QObject *parent = nullptr);

    /// Returns why generation is unavailable, or an empty string.
    QString unavailableReason() const;
    /// Generates `count` tokens in the selected sequence, or fewer if the model ends the text. The
    /// selected row follows. Errors: as unavailableReason(); invalid sampling; the reason why the
    /// text has no trace.
    core::Outcome start(core::Index count, const core::Sampling &sampling);
    void stop();
    bool isWriting() const { return m_left > 0; }
    /// The number of tokens generated in the current run.
    core::Index written() const { return m_count - m_left; }
    core::Index count() const { return m_count; }

  signals:
    /// Generation has started, added a token, or ended.
    void changed();
    /// Generation has ended early because of an error.
    void failed(const headlight::core::Error &error);
    /// The model has ended the text.
    void ended();

  private:
    void documentChanged(const ChangeEvent &event);
    void go();
    void write(core::Index id);
    void fail(const core::Error &error);

    Document &m_document;
    OutputReader m_reader;
    core::Sampling m_sampling;
    core::Index m_sequence = 0;
    core::Index m_left = 0, m_count = 0;
    int m_gesture = 0;
    QString m_soFar;
    std::weak_ptr<const core::Batch> m_own; // the text that this object wrote last
};

} // namespace headlight::ui
