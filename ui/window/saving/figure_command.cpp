#include "ui/window/saving/figure_command.h"

#include "core/formats/figure/figure_session.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "ui/command_line/head_names.h"
#include "ui/command_line/view_options.h"
#include "ui/document/edits/pair_edits.h"
#include "ui/document/figure_caption.h"
#include "ui/document/shell_word.h"
#include "ui/figures/base/style.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/table/views.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("FigureCommand", text);
}

/// Returns the value of --mask for the layers; nothing if no value expresses them.
std::optional<SourceRequest::Mask> maskOf(const core::MaskLayers &layers) {
    using Mask = SourceRequest::Mask;
    bool causal = false;
    bool padding = false;
    for (const core::MaskLayer &layer : layers) {
        causal |= std::holds_alternative<core::CausalMask>(layer);
        padding |= std::holds_alternative<core::PaddingMask>(layer);
        if (!std::holds_alternative<core::CausalMask>(layer) &&
            !std::holds_alternative<core::PaddingMask>(layer))
            return std::nullopt;
    }
    if (causal && padding)
        return Mask::CausalAndPadding;
    return causal ? Mask::Causal : padding ? Mask::Padding : Mask::None;
}

bool showsStage(const QString &view) {
    const ViewInfo *info = findView(view);
    return info && info->showsSelectedStage;
}

/// Returns the selection after opening the source at the current lesson step.
core::Selection ownSelection(const Document &document) {
    const core::Session &session = document.session();
    const core::Selection selection = session.view.applied({});
    const core::Index step = document.state().lessonStep;
    const core::Selection shown =
        session.lesson
            ? session.lesson->steps[static_cast<std::size_t>(step)].show.applied(selection)
            : selection;
    return session.now && session.now->step == step ? session.now->show.applied(shown) : shown;
}

/// Returns the value of an index option. If the source selects an index that the document does not,
/// "none" (−1) clears it.
std::optional<core::Index> indexFor(std::optional<core::Index> index,
                                    std::optional<core::Index> own) {
    return index || !own ? index : std::optional<core::Index>(-1);
}

/// True if tokenizing the sequence's text yields its tokens again.
bool isOfItsText(const core::Sequence &sequence) {
    // Tokens that have positions in a text were read from it.
    return !sequence.embeddings &&
           (sequence.isSplit || std::ranges::any_of(sequence.tokens, [](const core::Token &token) {
                return token.span.has_value();
            }));
}

/// Sets the texts. Returns the names of changes to them that no option expresses.
QStringList setTexts(const Document &document, SourceRequest &request) {
    const core::Input &input = document.state().input;
    const bool hasSeveral = input.batch->count() > 1;
    if (!document.state().edits.has(core::StatePart::Text)) {
        if (hasSeveral)
            request.sequence = document.selection().sequence;
        return {};
    }
    const core::Sequence &first = (*input.batch)[0];
    if (std::ranges::any_of(first.tokens, &core::Token::isWritten))
        return {tr("generated text")};
    if (hasSeveral)
        return {tr("the text of one of several sequences")};
    if (!input.source) {
        if (!isOfItsText(first))
            return {tr("the tokens")};
        request.text = first.text;
        return {};
    }
    // --text is the text that is attended to. --target-text is the text that attends.
    const core::Input &own = document.session().input;
    const bool isOther = !core::sameNumbers(input.source, own.source);
    const bool isOtherTarget = !core::sameNumbers(input.batch, own.batch);
    const core::Sequence &source = (*input.source)[0];
    if ((isOther && !isOfItsText(source)) || (isOtherTarget && !isOfItsText(first)))
        return {tr("the tokens")};
    if (isOther)
        request.text = source.text;
    if (isOtherTarget)
        request.targetText = first.text;
    return {};
}

/// Sets the options for the user's changes to the source. Returns the names of changes that no
/// option expresses.
QStringList setEdits(const Document &document, SourceRequest &request) {
    using core::StatePart;
    QStringList lost;
    const DocumentState &state = document.state();
    const core::Session &session = document.session();
    const auto edited = [&state](StatePart part) { return state.edits.has(part); };
    if (session.pretrained && kindOfSource(document.source()) == SourceKind::ModelFolder) {
        request.expression = session.pretrained->expression;
        if (session.pretrained->tower == core::Tower::Pictures)
            request.tower = core::Tower::Pictures;
    }
    request.seed = document.seed();
    if (session.lesson)
        request.step = state.lessonStep;
    lost += setTexts(document, request);
    if (edited(StatePart::Masks)) {
        if (const auto mask = maskOf(state.input.masks))
            request.mask = *mask;
        else
            lost << tr("mask cells and windows");
    }
    const core::Config &config = state.model.config;
    if (edited(StatePart::Positions))
        request.positions = config.positions == core::Positions::Sinusoidal
                                ? core::Positions::Sinusoidal
                                : core::Positions::None;
    if (edited(StatePart::Scale) && config.scale.kind == core::Scale::Kind::Number)
        lost << tr("the scale of the scores");
    else if (edited(StatePart::Scale))
        request.scale = core::Scale{config.scale.kind};
    if (edited(StatePart::Temperature))
        lost << tr("the temperature");
    if (edited(StatePart::Softmax) || edited(StatePart::Masking))
        lost << tr("the What if settings");
    if (edited(StatePart::Interventions))
        lost << tr("interventions");
    if (edited(StatePart::Structure))
        lost << tr("the structure of the model");
    if (edited(StatePart::Parameters) || edited(StatePart::Words))
        lost << tr("changed parameters");
    return lost;
}

/// Sets the layers and heads of several figures. Returns false if --layer and --head, which combine
/// each layer with each head, do not express them.
bool setHeads(const core::Model &model, const std::vector<core::HeadId> &heads,
              ViewRequest &request) {
    std::vector<core::Index> layers, ofEach;
    for (const core::HeadId &head : heads) {
        if (std::ranges::count(layers, head.attention.layer) == 0)
            layers.push_back(head.attention.layer);
        if (std::ranges::count(ofEach, head.head) == 0)
            ofEach.push_back(head.head);
    }
    std::vector<core::HeadId> expressed;
    for (const core::Index layer : layers)
        for (const core::Index head : ofEach)
            expressed.push_back(
                {{layer, heads.front().attention.block, heads.front().attention.stack}, head});
    if (expressed != heads)
        return false;
    const bool isEveryLayer =
        std::ssize(layers) == model.layerCount(heads.front().attention.stack) &&
        layers.front() == 0;
    if (layers.size() > 1)
        request.layers = isEveryLayer && std::ranges::is_sorted(layers) ? IndexList{true, {}}
                                                                        : IndexList{false, layers};
    request.eachHead = {false, ofEach};
    return true;
}

/// Sets the options for the selection. Returns the names of settings that no option expresses.
QStringList setSelection(const Document &document, const FigureCommandLine &recipe,
                         ViewRequest &request) {
    const core::Selection selection = selectionOf(document, recipe);
    const core::Selection own = ownSelection(document);
    const core::Model &model = document.state().model;
    SourceRequest &place = request.request;
    // A capture's default depends on its content.
    const bool isNamed =
        document.isCapture() || selection.stack != own.stack || selection.block != own.block;
    if (isNamed &&
        (selection.stack == core::Stack::Encoder || selection.stack == core::Stack::Decoder))
        place.stack = selection.stack;
    if (isNamed && model.hasCrossAttention())
        place.block = selection.block;
    if (document.isCapture() || isNamed ? model.layerCount(selection.stack) > 1
                                        : model.parameters.main.layers.size() > 1)
        place.layer = selection.layer;
    place.head = selection.head;
    if (showsStage(recipe.view))
        request.stage = asWord(core::infoOf(recipe.stage).name);
    place.query = indexFor(selection.query, own.query);
    place.key = indexFor(selection.key, own.key);
    place.dimension = indexFor(selection.dimension, own.dimension);
    if (recipe.heads.size() > 1 && !setHeads(model, recipe.heads, request))
        return {tr("these heads")};
    return {};
}

core::SoftmaxPatch softmaxPatch(const core::SoftmaxLook &look) {
    core::SoftmaxPatch patch;
    patch.part = look.part;
    if (look.part == core::SoftmaxPart::Spread) {
        patch.headSize = look.headSize;
        patch.seed = look.seed;
        return patch;
    }
    patch.logits = look.logits;
    if (look.isOwn()) {
        patch.times = look.times;
        patch.temperature = look.temperature;
    }
    return patch;
}

void setChoices(const Document &document, const FigureCommandLine &recipe, ViewRequest &request) {
    FigureStyle style;
    style.weightsMap = recipe.weightsMap;
    style.signedMap = recipe.signedMap;
    const ViewInfo *view = findView(recipe.view);
    FigureOptions options = recipe.options;
    if (view && view->has(Choice::Combination) &&
        recipe.stage != core::Stage::AttentionWeights) { // only attention weights are combined
        options.combination = {};
        withoutUnused(options);
    }
    ViewChoices &choices = request.choices;
    choices = choicesOf(options, style);
    if (choices.weightsMap || choices.signedMap) {
        choices.weightsMap = recipe.weightsMap;
        choices.signedMap = recipe.signedMap;
    }
    if (recipe.options.backwardPass)
        choices.gradients = true;
    const bool opened = document.selection().opened;
    if (view && view->has(Choice::Arithmetic) && (opened || ownSelection(document).opened))
        choices.opened = opened;
    if (view && view->has(Choice::Softmax))
        choices.softmax = softmaxPatch(document.state().softmax);
}

/// Sets the user's pairs of tokens. Returns a name for the pairs that no option expresses.
QStringList setPairs(const Document &document, ViewRequest &request) {
    const DocumentState &state = document.state();
    if (!state.pairs)
        return {};
    const core::TokenPartnersPointer partners = document.comparison().partners();
    if (!partners) // the pairs are still being computed
        return {tr("pairs of tokens")};
    const auto editsOf = [&state](const core::AlignedText &text) {
        return edits::hasOwnPairs(state, text) ? core::pairEditsOf(text)
                                               : std::vector<core::PairEdit>();
    };
    const std::vector<core::AlignedText> &texts = partners->texts();
    request.pairEdits = editsOf(texts.back()); // --align applies to the text of --text
    const bool isLost = texts.size() > 1 && !editsOf(texts.front()).empty();
    return isLost ? QStringList{tr("pairs of tokens")} : QStringList();
}

/// Sets the options that open side A. Returns the user's changes to A, which no option expresses.
QStringList setComparison(const Document &document, ViewRequest &request) {
    QStringList lost;
    const Comparison &comparison = document.comparison();
    if (comparison.shown() == ComparisonSide::Now)
        return lost;
    request.shown = comparison.shown();
    request.compare.sequence = comparison.sequence();
    const std::optional<SideA> &a = comparison.a();
    if (!a)
        return lost + setPairs(document, request);
    lost += setPairs(document, request);
    const bool hasSequences = a->state.input.batch->count() > 1;
    if (a->text) {
        request.compare.text = a->text->toStdString();
        if (hasSequences)
            lost << tr("the text of A, one of several sequences");
    }
    if (comparison.followsDocument()) // A has the same source and the same changes
        return lost;
    request.compare.source = a->source;
    if (a->session.lesson)
        request.compare.step = a->state.lessonStep;
    if (hasSequences && !a->text)
        request.compare.sequence =
            comparison.compared().sequence.value_or(document.selection().sequence);
    if (a->state.edits.any())
        lost << tr("changes to A before it was pinned");
    if (a->seed)
        lost << tr("the seed of A");
    return lost;
}

/// Sets the names of the pinned heads that the model still has. The figure omits the others.
void setPinned(const Document &document, const FigureCommandLine &recipe, ViewRequest &request) {
    const core::Model &model = document.state().model;
    for (const core::HeadId &head : recipe.pinned)
        if (model.hasAttention(head.attention) && head.head < model.headsOf(head.attention))
            request.pinned.push_back(headNameOf(head.attention, head.head, model));
}

void setNumbers(const FigureCommandLine &recipe, ViewRequest &request) {
    request.measure = recipe.measure;
    if (!recipe.effects)
        return;
    request.effectOnLoss = recipe.effects->isLoss;
    request.silencesByMean = recipe.effects->state == core::HeadState::Mean;
    request.token = recipe.effects->token;
}

void setLook(const Document &document, const FigureCommandLine &recipe, ViewRequest &request) {
    if (recipe.dark && !recipe.paper)
        request.theme = QStringLiteral("dark");
    request.textScale = recipe.textScale;
    request.paper = recipe.paper;
    request.transparent = recipe.paper && recipe.transparent;
    request.textAsPaths = recipe.textAsPaths && recipe.format != Format::Png;
    request.size = recipe.size;
    request.scale = recipe.scale;
    const QString caption = recipe.caption.trimmed();
    FigureCommandLine ofSelected = recipe; // the dialog suggests the selected head's caption
    ofSelected.heads.clear();
    const bool suggested = caption == suggestedCaption(document, ofSelected) ||
                           caption == suggestedCaption(document, recipe);
    request.caption = suggested && !caption.isEmpty() ? QStringLiteral("auto") : caption;
    request.session = recipe.session;
}

QString typed(const QStringList &words, const QString &file) {
    QStringList quoted{"headlight", "figure"};
    for (const QString &word : words)
        quoted << shellWord(word);
    quoted << "-o" << file;
    return quoted.join(' ');
}

} // namespace

core::Selection selectionOf(const Document &document, const FigureCommandLine &recipe) {
    core::Selection selection = document.selection();
    if (recipe.heads.empty())
        return selection;
    const core::HeadId &first = recipe.heads.front();
    const bool isOther =
        selection.stack != first.attention.stack || selection.block != first.attention.block;
    selection = atStage(selection, {recipe.stage, first.attention});
    selection.head = first.head;
    if (isOther)
        selection.query = selection.key = std::nullopt;
    return selection;
}

QString suggestedCaption(const Document &document, core::Stage stage, const QString &view) {
    FigureCommandLine recipe;
    recipe.stage = stage;
    recipe.view = view;
    return suggestedCaption(document, recipe);
}

QString suggestedCaption(const Document &document, const FigureCommandLine &recipe) {
    if (const ViewInfo *info = findView(recipe.view); info && info->has(Choice::Softmax))
        if (const QString own = captionOf(document.state().softmax); !own.isEmpty())
            return own;
    core::Selection selection = selectionOf(document, recipe);
    selection.stage = recipe.stage;
    return withComparison(suggestedCaption(document.session(), document.state(), selection),
                          document.comparison().compared());
}

FigureCommand commandFor(const Document &document, const FigureCommandLine &recipe) {
    const QString file = "figure." + nameOf(recipe.format);
    ViewRequest request;
    request.view = recipe.view;
    SourceRequest &source = request.request;
    source.source = document.source();
    QStringList lost = setEdits(document, source);
    if (recipe.session && !lost.isEmpty()) { // the command then reads the figure itself
        lost.clear();
        source = SourceRequest();
        source.source = file;
        if (document.state().input.batch->count() > 1)
            source.sequence = document.selection().sequence;
    }
    lost += setSelection(document, recipe, request);
    setChoices(document, recipe, request);
    lost += setComparison(document, request);
    if (!recipe.beyondOptions.isEmpty())
        lost << recipe.beyondOptions;
    setPinned(document, recipe, request);
    setNumbers(recipe, request);
    setLook(document, recipe, request);

    const auto wordsOf = [](const ViewRequest &asked) {
        return QStringList{asked.request.source} + figureText(asked);
    };
    ViewRequest stored = request;
    for (SourceRequest *opened : {&stored.request, &stored.compare})
        opened->source = withoutFolder(opened->source);
    // Do not overwrite the figure that is read.
    const QString written = source.source == file     ? "again." + file.section('.', 1)
                            : recipe.output.isEmpty() ? file
                                                      : recipe.output;
    const QStringList words = wordsOf(stored);
    return {typed(wordsOf(request), shellWord(written)), typed(words, file), lost, words};
}

std::string carriedBy(const Document &document, const FigureCommandLine &recipe) {
    core::FigureSession figure;
    for (const QString &word : commandFor(document, recipe).words)
        figure.arguments.push_back(word.toStdString());
    // A view that is not a tab does not replace the session's view.
    const ViewInfo *view = findView(recipe.view);
    Snapshot snapshot =
        document.snapshot(view && isTab(*view) ? recipe.view : document.requestedView());
    // Use the command's selection, not the window's, so that the bytes are the same.
    snapshot.selection = selectionOf(document, recipe);
    snapshot.selection.stage =
        showsStage(recipe.view) ? recipe.stage : ownSelection(document).stage;
    snapshot.modelView = {}; // the command already names the pinned heads
    figure.session = snapshot.carriedBytes();
    return core::figureText(figure);
}

} // namespace headlight::ui
