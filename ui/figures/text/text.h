// Text drawing for all figures: measures and elides text, and writes real text to vector files.
#pragma once

#include "core/explain/line.h"

#include <QColor>
#include <QFont>
#include <QHash>
#include <QList>
#include <QPainter>
#include <QStaticText>
#include <QString>

#include <string>

namespace headlight::ui {

double textWidth(const QString &text, const QFont &font);
double lineHeight(const QFont &font);

/// Shortens the text to the width, with an ellipsis at the end or in the middle. Does not split a
/// grapheme. Empty if even the ellipsis does not fit.
QString elided(const QString &text, const QFont &font, double width,
               Qt::TextElideMode mode = Qt::ElideRight);

/// Shortens "read → written" so that part of both sides remains. Elides other texts at the end.
QString elidedPair(const QString &text, const QFont &font, double width);

/// Returns as many leading parts, separated by " · ", as fit completely, but at least one.
QString firstParts(const QString &text, const QFont &font, double width);

/// Draws a line that is known to fit, from the left of the rectangle, without measuring it.
void drawFitting(QPainter &painter, const QRectF &rect, const QString &text, const QFont &font,
                 const QColor &colour);

/// Draws many short lines in one font that are known to fit. On raster devices, caches the layout
/// of repeated texts.
class ShortLines {
  public:
    ShortLines(QPainter &painter, const QFont &font);
    /// Draws from the left of the rectangle.
    void draw(const QRectF &rect, const QString &text, const QColor &colour);

  private:
    QPainter &m_painter;
    QFont m_font;
    bool m_isPixels;
    double m_ascent, m_descent;
    QColor m_colour; // colour of the painter's pen
    QHash<QString, QStaticText> m_laidOut;
};

/// Draws one line of text in `rect`, elided to the width of `rect`. Left-aligned means on the left
/// for every script. Does not draw text outside a raster device.
void drawLine(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
              const QFont &font, const QColor &colour, Qt::TextElideMode mode = Qt::ElideRight);

/// A piece of a formula or a caption.
struct Span {
    enum class Place { Line, Subscript, Superscript };
    QString text;
    QColor colour;
    bool bold = false;
    Place place = Place::Line;
    int term = 0;                               ///< see Piece::term
    double termValue = 0;                       ///< see Piece::termValue
    double termSize = 0;                        ///< see Piece::termSize
    int vector = 0;                             ///< see Piece::vector
    core::Index element = 0;                    ///< see Piece::element
    std::optional<core::NumberOrigin> origin{}; ///< see Piece::origin
};
using Spans = QList<Span>;

double spansWidth(const Spans &spans, const QFont &font);
/// Returns the font, reduced if the line does not fit into the width, but to no less than `least`
/// px.
QFont fittedFont(const Spans &spans, QFont font, double width, int least = 9);
/// Draws one line from the left of `rect`, vertically centred. Spans that do not fit are elided.
void drawSpans(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font);
/// Returns only the text, for descriptions and screen readers.
QString plainText(const Spans &spans);

} // namespace headlight::ui
