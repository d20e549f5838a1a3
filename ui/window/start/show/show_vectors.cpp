#include "ui/window/start/show/show_vectors.h"

#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/text/text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kPurpose = 30, kVectorName = 20; // px, text sizes
constexpr double kNameColumn = 0.34;              // share of the width
constexpr double kMaxCellHeight = 110, kVectorGap = 36;
constexpr double kEdge = 3; // px, width of the frame in the role's colour

} // namespace

QFont ShowVector::purposeFont(const FigureStyle &style) {
    return style.bodyFont(kPurpose, true);
}

QFont ShowVector::nameFont(const FigureStyle &style) {
    return style.bodyFont(kVectorName, false);
}

QColor ShowVector::fillOf(std::size_t number, const FigureStyle &style) const {
    double largest = 0;
    for (const float each : numbers)
        largest = std::max(largest, std::abs(static_cast<double>(each)));
    ColourScale scale = ColourScale::between(style.signedMap, -largest, largest);
    scale.toneDown(style.isDark);
    return QColor(scale.colour(0, static_cast<double>(numbers[number])));
}

void paintCells(QPainter &painter, const FigureStyle &style, const ShowVector &vector,
                const std::vector<QRectF> &cells) {
    QRectF frame;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        painter.fillRect(cells[cell], vector.fillOf(cell, style));
        frame = frame.united(cells[cell]);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(vector.colour, style.scaled(kEdge)));
    painter.drawRect(frame);
}

std::vector<ShowVectors::Place> ShowVectors::places(const FigureStyle &style,
                                                    const QRectF &area) const {
    std::vector<Place> places;
    const double names = kNameColumn * area.width();
    const double purpose = std::ceil(lineHeight(ShowVector::purposeFont(style)));
    const double name = std::ceil(lineHeight(ShowVector::nameFont(style)));
    const double gap = style.scaled(kVectorGap);
    const auto count = std::max<double>(1, static_cast<double>(vectors.size()));
    const double high =
        std::max(purpose + name, std::min(style.scaled(kMaxCellHeight),
                                          std::floor((area.height() + gap) / count - gap)));
    const double step = high + gap;
    double top = area.top();
    for (const ShowVector &vector : vectors) {
        Place place;
        const double text = top + std::floor((high - purpose - name) / 2);
        place.purpose = QRectF(area.left(), text, names - style.scaled(16), purpose);
        place.name = QRectF(area.left(), text + purpose, names - style.scaled(16), name);
        const double wide =
            std::floor((area.width() - names) /
                       std::max<double>(1, static_cast<double>(vector.numbers.size())));
        for (std::size_t cell = 0; cell < vector.numbers.size(); ++cell)
            place.cells.emplace_back(area.left() + names + static_cast<double>(cell) * wide, top,
                                     wide, high);
        places.push_back(std::move(place));
        top += step;
    }
    return places;
}

void ShowVectors::paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const {
    painter.save();
    const std::vector<Place> all = places(style, area);
    for (std::size_t index = 0; index < all.size(); ++index) {
        const ShowVector &vector = vectors[index];
        drawLine(painter, all[index].purpose, Qt::AlignLeft, vector.purpose,
                 ShowVector::purposeFont(style), vector.colour);
        drawLine(painter, all[index].name, Qt::AlignLeft, vector.name, ShowVector::nameFont(style),
                 style.mutedText);
        paintCells(painter, style, vector, all[index].cells);
    }
    painter.restore();
}

} // namespace headlight::ui
