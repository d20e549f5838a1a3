#include "app/view_checks.h"

#include "app/words.h"
#include "ui/command_line/view_options.h"

namespace headlight::app {

using ui::ViewChoices;

namespace {

/// An option that only some views support, and the error for all others.
struct OwnChoice {
    ui::Choice choice;
    const char *words;
    std::optional<core::View> owner = {}; ///< the implied view, if several have the choice
};
constexpr OwnChoice kOwnChoices[] = {
    {ui::Choice::Combination,
     QT_TRANSLATE_NOOP("CommandLine", "only the heads view combines heads")},
    {ui::Choice::HeadOrder, QT_TRANSLATE_NOOP("CommandLine", "only the heads view sorts heads")},
    {ui::Choice::Measure,
     QT_TRANSLATE_NOOP("CommandLine", "only the training and the model view show a measure")},
    {ui::Choice::Contextual,
     QT_TRANSLATE_NOOP("CommandLine", "only the similarity view compares vectors")},
    {ui::Choice::Planes,
     QT_TRANSLATE_NOOP("CommandLine", "only the geometry view shows vectors in the plane")},
    {ui::Choice::Granularity,
     QT_TRANSLATE_NOOP("CommandLine", "only close-up shows the progress of the computation")},
    {ui::Choice::Learned,
     QT_TRANSLATE_NOOP("CommandLine", "only close-up and whole show weight matrices")},
    {ui::Choice::Arithmetic,
     QT_TRANSLATE_NOOP("CommandLine", "only close-up shows the arithmetic of a number")},
    {ui::Choice::Lines,
     QT_TRANSLATE_NOOP("CommandLine", "only close-up draws attention lines between the words")},
    {ui::Choice::ChosenHeads,
     QT_TRANSLATE_NOOP("CommandLine", "only the lines view draws the lines of several heads"),
     core::View::Lines},
    {ui::Choice::HeadLines,
     QT_TRANSLATE_NOOP("CommandLine", "only the lines view has a threshold for lines")},
    {ui::Choice::Blocks,
     QT_TRANSLATE_NOOP("CommandLine", "only heads and heatmap summarise the cells of a pixel"),
     core::View::Heatmap},
    {ui::Choice::Softmax,
     QT_TRANSLATE_NOOP("CommandLine", "only the softmax view shows a row of logits")},
    {ui::Choice::BackwardPass, QT_TRANSLATE_NOOP("CommandLine", "only whole shows gradients")},
};

QString ownerOf(const OwnChoice &own) {
    if (own.owner)
        return ui::idOf(ui::infoOf(*own.owner));
    for (const ui::ViewInfo &info : ui::allViews())
        if (info.has(own.choice))
            return ui::idOf(info);
    return {};
}

core::Outcome checkColours(const ViewChoices &choices, core::Role role) {
    const bool isSigned = ui::isDiverging(ui::FigureStyle().mapOf(role));
    if (choices.weightsMap && !choices.signedMap && isSigned)
        return errorOf(Words::tr("%1 is for weights, but these values are signed")
                           .arg(ui::nameOf(*choices.weightsMap)),
                       "--colors", Words::tr("use rdbu or prgn"));
    if (choices.signedMap && !choices.weightsMap && !isSigned)
        return errorOf(Words::tr("%1 is for signed values, but these are not signed")
                           .arg(ui::nameOf(*choices.signedMap)),
                       "--colors", Words::tr("use viridis, magma, cividis or greys"));
    return core::Done{}; // at least one of the chosen maps fits
}

} // namespace

QString viewFor(const ui::ViewRequest &request) {
    if (request.effectOnLoss || (!request.measure.isEmpty() && !request.choices.measure))
        return ui::idOf(ui::infoOf(core::View::Model));
    for (const OwnChoice &own : kOwnChoices)
        if (ui::optionOf(request, own.choice))
            return ownerOf(own);
    return request.pinned.empty() ? QString() : ui::idOf(ui::infoOf(core::View::Model));
}

core::Outcome checkFor(const ui::ViewRequest &request, const ui::ViewInfo &view,
                       std::optional<core::Role> role) {
    const auto refused = [&](ui::Choice choice) -> std::optional<std::string> {
        const char *option = view.has(choice) ? nullptr : ui::optionOf(request, choice);
        return option ? std::optional("--" + std::string(option)) : std::nullopt;
    };
    const bool isModel = view.view == core::View::Model;
    if (!request.measure.isEmpty() && !request.choices.measure && !isModel)
        return errorOf(Words::tr("only the model view has the measure %1").arg(request.measure),
                       "--measure", Words::tr("add --view model"));
    for (const OwnChoice &own : kOwnChoices)
        if (const auto option = refused(own.choice);
            option && !(isModel && own.choice == ui::Choice::Measure))
            return errorOf(Words::tr(own.words), *option,
                           Words::tr("add --view %1").arg(ownerOf(own)));
    if (!request.pinned.empty() && !isModel)
        return errorOf(Words::tr("only the model view has pinned heads"), "--pin",
                       Words::tr("add --view model"));
    if (request.effectOnLoss && !isModel)
        return errorOf(Words::tr("only the model view shows what silencing a head changes"),
                       "--effect", Words::tr("add --view model"));
    for (const ui::Choice choice : {ui::Choice::Range, ui::Choice::Colours})
        if (const auto option = refused(choice))
            return errorOf(
                view.has(ui::Choice::Softmax) ? Words::tr("the colour range of softmax derivatives "
                                                          "is fixed, because they are at most 0.25")
                : view.has(ui::Choice::Colours) ? Words::tr("cosines always range from −1 to 1")
                : view.has(ui::Choice::Planes)
                    ? Words::tr("vectors in the plane have no colour scale")
                    : Words::tr("this view has no colour scale"),
                *option, Words::tr("leave it out, or use another view"));
    return role ? checkColours(request.choices, *role) : core::Done{};
}

} // namespace headlight::app
