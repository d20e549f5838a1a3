// Records what a figure paints, and where: texts, filled rectangles and images.
#pragma once

#include "ui/figures/base/figure.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>
#include <QRegularExpression>
#include <QWidget>

#include <vector>

namespace headlight::test {

/// True if no two of the rectangles overlap. Otherwise prints which do.
template <typename Rects>
bool areApart(const Rects &rects) {
    for (auto one = std::begin(rects); one != std::end(rects); ++one)
        for (auto other = std::begin(rects); other != one; ++other)
            if (one->intersects(*other))
                return qWarning("%d and %d overlap", int(other - std::begin(rects)),
                                int(one - std::begin(rects))),
                       false;
    return true;
}

/// True for a text such as "−0.5", "3", "∞" or "1e9".
inline bool looksLikeANumber(const QString &text) {
    static const QRegularExpression pattern(
        QStringLiteral("^[−+]?(\\d*\\.\\d+|\\d+|∞|NaN)(e.*)?$"));
    return pattern.match(text).hasMatch();
}

struct PaintingRecord {
    struct Text {
        QPointF centre; ///< centre between the letters' top and bottom
        QString text;
        double width = 0;
        int pixels = 0;   ///< font size
        double shown = 0; ///< font size on the device, after any transformation
        QRgb colour = 0;
    };
    struct Fill {
        QRectF rect;
        QRgb colour = 0;
    };
    struct Image {
        QRectF rect;
        QImage image;
    };
    /// A line, or an outline.
    struct Stroke {
        QPolygonF line;
        QColor colour;
        QRectF rect() const { return line.boundingRect(); }
    };
    std::vector<Text> texts;
    std::vector<Stroke> strokes;
    std::vector<Fill> fills;
    std::vector<Image> images;

    static PaintingRecord of(const ui::Figure &figure, const QSizeF &size, ui::Device device);
    /// Records everything visible in a window.
    static PaintingRecord of(QWidget &window);

    /// Returns all texts whose centre is in the rectangle.
    QStringList textsIn(const QRectF &rect) const {
        QStringList found;
        for (const Text &text : texts)
            if (rect.contains(text.centre))
                found.append(text.text);
        return found;
    }
    /// Returns the colours that fill the rectangle, allowing a gap of one pixel at its edges.
    std::vector<QRgb> fillsOf(const QRectF &rect) const {
        std::vector<QRgb> found;
        for (const Fill &fill : fills)
            if (std::abs(fill.rect.left() - rect.left()) < 0.01 &&
                std::abs(fill.rect.top() - rect.top()) < 0.01 &&
                std::abs(fill.rect.right() - rect.right()) < 1.01 &&
                std::abs(fill.rect.bottom() - rect.bottom()) < 1.01)
                found.push_back(fill.colour);
        return found;
    }
};

/// A paint device that only records.
class RecordingDevice : public QPaintDevice {
  public:
    RecordingDevice(PaintingRecord &record, QSize size) : m_size(size), m_engine(record) {}
    QPaintEngine *paintEngine() const override { return &m_engine; }

  protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
        case PdmWidthMM:
            return m_size.width();
        case PdmHeight:
        case PdmHeightMM:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 0x7fffffff;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return QPaintDevice::metric(metric);
        }
    }

  private:
    class Engine : public QPaintEngine {
      public:
        explicit Engine(PaintingRecord &record) : QPaintEngine(AllFeatures), m_record(record) {}
        bool begin(QPaintDevice *) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState &) override {}
        Type type() const override { return User; }
        void drawTextItem(const QPointF &point, const QTextItem &item) override {
            const QFontMetricsF metrics(item.font());
            const double width = metrics.horizontalAdvance(item.text());
            const QPointF centre =
                point + QPointF(width / 2, (metrics.descent() - metrics.ascent()) / 2);
            if (!isSeen(QRectF(centre, QSizeF(1, 1))))
                return;
            const int pixels = QFontInfo(item.font()).pixelSize();
            m_record.texts.push_back(
                {onDevice(centre), item.text(), width, pixels,
                 pixels * std::sqrt(std::abs(painter()->deviceTransform().determinant())),
                 painter()->pen().color().rgb()});
        }
        void drawRects(const QRectF *rects, int count) override {
            for (int i = 0; i < count; ++i) {
                if (painter()->brush().style() == Qt::SolidPattern)
                    m_record.fills.push_back({painter()->deviceTransform().mapRect(rects[i]),
                                              painter()->brush().color().rgb()});
                addStroke(QPolygonF(rects[i]));
            }
        }
        void drawLines(const QLineF *lines, int count) override {
            for (int i = 0; i < count; ++i)
                addStroke(QPolygonF({lines[i].p1(), lines[i].p2()}));
        }
        void drawRects(const QRect *rects, int count) override {
            for (int i = 0; i < count; ++i) {
                const QRectF rect(rects[i]);
                drawRects(&rect, 1);
            }
        }
        void drawImage(const QRectF &rect, const QImage &image, const QRectF &,
                       Qt::ImageConversionFlags) override {
            m_record.images.push_back({painter()->deviceTransform().mapRect(rect), image});
        }
        void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override {}
        void drawPath(const QPainterPath &path) override {
            for (const QPolygonF &part : path.toSubpathPolygons())
                addStroke(part);
        }
        void drawPolygon(const QPointF *points, int count, PolygonDrawMode) override {
            addStroke(QPolygonF(QList<QPointF>(points, points + count)));
        }

      private:
        QPointF onDevice(QPointF point) const { return painter()->deviceTransform().map(point); }
        /// False if a widget's edge cuts it off.
        bool isSeen(const QRectF &rect) const {
            const QRect place = painter()->deviceTransform().mapRect(rect).toAlignedRect();
            const bool isClipped = painter()->hasClipping() &&
                                   !painter()->clipRegion().boundingRect().isEmpty() &&
                                   !painter()->clipRegion().intersects(rect.toAlignedRect());
            return !isClipped && (systemClip().isEmpty() || systemClip().intersects(place));
        }
        /// Adds what the pen draws, unless it is transparent.
        void addStroke(const QPolygonF &line) {
            const QPen &pen = painter()->pen();
            if (pen.style() != Qt::NoPen && pen.color().alpha() == 255 &&
                isSeen(line.boundingRect().adjusted(-1, -1, 1, 1)))
                m_record.strokes.push_back({painter()->deviceTransform().map(line), pen.color()});
        }

        PaintingRecord &m_record;
    };

    QSize m_size;
    mutable Engine m_engine;
};

inline PaintingRecord PaintingRecord::of(const ui::Figure &figure, const QSizeF &size,
                                         ui::Device device) {
    PaintingRecord record;
    RecordingDevice recorder(record, size.toSize());
    QPainter painter(&recorder);
    figure.paint(painter, QRectF(QPointF(), size), device);
    return record;
}

inline PaintingRecord PaintingRecord::of(QWidget &window) {
    PaintingRecord record;
    RecordingDevice recorder(record, window.size());
    window.render(&recorder);
    return record;
}

} // namespace headlight::test
