// Writes the arithmetic of a value or a row.
#include "core/explain/arithmetic.h"

#include "core/explain/arithmetic_writer.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Beside = Remark::Beside;

class Arithmetic {
  public:
    Arithmetic(const Trace &trace, const Selection &selection, const Region &region)
        : m_write(trace, selection), m_selection(selection), m_region(region) {}

    Line line() {
        if (!m_write.isThere())
            return {};
        place();
        if (m_write.isRename() || !m_write.areSourcesThere())
            m_write.values();
        else
            all();
        return m_write.line().take();
    }

  private:
    bool isRow() const { return !m_region.column; }

    void all() {
        const Meaning &meaning = m_write.meaning();
        if (!m_write.isWritten()) {
            m_write.throughUnnamed();
        } else {
            const std::size_t before = m_write.line().size();
            const bool becomes = isRow() ? row(meaning) : number(meaning);
            const bool isSideBySide = meaning.number.is(Kind::Side); // the line shows the values
            if (m_write.line().size() > before && !isSideBySide)
                m_write.line().plain(becomes ? " → " : " = ");
            if (!isSideBySide)
                m_write.ownValues();
        }
        m_write.remarks(isRow() ? Beside::Row : Beside::Number);
    }

    /// Writes the arithmetic of the cell. Returns true if a mask can replace the result, so that
    /// "→" precedes the value instead of "=".
    bool number(const Meaning &meaning) {
        const Expression &x = meaning.number;
        if (x.is(Kind::Choose)) {
            const bool isHidden = x.when == Expression::When::Hidden;
            if (isHidden && m_write.holds(x) && !m_write.isCopy(x.of[2]))
                return false;
            m_write.number(x.of[2]);
            return m_write.holds(x) || (isHidden && m_write.isCopy(x.of[2]));
        }
        if (!m_write.isCopy(x) || NumberWriter::isOfOneHead(x))
            m_write.number(x);
        return false;
    }

    bool row(const Meaning &meaning) {
        const Expression &x = meaning.number;
        if (meaning.isOfEachRow) {
            m_write.row(meaning.inSymbols->of.back());
            return true;
        }
        if (x.is(Kind::Call) && x.written == Expression::Written::Body && x.text.empty()) {
            if (!outerSum(x)) // norms show their statistics in a remark instead
                m_write.row(x.of[0]);
            return true;
        }
        if (x.is(Kind::Choose) && x.when == Expression::When::Hidden) {
            if (m_write.isCopy(x.of[2]))
                m_write.row(x.of[2]);
            return true;
        }
        if (x.is(Kind::Choose)) {
            m_write.row(x.of[2]);
            return m_write.hidesAny();
        }
        if (!m_write.isCopy(x) && !m_write.hasIndices(x))
            m_write.row(x);
        return false;
    }

    /// Writes "mat → cat:  " or "mat [3]:  ".
    void place() {
        // The name is a separate piece, so that right-to-left tokens do not reorder the rest.
        LineWriter &line = m_write.line();
        const Columns columns = infoOf(m_selection.stage).columns;
        const std::optional<Index> column = m_region.column;
        if (m_write.rowsAreSequences())
            line.aside(Note::Sequence, {std::to_string(*m_region.row)});
        else
            line.name(Piece::Kind::RowName, *m_region.row);
        if (column && columns == Columns::Keys) {
            line.asidePlain(" → ");
            line.name(Piece::Kind::ColumnName, *column);
        } else if (column && columns == Columns::Words) {
            line.asidePlain(" [");
            line.name(Piece::Kind::ColumnName, *column);
            line.asidePlain("]");
        } else if (column) {
            line.asidePlain(" [" + std::to_string(*column) + "]");
        }
        line.asidePlain(":  ");
    }

    ArithmeticWriter m_write;
    const Selection &m_selection;
    Region m_region;
};

} // namespace

Line arithmeticOf(const Trace &trace, const Selection &selection) {
    const auto region = regionOf(trace.plan(), selection);
    if (!region || !region->row)
        return {};
    return Arithmetic(trace, selection, *region).line();
}

} // namespace headlight::core
