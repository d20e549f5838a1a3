#include "ui/figures/worksheet/handout_pages.h"

#include "ui/figures/text/marked_lines.h"
#include "ui/figures/worksheet/worksheet_pages.h"

#include <array>

namespace headlight::ui {

namespace {

constexpr std::array kHandoutScales{1.0, 0.93, 0.85, 0.77}; // 13 … 10 px
constexpr double kAnswerIndent = 30, kItemIndent = 14;

/// The style of one kind of line.
struct HandoutLook {
    double left = 0, gap = 3;
    bool isBold = false, isMuted = false;
    const char *sign = ""; ///< sign before the first line
};

HandoutLook lookOf(HandoutLine::Kind kind) {
    switch (kind) {
    case HandoutLine::Kind::Facts:
        return {0, 0, false, true};
    case HandoutLine::Kind::Heading:
        return {0, 12, true};
    case HandoutLine::Kind::Text:
        return {0, 3};
    case HandoutLine::Kind::Item:
        return {kItemIndent, 3, false, false, "•"};
    case HandoutLine::Kind::Question:
        return {0, 5};
    case HandoutLine::Kind::Right:
        return {kAnswerIndent, 1, true, false, "✓"};
    case HandoutLine::Kind::Wrong:
        return {kAnswerIndent, 1, false, true, "✗"};
    }
    return {};
}

SheetBlock handoutBlock(const HandoutLine &line, const FigureStyle &style, double width) {
    const HandoutLook look = lookOf(line.kind);
    const QFont font = style.font(FigureStyle::Text::Body, look.isBold);
    const QColor colour = look.isMuted ? style.mutedText : style.text;
    QList<Spans> lines = markedLines(line.html.toStdString(), font, width - look.left, colour);
    const double height = lineHeight(font);
    QStringList words{QString::fromUtf8(look.sign)};
    for (const Spans &spans : lines)
        words << plainText(spans);
    return {height * static_cast<double>(lines.size()), look.gap * style.textScale,
            [=, sign = QString::fromUtf8(look.sign)](QPainter &painter, const QPointF &at) {
                drawLine(painter, {at.x() + look.left - kItemIndent, at.y(), kItemIndent, height},
                         Qt::AlignLeft, sign, font, colour);
                double top = at.y();
                for (const Spans &spans : lines) {
                    drawSpans(painter, {at.x() + look.left, top, width - look.left, height}, spans,
                              font);
                    top += height;
                }
            },
            words.join(' ').trimmed()};
}

SheetBlocks handoutBlocks(const HandoutText &handout, const FigureStyle &style, double width) {
    SheetBlocks blocks;
    for (const HandoutLine &line : handout.lines)
        blocks.push_back(handoutBlock(line, style, width));
    return blocks;
}

double heightOf(const SheetBlocks &blocks) {
    double height = 0;
    for (const SheetBlock &block : blocks)
        height += block.height + (&block == &blocks.front() ? 0 : block.gap);
    return height;
}

} // namespace

void addHandout(SheetPager &pages, const HandoutText &handout) {
    pages.beginSheet(handout.title, SheetKind::Handout, FigureStyle::paper());
    SheetBlocks blocks;
    for (const double scale : kHandoutScales) {
        blocks = handoutBlocks(handout, FigureStyle::paper(scale), pages.width());
        if (heightOf(blocks) <= pages.height())
            break;
    }
    pages.add(blocks);
}

SheetPages packPages(const std::vector<PackedLesson> &lessons, bool answers, SheetOfPaper paper) {
    SheetPager pages(paper);
    for (const PackedLesson &lesson : lessons) {
        addHandout(pages, lesson.handout);
        if (lesson.sheet)
            addWorksheet(pages, *lesson.sheet, answers);
    }
    return pages.take();
}

} // namespace headlight::ui
