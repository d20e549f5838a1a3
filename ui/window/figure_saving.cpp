#include "ui/window/figure_saving.h"

#include "core/formats/atomic_file.h"
#include "ui/document/document.h"
#include "ui/document/shell_word.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QSettings>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("FigureSaving", text);
}

constexpr double kPngScale = 2; // sharp on a projector and in a slide

QString maskWord(const core::MaskLayers &layers) {
    QStringList kinds;
    for (const core::MaskLayer &layer : layers)
        kinds << QString::fromStdString(core::kindOf(layer));
    return kinds.isEmpty() ? "none" : kinds.join('+');
}

} // namespace

QString commandFor(const Document &document, const QString &view, QSizeF size) {
    const core::Selection &selection = document.selection();
    const DocumentState &state = document.state();
    QStringList words{"headlight", "figure", shellWord(document.source()), "--view", view};
    if (document.session().lesson)
        words << "--step" << QString::number(state.lessonStep);
    if (state.edits.batch)
        words << "--text"
              << shellWord(QString::fromStdString((*state.input.batch)[selection.sequence].text));
    else
        words << "--sequence" << QString::number(selection.sequence);
    if (state.edits.masks)
        words << "--mask" << maskWord(state.input.masks);
    words << "--head" << QString::number(selection.head) << "--stage"
          << QString::fromLatin1(core::infoOf(selection.stage).name.data());
    if (selection.query)
        words << "--query" << QString::number(*selection.query);
    if (selection.key)
        words << "--key" << QString::number(*selection.key);
    words << "--size" << QString("%1x%2").arg(qRound(size.width())).arg(qRound(size.height()));
    return words.join(' ');
}

core::Result<QString> saveFigure(QWidget *parent, const Figure &figure, const Document &document,
                                 QSizeF size, const QString &view) {
    QSettings settings;
    const QString folder = settings.value("figures/folder").toString();
    const QString name = QFileInfo(document.source()).completeBaseName() + '-' + view + ".png";
    QString filter = settings.value("figures/filter").toString();
    QString path = QFileDialog::getSaveFileName(
        parent, tr("Save figure"), folder.isEmpty() ? name : folder + '/' + name,
        tr("Picture (*.png);;Vector figure for the web (*.svg);;Vector figure for papers (*.pdf)"),
        &filter);
    if (path.isEmpty())
        return QString();
    if (QFileInfo(path).suffix().isEmpty()) // the chosen filter says what the name does not
        path += filter.mid(filter.indexOf("(*.") + 2).chopped(1);
    const std::optional<Format> format = formatOf(path);
    if (!format)
        return core::Error{"a figure is a .png, a .svg or a .pdf", path.toStdString(),
                           "give the file one of these endings"};
    ExportOptions options;
    options.size = size;
    options.scale = kPngScale;
    options.title = QString::fromStdString(document.session().title);
    options.description = commandFor(document, view, size);
    const core::Result<QByteArray> bytes = render(figure, *format, options);
    if (!bytes)
        return bytes.error();
    const core::Outcome written = core::writeFile(
        path.toStdString(), {bytes->constData(), static_cast<std::size_t>(bytes->size())});
    if (!written)
        return written.error();
    settings.setValue("figures/folder", QFileInfo(path).absolutePath());
    settings.setValue("figures/filter", filter);
    return path;
}

core::Outcome copyFigure(const Figure &figure, QSizeF size) {
    ExportOptions options;
    options.size = size;
    options.scale = kPngScale;
    const core::Result<QImage> image = renderImage(figure, options);
    if (!image)
        return image.error();
    const core::Result<QByteArray> svg = render(figure, Format::Svg, options);
    if (!svg)
        return svg.error();
    auto *data = new QMimeData;
    data->setImageData(*image);
    data->setData("image/svg+xml", *svg);
    QGuiApplication::clipboard()->setMimeData(data);
    return core::Done{};
}

} // namespace headlight::ui
