// A line of arithmetic, folded to fit its space. Long sums and vectors keep only their most
// important numbers and show how many are omitted. Sums also show the total of the omitted terms.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// Widths of lines in a monospaced font, px. Counts digits and signs instead of measuring them,
/// because rows have thousands of numbers.
class MonospaceWidths {
  public:
    explicit MonospaceWidths(const QFont &font);
    double of(const Span &span) const;
    double of(const Spans &spans) const;

  private:
    bool isCounted(const QString &text) const;

    QFont m_font;
    double m_advance;
    bool m_countsSigns = true;
};

/// Returns `line` if it fits into `room` px. Otherwise all its sums and vectors keep the same
/// number of parts, as many as fit. A sum keeps its largest terms, "(… 12 more = 0.31)". A vector
/// keeps its first numbers and the selected one, "( 0.31 0.42 … 14 more )". If even one part of
/// each is too long, omits the names of row and column, then the counts of vectors, and finally
/// other spans. The name of a function, such as softmax, is kept longer than the numbers that are
/// not selected.
Spans foldedLine(const Spans &line, const QFont &font, double room, const FigureStyle &style);

} // namespace headlight::ui
