#include "core/transformer/model/parameter_matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace headlight::core {

namespace {

constexpr Index kMaxEdits = 65'536;
/// At most one edit per eight values, because an edit takes three times the memory of a value.
constexpr Index kNumbersOfAnEdit = 8;
/// Number of bytes to read from a file at a time.
constexpr Index kReadAtOnce = Index(1) << 18;

bool haveSameBits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool standsBefore(const CellEdit &a, const CellEdit &b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
}

/// Sorts the cells. If a cell occurs more than once, keeps the last one.
void sortCells(std::vector<CellEdit> &cells) {
    std::ranges::stable_sort(cells, standsBefore);
    std::size_t kept = 0;
    for (const CellEdit &cell : cells)
        if (kept > 0 && !standsBefore(cells[kept - 1], cell))
            cells[kept - 1] = cell;
        else
            cells[kept++] = cell;
    cells.resize(kept);
}

Error beyondStorage() {
    return {"the matrix extends past the end of the data", "", "the file is damaged; get it again"};
}

/// One axis of a copy: the number of elements, and the strides in the source and in the target.
struct Axis {
    Index count = 0;
    Index stride = 0;
    Index toStride = 0;
};

void copyFloats(const float *from, float *to, Axis outer, Axis inner) {
    for (Index i = 0; i < outer.count; ++i, from += outer.stride, to += outer.toStride)
        if (inner.stride == 1 && inner.toStride == 1)
            std::copy_n(from, inner.count, to);
        else
            for (Index j = 0; j < inner.count; ++j)
                to[j * inner.toStride] = from[j * inner.stride];
}

/// Decodes the values of a storage that does not consist of floats in memory.
class Decoder {
  public:
    Decoder(const NumberStorage &storage, NumberType type) : m_storage(storage), m_type(type) {}

    Outcome decode(Index first, float *to, Axis outer, Axis inner) {
        if (inner.stride == 1 && inner.toStride == 1 && outer.stride == inner.count &&
            outer.toStride == inner.count) { // contiguous
            inner.count *= outer.count;
            outer.count = 1;
        }
        const Index size = static_cast<Index>(bytesOf(m_type));
        const Index most =
            std::max(Index(1), kReadAtOnce / size / std::max(Index(1), inner.stride));
        for (Index i = 0; i < outer.count; ++i)
            for (Index j = 0; j < inner.count; j += most) {
                const Index count = std::min(most, inner.count - j);
                if (Outcome outcome = piece(first + i * outer.stride + j * inner.stride,
                                            {count, inner.stride, inner.toStride},
                                            to + i * outer.toStride + j * inner.toStride);
                    !outcome)
                    return outcome;
            }
        return Done{};
    }

  private:
    Outcome piece(Index first, const Axis &numbers, float *to) {
        const auto size = static_cast<Index>(bytesOf(m_type));
        const Index span = ((numbers.count - 1) * numbers.stride + 1) * size;
        const std::byte *bytes = m_storage.bytes();
        if (bytes) {
            bytes += first * size;
        } else {
            if (m_bytes.size() < static_cast<std::size_t>(span))
                m_bytes.resize(static_cast<std::size_t>(span));
            if (Outcome outcome = m_storage.read(static_cast<std::uint64_t>(first * size),
                                                 {m_bytes.data(), static_cast<std::size_t>(span)});
                !outcome)
                return outcome;
            bytes = m_bytes.data();
        }
        if (numbers.stride == 1 && numbers.toStride == 1)
            decodeNumbers(m_type, bytes, numbers.count, to);
        else
            for (Index j = 0; j < numbers.count; ++j)
                decodeNumbers(m_type, bytes + j * numbers.stride * size, 1,
                              to + j * numbers.toStride);
        return Done{};
    }

    const NumberStorage &m_storage;
    NumberType m_type;
    std::vector<std::byte> m_bytes;
};

} // namespace

const float ParameterMatrix::kUnreadable = std::numeric_limits<float>::quiet_NaN();

ParameterMatrix::ParameterMatrix(StoragePointer storage, const NumberLayout &layout, Edits edits)
    : m_storage(std::move(storage)), m_layout(layout), m_edits(std::move(edits)) {
    if (m_storage->floats())
        m_floats = m_storage->floats() + m_layout.offset;
}

ParameterMatrix::ParameterMatrix(Matrix matrix)
    : ParameterMatrix(storageOf(std::move(matrix).values()), // rows() and columns() stay valid
                      {NumberType::F32, matrix.rows(), matrix.columns(), 0, matrix.columns(), 1},
                      {}) {}

ParameterMatrix::ParameterMatrix(const SharedMatrix &matrix)
    : ParameterMatrix(
          storageOf(
              std::span(matrix.view().data,
                        static_cast<std::size_t>(std::max(
                            Index(0), (matrix.rows - 1) * matrix.view().stride + matrix.columns))),
              matrix.storage()),
          {NumberType::F32, matrix.rows, matrix.columns, 0, matrix.view().stride, 1}, {}) {}

Result<Parameter> ParameterMatrix::create(StoragePointer storage, const NumberLayout &layout) {
    // Use double, because the sizes in a file could overflow an integer.
    const auto reach = [](Index count, Index stride) {
        return count > 0 ? static_cast<double>(count - 1) * static_cast<double>(stride) : 0.0;
    };
    const auto &[type, rows, columns, offset, rowStride, columnStride] = layout;
    if (rows < 0 || columns < 0 || offset < 0 || rowStride < 0 || columnStride < 0)
        return beyondStorage();
    const double end = static_cast<double>(offset) + reach(rows, rowStride) +
                       reach(columns, columnStride) + (rows > 0 && columns > 0 ? 1 : 0);
    constexpr auto kMax = static_cast<Index>(std::numeric_limits<std::uint32_t>::max());
    if (end * static_cast<double>(bytesOf(type)) > static_cast<double>(storage->size()) ||
        rows > kMax || columns > kMax || (storage->floats() && type != NumberType::F32))
        return beyondStorage();
    return Parameter(new ParameterMatrix(std::move(storage), layout, {}));
}

std::optional<float> ParameterMatrix::baseNumber(Index row, Index column) const {
    if (m_floats)
        return m_floats[row * m_layout.rowStride + column * m_layout.columnStride];
    const std::uint64_t size = bytesOf(m_layout.type);
    const std::uint64_t offset = static_cast<std::uint64_t>(place(row, column)) * size;
    std::array<std::byte, sizeof(float)> bytes{};
    float number = 0;
    if (const Outcome read = m_storage->read(offset, std::span(bytes).first(size)); !read)
        return std::nullopt;
    decodeNumbers(m_layout.type, bytes.data(), 1, &number);
    return number;
}

std::optional<float> ParameterMatrix::number(Index row, Index column) const {
    const CellEdit asked{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), 0};
    const auto edit = std::ranges::lower_bound(edits(), asked, standsBefore);
    if (edit != edits().end() && edit->row == asked.row && edit->column == asked.column)
        return edit->value;
    return baseNumber(row, column);
}

bool ParameterMatrix::isEdited(const MatrixBlock &block) const {
    const auto inColumns = [&block](const CellEdit &edit) {
        return edit.column >= block.column && edit.column < block.column + block.columns;
    };
    const auto first = std::ranges::lower_bound(edits(), block.row, {}, &CellEdit::row);
    const auto end = std::ranges::lower_bound(edits(), block.row + block.rows, {}, &CellEdit::row);
    return std::any_of(first, end, inColumns);
}

std::optional<SharedMatrix> ParameterMatrix::plain(const MatrixBlock &block) const {
    const bool standsSo = m_layout.columnStride == 1 || block.columns <= 1;
    if (!m_floats || !standsSo || isEdited(block))
        return std::nullopt;
    const float *const data =
        m_floats + block.row * m_layout.rowStride + block.column * m_layout.columnStride;
    return SharedMatrix({data, block.rows, block.columns, m_layout.rowStride}, m_storage);
}

std::optional<SharedMatrix> ParameterMatrix::plainTransposed(const MatrixBlock &block) const {
    const bool standsSo = m_layout.rowStride == 1 || block.rows <= 1;
    if (!m_floats || !standsSo || isEdited(block))
        return std::nullopt;
    const float *const data =
        m_floats + block.row * m_layout.rowStride + block.column * m_layout.columnStride;
    return SharedMatrix({data, block.columns, block.rows, m_layout.columnStride}, m_storage);
}

std::optional<EncodedMatrix> ParameterMatrix::encoded(const MatrixBlock &block) const {
    return isEdited(block) ? std::nullopt : encodedBase(block);
}

std::vector<Index> ParameterMatrix::editedLines(const MatrixBlock &block) const {
    std::vector<Index> lines;
    for (const CellEdit &edit : edits()) {
        const Index row = edit.row - block.row, column = edit.column - block.column;
        if (row >= 0 && row < block.rows && column >= 0 && column < block.columns)
            lines.push_back(standsTransposed() ? column : row);
    }
    std::ranges::sort(lines);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
    return lines;
}

std::optional<EncodedMatrix> ParameterMatrix::encodedBase(const MatrixBlock &block) const {
    const bool byColumns = standsTransposed();
    const Index along = byColumns ? m_layout.rowStride : m_layout.columnStride;
    const Index stride = byColumns ? m_layout.columnStride : m_layout.rowStride;
    if (m_floats || along != 1 || block.rows == 0 || block.columns == 0)
        return std::nullopt;
    if (!m_storage->isInOrder() && !byColumns)
        return std::nullopt; // only the rows of the file are contiguous
    EncodedMatrix matrix;
    matrix.encoding = m_storage->encoding();
    if (!matrix.encoding)
        matrix.encoding = &encodingOf(m_layout.type);
    matrix.lines = byColumns ? block.columns : block.rows;
    matrix.numbers = byColumns ? block.rows : block.columns;
    const Index first = place(block.row, block.column), values = matrix.encoding->values;
    if (first % values != 0 || stride % values != 0 || matrix.numbers % values != 0)
        return std::nullopt;
    const Index size = static_cast<Index>(bytesOf(m_layout.type));
    matrix.first = m_storage->encodedAt(static_cast<std::uint64_t>(first * size));
    matrix.stride = matrix.encoding->bytesOf(stride);
    matrix.scales = m_storage->scalesAt(static_cast<std::uint64_t>(first * size));
    matrix.scaleStride = stride / values;
    if (!matrix.first || (matrix.encoding->decodeScaled && !matrix.scales))
        return std::nullopt;
    if (!m_storage->isInOrder())
        for (Index line = 0; line < matrix.lines; ++line)
            matrix.each.push_back(
                m_storage->encodedAt(static_cast<std::uint64_t>((first + line * stride) * size)));
    return matrix;
}

Outcome ParameterMatrix::copyBase(const MatrixBlock &block, MutableMatrixView out,
                                  bool transposed) const {
    Axis down{block.rows, m_layout.rowStride, transposed ? 1 : out.stride};
    Axis across{block.columns, m_layout.columnStride, transposed ? out.stride : 1};
    if (down.count == 0 || across.count == 0)
        return Done{};
    const bool isTurned = down.stride < across.stride; // smaller stride in the inner loop
    const Axis &outer = isTurned ? across : down, &inner = isTurned ? down : across;
    if (m_floats) {
        copyFloats(m_floats + block.row * down.stride + block.column * across.stride, out.data,
                   outer, inner);
        return Done{};
    }
    return Decoder(*m_storage, m_layout.type)
        .decode(place(block.row, block.column), out.data, outer, inner);
}

void ParameterMatrix::layEdits(const MatrixBlock &block, MutableMatrixView out,
                               bool transposed) const {
    const auto first = std::ranges::lower_bound(edits(), block.row, {}, &CellEdit::row);
    for (auto edit = first; edit != edits().end() && edit->row < block.row + block.rows; ++edit) {
        const Index row = edit->row - block.row, column = edit->column - block.column;
        if (column >= 0 && column < block.columns)
            (transposed ? out(column, row) : out(row, column)) = edit->value;
    }
}

Outcome ParameterMatrix::copy(const MatrixBlock &block, MutableMatrixView out) const {
    assert(out.rows == block.rows && out.columns == block.columns);
    if (Outcome outcome = copyBase(block, out, false); !outcome)
        return outcome;
    layEdits(block, out, false);
    return Done{};
}

Outcome ParameterMatrix::copyTransposed(const MatrixBlock &block, MutableMatrixView out) const {
    assert(out.rows == block.columns && out.columns == block.rows);
    if (Outcome outcome = copyBase(block, out, true); !outcome)
        return outcome;
    layEdits(block, out, true);
    return Done{};
}

Result<SharedMatrix> ParameterMatrix::read(const MatrixBlock &block) const {
    if (auto standing = plain(block))
        return *std::move(standing);
    auto copied = std::make_shared<Matrix>(block.rows, block.columns);
    if (Outcome outcome = copy(block, copied->view()); !outcome)
        return outcome.error();
    const MatrixView view = copied->view();
    return SharedMatrix(view, std::move(copied));
}

Result<Matrix> ParameterMatrix::toMatrix() const {
    Matrix copied(rows(), columns());
    if (Outcome outcome = copy(whole(), copied.view()); !outcome)
        return outcome.error();
    return copied;
}

Index ParameterMatrix::maxEdits() const {
    return std::min(kMaxEdits, rows() * columns() / kNumbersOfAnEdit);
}

std::size_t ParameterMatrix::memory() const {
    return sizeof *this + static_cast<std::size_t>(m_storage->memory()) + edits().size_bytes();
}

Parameter withCells(const Parameter &before, std::vector<CellEdit> cells) {
    sortCells(cells);
    const auto isBase = [&before](const CellEdit &cell) {
        const std::optional<float> base = before->baseNumber(cell.row, cell.column);
        return base && haveSameBits(*base, cell.value);
    };
    std::vector<CellEdit> all;
    all.reserve(before->edits().size() + cells.size());
    auto old = before->edits().begin();
    for (const CellEdit &cell : cells) {
        while (old != before->edits().end() && standsBefore(*old, cell))
            all.push_back(*old++);
        if (old != before->edits().end() && !standsBefore(cell, *old))
            ++old; // replaced by `cell`
        if (!isBase(cell))
            all.push_back(cell);
    }
    all.insert(all.end(), old, before->edits().end());
    const auto isSame = [](const CellEdit &a, const CellEdit &b) {
        return a.row == b.row && a.column == b.column && haveSameBits(a.value, b.value);
    };
    if (std::ranges::equal(all, before->edits(), isSame))
        return before;
    if (static_cast<Index>(all.size()) > before->maxEdits()) {
        // If the base cannot be read, continue below with a list that exceeds the limit.
        if (Result<Matrix> whole = before->toMatrix()) {
            for (const CellEdit &cell : cells)
                (*whole)(cell.row, cell.column) = cell.value;
            return makeParameter(*std::move(whole));
        }
    }
    ParameterMatrix::Edits edits;
    if (!all.empty())
        edits = std::make_shared<const std::vector<CellEdit>>(std::move(all));
    return Parameter(new ParameterMatrix(before->m_storage, before->m_layout, std::move(edits)));
}

Parameter withBlock(const Parameter &before, Index row, Index column, MatrixView numbers) {
    const bool isAll = numbers.rows == before->rows() && numbers.columns == before->columns();
    if (numbers.rows * numbers.columns > before->maxEdits()) {
        Result<Matrix> whole = isAll ? Matrix(numbers.rows, numbers.columns) : before->toMatrix();
        if (whole) {
            for (Index r = 0; r < numbers.rows; ++r)
                std::ranges::copy(numbers.row(r), whole->view().row(row + r).begin() + column);
            return makeParameter(*std::move(whole));
        }
    }
    std::vector<CellEdit> cells;
    for (Index r = 0; r < numbers.rows; ++r)
        for (Index c = 0; c < numbers.columns; ++c)
            cells.push_back({static_cast<std::uint32_t>(row + r),
                             static_cast<std::uint32_t>(column + c), numbers(r, c)});
    return withCells(before, std::move(cells));
}

} // namespace headlight::core
