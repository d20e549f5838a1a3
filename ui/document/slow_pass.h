// Decides when the window shows that the document's trace, or a layer or head of it, is being
// computed. Waits for a short delay first, to avoid flicker.
#pragma once

#include "core/transformer/names/stage.h"
#include "ui/document/change_event.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace headlight::ui {

class Document;

class SlowPass : public QObject {
    Q_OBJECT
  public:
    explicit SlowPass(Document &document);

    /// True if the trace has been out of date for longer than the delay and a pass is running.
    bool isSlow() const { return m_isSlow; }
    /// True if the running pass may change this stage of the displayed trace. Only while isSlow().
    bool mayChange(core::StageId stage) const;
    /// True if a selection has waited for its stage longer than the delay, and no pass is running.
    bool isPreparing() const { return m_isPreparing; }

  signals:
    /// Emitted when the pass becomes slow or ends, or when another edit restarts a slow pass. Also
    /// emitted if isPreparing() or the waiting selection has changed.
    void changed();

  private:
    void follow(const ChangeEvent &event);
    void become(bool isSlow);
    void setPreparing(bool isPreparing);
    bool isComputing() const;
    std::vector<core::StageId> unaffected() const;

    const Document &m_document;
    QTimer m_delay{this};
    bool m_isSlow = false;
    bool m_isPreparing = false;
    std::vector<core::StageId> m_unaffected; // sorted
};

} // namespace headlight::ui
