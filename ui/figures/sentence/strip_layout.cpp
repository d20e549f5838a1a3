#include "ui/figures/sentence/strip_layout.h"

#include "ui/figures/text/text.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kNumberPixels = 12;
constexpr double kPadding = 10;       // px on either side of a word
constexpr double kAbove = 4;          // px above and below a word
constexpr double kAboveInOneLine = 7; // px above and below a word in a single line
constexpr double kGap = 8;            // px between words
constexpr double kLineGap = 6;
constexpr double kSeam = 1;     // px between a part of a word and the shared edge
constexpr double kPairGap = 28; // px between two texts in one line
constexpr double kWidest = 24;  // width of the widest word, in word sizes; longer ones are elided
constexpr double kMinPart = 8;  // px, so that every part of a word can be clicked
const QString kWidestNumber = QStringLiteral("0.00");

/// True for each part of a word that a tokenizer has split.
bool isPartOfWord(const StripWords &words, std::size_t index) {
    return words.words[index].joins ||
           (index + 1 < words.words.size() && words.words[index + 1].joins);
}

/// Scales white space with the words.
double scaledToWord(double pixels, const FigureStyle &style, const StripSpace &space) {
    return style.scaled(pixels * space.word / kStripWord);
}

/// Returns the width of each word, including the space around its text.
std::vector<double> chipWidths(const StripWords &words, const FigureStyle &style,
                               const StripSpace &space, const std::vector<double> &textWidths) {
    const double widest = std::min(space.width, style.scaled(kWidest * space.word));
    const double ofWord =
        space.isPage
            ? 0
            : std::ceil(textWidth(kWidestNumber, stripNumberFont(style, true))) + style.scaled(2);
    const double padding = scaledToWord(kPadding, style, space), seam = style.scaled(kSeam);
    const double ofPart = scaledToWord(kMinPart, style, space);
    std::vector<double> widths(textWidths.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool joinsNext = i + 1 < widths.size() && words.words[i + 1].joins;
        const double before = words.words[i].joins ? seam : padding;
        const double after = joinsNext ? seam : padding;
        // A part of a word is only as wide as its letters, so that the word has no gaps.
        const double least = isPartOfWord(words, i) ? ofPart : ofWord;
        widths[i] =
            std::clamp(std::ceil(textWidths[i]) + before + after, least, std::max(least, widest));
    }
    return widths;
}

/// Returns the layout of `lines` lines without words.
StripLayout withoutChips(const FigureStyle &style, const StripSpace &space, int lines) {
    const auto scaled = [&](double pixels) { return scaledToWord(pixels, style, space); };
    const bool isOneLine = space.room == StripRoom::Line;
    const bool hasSpace = !isOneLine && lines <= 1;
    StripLayout layout;
    layout.lines = lines;
    layout.padding = scaled(kPadding);
    layout.gap = scaled(kGap);
    layout.headroom = std::round(style.scaled(space.headroom));
    layout.chipHeight = std::ceil(lineHeight(stripWordFont(style, !space.isPage, space.word))) +
                        2 * std::round(scaled(hasSpace ? kAboveInOneLine : kAbove));
    layout.numberHeight = space.hasNumbers ? std::ceil(lineHeight(stripNumberFont(style))) : 0;
    layout.lineGap = std::round(scaled(kLineGap));
    layout.lineStep = layout.headroom + layout.chipHeight + layout.numberHeight + layout.lineGap;
    layout.content = QSizeF(isOneLine ? 0 : space.width, layout.heightOf(lines));
    return layout;
}

/// A word, or all parts of a word: first … end − 1.
struct Unit {
    core::Index first = 0, end = 0;
    double width = 0;
    bool startsLine = false;
};

std::vector<Unit> unitsOf(const StripWords &words, const std::vector<double> &widths) {
    std::vector<Unit> units;
    for (std::size_t i = 0; i < words.words.size(); ++i) {
        const auto index = static_cast<core::Index>(i);
        const StripWord &word = words.words[i];
        if (units.empty() || !word.joins || word.breaks)
            units.push_back({index, index, 0, word.startsLine});
        units.back().end = index + 1;
        units.back().width += widths[i];
    }
    return units;
}

/// Distributes the words over lines. Returns the first word of each line. Divides a unit that is
/// wider than a line between its parts.
std::vector<core::Index> lineStarts(const StripWords &words, const std::vector<double> &widths,
                                    const FigureStyle &style, const StripSpace &space) {
    std::vector<core::Index> starts;
    if (space.room == StripRoom::Line) {
        starts.assign(words.words.empty() ? 0 : 1, 0);
        return starts;
    }
    const double width = space.width, gap = scaledToWord(kGap, style, space);
    double left = 0;
    const auto put = [&](core::Index first, double wide, bool joins, bool startsLine) {
        const double before = left == 0 || joins ? 0 : gap;
        if (starts.empty() || startsLine || (left > 0 && left + before + wide > width)) {
            starts.push_back(first);
            left = wide;
        } else {
            left += before + wide;
        }
    };
    for (const Unit &unit : unitsOf(words, widths)) {
        const bool joins = words.words[static_cast<std::size_t>(unit.first)].joins;
        if (unit.width <= width) {
            put(unit.first, unit.width, joins, unit.startsLine);
            continue;
        }
        for (core::Index i = unit.first; i < unit.end; ++i)
            put(i, widths[static_cast<std::size_t>(i)], i > unit.first || joins,
                i == unit.first && unit.startsLine);
    }
    return starts;
}

} // namespace

QFont stripWordFont(const FigureStyle &style, bool bold, double pixels) {
    return style.bodyFont(pixels, bold);
}

QColor wordTint(double weight, const ColourScale &scale, const FigureStyle &style,
                core::Index row) {
    constexpr double kFullTint = 0.1;
    const QColor colour(scale.colour(row, weight));
    return isDiverging(scale.map())
               ? colour
               : mixed(colour, style.hidden,
                       std::min(1.0, scale.position(row, std::abs(weight)) / kFullTint));
}

QFont stripNumberFont(const FigureStyle &style, bool bold) {
    return style.bodyFont(kNumberPixels, bold);
}

std::vector<double> stripTextWidths(const StripWords &words, const FigureStyle &style,
                                    const StripSpace &space) {
    const QFont font = stripWordFont(style, !space.isPage, space.word);
    const QFont partFont = stripWordFont(style, false, space.word); // parts are never bold
    const auto count = words.words.size();
    std::vector<double> widths(count);
    // Cached, because words repeat in a long text.
    QHash<QString, double> knownWords, knownParts;
    for (std::size_t i = 0; i < count; ++i) {
        const QString &text = words.words[i].text;
        const bool isPart = isPartOfWord(words, i);
        QHash<QString, double> &known = isPart ? knownParts : knownWords;
        auto width = known.constFind(text);
        if (width == known.constEnd())
            width = known.insert(text, textWidth(text, isPart ? partFont : font));
        widths[i] = *width;
    }
    return widths;
}

StripLayout stripLayoutOf(const StripWords &words, const FigureStyle &style,
                          const StripSpace &space) {
    return stripLayoutOf(words, style, space, stripTextWidths(words, style, space));
}

double stripHeightOf(const StripWords &words, const FigureStyle &style, const StripSpace &space,
                     const std::vector<double> &textWidths) {
    const std::vector<double> widths = chipWidths(words, style, space, textWidths);
    const auto lines = lineStarts(words, widths, style, space).size();
    return withoutChips(style, space, static_cast<int>(lines)).content.height();
}

StripLayout stripLayoutOf(const StripWords &words, const FigureStyle &style,
                          const StripSpace &space, const std::vector<double> &textWidths) {
    const std::vector<double> widths = chipWidths(words, style, space, textWidths);
    const std::vector<core::Index> starts = lineStarts(words, widths, style, space);
    StripLayout layout = withoutChips(style, space, static_cast<int>(starts.size()));
    const auto count = words.words.size();
    layout.chips.resize(count);
    double contentWidth = layout.content.width();
    for (std::size_t line = 0; line < starts.size(); ++line) {
        const core::Index end =
            line + 1 < starts.size() ? starts[line + 1] : static_cast<core::Index>(count);
        const double top =
            std::round(static_cast<double>(line) * layout.lineStep) + layout.headroom;
        double x = 0;
        core::Index before = -1;
        const std::vector<core::Index> order = visualOrder(words, starts[line], end);
        for (const core::Index word : order) {
            const auto index = static_cast<std::size_t>(word);
            StripLayout::Chip &chip = layout.chips[index];
            const core::Index later = std::max(word, before);
            const bool touches = before >= 0 && std::abs(word - before) == 1 &&
                                 words.words[static_cast<std::size_t>(later)].joins;
            const bool isPair =
                before >= 0 && words.words[static_cast<std::size_t>(later)].startsLine;
            x += before < 0 || touches ? 0 : isPair ? style.scaled(kPairGap) : layout.gap;
            chip.rect = QRectF(x, top, widths[index], layout.chipHeight);
            chip.line = static_cast<int>(line);
            chip.joinsLeft = touches;
            if (touches)
                layout.chips[static_cast<std::size_t>(before)].joinsRight = true;
            x = chip.rect.right();
            before = word;
        }
        contentWidth = std::max(contentWidth, x);
        if (words.isRightToLeft) // lines begin on the right
            for (const core::Index word : order)
                layout.chips[static_cast<std::size_t>(word)].rect.translate(
                    std::max(0.0, space.width - x), 0);
    }
    layout.content.setWidth(contentWidth);
    return layout;
}

double StripLayout::heightOf(int visibleLines) const {
    const int shown = std::clamp(visibleLines, 1, std::max(1, lines));
    return shown * lineStep - lineGap;
}

QRectF StripLayout::number(core::Index word) const {
    const QRectF &rect = chips[static_cast<std::size_t>(word)].rect;
    return {rect.left(), rect.bottom() + 1, rect.width(), numberHeight - 1};
}

std::pair<core::Index, core::Index> StripLayout::wordsOf(int line) const {
    const auto first = std::ranges::lower_bound(chips, line, {}, &Chip::line);
    const auto end = std::ranges::upper_bound(chips, line, {}, &Chip::line);
    return {first - chips.begin(), end - chips.begin()};
}

core::Index StripLayout::endOfWord(core::Index part) const {
    const auto touch = [this](core::Index a, core::Index b) {
        const Chip &one = chips[static_cast<std::size_t>(a)];
        const Chip &other = chips[static_cast<std::size_t>(b)];
        return one.line == other.line && ((one.joinsRight && other.joinsLeft &&
                                           std::abs(one.rect.right() - other.rect.left()) < 0.5) ||
                                          (other.joinsRight && one.joinsLeft &&
                                           std::abs(other.rect.right() - one.rect.left()) < 0.5));
    };
    core::Index end = part + 1;
    while (end < std::ssize(chips) && touch(end - 1, end))
        ++end;
    return end;
}

std::optional<core::Index> StripLayout::wordAt(QPointF point) const {
    if (lineStep <= 0 || point.y() < 0)
        return std::nullopt;
    // Words beside a picture may be taller than a line. Lines there are rows of patches.
    for (const int line : {static_cast<int>(point.y() / lineStep), 0}) {
        const auto [first, end] = wordsOf(line);
        for (core::Index word = first; word < end; ++word)
            if (chips[static_cast<std::size_t>(word)].rect.contains(point) ||
                number(word).contains(point))
                return word;
    }
    return std::nullopt;
}

core::Index StripLayout::wordAbove(core::Index word, int linesUp) const {
    const Chip &from = chips[static_cast<std::size_t>(word)];
    const auto [first, end] = wordsOf(std::clamp(from.line - linesUp, 0, lines - 1));
    core::Index nearest = word;
    double distance = -1;
    for (core::Index each = first; each < end; ++each) {
        const double far = std::abs(chips[static_cast<std::size_t>(each)].rect.center().x() -
                                    from.rect.center().x());
        if (distance < 0 || far < distance) {
            nearest = each;
            distance = far;
        }
    }
    return nearest;
}

QRectF StripLayout::together(const std::vector<core::Index> &words, double width) const {
    QRectF all;
    for (const core::Index word : words)
        if (const QRectF more = all | chips[static_cast<std::size_t>(word)].rect;
            all.isEmpty() || more.width() <= width)
            all = more;
    return all;
}

QPointF StripLayout::seenTogether(const std::vector<core::Index> &words, QPointF from,
                                  const QSizeF &sight, double arrow) const {
    QPointF to = seen(words.front(), from, sight);
    const double wide = sight.width() - 2 * arrow;
    const QRectF all = together(words, wide);
    if (all.left() < to.x() + arrow)
        to.setX(all.left() - arrow);
    else if (all.right() > to.x() + arrow + wide)
        to.setX(all.right() - arrow - wide);
    to.setX(std::clamp(to.x(), 0.0, std::max(0.0, content.width() - sight.width())));
    return to;
}

QPointF StripLayout::seen(core::Index word, QPointF from, const QSizeF &sight) const {
    const Chip &chip = chips[static_cast<std::size_t>(word)];
    const QRectF line(chip.rect.left(), chip.line * lineStep, chip.rect.width(),
                      headroom + chipHeight + numberHeight);
    // Keep the neighbours visible if there is only one line.
    const double beside = std::min(0.25 * sight.width(), 3 * chipHeight);
    const double right = std::max(0.0, content.width() - sight.width());
    const double below = std::max(0.0, content.height() - sight.height());
    const auto moved = [](double at, double low, double high, double size) {
        return low < at ? low : high > at + size ? high - size : at;
    };
    return {std::clamp(moved(from.x(), line.left() - beside, line.right() + beside, sight.width()),
                       0.0, right),
            std::clamp(moved(from.y(), line.top(), line.bottom(), sight.height()), 0.0, below)};
}

} // namespace headlight::ui
