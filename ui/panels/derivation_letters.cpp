#include "ui/panels/derivation_letters.h"

#include "ui/document/edits/matrix_id.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/panels/derivation_text.h"
#include "ui/panels/inspector_text.h"
#include "ui/text/number_text.h"
#include "ui/text/stage_titles.h"
#include "ui/text/symbol_text.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Expression;
using Kind = Expression::Kind;
using When = Expression::When;
using Axis = core::Coordinate::Kind;
using Q = core::Quantity;

struct DerivationLettersText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

bool isSum(const Expression &x) {
    return x.is(Kind::Add) || x.is(Kind::Subtract);
}

bool isDistance(const Expression &x) {
    return x.is(Kind::Subtract) && x.of[0].is(Kind::RowIndex) && x.of[1].is(Kind::KeyIndex);
}

/// Returns the part that depends on the mask; null if there is none.
const Expression *decidedByMask(const Expression &x) {
    if (x.is(Kind::Choose) && x.when == When::Hidden)
        return &x;
    for (const Expression &part : x.of)
        if (const Expression *found = decidedByMask(part))
            return found;
    return nullptr;
}

QString inBrackets(const QString &text) {
    return QStringLiteral("(%1)").arg(text);
}

} // namespace

DerivationLetters::DerivationLetters(const core::Trace &trace, const core::Derivation &cell,
                                     bool isInputShown)
    : m_trace(trace),
      m_cell(cell),
      m_sum(core::outerSum(cell.expression)),
      m_isInputShown(isInputShown) {}

QString DerivationLetters::value() const {
    const Expression &x = m_cell.expression;
    if (const QString words = valueText(m_cell); !words.isEmpty())
        return words;
    if (m_cell.isCopied())
        return {};
    if (const Expression *choice = decidedByMask(x)) {
        const bool isHidden = m_cell.hiddenBy.has_value();
        const QString sight =
            isHidden ? DerivationLettersText::tr("hidden") : DerivationLettersText::tr("visible");
        if (x.is(Kind::Multiply))
            return QStringLiteral("%1: × %2").arg(sight, write(*choice));
        if (m_cell.find(Q::Visible) && !isHidden)
            return DerivationLettersText::tr("uniform: %1").arg(write(*choice));
        return sight;
    }
    // "their sum", because the names of both vectors would be too long
    const bool isOfTwo = x.is(Kind::Add) && x.of[0].is(Kind::Named) && x.of[1].is(Kind::Named);
    if (!isPair() && isOfTwo)
        return DerivationLettersText::tr("their sum");
    return write(x);
}

QString DerivationLetters::of(Q quantity) const {
    const QString column = QString::number(m_cell.made.column.value_or(0));
    const bool turns = m_cell.find(Q::Cosine).has_value();
    const Expression *part = core::partNamed(m_cell.expression, quantity);
    switch (quantity) {
    case Q::Input:
        return turns ? DerivationLettersText::tr("dimension %1").arg(column) : QString();
    case Q::Other: {
        const QString index = QString::fromStdString(m_cell.wholeText(Q::OtherIndex));
        if (turns)
            return DerivationLettersText::tr("dimension %1").arg(index);
        switch (part ? part->of[0].kind : Kind::Read) {
        case Kind::Sine:
            return DerivationLettersText::tr("sine");
        case Kind::Cosine:
            return DerivationLettersText::tr("cosine");
        case Kind::Learned:
            return m_cell.hasNote(core::Note::TypesAdded)
                       ? DerivationLettersText::tr("type %1").arg(index)
                       : DerivationLettersText::tr("row %1 of the table").arg(index);
        default:
            return {};
        }
    }
    case Q::Angle:
        return DerivationLettersText::tr("radians, position %1").arg(*m_cell.made.row);
    case Q::Mean:
        return DerivationLettersText::tr("of %1 numbers")
            .arg(QString::fromStdString(m_cell.wholeText(Q::Count)));
    case Q::Gain:
        return QString::fromStdString(part->text);
    case Q::Bias:
        return m_sum ? QStringLiteral("b[%1]").arg(m_cell.matrixColumn)
                     : QString::fromStdString(part->text);
    case Q::Deviation:
    case Q::Exponential:
        return write(part->of[0]);
    case Q::Activated: {
        const QString name = call(part->of[0]);
        return DerivationLettersText::tr("%1 of the gate").arg(name);
    }
    case Q::Factor:
        return DerivationLettersText::tr("of position %1").arg(*m_cell.made.row);
    case Q::Distance:
        return DerivationLettersText::tr("key − query");
    case Q::Slope:
    case Q::Sink:
        return DerivationLettersText::tr("of the head");
    case Q::Bucket:
        return DerivationLettersText::tr("of the distance");
    default:
        return {};
    }
}

QString DerivationLetters::write(const Expression &x) const {
    const auto between = [&](const char16_t *sign) {
        return operand(x.of[0], false) + QString::fromUtf16(sign) + operand(x.of[1], true);
    };
    const auto inside = [&](const QString &function) {
        return function + inBrackets(write(x.of[0]));
    };
    switch (x.kind) {
    case Kind::Number:
        return fullText(static_cast<float>(x.number));
    case Kind::Read:
        if (x.column.kind == Axis::Fixed && !x.head) {
            const core::Plan &plan = m_trace.plan();
            return QStringLiteral("%1[%2]")
                .arg(symbolText(m_trace, plan[plan[x.step].reads[x.which]].at))
                .arg(x.column.index);
        }
        return input();
    case Kind::Sum:
        return m_cell.find(Q::Bias) ? DerivationLettersText::tr("terms") : product();
    case Kind::Mean:
        if (x.over == Axis::Token && x.count > 1)
            return DerivationLettersText::tr("mean of %n tokens", nullptr,
                                             static_cast<int>(x.count));
        // A single row has no mean to show, but the mean of a head is still named.
        if (x.over == Axis::Token)
            return x.of[0].is(Kind::Read) ? QString()
                                          : DerivationLettersText::tr("mean of 1 token");
        return DerivationLettersText::tr("mean of %1").arg(write(x.of[0]));
    case Kind::Add:
        return write(x.of[0]) + QStringLiteral(" + ") + write(x.of[1]);
    case Kind::Subtract:
        return isDistance(x) ? DerivationLettersText::tr("distance") : between(u" − ");
    case Kind::Multiply:
        return between(u" · ");
    case Kind::Divide:
        return between(u" ÷ ");
    case Kind::Power:
        return write(x.of[0]) + QStringLiteral("²");
    case Kind::Negative:
        return QStringLiteral("−") + operand(x.of[0], true);
    case Kind::Absolute:
        return QStringLiteral("|%1|").arg(write(x.of[0]));
    case Kind::Root:
        return x.of[0].is(Kind::Number) ? QStringLiteral("√") + write(x.of[0])
                                        : inside(QStringLiteral("√"));
    case Kind::Exponential:
        return inside(QStringLiteral("exp"));
    case Kind::Tanh: {
        const bool isOfLineBefore = x.of[0].is(Kind::Named) && !m_isInputShown;
        return isOfLineBefore ? QStringLiteral("tanh") : inside(QStringLiteral("tanh"));
    }
    case Kind::Choose:
        return chosen(x);
    case Kind::Named:
        return named(x);
    case Kind::Call:
        if (x.name != core::Note::ActivationName)
            return write(x.of[1]);
        return m_isInputShown ? DerivationLettersText::tr("%1 of it").arg(call(x)) : call(x);
    case Kind::Given:
    case Kind::RowIndex:
    case Kind::KeyIndex:
    case Kind::Learned:
    case Kind::Table:
    case Kind::Made:
    case Kind::Gradient:
    case Kind::Maximum:
    case Kind::Sine:
    case Kind::Cosine:
    case Kind::ErrorFunction:
    case Kind::Positive:
    case Kind::Symbol:
    case Kind::Side:
        // such parts do not occur in these expressions
        break;
    }
    return {};
}

QString DerivationLetters::operand(const Expression &x, bool isRight) const {
    const QString text = write(x);
    const bool isNegative = isRight && text.startsWith(QChar(0x2212));
    return (isSum(x) && !isDistance(x)) || isNegative ? inBrackets(text) : text;
}

/// Returns the name of a number that has a line or a well-known letter. Otherwise returns its
/// digits.
QString DerivationLetters::named(const Expression &x) const {
    switch (x.quantity) {
    case Q::Input:
        return input();
    case Q::Other:
        return m_cell.find(Q::Cosine) ? DerivationLettersText::tr("partner")
                                      : nameOf(Q::Other, m_cell);
    case Q::Bias:
        return m_sum ? DerivationLettersText::tr("bias") : QString::fromStdString(x.text);
    case Q::Deviation:
        return m_cell.find(Q::Mean) ? QStringLiteral("σ") : QStringLiteral("RMS");
    case Q::Cosine:
        return QStringLiteral("cos");
    case Q::Sine:
        return QStringLiteral("sin");
    case Q::Activated:
        return &x == &m_cell.expression ? write(x.of[0]) : nameOf(Q::Activated, m_cell);
    case Q::Slope:
    case Q::Factor:
        return nameOf(x.quantity, m_cell);
    case Q::Maximum:
    case Q::Exponential:
    case Q::Sink:
        return shownNumber(m_cell.number(x.quantity));
    case Q::Sum:
        return DerivationLettersText::tr("sum %1").arg(shownNumber(m_cell.number(Q::Sum)));
    case Q::Visible:
        return QString::fromStdString(m_cell.wholeText(Q::Visible));
    default:
        return x.text.empty() ? write(x.of[0]) : QString::fromStdString(x.text);
    }
}

QString DerivationLetters::input() const {
    if (m_cell.hasNote(core::Note::MadeByHead))
        return DerivationLettersText::tr("head %1 [%2]")
            .arg(QString::fromStdString(m_cell.wholeText(Q::Count)),
                 QString::fromStdString(m_cell.wholeText(Q::OtherIndex)));
    // Softmax writes all of its other operands as numbers, so write the input as a number, too.
    if (m_cell.find(Q::Maximum))
        return shownNumber(m_cell.number(Q::Input));
    if (m_cell.find(Q::Cosine))
        return DerivationLettersText::tr("own");
    return isPair() ? nameOf(Q::Input, m_cell) : QStringLiteral("x");
}

QString DerivationLetters::call(const Expression &x) const {
    return x.name == core::Note::ActivationName
               ? titleOf(static_cast<core::Activation>(std::stoi(x.arguments.at(0))))
               : QString();
}

QString DerivationLetters::chosen(const Expression &x) const {
    if (x.when == When::Hidden)
        return write(x.of[m_cell.hiddenBy ? 1 : 2]);
    if (x.when == When::Positive) // a clipped number
        return write(x.of[2]);
    if (!m_cell.isMinusInfinity)
        return isSameNumber(x.of[2]) ? DerivationLettersText::tr("no softmax") : write(x.of[2]);
    return m_cell.find(Q::Input) ? DerivationLettersText::tr("0 for −∞")
                                 : DerivationLettersText::tr("fully masked");
}

// Products

QString DerivationLetters::inputSymbol() const {
    const bool readsUnnamed = !m_cell.from.empty() && m_cell.from[0] == m_cell.at;
    return readsUnnamed          ? QStringLiteral("U")
           : m_cell.from.empty() ? QString()
                                 : symbolText(m_trace, m_cell.from[0]);
}

bool DerivationLetters::isTransposed() const {
    return m_sum && m_sum->is(Kind::Sum) && m_sum->of[0].of[1].row.kind == Axis::Column;
}

QString DerivationLetters::matrixSymbol(bool isMarked) const {
    return isTransposed() || !m_cell.matrix ? QStringLiteral("E")
           : isMarked                       ? markedSymbolOf(m_cell.matrix->which)
                                            : symbolOf(m_cell.matrix->which);
}

QString DerivationLetters::productWith(const QString &vector, const QString &matrix) const {
    const QString column =
        isTransposed()
            ? QStringLiteral("E[%1,:]").arg(wordName(m_trace.model(), m_cell.matrixColumn))
        : m_cell.matrixRow > 0 ? QStringLiteral("%1[%2…,%3]")
                                     .arg(matrix)
                                     .arg(m_cell.matrixRow)
                                     .arg(m_cell.matrixColumn)
                               : QStringLiteral("%1[:,%2]").arg(matrix).arg(m_cell.matrixColumn);
    return QStringLiteral("%1 · %2").arg(vector, column);
}

QString DerivationLetters::product() const {
    const Expression &left = m_sum->of[0].of[0], &right = m_sum->of[0].of[1];
    const QString vector = plainSymbols(inputSymbol()).toLower();
    if (left.is(Kind::Number)) // a row looked up in a table
        return QStringLiteral("E[%1,%2]").arg(m_cell.matrixRow).arg(m_cell.matrixColumn);
    if (right.is(Kind::Learned))
        return productWith(vector, matrixSymbol(false));
    const QString other = symbolText(m_trace, m_cell.from.at(1));
    if (isTransposed())
        return QStringLiteral("%1 · %2").arg(vector, plainSymbols(other).toLower());
    return QStringLiteral("%1 · %2[:,%3]")
        .arg(DerivationLettersText::tr("weights"), other)
        .arg(m_cell.made.column.value_or(0));
}

QString DerivationLetters::productHtml() const {
    const bool isLearned = m_sum && m_sum->is(Kind::Sum) && m_sum->of[0].of[1].is(Kind::Learned) &&
                           m_sum->of[0].of[0].is(Kind::Read);
    // Typesets only products with a parameter matrix, because an underscore elsewhere may belong to
    // a token.
    if (!isLearned || isTransposed())
        return {};
    const QString input = inputSymbol();
    return symbolsInHtml(
        productWith(input.contains(QChar(0x00B7)) ? input : input.toLower(), matrixSymbol(true))
            .toHtmlEscaped());
}

} // namespace headlight::ui
