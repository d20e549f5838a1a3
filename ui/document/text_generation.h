// Writes a text on, token by token: each is chosen of the logits of the trace that is shown, and is
// an edit of the text like any other. All of one go are one undo step.
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

    /// Why what is open cannot be written on; empty: it can.
    QString whyNot() const;
    /// So many tokens, or until the model ends its text, into the selected sequence. The selected
    /// row goes along. Errors: as whyNot(), of the sampling, and why the text has no trace.
    core::Outcome start(core::Index count, const core::Sampling &sampling);
    void stop();
    bool isWriting() const { return m_left > 0; }
    /// Of the present go.
    core::Index written() const { return m_count - m_left; }
    core::Index count() const { return m_count; }

  signals:
    /// It began, wrote a token, or ended.
    void changed();
    /// Why it ended before its time.
    void failed(const headlight::core::Error &error);
    /// The model has ended its text itself.
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
    std::weak_ptr<const core::Batch> m_own; // the text as it was left here
};

} // namespace headlight::ui
