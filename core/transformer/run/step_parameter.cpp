#include "core/transformer/run/step_parameter.h"

#include "core/in_quotes.h"
#include "core/tensor/in_parallel.h"
#include "core/tensor/numbers.h"
#include "core/tensor/product.h"
#include "core/tensor/product_block.h"
#include "core/transformer/run/finite.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Number of values to decode at a time: 4 MB.
constexpr Index kDecodedAtOnce = Index(1) << 20;
/// The depth is split into multiples of this size, so that terms are added in the same order.
constexpr Index kDepthUnit = kProductDepth;
/// Minimum number of columns of the product to compute at a time. More are computed if adjacent
/// columns are contiguous in the storage.
constexpr Index kMinAlong = 4096;
constexpr Index kMinAcross = 256;
/// Number of values that justifies waking another thread for decoding.
constexpr Index kDecodedByOne = Index(1) << 15;
/// A product of this many rows takes much longer than reading the parameter, so the parameter's
/// file pages are released afterwards. Long texts then leave few file pages in memory.
constexpr Index kManyRows = 256;

void throwIfUnreadable(const Outcome &outcome, const ParameterId &id) {
    if (outcome)
        return;
    Error error = outcome.error();
    error.what = {"the parameter %1 cannot be read: %2", inQuotes(nameOf(id)), error.what};
    throw ParameterReadError{std::move(error)};
}

} // namespace

ParameterBlock sliceOf(const ModelParameters &weights, const ParameterSlice &slice, Index heads,
                       Index head) {
    const ParameterBlock whole(parameterOf(weights, slice.id));
    return whole.exists() ? slice.partOf(whole, heads, head) : ParameterBlock();
}

StepParameter::StepParameter(const ModelParameters &weights, const ParameterSlice &slice,
                             Index heads, Index head)
    : m_block(sliceOf(weights, slice, heads, head)), m_id(slice.id) {}

SharedMatrix StepParameter::rows(Index first, Index count) const {
    if (!m_block.exists())
        return {};
    Result<SharedMatrix> read = m_block.rowBlock(first, count).read();
    if (!read)
        throwIfUnreadable(read.error(), m_id);
    return *std::move(read);
}

void StepParameter::copyRow(Index row, std::span<float> out) const {
    const auto size = static_cast<Index>(out.size());
    throwIfUnreadable(m_block.rowBlock(row, 1).copy({out.data(), 1, size, size}), m_id);
}

/// out = x · W or x · Wᵀ. Floats in memory are used directly, and encoded values are decoded in the
/// innermost loops. Other matrices, and columns of the product that edits change, are multiplied in
/// pieces that are small enough to decode.
class ParameterProduct {
  public:
    ParameterProduct(MatrixView x, const StepParameter &w, bool transposed, MutableMatrixView out,
                     const std::stop_token &stop)
        : m_x(x), m_w(w), m_isTransposed(transposed), m_out(out), m_stop(stop) {}

    void run() {
        if (standing(0, m_out.columns, 0, m_x.columns, true))
            return;
        if (encoded())
            return;
        const Index width = columnsAtOnce();
        Index first = 0; // start of the pending columns that need no decoding
        for (Index c = 0; c < m_out.columns && !m_stop.stop_requested(); c += width) {
            const Index count = std::min(width, m_out.columns - c);
            if (standing(c, count, 0, m_x.columns, false))
                continue;
            if (first < c)
                standing(first, c - first, 0, m_x.columns, true);
            first = c + count;
            byDepth(c, count);
        }
        if (first < m_out.columns && !m_stop.stop_requested())
            standing(first, m_out.columns - first, 0, m_x.columns, true);
    }

  private:
    Index depthAtOnce(Index columns) const {
        const Index fits = kDecodedAtOnce / std::max(Index(1), columns);
        return fits >= m_x.columns ? m_x.columns
                                   : std::max(fits / kDepthUnit, Index(1)) * kDepthUnit;
    }
    Index columnsAtOnce() const {
        const bool liesAlongColumns = m_w.block().parameter()->standsTransposed() == m_isTransposed;
        const Index fewest = liesAlongColumns ? kMinAlong : kMinAcross;
        return std::clamp(kDecodedAtOnce / std::max(Index(1), m_x.columns),
                          std::min(fewest, m_out.columns), m_out.columns);
    }

    /// Returns the block of W for these columns of `out` and this range of the depth.
    ParameterBlock piece(Index column, Index columns, Index from, Index depth) const {
        const ParameterBlock &w = m_w.block();
        return m_isTransposed ? w.rowBlock(column, columns).columnBlock(from, depth)
                              : w.rowBlock(from, depth).columnBlock(column, columns);
    }

    void multiplyBy(MatrixView w, bool transposed, Index column, Index from, Index depth) const {
        const Index columns = transposed ? w.rows : w.columns;
        const MatrixView x = m_x.columnBlock(from, depth);
        const MutableMatrixView out = m_out.columnBlock(column, columns);
        if (transposed)
            from == 0 ? multiplyTransposed(x, w, out, m_stop)
                      : addProductTransposed(x, w, out, m_stop);
        else
            from == 0 ? multiply(x, w, out, m_stop) : addProduct(x, w, out, m_stop);
    }

    /// Returns false if the block has to be decoded. Otherwise multiplies it if `multiplies`.
    bool standing(Index column, Index columns, Index from, Index depth, bool multiplies) const {
        const ParameterBlock w = piece(column, columns, from, depth);
        for (const bool turned : {false, true})
            if (const auto plain = turned ? w.plainTransposed() : w.plain()) {
                if (multiplies)
                    multiplyBy(*plain, turned != m_isTransposed, column, from, depth);
                return true;
            }
        return false;
    }

    /// Returns false if the parameter has to be decoded in pieces.
    bool encoded() {
        const ParameterBlock &block = m_w.block();
        const std::optional<EncodedMatrix> w =
            block.exists() ? block.encodedBase() : std::optional<EncodedMatrix>();
        if (!w)
            return false;
        const bool turned = block.parameter()->standsTransposed() != m_isTransposed;
        const std::vector<Index> edited = block.editedLines();
        if ((w->encoding->isOfBlocks() || !edited.empty()) && !turned)
            return false;
        multiplyEncoded(m_x, *w, turned, m_out, m_stop);
        // A line is a column of the product. Recompute only edited lines, so that an edit does not
        // change the bits of other lines, even if the encoded product rounds differently.
        for (std::size_t i = 0; i < edited.size() && !m_stop.stop_requested();) {
            const std::size_t first = i;
            for (++i; i < edited.size() && edited[i] == edited[i - 1] + 1;)
                ++i;
            byDepth(edited[first], static_cast<Index>(i - first));
        }
        if (m_stop.stop_requested())
            return true;
        throwIfUnreadable(block.parameter()->checkEncoded(), m_w.m_id);
        // If a value is not finite, decode in pieces, because only then does the error name the
        // damaged block.
        return !w->encoding->isOfBlocks() || isFinite();
    }

    bool isFinite() const {
        for (Index row = 0; row < m_out.rows; ++row)
            if (!allFinite(m_out.row(row), false, {}))
                return false;
        return true;
    }

    void byDepth(Index column, Index columns) {
        const Index most = depthAtOnce(columns);
        for (Index from = 0; from < m_x.columns && !m_stop.stop_requested(); from += most) {
            const Index depth = std::min(most, m_x.columns - from);
            if (standing(column, columns, from, depth, true))
                continue;
            const bool turned = m_w.block().parameter()->standsTransposed();
            const MatrixView w = decoded(piece(column, columns, from, depth), turned);
            multiplyBy(w, turned != m_isTransposed, column, from, depth);
        }
    }

    /// Decodes the block in storage order, as its transpose if `turned`.
    MatrixView decoded(const ParameterBlock &w, bool turned) {
        const Index rows = turned ? w.columns : w.rows, columns = turned ? w.rows : w.columns;
        m_room.resize(static_cast<std::size_t>(rows * columns));
        const MutableMatrixView all{m_room.data(), rows, columns, columns};
        const Index height = std::clamp(kDecodedByOne / columns, Index(1), rows);
        inParallel((rows + height - 1) / height, [&](Index item, Index) {
            const Index first = item * height, count = std::min(height, rows - first);
            const MutableMatrixView some = all.rowBlock(first, count);
            throwIfUnreadable(turned ? w.columnBlock(first, count).copyTransposed(some)
                                     : w.rowBlock(first, count).copy(some),
                              m_w.m_id);
        });
        return all;
    }

    MatrixView m_x;
    const StepParameter &m_w;
    bool m_isTransposed;
    MutableMatrixView m_out;
    const std::stop_token &m_stop;
    Numbers m_room;
};

namespace {

void multiplyAndRelease(MatrixView x, const StepParameter &w, bool transposed,
                        MutableMatrixView out, const std::stop_token &stop) {
    ParameterProduct(x, w, transposed, out, stop).run();
    if (out.rows >= kManyRows && w.block().exists())
        w.block().parameter()->releasePages();
}

} // namespace

void multiply(MatrixView x, const StepParameter &w, MutableMatrixView out,
              const std::stop_token &stop) {
    multiplyAndRelease(x, w, false, out, stop);
}

void multiplyTransposed(MatrixView x, const StepParameter &w, MutableMatrixView out,
                        const std::stop_token &stop) {
    multiplyAndRelease(x, w, true, out, stop);
}

} // namespace headlight::core
