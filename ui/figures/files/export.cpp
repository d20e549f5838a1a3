#include "ui/figures/files/export.h"

#include "core/formats/figure/figure_session.h"
#include "ui/figures/files/compact_svg.h"
#include "ui/figures/files/pdf_writer.h"
#include "ui/figures/files/svg_text.h"
#include "ui/figures/files/xml_text.h"
#include "ui/figures/text/outlined_text.h"
#include "ui/text/core_message.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImageWriter>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>
#include <memory>

namespace headlight::ui {

namespace {

struct ExportText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Export)
};

/// Devices that draw text as outlines.
struct OutlinedSvg : QSvgGenerator, OutlinedText {};
struct OutlinedPdf : QPdfWriter, OutlinedText {
    using QPdfWriter::QPdfWriter;
};

core::Error errorOf(const QString &what, const QString &remedy = {}) {
    return {messageOf(what), "figure", messageOf(remedy)};
}

core::Result<QSizeF> checkedSize(const Figure &figure, const ExportOptions &options, double scale) {
    const QSizeF size = sizeOf(figure, options.size);
    if (!(scale > 0) || !std::isfinite(scale))
        return errorOf(ExportText::tr("the scale must be a number greater than 0"));
    if (!(size.width() >= 1 && size.height() >= 1))
        return errorOf(ExportText::tr("the size must be at least 1 × 1"));
    const double width = size.width() * scale;
    const double height = size.height() * scale;
    // The negated comparison also rejects NaN and infinity.
    if (!(width <= kMaxSide && height <= kMaxSide && width * height <= kMaxPixels))
        return errorOf(ExportText::tr("%1 × %2 pixels are too many")
                           .arg(width, 0, 'f', 0)
                           .arg(height, 0, 'f', 0),
                       ExportText::tr("use at most %1 pixels per side and %2 million in total")
                           .arg(kMaxSide, 0, 'f', 0)
                           .arg(kMaxPixels / 1e6, 0, 'f', 0));
    return size;
}

/// Returns an error if the figure does not fit into the requested size.
std::optional<core::Error> tooSmall(const Figure &figure, const ExportOptions &options) {
    const QSizeF least = figure.minimumSize();
    const QSizeF size = sizeOf(figure, options.size);
    if (options.size.isEmpty() ||
        (size.width() >= least.width() && size.height() >= least.height()))
        return std::nullopt;
    const LengthUnit unit = options.size.unit;
    return errorOf(ExportText::tr("%1 is too small for this figure").arg(sizeText(size, unit)),
                   ExportText::tr("use at least %1, or smaller text").arg(sizeText(least, unit)));
}

QString descriptionOf(const Figure &figure, const ExportOptions &options) {
    return options.description.isEmpty() ? figure.description() : options.description;
}

core::Result<QByteArray> renderPng(const Figure &figure, const ExportOptions &options) {
    core::Result<QImage> image = renderImage(figure, options);
    if (!image)
        return image.error();
    if (!options.title.isEmpty())
        image->setText(QStringLiteral("Title"), options.title);
    image->setText(QStringLiteral("Description"), descriptionOf(figure, options));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(*image))
        return errorOf(
            ExportText::tr("the PNG could not be encoded: %1").arg(writer.errorString()));
    if (options.session.empty())
        return bytes;
    return QByteArray::fromStdString(core::withTextInPng(bytes.toStdString(), options.session));
}

/// True if this version of Qt escapes the title and description. Qt 6.4 does not; later versions
/// do.
bool qtEscapesSvgWords() {
    static const bool escapes = [] {
        QBuffer buffer;
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setTitle(QStringLiteral("&"));
        QPainter(&generator).end();
        return buffer.data().contains("&amp;");
    }();
    return escapes;
}

QString svgText(const QString &text) {
    return qtEscapesSvgWords() ? xmlCharacters(text) : xmlText(text);
}

core::Result<QByteArray> renderSvg(const Figure &figure, const ExportOptions &options) {
    const core::Result<QSizeF> size = checkedSize(figure, options, 1);
    if (!size)
        return size.error();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const std::unique_ptr<QSvgGenerator> device(options.textAsPaths ? new OutlinedSvg
                                                                    : new QSvgGenerator);
    QSvgGenerator &generator = *device;
    generator.setOutputDevice(&buffer);
    generator.setResolution(static_cast<int>(kPixelsPerInch));
    generator.setSize(QSize(qCeil(size->width()), qCeil(size->height())));
    generator.setViewBox(QRectF(QPointF(0, 0), *size));
    generator.setTitle(svgText(options.title));
    generator.setDescription(svgText(descriptionOf(figure, options)));
    QPainter painter;
    if (!painter.begin(&generator))
        return errorOf(ExportText::tr("the SVG could not be created"));
    // Qt writes the painter's font for every shape. A fixed font makes the output identical in the
    // window and on the command line.
    QFont font(QStringLiteral("sans-serif"));
    font.setPixelSize(12);
    painter.setFont(font);
    figure.paint(painter, QRectF(QPointF(0, 0), *size), Device::Vector);
    painter.end();
    bytes = compactSvg(bytes);
    if (options.size.isPhysical())
        bytes = withTrueSize(bytes, *size);
    if (options.namesFallbacks)
        bytes = withFallbackFonts(bytes);
    if (options.session.empty())
        return bytes;
    return QByteArray::fromStdString(core::withTextInSvg(bytes.toStdString(), options.session));
}

/// Returns the page with this index, which is valid until the next call.
using PageReader = std::function<core::Result<const Figure *>(std::size_t)>;

/// Returns a PDF with one figure per page. All pages have the size of the first figure, which
/// canRender() has checked.
core::Result<QByteArray> pdfOf(std::size_t count, const PageReader &pages,
                               const ExportOptions &options) {
    core::Result<const Figure *> figure = pages(0);
    if (!figure)
        return figure.error();
    const core::Result<QSizeF> size = checkedSize(**figure, options, 1);
    if (!size)
        return size.error();
    const QString description = descriptionOf(**figure, options);
    const QSizeF points = *size * 72.0 / kPixelsPerInch;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        const std::unique_ptr<QPdfWriter> device(options.textAsPaths ? new OutlinedPdf(&buffer)
                                                                     : new QPdfWriter(&buffer));
        QPdfWriter &writer = *device;
        // Set the page size in points (1/72 inch). The painter uses a finer grid, which scale()
        // hides.
        const QPageSize page(points, QPageSize::Point, QString(), QPageSize::ExactMatch);
        writer.setPageLayout(QPageLayout(page, QPageLayout::Portrait, QMarginsF()));
        writer.setTitle(options.title);
        writer.setCreator(QStringLiteral("Headlight"));
        constexpr int kResolution = 1200;
        writer.setResolution(kResolution);
        QPainter painter;
        if (!painter.begin(&writer))
            return errorOf(ExportText::tr("the PDF could not be created"));
        painter.scale(kResolution / kPixelsPerInch, kResolution / kPixelsPerInch);
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) {
                figure = pages(i);
                if (!figure)
                    return figure.error();
                if (const auto small = tooSmall(**figure, options))
                    return *small;
                writer.newPage();
            }
            (*figure)->paint(painter, QRectF(QPointF(0, 0), *size), Device::Vector);
        }
        painter.end();
    }
    return finishedPdf(bytes, {options.title, description, options.session,
                               options.size.isPhysical() ? std::optional(points) : std::nullopt});
}

core::Result<QByteArray> renderPdf(const Figure &figure, const ExportOptions &options) {
    return pdfOf(
        1, [&](std::size_t) -> core::Result<const Figure *> { return &figure; }, options);
}

} // namespace

std::optional<Format> formatOf(const QString &path) {
    const QString name = path.toLower();
    for (const Format format : {Format::Png, Format::Svg, Format::Pdf})
        if (name.endsWith(QLatin1Char('.') + nameOf(format)))
            return format;
    return std::nullopt;
}

QString nameOf(Format format) {
    switch (format) {
    case Format::Png:
        return QStringLiteral("png");
    case Format::Svg:
        return QStringLiteral("svg");
    case Format::Pdf:
        return QStringLiteral("pdf");
    }
    return {};
}

core::Result<QImage> renderImage(const Figure &figure, const ExportOptions &options) {
    const core::Result<QSizeF> size = checkedSize(figure, options, options.scale);
    if (!size)
        return size.error();
    QImage image(qCeil(size->width() * options.scale), qCeil(size->height() * options.scale),
                 options.isTransparent ? QImage::Format_ARGB32_Premultiplied
                                       : QImage::Format_RGB32);
    if (image.isNull())
        return errorOf(ExportText::tr("there is not enough memory for the picture"),
                       ExportText::tr("use a smaller size or scale"));
    image.fill(options.isTransparent ? Qt::transparent : Qt::white);
    const int dotsPerMetre = qRound(kPixelsPerInch * options.scale / 0.0254);
    // Set the resolution before painting. Fonts have whole-pixel sizes, so the result does not
    // change.
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    QPainter painter(&image);
    painter.scale(options.scale, options.scale);
    // Scale down a copy of a view that is below the minimum size, like the view itself.
    const double shrink = shrinkOf(figure, *size);
    painter.scale(shrink, shrink);
    figure.paint(painter, QRectF(QPointF(0, 0), *size / shrink), Device::Raster);
    painter.end();
    return image;
}

core::Outcome canRender(const Figure &figure, Format format, const ExportOptions &options) {
    const double scale = format == Format::Png ? options.scale : 1;
    if (const auto possible = checkedSize(figure, options, scale); !possible)
        return possible.error();
    if (const auto small = tooSmall(figure, options))
        return *small;
    return core::Done{};
}

core::Result<QByteArray> renderPages(std::span<const Figure *const> pages,
                                     const ExportOptions &options) {
    if (core::Outcome possible = canRender(*pages.front(), Format::Pdf, options); !possible)
        return possible.error();
    return pdfOf(
        pages.size(), [&](std::size_t i) -> core::Result<const Figure *> { return pages[i]; },
        options);
}

core::Result<QByteArray> renderPages(std::size_t count, const PageMaker &make,
                                     const ExportOptions &options) {
    std::unique_ptr<const Figure> page;
    const auto read = [&](std::size_t i) -> core::Result<const Figure *> {
        page.reset(); // free the page before the next one is made
        core::Result<std::unique_ptr<const Figure>> made = make(i);
        if (!made)
            return made.error();
        page = *std::move(made);
        if (i == 0)
            if (core::Outcome possible = canRender(*page, Format::Pdf, options); !possible)
                return possible.error();
        return page.get();
    };
    return pdfOf(count, read, options);
}

core::Result<QByteArray> render(const Figure &figure, Format format, const ExportOptions &options) {
    if (core::Outcome possible = canRender(figure, format, options); !possible)
        return possible.error();
    switch (format) {
    case Format::Png:
        return renderPng(figure, options);
    case Format::Svg:
        return renderSvg(figure, options);
    case Format::Pdf:
        return renderPdf(figure, options);
    }
    return errorOf(ExportText::tr("unknown format"));
}

} // namespace headlight::ui
