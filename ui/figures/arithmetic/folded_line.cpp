#include "ui/figures/arithmetic/folded_line.h"

#include "core/explain/line.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace headlight::ui {

namespace {

/// Consecutive parts of a line that can be left out: the terms of its sum, or the numbers of a
/// vector.
struct Foldable {
    struct Part {
        qsizetype first = 0, end = 0; ///< indices of its spans, end exclusive
        double value = 0;             ///< value of the term; NaN for a vector
        double size = 0;              ///< size of the term
        bool isSelected = false;
    };
    std::vector<Part> parts;
    bool isSum = false;

    /// Returns the indices of the parts, most important first.
    std::vector<std::size_t> byImportance() const {
        std::vector<std::size_t> order(parts.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::ranges::stable_sort(order, std::greater<>(), [this](std::size_t which) {
            const Part &part = parts[which];
            if (!isSum)
                return part.isSelected ? 1.0 : 0.0;
            return std::isnan(part.size) ? 0 : part.size;
        });
        return order;
    }
};

/// A line whose sum and vectors keep only some of their parts.
class Fold {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Fold)

  public:
    Fold(const Spans &line, const FigureStyle &style) : m_line(line), m_style(style) {
        findSum();
        findVectors();
        for (const Foldable &one : m_foldables) {
            m_orders.push_back(one.byImportance());
            m_most = std::max(m_most, one.parts.size());
        }
    }

    /// Returns the number of parts of the longest sum or vector.
    std::size_t most() const { return m_most; }

    /// Returns the line with `count` parts of its sum and of each vector. `areCounted`: vectors
    /// show how many of their numbers are omitted.
    Spans with(std::size_t count, bool areCounted) const {
        std::vector<bool> isKept(static_cast<std::size_t>(m_line.size()), true);
        std::map<qsizetype, Span> inserted; // key: index of the span to insert before
        for (std::size_t i = 0; i < m_foldables.size(); ++i) {
            const Foldable &one = m_foldables[i];
            if (count >= one.parts.size() ||
                !isKept[static_cast<std::size_t>(one.parts.front().first)])
                continue;
            std::vector<bool> isChosen(one.parts.size(), false);
            for (std::size_t rank = 0; rank < count; ++rank)
                isChosen[m_orders[i][rank]] = true;
            for (std::size_t part = 0; part < isChosen.size(); ++part)
                for (qsizetype at = one.parts[part].first; at < one.parts[part].end; ++at)
                    isKept[static_cast<std::size_t>(at)] = isChosen[part];
            if (one.isSum)
                foldSum(one, isChosen, isKept, inserted);
            else
                foldVector(one, isChosen, areCounted, inserted);
        }
        Spans shown;
        for (qsizetype at = 0; at <= m_line.size(); ++at) {
            if (const auto found = inserted.find(at); found != inserted.end())
                shown.append(found->second);
            if (at < m_line.size() && isKept[static_cast<std::size_t>(at)])
                shown.append(m_line[at]);
        }
        return shown;
    }

  private:
    /// Finds the terms of the sum, unless the line has several sums.
    void findSum() {
        Foldable sum;
        sum.isSum = true;
        for (qsizetype i = 0; i < m_line.size(); ++i) {
            if (m_line[i].term == 0)
                continue;
            if (sum.parts.empty() || m_line[i].term != m_line[i - 1].term) {
                if (!sum.parts.empty() && sum.parts.back().end != i)
                    return;
                sum.parts.push_back({i, i, m_line[i].termValue, m_line[i].termSize});
            }
            sum.parts.back().end = i + 1;
        }
        if (sum.parts.size() > 1)
            m_foldables.push_back(std::move(sum));
    }

    void findVectors() {
        for (qsizetype i = 0; i < m_line.size(); ++i) {
            const Span &span = m_line[i];
            if (span.vector == 0)
                continue;
            const bool isFirst = i == 0 || m_line[i - 1].vector != span.vector;
            if (isFirst)
                m_foldables.emplace_back();
            Foldable &vector = m_foldables.back();
            if (isFirst || m_line[i - 1].element != span.element)
                vector.parts.push_back({i, i});
            vector.parts.back().end = i + 1;
            vector.parts.back().isSelected |= span.bold;
        }
    }

    /// Hides the terms that are not chosen and inserts their number and total.
    void foldSum(const Foldable &sum, const std::vector<bool> &isChosen, std::vector<bool> &isKept,
                 std::map<qsizetype, Span> &inserted) const {
        double others = 0;
        qlonglong left = 0;
        for (std::size_t part = 0; part < sum.parts.size(); ++part) {
            others += isChosen[part] ? 0 : sum.parts[part].value;
            left += isChosen[part] ? 0 : 1;
        }
        const auto first = static_cast<std::size_t>(
            std::find(isChosen.begin(), isChosen.end(), true) - isChosen.begin());
        if (first > 0) // hide the sign before the first kept term
            isKept[static_cast<std::size_t>(sum.parts[first].first)] = false;
        const QString words = std::isnan(others)
                                  ? tr("(… %1 more)").arg(left)
                                  : tr("(… %1 more = %2)")
                                        .arg(left)
                                        .arg(QString::fromStdString(core::termText(others)));
        // Vectors side by side have no sign between them.
        const QString &sign = m_line[sum.parts[1].first].text;
        inserted[sum.parts.back().end] =
            muted(QLatin1String(sign.trimmed().isEmpty() ? "  " : " + ") + words);
    }

    /// Marks each gap with "…" and, if `areCounted`, inserts the number of omitted numbers at the
    /// last one.
    void foldVector(const Foldable &vector, const std::vector<bool> &isChosen, bool areCounted,
                    std::map<qsizetype, Span> &inserted) const {
        qlonglong left = 0;
        std::optional<qsizetype> last;
        for (std::size_t part = 0; part < isChosen.size(); ++part) {
            if (isChosen[part])
                continue;
            ++left;
            if (part == 0 || isChosen[part - 1]) {
                last = vector.parts[part].first;
                inserted[*last] = muted(QStringLiteral("… "));
            }
        }
        if (last && areCounted)
            inserted[*last] = muted(QStringLiteral("%1 ").arg(tr("… %1 more").arg(left)));
    }

    Span muted(const QString &text) const { return {text, m_style.mutedText}; }

    const Spans &m_line;
    const FigureStyle &m_style;
    std::vector<Foldable> m_foldables;
    std::vector<std::vector<std::size_t>> m_orders; ///< most important parts first
    std::size_t m_most = 0;
};

/// Returns the number of spans at the beginning that name the row and the column.
qsizetype endOfName(const Spans &spans) {
    const auto found = std::ranges::find_if(
        spans, [](const Span &span) { return span.text.endsWith(QStringLiteral(":  ")); });
    return found == spans.end() ? 0 : found - spans.begin() + 1;
}

/// Returns the number of spans at `place` that name a function, such as "softmax".
qsizetype sizeOfFunction(const Spans &spans, qsizetype place) {
    return place + 1 < spans.size() && !spans[place].text.isEmpty() &&
                   spans[place].text.front().isLetter() &&
                   spans[place + 1].text.startsWith(QLatin1Char('('))
               ? 1
               : 0;
}

/// The order in which to keep spans of a line that is too long even after folding. The selected
/// numbers come first, then the "=", the name of the function, without which the line would be
/// false, the name of the line, the text after the result, and all others.
struct Importance {
    std::vector<qsizetype> order;
    /// Each of the first `alone` spans is kept if it fits. Later ones are kept until one does not
    /// fit.
    std::size_t alone = 0;
};
Importance byImportance(const Spans &spans, const FigureStyle &style) {
    const auto isResult = [&](const Span &span) {
        return span.bold && span.colour == style.selection;
    };
    const auto isEquals = [](const Span &span) {
        return span.text.trimmed() == QStringLiteral("=");
    };
    const qsizetype place = endOfName(spans);
    const qsizetype end = spans.size();
    qsizetype equals = end, last = end;
    for (qsizetype i = end - 1; i >= place && (equals == end || last == end); --i) {
        if (equals == end && isEquals(spans[i]))
            equals = i;
        if (last == end && isResult(spans[i]))
            last = i;
    }
    Importance found;
    std::vector<bool> isTaken(static_cast<std::size_t>(end), false);
    const auto take = [&](qsizetype first, qsizetype past) {
        for (qsizetype i = first; i < past; ++i)
            if (!isTaken[static_cast<std::size_t>(i)]) {
                isTaken[static_cast<std::size_t>(i)] = true;
                found.order.push_back(i);
            }
    };
    for (qsizetype i = end - 1; i >= place; --i)
        if (isResult(spans[i]))
            take(i, i + 1);
    take(equals, std::min(equals + 1, end));
    take(place, place + sizeOfFunction(spans, place));
    take(0, place);
    if (last != end)
        take(last, end);
    found.alone = found.order.size();
    take(equals, end);
    take(0, end);
    return found;
}

/// Returns true for each span that fits, with an ellipsis for each gap.
std::vector<bool> thatFit(const Spans &spans, const MonospaceWidths &widths, double room,
                          double ellipsis, const FigureStyle &style) {
    const auto count = static_cast<std::size_t>(spans.size());
    std::vector<bool> isKept(count, false);
    double used = ellipsis; // there is one ellipsis if everything is left out
    const auto [order, alone] = byImportance(spans, style);
    for (std::size_t place = 0; place < order.size(); ++place) {
        const auto i = static_cast<std::size_t>(order[place]);
        const int neighbours =
            (i == 0 || isKept[i - 1] ? 1 : 0) + (i + 1 == count || isKept[i + 1] ? 1 : 0);
        const double with = used + widths.of(spans[order[place]]) + (1 - neighbours) * ellipsis;
        if (with <= room) {
            isKept[i] = true;
            used = with;
        } else if (place >= alone) {
            break;
        }
    }
    return isKept;
}

/// Returns as much of the line as fits, with an ellipsis for each gap.
Spans shortened(const Spans &line, const MonospaceWidths &widths, double room,
                const FigureStyle &style) {
    const Span ellipsis{QStringLiteral("…"), style.mutedText};
    const std::vector<bool> isKept = thatFit(line, widths, room, widths.of(ellipsis), style);
    Spans shown;
    bool wasKept = true;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const bool kept = isKept[static_cast<std::size_t>(i)];
        if (kept)
            shown.append(line[i]);
        else if (wasKept)
            shown.append(ellipsis);
        wasKept = kept;
    }
    return shown;
}

} // namespace

MonospaceWidths::MonospaceWidths(const QFont &font)
    : m_font(font), m_advance(QFontMetricsF(font).horizontalAdvance(QLatin1Char('0'))) {
    for (const QChar sign : {QChar(0x2212), QChar(0x00B7)})
        m_countsSigns = m_countsSigns &&
                        std::abs(QFontMetricsF(font).horizontalAdvance(sign) - m_advance) < 0.01;
}

double MonospaceWidths::of(const Span &span) const {
    if (!span.bold && span.place == Span::Place::Line && isCounted(span.text))
        return m_advance * static_cast<double>(span.text.size());
    return spansWidth({span}, m_font);
}

double MonospaceWidths::of(const Spans &spans) const {
    double width = 0;
    for (const Span &span : spans)
        width += of(span);
    return width;
}

bool MonospaceWidths::isCounted(const QString &text) const {
    return std::all_of(text.begin(), text.end(), [this](QChar c) {
        return c.unicode() < 0x7F ||
               (m_countsSigns && (c.unicode() == 0x2212 || c.unicode() == 0x00B7));
    });
}

Spans foldedLine(const Spans &line, const QFont &font, double room, const FigureStyle &style) {
    const MonospaceWidths widths(font);
    if (widths.of(line) <= room)
        return line;
    const Fold fold(line, style);
    if (fold.most() < 2)
        return shortened(line, widths, room, style);
    // If the line does not fit otherwise, leave out the names of the row and the column, and then
    // the counts of omitted numbers. The name of the function stays, because the equation would be
    // false without it.
    Spans shown;
    const qsizetype name = endOfName(line);
    for (const auto &[cut, areCounted] :
         {std::pair(qsizetype(0), true), std::pair(name, true), std::pair(name, false)}) {
        const auto withTerms = [&, first = cut, counted = areCounted](std::size_t count) {
            return fold.with(count, counted).sliced(first);
        };
        shown = withTerms(1);
        if (widths.of(shown) > room)
            continue;
        for (std::size_t count = 2; count < fold.most(); ++count) {
            Spans more = withTerms(count);
            if (widths.of(more) > room)
                break;
            shown = std::move(more);
        }
        return shown;
    }
    return shortened(shown, widths, room, style);
}

} // namespace headlight::ui
