#include "ui/figures/arithmetic/arithmetic_strip.h"

#include "core/explain/line.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace headlight::ui {

namespace {

/// Measures spans in a monospaced font by counting characters, because a row has thousands of
/// numbers. Characters other than digits and signs are measured.
class MonospaceWidths {
  public:
    explicit MonospaceWidths(const QFont &font)
        : m_font(font), m_advance(QFontMetricsF(font).horizontalAdvance(QLatin1Char('0'))) {
        for (const QChar sign : {QChar(0x2212), QChar(0x00B7)})
            m_countsSigns = m_countsSigns && std::abs(QFontMetricsF(font).horizontalAdvance(sign) -
                                                      m_advance) < 0.01;
    }
    double of(const Span &span) const {
        if (!span.bold && span.place == Span::Place::Line && isCounted(span.text))
            return m_advance * static_cast<double>(span.text.size());
        return spansWidth({span}, m_font);
    }

  private:
    bool isCounted(const QString &text) const {
        return std::all_of(text.begin(), text.end(), [this](QChar c) {
            return c.unicode() < 0x7F ||
                   (m_countsSigns && (c.unicode() == 0x2212 || c.unicode() == 0x00B7));
        });
    }
    QFont m_font;
    double m_advance;
    bool m_countsSigns = true;
};

/// Spans of a line that is too long for a file, most important first: the selected numbers, the
/// result, the name of the line, the text after it, and then as many others as fit.
struct Importance {
    std::vector<qsizetype> order;
    std::size_t alone = 0; ///< number of spans kept individually; the others in sequence
};
Importance byImportance(const Spans &spans, const FigureStyle &style) {
    const auto isResult = [&](const Span &span) {
        return span.bold && span.colour == style.selection;
    };
    const auto isEquals = [](const Span &span) {
        return span.text.trimmed() == QStringLiteral("=");
    };
    qsizetype place = 0; // end of the name of the line
    for (qsizetype i = 0; i < spans.size() && place == 0; ++i)
        if (spans[i].text.endsWith(QStringLiteral(":  ")))
            place = i + 1;
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
    take(0, place);
    if (last != end)
        take(last, end);
    found.alone = found.order.size();
    take(equals, end);
    take(0, end);
    return found;
}

/// Returns which spans fit, with an ellipsis for each gap.
std::vector<bool> thatFit(const Spans &spans, const MonospaceWidths &widths, double room,
                          double ellipsis, const FigureStyle &style) {
    const auto count = static_cast<std::size_t>(spans.size());
    std::vector<bool> isKept(count, false);
    double used = ellipsis; // everything else left out
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

/// Paints a line for a file, which cannot scroll: a line that is too long omits parts of its
/// middle.
void paintShortened(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font,
                    const FigureStyle &style) {
    const MonospaceWidths widths(font);
    const Span ellipsis{QStringLiteral("…"), style.mutedText, false, Span::Place::Line};
    const double dots = widths.of(ellipsis);
    const std::vector<bool> isKept = thatFit(spans, widths, rect.width(), dots, style);
    double x = rect.left();
    bool wasKept = true;
    const auto draw = [&](const Span &span, double width) {
        drawSpans(painter, QRectF(x, rect.top(), width + 4, rect.height()), {span}, font);
        x += width;
    };
    for (qsizetype i = 0; i < spans.size(); ++i) {
        const bool kept = isKept[static_cast<std::size_t>(i)];
        if (kept)
            draw(spans[i], widths.of(spans[i]));
        else if (wasKept)
            draw(ellipsis, dots);
        wasKept = kept;
    }
}

void paintNumbers(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font,
                  double scroll) {
    const MonospaceWidths widths(font);
    double x = rect.left() - scroll;
    for (const Span &span : spans) {
        const double width = widths.of(span);
        if (x > rect.right())
            return;
        if (x + width > rect.left())
            drawSpans(painter, QRectF(x, rect.top(), width + 4, rect.height()), {span}, font);
        x += width;
    }
}

double widthOf(const Spans &spans, const QFont &font) {
    const MonospaceWidths widths(font);
    double width = 0;
    for (const Span &span : spans)
        width += widths.of(span);
    return width;
}

/// The terms of a line's sum, by the indices of their spans.
struct SumTerm {
    qsizetype first = 0, end = 0;
    double value = 0;
};

/// Returns the terms of the sum; none if the line has several sums.
std::vector<SumTerm> termsOf(const Spans &spans) {
    std::vector<SumTerm> terms;
    for (qsizetype i = 0; i < spans.size(); ++i) {
        if (spans[i].term == 0)
            continue;
        if (terms.empty() || spans[i].term != spans[i - 1].term) {
            if (!terms.empty() && terms.back().end != i)
                return {};
            terms.push_back({i, i, spans[i].termValue});
        }
        terms.back().end = i + 1;
    }
    return terms;
}

/// Returns `line` with only the given terms, in their order, and `rest` after them.
Spans withTerms(const Spans &line, const std::vector<SumTerm> &terms, std::vector<std::size_t> kept,
                const Span &rest) {
    std::ranges::sort(kept);
    Spans shown = line.first(terms.front().first);
    for (const std::size_t which : kept) {
        qsizetype first = terms[which].first;
        if (which == kept.front() && which > 0)
            ++first; // the sign before it
        shown += line.sliced(first, terms[which].end - first);
    }
    shown += rest;
    return shown + line.sliced(terms.back().end);
}

constexpr double kMinShare = 0.62; // relative to enlarged type; never below the usual size

/// Reduces the type size if `needed` px then fit.
QFont fitted(QFont font, double needed, double room, const FigureStyle &style) {
    if (needed <= room || style.textScale <= 1)
        return font;
    const double share = room / needed;
    if (share >= std::max(kMinShare, 1 / style.textScale))
        font.setPixelSize(std::max(style.minText, qFloor(font.pixelSize() * share)));
    return font; // if it does not fit anyway, it scrolls
}

} // namespace

double ArithmeticStrip::heightFor(const FigureStyle &style) {
    return lineHeight(style.font(FigureStyle::Text::Title)) + lineHeight(style.monospace()) +
           style.scaled(20);
}

double ArithmeticStrip::heightOfFormula(const FigureStyle &style) {
    return lineHeight(style.font(FigureStyle::Text::Title)) + style.scaled(14);
}

QRectF ArithmeticStrip::formulaIn(const QRectF &strip, const FigureStyle &style) const {
    const QRectF line = strip.adjusted(kCardPadding, 0, -kCardPadding, 0);
    if (arithmetic.isEmpty())
        return line;
    return {line.left(), strip.top() + style.scaled(6), line.width(),
            lineHeight(style.font(FigureStyle::Text::Title))};
}

QRectF ArithmeticStrip::numbersIn(const QRectF &strip, const FigureStyle &style) const {
    if (arithmetic.isEmpty())
        return {};
    const double height = lineHeight(style.monospace());
    return QRectF(strip.left() + kCardPadding, strip.bottom() - height - style.scaled(8),
                  strip.width() - 2 * kCardPadding, height);
}

QFont ArithmeticStrip::formulaFont(const QRectF &strip, const FigureStyle &style) const {
    const QFont font = style.font(FigureStyle::Text::Title);
    return fitted(font, spansWidth(formula, font), formulaIn(strip, style).width(), style);
}

QFont ArithmeticStrip::numbersFont(const QRectF &strip, const FigureStyle &style) const {
    const QFont font = style.monospace();
    return fitted(font, widthOf(arithmetic, font), numbersIn(strip, style).width(), style);
}

Spans ArithmeticStrip::shownNumbers(const QRectF &strip, const FigureStyle &style) const {
    const double room = numbersIn(strip, style).width();
    const QFont font = numbersFont(strip, style);
    const std::vector<SumTerm> terms = termsOf(arithmetic);
    if (terms.size() < 2 || widthOf(arithmetic, font) <= room)
        return arithmetic;
    std::vector<std::size_t> bySize(terms.size());
    std::iota(bySize.begin(), bySize.end(), 0);
    std::ranges::stable_sort(bySize, std::greater<>(), [&terms](std::size_t which) {
        return std::isnan(terms[which].value) ? 0 : std::abs(terms[which].value);
    });
    double others = 0;
    for (const SumTerm &term : terms)
        others += term.value;
    Spans shown = arithmetic;
    for (std::size_t count = 1; count < terms.size(); ++count) {
        others -= terms[bySize[count - 1]].value;
        const auto left = static_cast<qlonglong>(terms.size() - count);
        const QString words = std::isnan(others)
                                  ? tr("(… %1 more)").arg(left)
                                  : tr("(… %1 more = %2)")
                                        .arg(left)
                                        .arg(QString::fromStdString(core::termText(others)));
        const Span rest{QStringLiteral(" + ") + words, style.mutedText, false, Span::Place::Line};
        Spans more =
            withTerms(arithmetic, terms,
                      {bySize.begin(), bySize.begin() + static_cast<qsizetype>(count)}, rest);
        if (count > 1 && widthOf(more, font) > room)
            break;
        shown = std::move(more);
    }
    // Without the names of the row and the column, if that makes it fit.
    const Spans nameless = shown.sliced(terms.front().first);
    const bool isTight = widthOf(shown, font) > room && widthOf(nameless, font) <= room;
    return isTight ? nameless : shown;
}

double ArithmeticStrip::length(const QRectF &strip, const FigureStyle &style) const {
    return widthOf(shownNumbers(strip, style), numbersFont(strip, style));
}

std::optional<core::NumberOrigin> ArithmeticStrip::originAt(double x, const QRectF &strip,
                                                            const FigureStyle &style,
                                                            double scroll) const {
    const MonospaceWidths widths(numbersFont(strip, style));
    double left = numbersIn(strip, style).left() - scroll;
    for (const Span &span : shownNumbers(strip, style)) {
        const double width = widths.of(span);
        if (x >= left && x < left + width)
            return span.origin;
        left += width;
    }
    return std::nullopt;
}

void ArithmeticStrip::paint(QPainter &painter, const QRectF &strip, const FigureStyle &style,
                            std::optional<double> scroll) const {
    paintCard(painter, strip.adjusted(0.5, 0.5, -0.5, -0.5), QPen(style.border, 1), 6, style);
    painter.setBrush(Qt::NoBrush);
    drawSpans(painter, formulaIn(strip, style), formula, formulaFont(strip, style));
    if (arithmetic.isEmpty())
        return;
    const QRectF numbers = numbersIn(strip, style);
    const QFont font = numbersFont(strip, style);
    const Spans shown = shownNumbers(strip, style);
    const double all = widthOf(shown, font);
    if (!scroll && all > numbers.width() && shown.size() > 1)
        return paintShortened(painter, numbers, shown, font, style);
    if (!scroll)
        return drawSpans(painter, numbers, shown, font);
    painter.save();
    painter.setClipRect(numbers.adjusted(0, -2, 0, 2), Qt::IntersectClip);
    paintNumbers(painter, numbers, shown, font, *scroll);
    painter.restore();
    if (all <= numbers.width())
        return;
    // The scroll bar of the line.
    const double y = strip.bottom() - style.scaled(6);
    const double share = numbers.width() / all;
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(style.border, style.surface, 0.7));
    painter.drawRoundedRect(QRectF(numbers.left(), y, numbers.width(), 3), 1.5, 1.5);
    painter.setBrush(mixed(style.mutedText, style.surface, 0.8));
    painter.drawRoundedRect(
        QRectF(numbers.left() + *scroll * share, y, std::max(12.0, numbers.width() * share), 3),
        1.5, 1.5);
    painter.setBrush(Qt::NoBrush);
}

} // namespace headlight::ui
