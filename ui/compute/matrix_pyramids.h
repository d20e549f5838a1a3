// Computes the pyramid of a view's large matrix on a worker thread.
#pragma once

#include "core/analysis/matrix_pyramid.h"
#include "core/tensor/tensor.h"
#include "ui/compute/latest_job.h"

#include <memory>

namespace headlight::ui {

class MatrixPyramids : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// A matrix of a tensor. It keeps the tensor and the mask alive, so that their addresses are
    /// not reused.
    struct Source {
        core::Tensor tensor;
        core::Index sequence = 0, head = 0;
        std::shared_ptr<const core::Mask> mask; ///< hidden cells; may be null
        core::BlockNumber blocks = core::BlockNumber::Largest;
        bool ofRows = false; ///< see MatrixPyramid::of()

        bool operator==(const Source &other) const;
    };

    /// Returns the finished pyramid of this matrix. Null if it is not finished.
    std::shared_ptr<const core::MatrixPyramid> of(const Source &source) const;
    /// True if the pyramid could not be computed for lack of memory. Each pixel is then computed
    /// from all its cells.
    bool hasFailed(const Source &source) const { return m_hasFailed && source == m_source; }
    /// Starts computing the pyramid, unless it has already started. Drops the previous one.
    void want(const Source &source);
    void forget();
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// Emitted when the pyramid is finished or could not be computed.
    void made();

  private:
    Source m_source;
    std::shared_ptr<const core::MatrixPyramid> m_pyramid;
    bool m_hasFailed = false;
    LatestJob m_job;
};

} // namespace headlight::ui
