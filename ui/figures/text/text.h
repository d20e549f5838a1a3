// The one way in which figures draw text: measured, elided, and real text in vector files.
#pragma once

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

/// Shortened to the width with an ellipsis, at the end or in the middle; a grapheme is never cut in
/// two. Empty if not even the ellipsis fits.
QString elided(const QString &text, const QFont &font, double width,
               Qt::TextElideMode mode = Qt::ElideRight);

/// "read → written" shortened so that something of both sides is left; other texts as above.
QString elidedPair(const QString &text, const QFont &font, double width);

/// Of parts with " · " between them the first ones, as many as fit whole; at least one.
QString firstParts(const QString &text, const QFont &font, double width);

/// A line that is known to fit, from the rectangle's left on: nothing is measured.
void drawFitting(QPainter &painter, const QRectF &rect, const QString &text, const QFont &font,
                 const QColor &colour);

/// Many short lines in one font, which are known to fit. Where they become pixels, a text that
/// occurs again is laid out once.
class ShortLines {
  public:
    ShortLines(QPainter &painter, const QFont &font);
    /// From the rectangle's left on.
    void draw(const QRectF &rect, const QString &text, const QColor &colour);

  private:
    QPainter &m_painter;
    QFont m_font;
    bool m_isPixels;
    double m_ascent, m_descent;
    QColor m_colour; // of the painter's pen
    QHash<QString, QStaticText> m_laidOut;
};

/// One line of text within `rect`, elided to its width. Left-aligned means left, whatever the
/// script.
void drawLine(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
              const QFont &font, const QColor &colour, Qt::TextElideMode mode = Qt::ElideRight);

/// A piece of a formula or a caption.
struct Span {
    enum class Place { Line, Subscript, Superscript };
    QString text;
    QColor colour;
    bool bold = false;
    Place place = Place::Line;
};
using Spans = QList<Span>;

double spansWidth(const Spans &spans, const QFont &font);
/// One line, from the left of `rect`, vertically in its middle; spans that do not fit are elided.
void drawSpans(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font);
/// The words alone, for descriptions and screen readers.
QString plainText(const Spans &spans);

} // namespace headlight::ui
