#include "app/figure_files.h"

#include "app/figure_command_line.h"
#include "app/words.h"
#include "ui/command_line/output_pattern.h"

#include <algorithm>

namespace headlight::app {

namespace {

constexpr QLatin1Char kLayerLetter('l'), kHeadLetter('h');

/// True if the command names a layer or a head. Otherwise %l and %h stay as they are:
/// "100%legal.png" is not a pattern.
bool namesPlace(const Arguments &arguments) {
    return arguments.layers.all || arguments.request.layer || arguments.request.head ||
           arguments.heads != HeadChoice::One;
}

/// True if each head has its own figure. `all` heads share one, unless the output's name contains
/// %h.
bool isOfEachHead(const Arguments &arguments) {
    return arguments.eachHead.isSet() || (arguments.heads == HeadChoice::All &&
                                          ui::hasPatternInName(arguments.output, kHeadLetter));
}

QString headWord(const Arguments &arguments, core::Index head) {
    switch (arguments.heads) {
    case HeadChoice::Mean:
        return QStringLiteral("mean");
    case HeadChoice::Max:
        return QStringLiteral("max");
    case HeadChoice::One:
    case HeadChoice::All:
        break;
    }
    return QString::number(head);
}

QString nameOf(const Arguments &arguments, const FigurePage &page) {
    if (!namesPlace(arguments))
        return ui::pathOfFigure(arguments.output, {});
    return ui::pathOfFigure(arguments.output,
                            ui::PlaceWords{QString::number(page.selection.layer),
                                           headWord(arguments, page.selection.head)});
}

/// Returns the indices of a list, or for `all`, those below `count`. Without a list, returns one
/// unset index, which leaves the request as it is.
std::vector<std::optional<core::Index>> listed(const ui::IndexList &list, bool all,
                                               core::Index count) {
    std::vector<std::optional<core::Index>> indices;
    if (all)
        for (core::Index index = 0; index < count; ++index)
            indices.emplace_back(index);
    else if (list.isSet())
        indices.assign(list.indices.begin(), list.indices.end());
    else
        indices.emplace_back(std::nullopt);
    return indices;
}

} // namespace

void checkFigureNames(const Arguments &arguments) {
    if (arguments.format == "pdf")
        return;
    if (arguments.layers.isSet() && !ui::hasPatternInName(arguments.output, kLayerLetter))
        throw OptionError{Words::tr("--layer: several layers need %l in the output name, such as "
                                    "-o layer-%l.png, or a .pdf with a page for each")};
    if (arguments.eachHead.isSet() && !ui::hasPatternInName(arguments.output, kHeadLetter))
        throw OptionError{Words::tr("--head: several heads need %h in the output name, such as "
                                    "-o head-%h.png, or a .pdf with a page for each")};
}

core::Result<std::vector<FigureFile>> figureFilesOf(const Arguments &arguments,
                                                    const ui::OpenedSource &opened) {
    const core::Model &model = opened.state.model;
    const bool eachHead = isOfEachHead(arguments);
    std::vector<FigureFile> files;
    std::size_t count = 0;
    for (const auto layer :
         listed(arguments.layers, arguments.layers.all, model.layerCount(opened.selection.stack))) {
        ui::OpenedSource ofLayer = opened;
        ui::SourceRequest request = arguments.request;
        if (layer)
            request.layer = layer;
        if (eachHead)
            request.head.reset(); // another layer may have fewer heads; checked below
        if (core::Outcome outcome = ui::applySelection(request, ofLayer); !outcome)
            return outcome.error();
        const core::Index heads = model.headsOf(ofLayer.selection.attention());
        for (const auto head :
             listed(arguments.eachHead, eachHead && !arguments.eachHead.isSet(), heads)) {
            if (++count > ui::kMaxListed)
                return errorOf(Words::tr("more than %1 figures").arg(ui::kMaxListed), "--layer",
                               Words::tr("use fewer layers or heads"));
            if (head && *head >= heads)
                return errorOf(
                    Words::tr("layer %1 has no head %2").arg(ofLayer.selection.layer).arg(*head),
                    "--head", Words::tr("use heads from 0 to %1").arg(heads - 1));
            FigurePage page{layer, head, ofLayer.selection};
            page.selection.head = head.value_or(page.selection.head);
            const QString name = nameOf(arguments, page);
            auto file = std::ranges::find(files, name, &FigureFile::name);
            if (file == files.end())
                file = files.insert(files.end(), {name, {}});
            file->pages.push_back(page);
        }
    }
    return files;
}

Arguments argumentsOfPage(const Arguments &arguments, const FigurePage &page) {
    Arguments one = arguments;
    if (page.layer)
        one.request.layer = page.layer;
    if (page.head) {
        one.request.head = page.head;
        one.heads = HeadChoice::One;
    }
    return one;
}

Arguments storedArguments(const Arguments &arguments, const FigureFile &file) {
    const FigurePage &first = file.pages.front();
    Arguments stored = argumentsOfPage(arguments, first);
    if (first.layer && std::ranges::all_of(file.pages, [&](const FigurePage &page) {
            return page.layer == first.layer;
        }))
        stored.words = withValue(stored.words, "layer", QString::number(*first.layer));
    if (first.head && std::ranges::all_of(file.pages, [&](const FigurePage &page) {
            return page.head == first.head;
        }))
        stored.words = withValue(stored.words, "head", QString::number(*first.head));
    stored.recipe = recipeOf(stored.words, stored.format);
    return stored;
}

} // namespace headlight::app
