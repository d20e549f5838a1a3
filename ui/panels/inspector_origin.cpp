// One function for each operation: its lines for a number of a vector.
#include "ui/panels/inspector_origin.h"

#include "ui/document/edits/matrix_id.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/words/glossary/term_html.h"
#include "ui/words/sentences.h"
#include "ui/words/stage_titles.h"
#include "ui/words/symbol_text.h"
#include "ui/words/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Derivation;
using Q = core::Quantity;
namespace op = core::op;

struct InspectorOriginWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// True if the number is computed from an unnamed step between two stages.
bool readsUnnamed(const Derivation &cell) {
    return !cell.from.empty() && cell.from[0] == cell.at;
}

/// Returns the name of the multiplied vector: "X", "Concat", "N".
QString inputName(const core::Trace &trace, const Derivation &cell) {
    return readsUnnamed(cell)  ? QStringLiteral("U")
           : cell.from.empty() ? QString()
                               : symbolText(trace, cell.from[0].stage);
}

bool isTransposed(const Derivation &cell) {
    const auto *linear = std::get_if<op::Linear>(cell.by);
    return linear && linear->transposed;
}

/// Returns "WQ[:,3]" for the `matrix` "WQ"; with tied embeddings "E[bank,:]".
QString columnText(const core::Trace &trace, const Derivation &cell, const QString &matrix) {
    if (isTransposed(cell))
        return QStringLiteral("E[%1,:]").arg(wordName(trace.model(), cell.matrixColumn));
    return cell.matrixRow > 0
               ? QStringLiteral("%1[%2…,%3]").arg(matrix).arg(cell.matrixRow).arg(cell.matrixColumn)
               : QStringLiteral("%1[:,%2]").arg(matrix).arg(cell.matrixColumn);
}

QString wholeText(const Derivation &cell, Q quantity) {
    return QString::fromStdString(cell.wholeText(quantity));
}

QString normWords(core::NormKind kind, const core::Derivation &cell) {
    const QString count = wholeText(cell, Q::Count);
    switch (kind) {
    case core::NormKind::Batch:
        return InspectorOriginWords::tr(
                   "Batch norm: mean and deviation of this channel are over %1 real tokens of "
                   "%2 sequences. So a token's number depends on other sentences and, under "
                   "a causal mask too, on tokens that come later: it leaks.")
            .arg(count)
            .arg(wholeText(cell, Q::Sequences));
    case core::NormKind::RootMeanSquare:
        return InspectorOriginWords::tr(
                   "RMS norm: divided by the root of the mean square of the token's %1 "
                   "numbers; nothing is centred.")
            .arg(count);
    default:
        return InspectorOriginWords::tr(
                   "Layer norm: mean and deviation are of the token's own %1 numbers.")
            .arg(count);
    }
}

QString pooledWords(core::Pooling pooling, const Derivation &cell) {
    switch (pooling) {
    case core::Pooling::First:
        return InspectorOriginWords::tr("The first token stands for the sequence.");
    case core::Pooling::Last:
        return InspectorOriginWords::tr("The last real token, %1, stands for the sequence.")
            .arg(wholeText(cell, Q::OtherIndex));
    case core::Pooling::Mean:
        return InspectorOriginWords::tr("The mean of the %1 real tokens stands for the sequence.")
            .arg(wholeText(cell, Q::Count));
    }
    return {};
}

class OriginLines {
  public:
    OriginLines(const core::Trace &trace, const std::vector<Derivation> &all)
        : m_trace(trace), m_all(all) {}

    InspectorSection write() {
        for (m_at = 0; m_at < m_all.size(); ++m_at)
            std::visit(*this, *cell().by);
        return std::move(m_section);
    }

    void operator()(const op::EmbeddingLookup &) {
        if (!cell().find(Q::Word))
            return value({});
        const core::Index word = cell().matrixRow;
        value(QStringLiteral("E[%1,%2]").arg(word).arg(cell().matrixColumn),
              InspectorOriginWords::tr(
                  "Word %1 of the vocabulary: its one-hot row, 1 there and 0 elsewhere, "
                  "times E is row %1 of E.")
                  .arg(word));
    }
    void operator()(const op::Clone &) { same(); }

    void operator()(const op::AddSinusoids &of) {
        const core::Index at = column();
        const bool isSine = of.order == core::SinusoidOrder::Interleaved
                                ? at % 2 == 0
                                : 2 * at < m_trace.model().config.tokenWidth();
        addend(InspectorOriginWords::tr("position"),
               isSine ? InspectorOriginWords::tr("sine") : InspectorOriginWords::tr("cosine"));
    }
    void operator()(const op::AddPositions &) {
        addend(InspectorOriginWords::tr("position"),
               InspectorOriginWords::tr("row %1 of the table").arg(whole(Q::OtherIndex)));
    }
    void operator()(const op::AddTokenTypes &) {
        addend(InspectorOriginWords::tr("token type"),
               InspectorOriginWords::tr("type %1").arg(whole(Q::OtherIndex)));
    }
    void operator()(const op::Scale &of) {
        input();
        line(QStringLiteral("×"),
             (of.divides ? QStringLiteral("1 ÷ √%1") : QStringLiteral("√%1")).arg(of.root),
             cell().value);
        if (isLast())
            value({});
    }
    void operator()(const op::Add &) {
        input();
        line(titleOf(cell().from[1].stage), {}, Q::Other);
        if (isLast()) // a parallel layer adds several terms
            value(InspectorOriginWords::tr("their sum"));
    }

    void operator()(const op::Normalise &of) {
        line(InspectorOriginWords::tr("number"), {}, Q::Input);
        const bool centres = of.kind != core::NormKind::RootMeanSquare;
        if (centres)
            line(InspectorOriginWords::tr("mean"),
                 InspectorOriginWords::tr("of %1 numbers").arg(whole(Q::Count)), Q::Mean);
        const QString epsilon = shownNumber(static_cast<double>(of.epsilon));
        line(centres ? InspectorOriginWords::tr("deviation")
                     : InspectorOriginWords::tr("root mean square"),
             centres ? QStringLiteral("√(σ² + %1)").arg(epsilon)
                     : InspectorOriginWords::tr("√(mean of x² + %1)").arg(epsilon),
             Q::Deviation);
        QString how = centres ? QStringLiteral("(x − μ) ÷ σ") : QStringLiteral("x ÷ RMS");
        if (cell().find(Q::Gain)) {
            line(InspectorOriginWords::tr("gain"), QStringLiteral("γ"), Q::Gain);
            how += QStringLiteral(" · γ");
        }
        if (cell().find(Q::Bias)) {
            line(InspectorOriginWords::tr("bias"), QStringLiteral("β"), Q::Bias);
            how += QStringLiteral(" + β");
        }
        value(how, normWords(of.kind, cell()));
        if (readsUnnamed(cell()) && !isLast())
            m_section.words = sentences(
                {m_section.words, InspectorOriginWords::tr("They are those of all heads.")});
    }

    void operator()(const op::Linear &of) {
        const bool multiplies = isLast() || readsUnnamed(cell());
        const bool isProduct = !isLast() || cell().find(Q::Bias);
        const QString input = inputName(m_trace, cell());
        const auto said = [&](const QString &vector, const QString &matrix) {
            const QString column = columnText(m_trace, cell(), matrix);
            return multiplies ? QStringLiteral("%1 · %2").arg(vector, column) : column;
        };
        const QString product = said(plainSymbols(input).toLower(),
                                     cell().matrix ? symbolOf(cell().matrix->which) : QString());
        if (!multiplies)
            line(InspectorOriginWords::tr("linear"), product, cell().value);
        else if (isProduct)
            line(InspectorOriginWords::tr("terms"), product, core::sumOf(cell().terms));
        if (multiplies && cell().find(Q::Bias))
            line(InspectorOriginWords::tr("bias"), QStringLiteral("b[%1]").arg(cell().matrixColumn),
                 Q::Bias);
        if (isLast())
            value(cell().find(Q::Bias) ? InspectorOriginWords::tr("terms + bias") : product);
        // A token with an underscore is not one of our symbols.
        if (cell().matrix && !isTransposed(cell()))
            for (InspectorLine &one : m_section.lines)
                if (one.expression == product)
                    one.html =
                        symbolsInHtml(said(input.contains(QChar(0x00B7)) ? input : input.toLower(),
                                           markedSymbolOf(cell().matrix->which))
                                          .toHtmlEscaped());
        if (of.transposed && multiplies)
            m_section.words = InspectorOriginWords::tr(
                "The output matrix is tied: it is the embeddings', turned over.");
    }

    void operator()(const op::ApplyRotary &) {
        const std::optional<core::Index> other = cell().whole(Q::OtherIndex);
        if (!other)
            return same();
        const core::Index own = column(), partner = *other;
        line(InspectorOriginWords::tr("unrotated"),
             InspectorOriginWords::tr("dimension %1").arg(own), Q::Input);
        line(InspectorOriginWords::tr("its partner"),
             InspectorOriginWords::tr("dimension %1").arg(partner), Q::Other);
        line(InspectorOriginWords::tr("angle"),
             InspectorOriginWords::tr("radians, position %1").arg(*cell().made.row), Q::Angle);
        line(InspectorOriginWords::tr("cosine"), {}, Q::Cosine);
        line(InspectorOriginWords::tr("sine"), {}, Q::Sine);
        value(own < partner ? InspectorOriginWords::tr("own · cos − partner · sin")
                            : InspectorOriginWords::tr("own · cos + partner · sin"),
              InspectorOriginWords::tr(
                  "Dimensions %1 and %2 turn together, by an angle that grows with the "
                  "position: a score then depends on how far apart two tokens are.")
                  .arg(std::min(own, partner))
                  .arg(std::max(own, partner)));
    }

    void operator()(const op::WeightedSum &) {
        value(InspectorOriginWords::tr("weights · V[:,%1]").arg(column()));
    }
    void operator()(const op::Zero &) {
        value(InspectorOriginWords::tr("silenced"),
              InspectorOriginWords::tr(
                  "The head is silenced: its context is 0, whatever its weights."));
    }
    void operator()(const op::MeanRows &) {
        value(InspectorOriginWords::tr("mean of %1 tokens").arg(cell().terms.size()),
              InspectorOriginWords::tr(
                  "The head gives its mean over the sequence's real tokens: the same to "
                  "every row."));
    }
    void operator()(const op::ConcatHeads &) {
        if (!isLast()) // only joins the heads for a norm of all of them
            return;
        const QString head = whole(Q::Count), dimension = whole(Q::OtherIndex);
        value(InspectorOriginWords::tr("head %1 [%2]").arg(head).arg(dimension),
              InspectorOriginWords::tr("Copied from the context of head %1, dimension %2.")
                  .arg(head)
                  .arg(dimension));
    }

    /// The preceding norm has already shown everything.
    void operator()(const op::SplitHeads &) {}

    void operator()(const op::Activate &of) {
        const QString name = titleOf(of.activation);
        if (readsUnnamed(cell()) && !isLast())
            return line(InspectorOriginWords::tr("activated"), name, cell().value);
        if (readsUnnamed(cell()))
            return value(name);
        line(InspectorOriginWords::tr("hidden"), {}, Q::Input);
        value(InspectorOriginWords::tr("%1 of it").arg(name));
    }
    void operator()(const op::Gate &of) {
        line(InspectorOriginWords::tr("gate"), {}, Q::Input);
        line(InspectorOriginWords::tr("activated"),
             InspectorOriginWords::tr("%1 of the gate").arg(titleOf(of.activation)), Q::Activated);
        line(InspectorOriginWords::tr("hidden"), {}, Q::Other);
        value(InspectorOriginWords::tr("activated · hidden"));
    }

    /// Softmax of the logits. The softmax of scores is shown with the pair.
    void operator()(const op::Softmax &) {
        const double maximum = cell().number(Q::Maximum);
        const QString exponent =
            (maximum < 0 ? QStringLiteral("exp(%1 − (%2))") : QStringLiteral("exp(%1 − %2)"))
                .arg(shownNumber(cell().number(Q::Input)), shownNumber(maximum));
        line(InspectorOriginWords::tr("logit"), {}, Q::Input);
        line(InspectorOriginWords::tr("exp"), exponent, Q::Exponential);
        m_section.lines << lineOf(InspectorOriginWords::tr("probability"),
                                  QStringLiteral("%1 ÷ Σ %2")
                                      .arg(shownNumber(cell().number(Q::Exponential)),
                                           shownNumber(cell().number(Q::Sum))),
                                  cell().value, true);
    }
    void operator()(const op::Pool &of) {
        m_section.words = pooledWords(of.pooling, cell());
        if (isLast())
            value({}, m_section.words);
    }
    void operator()(const op::Softcap &of) {
        const QString limit = shownNumber(static_cast<double>(of.limit));
        line(titleOf(cell().from[0].stage), {}, Q::Input);
        value(QStringLiteral("%1 · tanh(x ÷ %1)").arg(limit),
              InspectorOriginWords::tr("Kept between −%1 and %1.").arg(limit));
    }
    void operator()(const op::Tanh &) { value(QStringLiteral("tanh"), m_section.words); }

    /// Any other operation: only the value is known.
    template <typename Other>
    void operator()(const Other &) {
        value({});
    }

  private:
    const Derivation &cell() const { return m_all[m_at]; }
    bool isLast() const { return m_at + 1 == m_all.size(); }
    core::Index column() const { return cell().made.column.value_or(0); }
    QString whole(Q quantity) const { return wholeText(cell(), quantity); }

    void line(const QString &name, const QString &how, Q quantity) {
        m_section.lines << lineOf(name, how, cell(), quantity);
    }
    template <typename Number>
    void line(const QString &name, const QString &how, Number number) {
        m_section.lines << lineOf(name, how, number);
    }
    void value(const QString &how, const QString &words = {}) {
        m_section.lines << lineOf(InspectorOriginWords::tr("value"), how, cell().value, true);
        m_section.words = words;
    }
    void same() {
        value({},
              InspectorOriginWords::tr("The same number as at “%1”: nothing is done to it here.")
                  .arg(titleOf(cell().from[0].stage)));
    }
    /// Adds the first term of a sum.
    void input() {
        if (m_at > 0)
            return;
        const core::Stage from = cell().from[0].stage;
        line(from == core::Stage::Embeddings ? InspectorOriginWords::tr("embedding")
                                             : titleOf(from),
             {}, Q::Input);
    }
    void addend(const QString &name, const QString &how) {
        input();
        line(name, how, Q::Other);
        if (isLast())
            value(InspectorOriginWords::tr("their sum"));
    }

    const core::Trace &m_trace;
    const std::vector<Derivation> &m_all;
    std::size_t m_at = 0;
    InspectorSection m_section;
};

} // namespace

InspectorSection originSection(const core::Trace &trace, const core::Selection &selection,
                               const std::vector<Derivation> &derivations) {
    InspectorSection section = OriginLines(trace, derivations).write();
    if (selection.stage == core::Stage::HeadOutputs)
        section.words =
            (trace.model().attentionParameters(selection.attention()).outputBias
                 ? InspectorOriginWords::tr("Head %1's share of the output: the shares of all "
                                            "heads and the bias sum to it.")
                 : InspectorOriginWords::tr(
                       "Head %1's share of the output: the shares of all heads sum to it."))
                .arg(selection.head);
    return section;
}

InspectorSection termsSection(const core::Trace &trace, const core::Selection &selection,
                              const std::vector<Derivation> &derivations,
                              const FigureStyle &style) {
    InspectorSection section;
    const auto found = std::ranges::find_if(derivations, [](const Derivation &one) {
        return !one.terms.empty() && !std::holds_alternative<op::EmbeddingLookup>(*one.by);
    });
    if (found == derivations.end())
        return section;
    const Derivation &cell = *found;
    if (std::holds_alternative<op::WeightedSum>(*cell.by)) {
        section.heading = InspectorOriginWords::tr("%1 ⊙ %2 BY KEY")
                              .arg(symbolLink("A", style.accent), symbolLink("V", style.value));
        section.series = {cell.terms,
                          QStringLiteral("w"),
                          QStringLiteral("v"),
                          InspectorOriginWords::tr("key"),
                          keyTokens(trace, selection),
                          {},
                          true};
    } else if (std::holds_alternative<op::MeanRows>(*cell.by)) {
        section.heading =
            InspectorOriginWords::tr("MEAN OF %1").arg(termLink("A · V", "context", style.context));
        section.series = {cell.terms,
                          QStringLiteral("z"),
                          QStringLiteral("1/n"),
                          InspectorOriginWords::tr("token"),
                          queryTokens(trace, selection),
                          {},
                          true};
    } else if (std::holds_alternative<op::Pool>(*cell.by)) {
        if (cell.terms.size() < 2)
            return section;
        section.heading = InspectorOriginWords::tr("BY TOKEN");
        section.series = {cell.terms,
                          QStringLiteral("x"),
                          QStringLiteral("1/n"),
                          InspectorOriginWords::tr("token"),
                          tokensOf(trace.batch(), selection.sequence),
                          {},
                          true};
    } else if (cell.matrix) {
        const QString input = inputName(trace, cell);
        const QString matrix =
            isTransposed(cell) ? QStringLiteral("E") : symbolOf(cell.matrix->which);
        const QString marked = isTransposed(cell) ? matrix : markedSymbolOf(cell.matrix->which);
        section.heading = InspectorOriginWords::tr("%1 ⊙ %2 BY DIMENSION")
                              .arg(symbolLink(input, style.text), symbolLink(marked, style.text));
        section.series = {cell.terms, plainSymbols(input).toLower(),
                          matrix,     InspectorOriginWords::tr("dimension"),
                          {},         {},
                          true};
    }
    return section;
}

InspectorSection headsSection(const Derivation &cell) {
    InspectorSection section;
    section.heading = InspectorOriginWords::tr("BY HEAD");
    for (const double part : cell.sumsOfHeads())
        section.series.terms.push_back({static_cast<float>(part), 1});
    section.series.leftName = InspectorOriginWords::tr("part");
    section.series.quantity = InspectorOriginWords::tr("part of the sum");
    section.series.indexName = InspectorOriginWords::tr("head");
    return section;
}

} // namespace headlight::ui
