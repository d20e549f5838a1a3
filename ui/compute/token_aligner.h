// Finds the partners of two texts' tokens. Long texts are aligned on a worker.
#pragma once

#include "core/analysis/token_partners.h"
#include "ui/compute/latest_job.h"

namespace headlight::ui {

class TokenAligner : public QObject {
    Q_OBJECT
  public:
    /// The two sequences and the user's pairs.
    struct Texts {
        core::Input now, a;
        core::Index nowSequence = 0, aSequence = 0;
        core::OwnPairsPointer own;

        /// True if the words and the pairs are the same, even in different batches.
        bool areSame(const Texts &other) const;
    };
    /// Returns the partners. Null until a worker has found them and made() is emitted. The
    /// sequences must exist. Caches the result for the last texts.
    core::TokenPartnersPointer partnersOf(const Texts &texts, const core::Model &model);
    /// Stops the worker and forgets the texts.
    void cancel();
    /// True while a worker is running.
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    void made();

  private:
    std::optional<Texts> m_texts;
    core::Stack m_stack = core::Stack::Main; // main stack of the model
    core::TokenPartnersPointer m_found;      // partners in m_texts; null until they are found
    LatestJob m_job;
};

} // namespace headlight::ui
