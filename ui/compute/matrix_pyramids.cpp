#include "ui/compute/matrix_pyramids.h"

namespace headlight::ui {

bool MatrixPyramids::Source::operator==(const Source &other) const {
    return tensor.isNull() == other.tensor.isNull() &&
           (tensor.isNull() || tensor.values().data() == other.tensor.values().data()) &&
           sequence == other.sequence && head == other.head && mask == other.mask &&
           blocks == other.blocks && ofRows == other.ofRows;
}

std::shared_ptr<const core::MatrixPyramid> MatrixPyramids::of(const Source &source) const {
    return source == m_source ? m_pyramid : nullptr;
}

void MatrixPyramids::want(const Source &source) {
    if (source == m_source && (m_pyramid || m_hasFailed || m_job.isBusy()))
        return;
    forget();
    m_source = source;
    m_job.start(
        [source](const std::stop_token &stop) {
            const core::SharedMatrix matrix = source.tensor.matrix(source.sequence, source.head);
            return core::MatrixPyramid::of(matrix.view(), source.mask.get(), source.blocks,
                                           source.ofRows, stop);
        },
        [this](core::Result<core::MatrixPyramid> pyramid) {
            m_hasFailed = !pyramid.ok();
            if (pyramid)
                m_pyramid = std::make_shared<const core::MatrixPyramid>(*std::move(pyramid));
            emit made();
        });
}

void MatrixPyramids::forget() {
    m_job.cancel();
    m_pyramid.reset();
    m_hasFailed = false;
    m_source = {};
}

} // namespace headlight::ui
