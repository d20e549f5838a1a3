#include "ui/figures/sentence/strip_layout.h"

#include "ui/figures/text/text.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kNumberPixels = 12;
constexpr double kPadding = 10;       // px beside a word
constexpr double kAbove = 4;          // px above and below a word
constexpr double kAboveInOneLine = 7; // px above and below a word in a single line
constexpr double kGap = 8;            // px between words
constexpr double kLineGap = 6;
constexpr double kSeam = 1;     // px between a word's parts and their common edge
constexpr double kPairGap = 28; // px between two texts in one line
constexpr double kWidest = 24;  // widest word, in word sizes; a longer one is elided
constexpr double kMinPart = 8;  // px, so that every part of a word can be clicked
const QString kWidestNumber = QStringLiteral("0.00");

/// A word and the parts that join it: first … end − 1.
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

/// Distributes the words over lines. Returns the first word of each line. A unit that is wider than
/// a line is divided between its parts.
std::vector<core::Index> lineStarts(const StripWords &words, const std::vector<double> &widths,
                                    double width, double gap) {
    std::vector<core::Index> starts;
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

StripLayout stripLayoutOf(const StripWords &words, const FigureStyle &style,
                          const StripSpace &space) {
    const double width = space.width;
    // White space scales with the words.
    const double size = space.word / kStripWord;
    const auto scaled = [&](double pixels) { return style.scaled(pixels * size); };
    const QFont font = stripWordFont(style, !space.isPage, space.word);
    const QFont partFont = stripWordFont(style, false, space.word); // parts are never bold
    const double widest = std::min(width, style.scaled(kWidest * space.word));
    const double ofWord =
        space.isPage
            ? 0
            : std::ceil(textWidth(kWidestNumber, stripNumberFont(style, true))) + style.scaled(2);
    StripLayout layout;
    layout.padding = scaled(kPadding);
    const auto count = words.words.size();
    std::vector<double> widths(count);
    // Cached because words repeat in a long text.
    QHash<QString, double> knownWords, knownParts;
    for (std::size_t i = 0; i < count; ++i) {
        const StripWord &word = words.words[i];
        const bool joinsNext = i + 1 < count && words.words[i + 1].joins;
        const bool isPart = word.joins || joinsNext;
        QHash<QString, double> &known = isPart ? knownParts : knownWords;
        auto text = known.constFind(word.text);
        if (text == known.constEnd())
            text =
                known.insert(word.text, std::ceil(textWidth(word.text, isPart ? partFont : font)));
        const double before = word.joins ? style.scaled(kSeam) : layout.padding;
        const double after = joinsNext ? style.scaled(kSeam) : layout.padding;
        // A part is only as wide as its letters, so that the word has no gaps.
        const double least = isPart ? scaled(kMinPart) : ofWord;
        widths[i] = std::clamp(*text + before + after, least, std::max(least, widest));
    }
    const double gap = layout.gap = scaled(kGap);
    const bool isOneLine = space.room == StripRoom::Line;
    std::vector<core::Index> starts;
    if (isOneLine)
        starts.assign(count > 0 ? 1 : 0, 0);
    else
        starts = lineStarts(words, widths, width, gap);
    layout.lines = static_cast<int>(starts.size());
    const bool hasSpace = !isOneLine && layout.lines <= 1;
    layout.headroom = std::round(style.scaled(space.headroom));
    layout.chipHeight =
        std::ceil(lineHeight(font)) + 2 * std::round(scaled(hasSpace ? kAboveInOneLine : kAbove));
    layout.numberHeight = space.hasNumbers ? std::ceil(lineHeight(stripNumberFont(style))) : 0;
    layout.lineGap = std::round(scaled(kLineGap));
    layout.lineStep = layout.headroom + layout.chipHeight + layout.numberHeight + layout.lineGap;
    layout.chips.resize(count);
    double contentWidth = isOneLine ? 0 : width;
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
            x += before < 0 || touches ? 0 : isPair ? style.scaled(kPairGap) : gap;
            chip.rect = QRectF(x, top, widths[index], layout.chipHeight);
            chip.line = static_cast<int>(line);
            chip.joinsLeft = touches;
            if (touches)
                layout.chips[static_cast<std::size_t>(before)].joinsRight = true;
            x = chip.rect.right();
            before = word;
        }
        contentWidth = std::max(contentWidth, x);
        if (words.isRightToLeft) // lines begin at the right
            for (const core::Index word : order)
                layout.chips[static_cast<std::size_t>(word)].rect.translate(
                    std::max(0.0, width - x), 0);
    }
    layout.content = QSizeF(contentWidth, layout.heightOf(layout.lines));
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
    // Words beside a picture may be higher than a line, which is a row of patches.
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

QPointF StripLayout::seen(core::Index word, QPointF from, const QSizeF &sight) const {
    const Chip &chip = chips[static_cast<std::size_t>(word)];
    const QRectF line(chip.rect.left(), chip.line * lineStep, chip.rect.width(),
                      headroom + chipHeight + numberHeight);
    // Keep the neighbours visible in one line.
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
