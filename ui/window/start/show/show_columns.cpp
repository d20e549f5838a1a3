#include "ui/window/start/show/show_columns.h"

#include "ui/figures/output/output_content.h"
#include "ui/figures/text/text.h"
#include "ui/text/number_text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kColumnWord = 20;   // px
constexpr double kColumnNumber = 18; // px
constexpr double kWidestColumn = 64; // px
constexpr double kColumnShare = 0.6; // width of a column, as a share of the space for its word
constexpr int kColumnDecimals = 1;

} // namespace

std::vector<ShowColumns::Place> ShowColumns::places(const FigureStyle &style,
                                                    const QRectF &area) const {
    std::vector<Place> places;
    const double word = std::ceil(1.3 * lineHeight(style.bodyFont(kColumnWord, true)));
    const double number = std::ceil(1.2 * lineHeight(style.bodyFont(kColumnNumber, true)));
    const double step = area.width() / std::max<double>(1, static_cast<double>(words.size()));
    const double most = std::max(0.0, area.height() - word - 2 * number);
    const double foot = area.top() + number + most;
    const double wide = std::min(kColumnShare * step, style.scaled(kWidestColumn));
    for (qsizetype index = 0; index < words.size(); ++index) {
        const double left = area.left() + static_cast<double>(index) * step;
        const double share = static_cast<double>(weights[static_cast<std::size_t>(index)]);
        const double high = std::max(1.0, share * most);
        Place place;
        place.column = QRectF(left + (step - wide) / 2, foot - high, wide, high);
        place.share = QRectF(left, place.column.top() - number, step, number);
        place.word = QRectF(left, foot, step, word);
        place.score = QRectF(left, foot + word, step, number);
        places.push_back(place);
    }
    return places;
}

void ShowColumns::paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const {
    painter.save();
    const std::vector<Place> all = places(style, area);
    for (std::size_t index = 0; index < all.size(); ++index) {
        const Place &place = all[index];
        const bool isMarked = static_cast<int>(index) == marked;
        QRectF column = place.column;
        column.setTop(column.bottom() - std::max(1.0, grown * column.height()));
        painter.fillRect(column,
                         isMarked ? style.accent : faint(style.accent, style.background, 0.5));
        drawLine(painter, place.word, Qt::AlignHCenter, words[static_cast<qsizetype>(index)],
                 style.bodyFont(kColumnWord, isMarked || static_cast<int>(index) == ringed),
                 static_cast<int>(index) == ringed ? style.selection : style.text);
        drawLine(painter, place.score, Qt::AlignHCenter,
                 numberText(static_cast<double>(scores[index]), kColumnDecimals),
                 style.bodyFont(kColumnNumber, isMarked), style.mutedText);
        if (grown >= 1)
            drawLine(painter, place.share, Qt::AlignHCenter,
                     percentText(static_cast<double>(weights[index])),
                     style.bodyFont(kColumnNumber, isMarked),
                     isMarked ? style.text : style.mutedText);
    }
    painter.restore();
}

} // namespace headlight::ui
