// Completes predicted subword tokens to whole words, without blocking the window.
#pragma once

#include "core/generation/rest_of_word.h"
#include "ui/compute/latest_job.h"

#include <QTimer>

#include <optional>
#include <vector>

namespace headlight::ui {

class WordEnds : public QObject {
    Q_OBJECT
  public:
    explicit WordEnds(QObject *parent = nullptr);

    /// Returns the rest of the word for each of `tokens`, which may come next in the sequence.
    /// Empty until made() is emitted, or if the rests cannot be computed. `trace` must belong to
    /// `text`, whose model must predict the next token and have a tokenizer.
    std::vector<core::RestOfWord> restsOf(const core::Computable &text,
                                          const core::TracePointer &trace, core::Index sequence,
                                          const std::vector<core::Index> &tokens);
    bool isBusy() const { return m_delay.isActive() || m_job.isBusy(); }

  signals:
    void made();

  private:
    struct Asked {
        std::weak_ptr<const core::Trace> trace; ///< is not kept alive
        core::Index sequence = 0;
        std::vector<core::Index> tokens;
    };
    void start();

    Asked m_asked;
    std::optional<core::Computable> m_text; ///< set until the job is started
    std::vector<core::RestOfWord> m_rests;
    QTimer m_delay; ///< waits, because the user may still be typing
    LatestJob m_job;
};

} // namespace headlight::ui
