// One function for each operation: its lines for a value of a query and a key.
#include "ui/panels/inspector_pair_lines.h"

#include "ui/words/glossary/glossary.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

using core::Derivation;
using Q = core::Quantity;
namespace op = core::op;

struct InspectorPairLinesWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// Returns the short name of the stage's value within its pair.
QString nameOf(core::Stage stage) {
    switch (stage) {
    case core::Stage::Scores:
        return InspectorPairLinesWords::tr("score");
    case core::Stage::ScaledScores:
        return InspectorPairLinesWords::tr("scaled");
    case core::Stage::CappedScores:
        return InspectorPairLinesWords::tr("capped");
    case core::Stage::PositionBias:
        return InspectorPairLinesWords::tr("bias");
    case core::Stage::BiasedScores:
        return InspectorPairLinesWords::tr("biased");
    case core::Stage::MaskedScores:
        return InspectorPairLinesWords::tr("masked");
    case core::Stage::UnmaskedWeights:
        return InspectorPairLinesWords::tr("unmasked");
    default:
        return InspectorPairLinesWords::tr("weight");
    }
}

class PairLines {
  public:
    explicit PairLines(const std::vector<Derivation> &all) : m_all(all) {}

    QList<InspectorLine> write() {
        for (m_at = 0; m_at < m_all.size(); ++m_at)
            std::visit(*this, *cell().by);
        return std::move(m_lines);
    }

    void operator()(const op::DotProduct &) { result(InspectorPairLinesWords::tr("q · k")); }
    void operator()(const op::SetCells &) {
        m_lines << lineOf(InspectorPairLinesWords::tr("computed"),
                          InspectorPairLinesWords::tr("q · k"), core::sumOf(cell().terms));
        result(InspectorPairLinesWords::tr("set by hand"));
    }
    void operator()(const op::Scale &of) {
        result(of.root > 0 ? InspectorPairLinesWords::tr("score ÷ √%1").arg(of.root)
               : of.divisor != 1 || of.divides
                   ? InspectorPairLinesWords::tr("score ÷ %1").arg(shown(of.divisor))
                   : InspectorPairLinesWords::tr("not scaled"));
    }
    void operator()(const op::Softcap &of) {
        const QString limit = shown(of.limit);
        result(
            QStringLiteral("%1 · tanh(%2 ÷ %1)").arg(limit, shownNumber(cell().number(Q::Input))));
    }
    void operator()(const op::AlibiBias &) {
        count(InspectorPairLinesWords::tr("distance"), InspectorPairLinesWords::tr("key − query"),
              Q::Distance);
        line(InspectorPairLinesWords::tr("slope"), InspectorPairLinesWords::tr("of the head"),
             Q::Slope);
        result(InspectorPairLinesWords::tr("−slope · |distance|"));
    }
    void operator()(const op::RelativeBias &) {
        count(InspectorPairLinesWords::tr("distance"), InspectorPairLinesWords::tr("key − query"),
              Q::Distance);
        count(InspectorPairLinesWords::tr("bucket"), InspectorPairLinesWords::tr("of the distance"),
              Q::Bucket);
        result(InspectorPairLinesWords::tr("of the bucket and head"));
    }
    void operator()(const op::Add &) { result(InspectorPairLinesWords::tr("scaled + bias")); }
    void operator()(const op::Mask &) {
        const bool ofWeights = core::infoOf(cell().at.stage).role == core::Role::Weights;
        if (ofWeights)
            result(cell().hiddenBy ? InspectorPairLinesWords::tr("hidden: × 0")
                                   : InspectorPairLinesWords::tr("visible: × 1"));
        else
            result(cell().hiddenBy ? InspectorPairLinesWords::tr("hidden")
                                   : InspectorPairLinesWords::tr("visible"));
    }
    void operator()(const op::Softmax &of) {
        if (!cell().find(Q::Maximum))
            return result(InspectorPairLinesWords::tr("sees nothing"));
        const double maximum = cell().number(Q::Maximum);
        QString exponent = (maximum < 0 ? QStringLiteral("%1 − (%2)") : QStringLiteral("%1 − %2"))
                               .arg(shownNumber(cell().number(Q::Input)), shownNumber(maximum));
        if (of.temperature != 1)
            exponent = QStringLiteral("(%1) ÷ %2").arg(exponent, shown(of.temperature));
        line(InspectorPairLinesWords::tr("exp"), QStringLiteral("exp(%1)").arg(exponent),
             Q::Exponential);
        result(QStringLiteral("%1 ÷ Σ %2")
                   .arg(shownNumber(cell().number(Q::Exponential)),
                        shownNumber(cell().number(Q::Sum))));
    }
    void operator()(const op::NoSoftmax &of) {
        result(of.temperature == 1
                   ? InspectorPairLinesWords::tr("no softmax")
                   : QStringLiteral("%1 ÷ %2").arg(shownNumber(cell().number(Q::Input)),
                                                   shown(of.temperature)));
    }
    void operator()(const op::UniformWeights &) {
        result(cell().hiddenBy ? InspectorPairLinesWords::tr("hidden")
                               : InspectorPairLinesWords::tr("uniform: 1 ÷ %1")
                                     .arg(QString::fromStdString(cell().wholeText(Q::Visible))));
    }
    /// Any other operation: only the value is known.
    template <typename Other>
    void operator()(const Other &) {
        result({});
    }

  private:
    const Derivation &cell() const { return m_all[m_at]; }
    static QString shown(float number) { return shownNumber(static_cast<double>(number)); }
    void line(const QString &name, const QString &how, Q quantity) {
        m_lines << lineOf(name, how, cell(), quantity);
    }
    /// Adds a number of tokens, without decimals.
    void count(const QString &name, const QString &how, Q quantity) {
        const QString exact = QString::fromStdString(cell().wholeText(quantity));
        QString shown = exact;
        m_lines << InspectorLine{name, how, shown.replace(QLatin1Char('-'), QChar(0x2212)), exact};
    }
    void result(const QString &how) {
        m_lines << lineOf(nameOf(cell().at.stage), how, cell().value, m_at + 1 == m_all.size());
        m_lines.last().term = entryOf(cell().at.stage).id;
    }

    const std::vector<Derivation> &m_all;
    std::size_t m_at = 0;
    QList<InspectorLine> m_lines;
};

} // namespace

QList<InspectorLine> pairLines(const std::vector<Derivation> &derivations) {
    return PairLines(derivations).write();
}

} // namespace headlight::ui
