#include "ui/window/saving/figure_saving.h"

#include "core/formats/files/atomic_file.h"
#include "ui/document/files_read.h"
#include "ui/figures/files/captioned_figure.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/views/figure_view.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMimeData>

namespace headlight::ui {

namespace {

constexpr double kClipboardScale = 2; // sharp on projectors and in slides

} // namespace

FigureStyle styleOf(const FigureCommandLine &recipe) {
    return recipe.paper  ? FigureStyle::paper(recipe.textScale, recipe.transparent)
           : recipe.dark ? FigureStyle::dark(recipe.textScale)
                         : FigureStyle::light(recipe.textScale);
}

std::unique_ptr<Figure> figureFor(FigureView &view, const FigureCommandLine &recipe) {
    const FigureStyle style = styleOf(recipe);
    const ViewInfo *other = findView(recipe.view);
    // If several heads are saved, each figure has the lines of one head, even if the view shows
    // more.
    const bool isAsShown =
        recipe.options.headLines.heads == chosenFor(view.info(), view.options()).headLines.heads;
    if (!other || (other->view == view.info().view && isAsShown))
        return captioned(view.figureIn(style), recipe.caption, style);
    if (!view.document().trace())
        return nullptr;
    FigureInput input = view.inputIn(style);
    input.options = chosenFor(*other, input.options);
    input.options.headLines.heads = recipe.options.headLines.heads;
    input.selection.stage = recipe.stage;
    return captioned(other->makeFigure(input), recipe.caption, style);
}

ExportOptions optionsFor(const FigureCommandLine &recipe) {
    ExportOptions options;
    options.size = recipe.size;
    options.scale = recipe.scale;
    options.isTransparent = recipe.paper && recipe.transparent;
    options.textAsPaths = recipe.textAsPaths;
    options.namesFallbacks = recipe.paper;
    return options;
}

core::Outcome writeFigure(FigureView &view, const FigureCommandLine &recipe, const QString &path) {
    if (core::Outcome allowed = mayWrite(view.document(), path); !allowed)
        return allowed;
    const std::unique_ptr<Figure> figure = figureFor(view, recipe);
    if (!figure)
        return core::Error{
            messageOf(QCoreApplication::translate("FigureSaving", "there is nothing to save yet")),
            "", ""};
    ExportOptions options = optionsFor(recipe);
    options.title = QString::fromStdString(view.document().session().title);
    options.description = commandFor(view.document(), recipe).stored;
    if (recipe.session)
        options.session = carriedBy(view.document(), recipe);
    const ScopedHashSeed seed;
    const core::Result<QByteArray> bytes = render(*figure, recipe.format, options);
    if (!bytes)
        return bytes.error();
    return core::writeFile(bytesOf(path),
                           {bytes->constData(), static_cast<std::size_t>(bytes->size())},
                           core::OverwritePolicy::RegularFile);
}

core::Outcome copyFigure(const Figure &figure, QSizeF size) {
    ExportOptions options;
    options.size = size.expandedTo(figure.minimumSize()); // a small window shows the figure shrunk
    options.scale = kClipboardScale;
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
