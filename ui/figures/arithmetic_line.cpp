#include "ui/figures/arithmetic_line.h"

#include "ui/figures/cell_place.h"
#include "ui/figures/flow_parts.h"
#include "ui/figures/number_text.h"
#include "ui/figures/trace_heatmap.h"

#include <QCoreApplication>

#include <cmath>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Arithmetic)
};

QString shortText(float value, int decimals) {
    if (std::abs(value) >= 1e5f && std::isfinite(value))
        return fullText(value);
    return numberText(static_cast<double>(value), decimals);
}

} // namespace

QString termText(float value) {
    return shortText(value, 2);
}

QString resultText(float value) {
    return shortText(value, 4);
}

ArithmeticLine::ArithmeticLine(const core::Trace &trace, const core::Selection &selection,
                               const FigureStyle &style)
    : m_trace(trace),
      m_selection(selection),
      m_style(style),
      m_row(rowOf(selection).value_or(-1)),
      m_column(columnOf(selection)) {
    const SharedMatrix own = matrix(selection.stage);
    if (m_column && (*m_column < 0 || *m_column >= own.columns))
        m_column.reset();
}

core::SharedMatrix ArithmeticLine::matrix(Stage stage, std::optional<Index> head) const {
    core::Selection at = m_selection;
    at.stage = stage;
    at.head = head.value_or(m_selection.head);
    return matrixOf(m_trace, at);
}

core::SharedMatrix ArithmeticLine::matrix(core::StageAt at) const {
    return matrixOf(m_trace, atStage(m_selection, at));
}

QString ArithmeticLine::token(Index index) const {
    return rowNames(m_trace, m_selection).value(index);
}

QString ArithmeticLine::key(Index index) const {
    return keyTokens(m_trace, m_selection).value(index);
}

void ArithmeticLine::plain(const QString &text) {
    m_spans.append({text, m_style.text, false, {}});
}

void ArithmeticLine::muted(const QString &text) {
    m_spans.append({text, m_style.mutedText, false, {}});
}

void ArithmeticLine::number(const QString &text, Role role) {
    m_spans.append({text, m_style.colourOf(role), false, {}});
}

void ArithmeticLine::highlighted(const QString &text) {
    m_spans.append({text, m_style.selection, true, {}});
}

void ArithmeticLine::equals(float result) {
    plain(QStringLiteral(" = "));
    highlighted(resultText(result));
}

void ArithmeticLine::letter(const QString &text, const QString &beneath, Role role) {
    m_spans.append({text, m_style.colourOf(role), true, {}});
    if (!beneath.isEmpty())
        m_spans.append({beneath, m_style.colourOf(role), true, Span::Place::Subscript});
}

QString ArithmeticLine::inBrackets(float value) {
    const QString text = termText(value);
    return value < 0 ? QStringLiteral("(%1)").arg(text) : text;
}

void ArithmeticLine::product(float a, Role roleOfA, float b, Role roleOfB) {
    number(termText(a), roleOfA);
    plain(QStringLiteral("·"));
    number(inBrackets(b), roleOfB);
}

void ArithmeticLine::vector(std::span<const float> numbers, Role role,
                            std::optional<Index> stressed) {
    plain(QStringLiteral("( "));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (stressed == static_cast<Index>(i))
            highlighted(resultText(numbers[i]));
        else
            number(termText(numbers[i]), role);
        plain(QStringLiteral(" "));
    }
    plain(QStringLiteral(")"));
}

void ArithmeticLine::place() {
    // In pieces from left to right: a word written from the right must not turn the others.
    if (rowsAreSequences(m_selection.stage))
        muted(Words::tr("sequence "));
    muted(token(m_row));
    const core::Columns columns = core::infoOf(m_selection.stage).columns;
    if (m_column && columns == core::Columns::Keys) {
        muted(QStringLiteral(" → "));
        muted(key(*m_column));
    } else if (m_column && columns == core::Columns::Words) {
        muted(QStringLiteral(" ["));
        muted(wordName(m_trace.model(), *m_column));
        muted(QStringLiteral("]"));
    } else if (m_column) {
        muted(QStringLiteral(" [%1]").arg(*m_column));
    }
    muted(QStringLiteral(":  "));
}

void ArithmeticLine::values(const MatrixView &own, Role role) {
    if (!m_column)
        return vector(own.row(m_row), role);
    highlighted(resultText(own(m_row, *m_column)));
}

void ArithmeticLine::vectorOrNumber(const MatrixView &from, Role role, bool result) {
    if (!m_column)
        return vector(from.row(m_row), role);
    const QString text = resultText(from(m_row, *m_column));
    if (result)
        highlighted(text);
    else
        number(text, role);
}

void ArithmeticLine::linear(const MatrixView &input, Role inputRole, const Projection &by,
                            Role role, const MatrixView &own) {
    if (!by.weight || input.empty())
        return values(own, inputRole);
    if (!m_column) {
        vector(input.row(m_row), inputRole);
        plain(QStringLiteral(" · "));
        if (by.transposed)
            letter(QStringLiteral("Eᵀ"), {}, role);
        else
            letter(QStringLiteral("W"), by.letter, role);
        if (by.bias) {
            plain(QStringLiteral(" + "));
            vector(by.bias->view().columnBlock(by.firstColumn, own.columns).row(0), role);
        }
        plain(QStringLiteral(" = "));
        return vector(own.row(m_row), role);
    }
    const Index column = by.firstColumn + *m_column;
    for (Index i = 0; i < input.columns; ++i) {
        if (i > 0)
            plain(QStringLiteral(" + "));
        product(input(m_row, i), inputRole,
                by.transposed ? (*by.weight)(column, i) : (*by.weight)(i, column), role);
    }
    if (by.bias) {
        plain(QStringLiteral(" + "));
        number(inBrackets((*by.bias)(0, column)), role);
    }
    equals(own(m_row, *m_column));
    if (by.transposed)
        muted(Words::tr("   (row %1 of E)").arg(column));
    else
        muted(Words::tr("   (column %1 of W_%2)").arg(column).arg(by.letter));
}

} // namespace headlight::ui
