#include "ui/figures/table/views.h"

#include "core/training/tasks/head_purpose.h"
#include "ui/figures/birth/birth_figure.h"
#include "ui/figures/birth/birth_moments_figure.h"
#include "ui/figures/close_up/close_up_figure.h"
#include "ui/figures/files/captioned_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/lines/lines_figure.h"
#include "ui/figures/output/output_figure.h"
#include "ui/figures/query_key/query_key_figure.h"
#include "ui/figures/similarity/similarity_figure.h"
#include "ui/figures/softmax/softmax_figure.h"
#include "ui/figures/table/attention_views.h"
#include "ui/figures/tinted_text/tinted_text_figure.h"
#include "ui/figures/training/training_figure.h"
#include "ui/figures/whole/whole_figure.h"
#include "ui/figures/words/words_figure.h"
#include "ui/text/core_message.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct ViewText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Views)
};

core::Error refusal(const QString &what, const char *option, const QString &instead) {
    return {messageOf(what), option, messageOf(instead)};
}

template <typename MadeFigure>
std::unique_ptr<Figure> made(const FigureInput &input) {
    return std::make_unique<MadeFigure>(MadeFigure::fromTrace(
        input.trace, input.selection, input.style, input.options, input.kept));
}

std::unique_ptr<Figure> madeGeometry(const FigureInput &input) {
    return std::make_unique<GeometryFigure>(GeometryFigure::fromTrace(
        input.trace, input.selection, input.style, input.options, input.held));
}

std::unique_ptr<Figure> madeOutput(const FigureInput &input) {
    return std::make_unique<OutputFigure>(OutputFigure::fromTrace(
        input.trace, input.selection, input.style, input.options, input.output));
}

std::unique_ptr<Figure> madeTraining(const FigureInput &input) {
    return std::make_unique<TrainingFigure>(TrainingFigure::of(
        input.training, input.trace, input.selection, input.style, input.options));
}

std::unique_ptr<Figure> madeBirth(const FigureInput &input) {
    return std::make_unique<BirthMomentsFigure>(
        BirthMomentsFigure::of(input.birth, input.style, input.options));
}

std::unique_ptr<Figure> madeSoftmax(const FigureInput &input) {
    return std::make_unique<SoftmaxFigure>(SoftmaxFigure::of(input.trace, input.selection,
                                                             input.softmax, input.givenSoftmax,
                                                             input.style, input.options));
}

// The stage that each view shows

core::Selection shownAsIs(const core::Trace &, const core::Selection &selection) {
    return selection;
}

/// Returns the selection at the attention weights, whose cells are pairs of tokens.
core::Selection shownPairs(const core::Trace &, const core::Selection &selection) {
    return atStage(selection, {core::Stage::AttentionWeights, selection.attention()});
}

/// Returns the selection at the output layer's probabilities: the row of the predicted token and,
/// if selected, a word.
core::Selection shownOutput(const core::Trace &trace, const core::Selection &selection) {
    if (!core::hasOutput(trace))
        return selection;
    const bool ofClasses = trace.has(core::Stage::ClassLogits);
    core::Selection at =
        atStage(selection, {ofClasses ? core::Stage::ClassLogits : core::Stage::Probabilities, {}});
    at.query = core::outputPlaceOf(trace, selection).row;
    if (core::infoOf(selection.stage).part != core::Part::OutputLayer)
        at.dimension.reset();
    return at;
}

template <core::Selection (*shown)(const core::Trace &, const core::Selection &)>
core::Stage captionedShown(const core::Trace &trace, const core::Selection &selection,
                           const FigureOptions &) {
    return shown(trace, selection).stage;
}

core::Stage captionedSimilarity(const core::Trace &trace, const core::Selection &selection,
                                const FigureOptions &options) {
    return SimilarityFigure::comparedStage(trace, selection.attention(), options.contextual);
}

core::Stage captionedGeometry(const core::Trace &, const core::Selection &,
                              const FigureOptions &options) {
    return GeometryFigure::captionedStage(options.plane.spaces);
}

core::Stage captionedOutput(const core::Trace &trace, const core::Selection &selection,
                            const FigureOptions &) {
    return shownOutput(trace, selection).stage;
}

core::Stage captionedEmbeddings(const core::Trace &, const core::Selection &,
                                const FigureOptions &) {
    return core::Stage::Embeddings;
}

// The roles that set a view's colours

std::optional<core::Role> bothRoles(const core::Trace &, core::Stage) {
    return std::nullopt;
}
std::optional<core::Role> roleOfCosines(const core::Trace &, core::Stage) {
    return core::Role::Context; // a role for signed values
}
std::optional<core::Role> roleOfWeights(const core::Trace &trace, core::Stage) {
    return colourRoleOf(trace, core::Stage::AttentionWeights);
}
std::optional<core::Role> roleOfStage(const core::Trace &trace, core::Stage stage) {
    return colourRoleOf(trace, stage);
}
std::optional<core::Role> roleOfHeads(const core::Trace &trace, core::Stage stage) {
    return colourRoleOf(trace, stageOfHeads(stage));
}

// Reasons why a view cannot show its input

ShownRun runOf(const FigureInput &input) {
    return shownRun(input.trace, input.selection, input.options.compared);
}

core::Outcome canShowAnything(const FigureInput &) {
    return core::Done{};
}

core::Outcome canShowStage(const FigureInput &input) {
    if (input.selection.stage == core::Stage::HeadOutputs)
        return refusal(
            ViewText::tr("close-up and whole have no matrix for each head's share of the output"),
            "--stage", ViewText::tr("use --view heatmap or heads"));
    return core::Done{};
}

core::Outcome canShowMatrix(const FigureInput &input) {
    if (!runOf(input).trace->isByRow(input.selection.stage))
        return core::Done{};
    return refusal(ViewText::tr("the rows of all tokens are too large for a heatmap"), "--stage",
                   ViewText::tr("use --view close-up or output, and choose one with --query"));
}

core::Outcome canShowSimilarity(const FigureInput &input) {
    const core::AttentionId attention = input.selection.attention();
    const core::Trace &trace = *runOf(input).trace;
    if (trace.has(core::Stage::Embeddings, attention) ||
        trace.has(captionedSimilarity(trace, input.selection, input.options), attention))
        return core::Done{};
    return refusal(ViewText::tr("there are no vectors to compare"), "--view",
                   ViewText::tr("use --view heatmap or heads"));
}

core::Outcome canShowOutput(const FigureInput &input) {
    const QString why = outputUnavailableReason(*runOf(input).trace);
    if (why.isEmpty())
        return core::Done{};
    return refusal(why, "--view", ViewText::tr("use another view"));
}

core::Outcome canShowTraining(const FigureInput &input) {
    if (input.training ||
        input.options.compared.shown == ComparisonSide::A) // side A was checked separately
        return core::Done{};
    return refusal(ViewText::tr("this session has no training run"), "--view",
                   ViewText::tr("use another view, or a session from headlight train"));
}

core::Outcome canShowBirth(const FigureInput &input) {
    if (input.training && core::findWatchableTask(input.training->recipe.task))
        return core::Done{};
    QStringList tasks;
    for (const core::WatchableTask &task : core::watchableTasks())
        tasks << QString::fromUtf8(task.id.data(), static_cast<qsizetype>(task.id.size()));
    return refusal(ViewText::tr("this session has no training run for a task of this view"),
                   "--view", ViewText::tr("use a session that trains %1").arg(alternatives(tasks)));
}

/// Returns an error with the same text as the window shows inside the figure.
core::Outcome canShowSoftmax(const FigureInput &input) {
    if (input.softmax.part == core::SoftmaxPart::Spread || input.softmax.isOwn())
        return core::Done{};
    const ShownRun run = runOf(input);
    const QString why = softmaxRowUnavailableReason(*run.trace, run.selection);
    if (why.isEmpty())
        return core::Done{};
    // The error continues after this sentence, so remove its full stop.
    return refusal(why.chopped(1), "--view", ViewText::tr("give custom logits with --logits"));
}

// Reasons why a comparison cannot be shown

template <core::Selection (*shown)(const core::Trace &, const core::Selection &)>
UnavailableReason matrixUnavailableReason(const FigureInput &input) {
    const Compared &compared = input.options.compared;
    if (input.options.backwardPass)
        return gradientsUnavailableReason(compared.shown);
    return unavailableReason(*input.trace, shown(*input.trace, input.selection), compared,
                             compared.shown,
                             input.options.summary ? Sought::EveryHead : Sought::Matrix);
}

/// Returns why the cosines cannot be shown. A comparison only needs the stage after attention.
UnavailableReason cosinesUnavailableReason(const FigureInput &input) {
    const Compared &compared = input.options.compared;
    core::Selection after = input.selection;
    after.stage = captionedSimilarity(*runOf(input).trace, input.selection, input.options);
    return unavailableReason(*input.trace, after, compared, compared.shown, Sought::Cosines);
}

UnavailableReason planesUnavailableReason(const FigureInput &input) {
    const Compared &compared = input.options.compared;
    return unavailableReason(*input.trace, GeometryFigure::valuesAt(input.selection), compared,
                             compared.shown, Sought::Vectors);
}

UnavailableReason outputSideUnavailableReason(const FigureInput &input) {
    const Compared &compared = input.options.compared;
    return outputComparisonUnavailableReason(*input.trace, input.selection, compared,
                                             compared.shown);
}

/// A replay shows only the current run.
UnavailableReason birthSideUnavailableReason(const FigureInput &input) {
    if (input.options.compared.shown == ComparisonSide::Now)
        return {};
    return {ViewText::tr("only the current run is replayed"), ViewText::tr("choose Current")};
}

UnavailableReason softmaxSideUnavailableReason(const FigureInput &input) {
    return softmaxComparisonUnavailableReason(input.trace, input.selection, input.softmax,
                                              input.options.compared);
}

template <Sought sought>
UnavailableReason sideUnavailableReason(const FigureInput &input) {
    const Compared &compared = input.options.compared;
    return unavailableReason(*input.trace, input.selection, compared, compared.shown, sought);
}

UnavailableReason modelSideUnavailableReason(const FigureInput &input) {
    return input.options.compared.shown == ComparisonSide::Difference
               ? matrixUnavailableReason<shownPairs>(input)
               : sideUnavailableReason<Sought::Head>(input);
}

// Reasons why a figure is empty

QString nothingOfMatrices(const Figure &) {
    return {};
}

QString nothingOfOutput(const Figure &figure) {
    return static_cast<const OutputFigure &>(figure).content().nothing;
}

QString nothingOfTraining(const Figure &figure) {
    return static_cast<const TrainingFigure &>(figure).content().nothing;
}

QString nothingOfBirth(const Figure &figure) {
    const auto *moments = dynamic_cast<const BirthMomentsFigure *>(&figure);
    return moments ? moments->nothing()
                   : static_cast<const BirthFigure &>(figure).content().nothing;
}

QString nothingOfSoftmax(const Figure &figure) {
    return static_cast<const SoftmaxFigure &>(figure).content().nothing;
}

QString nothingOfWords(const Figure &figure) {
    return static_cast<const WordsFigure &>(figure).content().nothing;
}

QString nothingInPlanes(const Figure &figure) {
    return static_cast<const GeometryFigure &>(figure).nothing();
}

} // namespace

QString ViewInfo::whyEmpty(const FigureInput &input, const Figure &figure) const {
    const UnavailableReason why = comparisonUnavailableReason(input);
    return why.isEmpty() ? nothingIn(figure) : why.why;
}

bool ViewInfo::has(Choice choice) const {
    return std::ranges::find(choices, choice) != choices.end();
}

/// Returns the table of views, indexed by core::View. Each row sets the view's texts, the options
/// that apply to the view, its properties, and the functions that create and check its figure (see
/// ViewInfo).
std::span<const ViewInfo> allViews() {
    static const std::vector<ViewInfo> views{
        {.view = core::View::CloseUp,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Close-up"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "One stage of the computation and the matrices it is "
                                      "computed from, with matching rows and columns"),
         .choices = {Choice::Range, Choice::Colours, Choice::Granularity, Choice::Learned,
                     Choice::Arithmetic, Choice::Lines},
         .showsSelectedStage = true,
         .showsDifference = true,
         .hasMask = true,
         .isTable = true,
         .makeFigure = made<CloseUpFigure>,
         .shown = CloseUpFigure::shown,
         .captioned = captionedShown<CloseUpFigure::shown>,
         .role = bothRoles,
         .canShow = canShowStage,
         .comparisonUnavailableReason = matrixUnavailableReason<CloseUpFigure::shown>,
         .nothingIn = nothingOfMatrices},
        {.view = core::View::Whole,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Whole"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "All stages of the computation as matrices at one scale, "
                                      "and how each is computed from others"),
         .choices = {Choice::Range, Choice::Colours, Choice::Learned, Choice::BackwardPass},
         .showsSelectedStage = true,
         .showsDifference = true,
         .hasMask = true,
         .isTable = true,
         .makeFigure = made<WholeFigure>,
         .shown = WholeFigure::shown,
         .captioned = captionedShown<WholeFigure::shown>,
         .role = bothRoles,
         .canShow = canShowStage,
         .comparisonUnavailableReason = matrixUnavailableReason<WholeFigure::shown>,
         .nothingIn = nothingOfMatrices},
        {.view = core::View::Heads,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Heads"),
         .purpose = QT_TRANSLATE_NOOP(
             "headlight::ui::Views",
             "All heads of the layer side by side, with one of them or their combination enlarged"),
         .choices = {Choice::Range, Choice::Colours, Choice::HeadOrder, Choice::ChosenHeads,
                     Choice::Combination, Choice::Blocks},
         .showsSelectedStage = true,
         .showsDifference = true,
         .hasMask = true,
         .isTable = true,
         .makeFigure = madeHeads,
         .shown = shownHeads,
         .captioned = captionedShown<shownHeads>,
         .role = roleOfHeads,
         .canShow = canShowHeads,
         .comparisonUnavailableReason = headsUnavailableReason,
         .nothingIn = nothingOfHeads},
        {.view = core::View::Similarity,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Similarity"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "Similarity of the words, before and after attention"),
         .choices = {Choice::Colours, Choice::Contextual},
         .showsSelectedStage = false,
         .showsDifference = true,
         .hasMask = false,
         .isTable = true,
         .makeFigure = made<SimilarityFigure>,
         .shown = shownPairs,
         .captioned = captionedSimilarity,
         .role = roleOfCosines,
         .canShow = canShowSimilarity,
         .comparisonUnavailableReason = cosinesUnavailableReason,
         .nothingIn = nothingOfMatrices},
        {.view = core::View::Geometry,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Geometry"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "The vectors as arrows in a plane; drag them with the mouse"),
         .choices = {Choice::Planes},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = false,
         .makeFigure = madeGeometry,
         .shown = shownPairs,
         .captioned = captionedGeometry,
         .role = bothRoles,
         .canShow = canShowAnything,
         .comparisonUnavailableReason = planesUnavailableReason,
         .nothingIn = nothingInPlanes},
        {.view = core::View::Output,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Output"),
         .purpose =
             QT_TRANSLATE_NOOP("headlight::ui::Views",
                               "The model's prediction of the next token, and text generation"),
         .choices = {},
         .showsSelectedStage = false,
         .showsDifference = true,
         .hasMask = false,
         .isTable = false,
         .makeFigure = madeOutput,
         .shown = shownOutput,
         .captioned = captionedOutput,
         .role = bothRoles,
         .canShow = canShowOutput,
         .comparisonUnavailableReason = outputSideUnavailableReason,
         .nothingIn = nothingOfOutput},
        {.view = core::View::Training,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Training"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "How the model learns a task: loss, accuracy and heads, step "
                                      "by step"),
         .choices = {Choice::Measure},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = false,
         .makeFigure = madeTraining,
         .shown = shownAsIs,
         .captioned = captionedShown<shownAsIs>,
         .role = bothRoles,
         .canShow = canShowTraining,
         .comparisonUnavailableReason = sideUnavailableReason<Sought::Curves>,
         .nothingIn = nothingOfTraining},
        {.view = core::View::Softmax,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Softmax"),
         .purpose = QT_TRANSLATE_NOOP(
             "headlight::ui::Views",
             "Logits as bars that can be dragged, their softmax, and why scores are divided by √d"),
         .choices = {Choice::Colours, Choice::Softmax},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = false,
         .makeFigure = madeSoftmax,
         .shown = shownPairs,
         .captioned = captionedShown<shownPairs>,
         .role = roleOfCosines,
         .canShow = canShowSoftmax,
         .comparisonUnavailableReason = softmaxSideUnavailableReason,
         .nothingIn = nothingOfSoftmax},
        {.view = core::View::Words,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Words"),
         .purpose =
             QT_TRANSLATE_NOOP("headlight::ui::Views",
                               "Sentences as numbers: one-hot, bag of words, TF-IDF, embeddings "
                               "and context, and the similarity of two sentences in each"),
         .choices = {Choice::Colours},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = false,
         .makeFigure = made<WordsFigure>,
         .shown = shownAsIs,
         .captioned = captionedEmbeddings,
         .role = bothRoles,
         .canShow = canShowAnything,
         .comparisonUnavailableReason = sideUnavailableReason<Sought::Texts>,
         .nothingIn = nothingOfWords},
        {.view = core::View::Birth,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Being born"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "A head being born: a whole training run, replayed with the "
                                      "heads that form and what the model answers"),
         .choices = {Choice::Colours},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = false,
         .makeFigure = madeBirth,
         .shown = shownAsIs,
         .captioned = captionedShown<shownAsIs>,
         .role = bothRoles,
         .canShow = canShowBirth,
         .comparisonUnavailableReason = birthSideUnavailableReason,
         .nothingIn = nothingOfBirth},
        {.view = core::View::Model,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Model"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "The heads of all layers at a glance, sorted by a measure, "
                                      "and what silencing one does"),
         .choices = {Choice::Range, Choice::Colours},
         .showsSelectedStage = false,
         .showsDifference = true,
         .hasMask = true,
         .isTable = true,
         .makeFigure = madeModel,
         .shown = shownPairs,
         .captioned = captionedShown<shownPairs>,
         .role = roleOfWeights,
         .canShow = canShowModel,
         .comparisonUnavailableReason = modelSideUnavailableReason,
         .nothingIn = nothingOfModel},
        {.view = core::View::Lines,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Lines"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "Attention as lines between the tokens, as thick as the "
                                      "weights, one colour for each head"),
         .choices = {Choice::ChosenHeads, Choice::HeadLines},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = true,
         .makeFigure = made<LinesFigure>,
         .shown = shownPairs,
         .captioned = captionedShown<shownPairs>,
         .role = bothRoles,
         .canShow = canShowLines,
         .comparisonUnavailableReason = weightsUnavailableReason,
         .nothingIn = nothingOfLines},
        {.view = core::View::Text,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Text"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "The text itself, each token tinted by the weight that the "
                                      "selected token gives to it"),
         .choices = {Choice::Range, Choice::Colours},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = true,
         .makeFigure = made<TintedTextFigure>,
         .shown = shownPairs,
         .captioned = captionedShown<shownPairs>,
         .role = roleOfStage,
         .canShow = canShowText,
         .comparisonUnavailableReason = weightsUnavailableReason,
         .nothingIn = nothingOfText},
        {.view = core::View::QueryKey,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Query · key"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views",
                                      "The products of the selected query with each key, by "
                                      "dimension; their sums decide where it attends"),
         .choices = {Choice::Range, Choice::Colours},
         .showsSelectedStage = false,
         .showsDifference = false,
         .hasMask = false,
         .isTable = false,
         .makeFigure = made<QueryKeyFigure>,
         .shown = shownScores,
         .captioned = captionedShown<shownScores>,
         .role = roleOfCosines,
         .canShow = canShowQueryKey,
         .comparisonUnavailableReason = queryUnavailableReason,
         .nothingIn = nothingOfQueryKey},
        {.view = core::View::Heatmap,
         .title = QT_TRANSLATE_NOOP("headlight::ui::Views", "Heatmap"),
         .purpose = QT_TRANSLATE_NOOP("headlight::ui::Views", "One matrix"),
         .choices = {Choice::Range, Choice::Colours, Choice::Summary, Choice::Blocks},
         .showsSelectedStage = true,
         .showsDifference = true,
         .hasMask = true,
         .isTable = true,
         .makeFigure = made<HeatmapFigure>,
         .shown = shownAsIs,
         .captioned = captionedShown<shownAsIs>,
         .role = roleOfStage,
         .canShow = canShowMatrix,
         .comparisonUnavailableReason = matrixUnavailableReason<shownAsIs>,
         .nothingIn = nothingOfMatrices}};
    return views;
}

const ViewInfo &infoOf(core::View view) {
    return allViews()[static_cast<std::size_t>(view)];
}

const ViewInfo *findView(const QString &id) {
    const auto view = core::findView(id.toStdString());
    return view ? &infoOf(*view) : nullptr;
}

QString idOf(const ViewInfo &info) {
    const std::string_view id = core::idOf(info.view);
    return QString::fromLatin1(id.data(), static_cast<qsizetype>(id.size()));
}

QString titleOf(const ViewInfo &info) {
    return QCoreApplication::translate("headlight::ui::Views", info.title);
}

QString purposeOf(const ViewInfo &info) {
    return QCoreApplication::translate("headlight::ui::Views", info.purpose);
}

bool isTab(const ViewInfo &info) {
    return std::ranges::find(core::kTabIds, core::idOf(info.view)) != core::kTabIds.end();
}

} // namespace headlight::ui
