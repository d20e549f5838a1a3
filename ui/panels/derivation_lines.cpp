#include "ui/panels/derivation_lines.h"

#include "ui/panels/derivation_letters.h"
#include "ui/panels/derivation_text.h"
#include "ui/text/glossary/glossary.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Derivation;
using core::Expression;
using Kind = Expression::Kind;
using Q = core::Quantity;

struct DerivationLinesText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// The numbers that get separate lines, in this order.
constexpr Q kShown[] = {Q::Input,  Q::Activated,   Q::Other, Q::Angle, Q::Cosine,   Q::Sine,
                        Q::Mean,   Q::Deviation,   Q::Gain,  Q::Bias,  Q::Distance, Q::Slope,
                        Q::Bucket, Q::Exponential, Q::Sink,  Q::Factor};

bool isPair(const Derivation &cell) {
    return core::infoOf(cell.at.stage).overKeys();
}

/// True if the step only moves numbers, because it joins or splits heads.
bool isMoved(const Derivation &cell) {
    const Expression &x = cell.expression.is(Kind::Named) ? cell.expression.of[0] : cell.expression;
    return x.is(Kind::Read) && !cell.isCopied();
}

class DerivationLines {
  public:
    DerivationLines(const core::Trace &trace, const std::vector<Derivation> &all)
        : m_trace(trace), m_all(all) {
        // Skip moves at the end, because their numbers already have lines.
        while (m_last > 0 && isMoved(m_all[m_last]))
            --m_last;
    }

    InspectorSection write() {
        QStringList words;
        for (m_at = 0; m_at <= m_last; ++m_at) {
            if (isMoved(cell()) && m_at < m_last) // the heads were joined for a norm
                continue;
            lines();
            words << sentencesOf(cell());
            if (!isPair(cell()) && cell().isCopied())
                words << DerivationLinesText::tr(
                             "The same number as in “%1”, because this step does not change it.")
                             .arg(titleOf(cell().from.at(0).stage));
        }
        if (m_last + 1 < m_all.size())
            words << DerivationLinesText::tr("These are the values of all heads.");
        m_section.words = sentences(words);
        return std::move(m_section);
    }

  private:
    const Derivation &cell() const { return m_all[m_at]; }
    bool isLast() const { return m_at == m_last; }

    void lines() {
        const Expression &x = cell().expression;
        const bool isInputShown = isShown(Q::Input);
        const DerivationLetters letters(m_trace, cell(), isInputShown);
        for (const Q quantity : kShown) {
            if (quantity == Q::Bias) // the terms come before the bias that is added to them
                terms(letters);
            if (isShown(quantity))
                line(quantity, letters.of(quantity));
        }
        if (!isPair(cell()) && !isLast() && isScale(x))
            m_section.lines << lineOf(x.is(Kind::Divide) ? QStringLiteral("÷")
                                                         : QStringLiteral("×"),
                                      letters.write(x.of[1]), cell().value);
        if (isPair(cell()) || isLast())
            value(letters);
        else if (core::partNamed(x, Q::Activated) == &x)
            m_section.lines << lineOf(nameOf(Q::Activated, cell()), letters.value(), cell().value);
    }

    /// True if the number needs a separate line, because it is not the value and no earlier line
    /// shows it.
    bool isShown(Q quantity) const {
        const Expression &x = cell().expression;
        if (!cell().find(quantity) || core::partNamed(x, quantity) == &x)
            return false;
        if (quantity == Q::Input)
            return !isPair(cell()) && !isMoved(cell()) && (m_at == 0 || cell().find(Q::Deviation));
        return quantity != Q::Other || !isPair(cell());
    }
    /// True for the input multiplied or divided by a number or a root, such as x · √C.
    static bool isScale(const Expression &x) {
        return (x.is(Kind::Multiply) || x.is(Kind::Divide)) && x.of[0].is(Kind::Named) &&
               x.of[0].quantity == Q::Input && (x.of[1].is(Kind::Root) || x.of[1].is(Kind::Number));
    }

    void line(Q quantity, const QString &how) {
        m_section.lines << lineOf(nameOf(quantity, cell()), how, cell(), quantity);
        if (quantity != Q::Distance && quantity != Q::Bucket)
            return;
        InspectorLine &count = m_section.lines.last(); // an integer, shown without decimals
        count.value = count.exact = QString::fromStdString(cell().wholeText(quantity));
        count.value.replace(QLatin1Char('-'), QChar(0x2212));
    }
    /// Adds a line for the sum of products, unless the line of the value shows it.
    void terms(const DerivationLetters &letters) {
        const Expression *sum = core::outerSum(cell().expression);
        const bool isValue = sum == &cell().expression && (isPair(cell()) || isLast());
        if (!sum || !sum->is(Kind::Sum) || (isValue && !cell().isOverwritten))
            return;
        m_section.lines << lineOf(cell().isOverwritten ? DerivationLinesText::tr("computed")
                                                       : DerivationLinesText::tr("terms"),
                                  letters.product(), core::sumOf(cell().terms));
        m_section.lines.last().html = letters.productHtml();
    }
    void value(const DerivationLetters &letters) {
        const core::Stage stage = cell().at.stage;
        const bool hasName = isPair(cell()) || stage == core::Stage::Probabilities;
        m_section.lines << lineOf(hasName ? nameOfNumber(stage) : DerivationLinesText::tr("value"),
                                  letters.value(), cell().value, isLast());
        InspectorLine &line = m_section.lines.last();
        if (isPair(cell()))
            line.term = entryOf(stage).id;
        if (cell().expression.is(Kind::Sum))
            line.html = letters.productHtml();
    }

    const core::Trace &m_trace;
    const std::vector<Derivation> &m_all;
    std::size_t m_at = 0;
    std::size_t m_last = m_all.size() - 1;
    InspectorSection m_section;
};

} // namespace

InspectorSection derivationSection(const core::Trace &trace,
                                   const std::vector<Derivation> &derivations) {
    return DerivationLines(trace, derivations).write();
}

} // namespace headlight::ui
