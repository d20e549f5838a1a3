// Compares the heads of all layers with those of side A, one layer after the other on a worker
// thread. Keeps the measures but not the matrices.
#pragma once

#include "core/analysis/token_partners.h"
#include "ui/compute/latest_job.h"

#include <memory>
#include <optional>
#include <vector>

namespace headlight::ui {

class ModelChanges : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// The two sequences that are compared.
    struct Sides {
        core::TracePointer now, a;
        core::Index sequence = 0, sequenceOfA = 0;
        core::TokenPartnersPointer partners{}; ///< null: computed from the texts
    };
    struct Found {
        std::vector<core::ComparedHead> heads{}; ///< heads of the finished layers
        std::optional<core::Error> error{};
        bool isComplete = false;
    };
    using FoundPointer = std::shared_ptr<const Found>;

    /// Starts with these sides, or continues. Drops the heads of other sides. Does not block.
    void want(const Sides &sides);
    /// Stops and keeps what is finished.
    void rest() { m_job.cancel(); }
    /// Stops and drops everything.
    void forget();
    /// Returns the finished heads, or null if these sides were not requested. The result is
    /// immutable.
    FoundPointer of(const Sides &sides) const { return isOf(sides) ? m_found : nullptr; }
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// Emitted when one more layer is ready or an error occurred.
    void made();

  private:
    bool isOf(const Sides &sides) const;
    void makeNext();

    Sides m_sides; // without details, because they may outlive the traces
    FoundPointer m_found;
    std::size_t m_next = 0; // index of the next attention module
    LatestJob m_job;        // compares the heads of the next module
};

} // namespace headlight::ui
