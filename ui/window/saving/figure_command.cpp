#include "ui/window/saving/figure_command.h"

#include "core/format_number.h"
#include "core/formats/figure/figure_session.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "ui/document/figure_caption.h"
#include "ui/document/shell_word.h"
#include "ui/figures/base/style.h"
#include "ui/figures/table/views.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("FigureCommand", text);
}

/// Returns the mask's name on the command line; empty if it has none.
QString maskWord(const core::MaskLayers &layers) {
    bool causal = false;
    bool padding = false;
    for (const core::MaskLayer &layer : layers) {
        causal |= std::holds_alternative<core::CausalMask>(layer);
        padding |= std::holds_alternative<core::PaddingMask>(layer);
        if (!std::holds_alternative<core::CausalMask>(layer) &&
            !std::holds_alternative<core::PaddingMask>(layer))
            return {};
    }
    if (causal && padding)
        return "causal+padding";
    return causal ? "causal" : padding ? "padding" : "none";
}

bool showsStage(const QString &view) {
    const ViewInfo *info = findView(view);
    return info && info->showsSelectedStage;
}

/// Returns the selection of the source and its step.
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

class Command {
  public:
    Command(const Document &document, const QString &source) : m_document(document) {
        addFile(source);
    }

    const QStringList &lost() const { return m_lost; }
    void beginAnew(const QString &source) {
        m_words.clear();
        m_stored.clear();
        m_lost.clear();
        addFile(source);
    }

    void addEdits() {
        using core::StatePart;
        const DocumentState &state = m_document.state();
        const core::Session &session = m_document.session();
        const auto edited = [&state](StatePart part) { return state.edits.has(part); };
        if (session.pretrained && session.pretrained->expression &&
            kindOfSource(m_document.source()) == SourceKind::ModelFolder)
            add("--expression", QString::fromStdString(*session.pretrained->expression));
        if (m_document.seed())
            add("--seed", QString::number(*m_document.seed()));
        if (session.lesson)
            add("--step", QString::number(state.lessonStep));
        const core::Sequence &first = (*state.input.batch)[0];
        // If tokens have positions in a text, reading the text reproduces them.
        const bool isRead =
            first.isSplit || std::ranges::any_of(first.tokens, [](const auto &token) {
                return token.span.has_value();
            });
        if (edited(StatePart::Text) && std::ranges::any_of(first.tokens, &core::Token::isWritten))
            m_lost << tr("what the model wrote");
        else if (edited(StatePart::Text) && state.input.batch->count() == 1 &&
                 (!isRead || first.embeddings))
            m_lost << tr("the tokens");
        else if (edited(StatePart::Text) && state.input.batch->count() == 1)
            add("--text", QString::fromStdString(first.text));
        else if (edited(StatePart::Text))
            m_lost << tr("the text of one of several sequences");
        else if (state.input.batch->count() > 1)
            add("--sequence", QString::number(m_document.selection().sequence));
        if (edited(StatePart::Masks)) {
            const QString word = maskWord(state.input.masks);
            if (word.isEmpty())
                m_lost << tr("mask cells and windows");
            else
                add("--mask", word);
        }
        const core::Config &config = state.model.config;
        if (edited(StatePart::Positions))
            add("--positions",
                config.positions == core::Positions::Sinusoidal ? "sinusoidal" : "none");
        if (edited(StatePart::Scale) && config.scale.kind == core::Scale::Kind::Number)
            m_lost << tr("the scale of the scores");
        else if (edited(StatePart::Scale))
            add("--scaling", config.scale.kind == core::Scale::Kind::Off ? "off" : "sqrt");
        if (edited(StatePart::Temperature))
            m_lost << tr("the temperature");
        if (edited(StatePart::Softmax) || edited(StatePart::Masking))
            m_lost << tr("what if");
        if (edited(StatePart::Interventions))
            m_lost << tr("interventions");
        if (edited(StatePart::Structure))
            m_lost << tr("the structure of the model");
        if (edited(StatePart::Parameters) || edited(StatePart::Words))
            m_lost << tr("changed weights");
    }

    /// For a figure as the source: it stores everything except the shown sequence.
    void addSequence() {
        if (m_document.state().input.batch->count() > 1)
            add("--sequence", QString::number(m_document.selection().sequence));
    }

    void addSelection(const FigureCommandLine &recipe) {
        const core::Selection &selection = m_document.selection();
        const core::Selection own = ownSelection(m_document);
        const core::Model &model = m_document.state().model;
        if (m_document.isCapture()) { // a capture's default depends on its content
            if (selection.stack != core::Stack::Main)
                addWordOf("--stack", core::wordOf(selection.stack));
            if (model.hasCrossAttention())
                addWordOf("--block", core::wordOf(selection.block));
        }
        if (m_document.isCapture() ? model.layerCount(selection.stack) > 1
                                   : model.parameters.main.layers.size() > 1)
            add("--layer", QString::number(selection.layer));
        add("--head", QString::number(selection.head));
        if (showsStage(recipe.view))
            addWordOf("--stage", core::infoOf(recipe.stage).name);
        addIndex("--query", selection.query, own.query);
        addIndex("--key", selection.key, own.key);
        addIndex("--dimension", selection.dimension, own.dimension);
        const ViewInfo *view = findView(recipe.view);
        if ((selection.opened || own.opened) && view && view->has(Choice::Arithmetic))
            add("--arithmetic", selection.opened ? "opened" : "line");
    }

    /// Adds the options of the softmax view.
    void addSoftmax(const FigureCommandLine &recipe) {
        const core::SoftmaxLook &look = m_document.state().softmax;
        const ViewInfo *view = findView(recipe.view);
        if (!view || !view->has(Choice::Softmax))
            return;
        const bool isSpread = look.part == core::SoftmaxPart::Spread;
        add("--part", isSpread ? "spread" : "row");
        if (isSpread) {
            add("--d-k", QString::number(look.headSize));
            add("--draw-seed", QString::number(look.seed));
        } else if (look.isOwn()) {
            QStringList logits;
            for (const float logit : look.logits)
                logits << QString::fromStdString(core::exact(logit));
            add("--logits", logits.join(','));
            add("--times", QString::fromStdString(core::exact(look.times)));
            add("--temperature", QString::fromStdString(core::exact(look.temperature)));
        } else {
            add("--logits", "none");
        }
    }

    void addChoices(const FigureCommandLine &recipe) {
        const FigureOptions &options = recipe.options;
        const FigureOptions usual;
        if (options.range != usual.range)
            add("--range", nameOf(options.range));
        if (options.measure != usual.measure)
            addWordOf("--measure", core::nameOf(options.measure));
        if (options.order != usual.order)
            add("--order", QString::fromLatin1(core::nameOf(options.order).data()));
        if (options.contextual != usual.contextual)
            add("--contextual", QString::fromLatin1(core::infoOf(options.contextual).name.data()));
        if (options.granularity != usual.granularity)
            add("--granularity", nameOf(options.granularity));
        if (options.learned != usual.learned)
            add("--learned", QStringLiteral("folded"));
        if (options.lines != usual.lines)
            add("--lines", QStringLiteral("shown"));
        if (options.backwardPass)
            addWord("--way-back");
        const PlaneOptions &plane = options.plane;
        if (plane.spaces != usual.plane.spaces)
            add("--space", nameOf(plane.spaces));
        if (plane.axes != usual.plane.axes)
            add("--axes", nameOf(plane.axes));
        if (plane.gravity != usual.plane.gravity)
            add("--gravity", QString::number(plane.gravity));
        if (plane.together)
            addWord("--together");
        const FigureStyle style;
        if (recipe.weightsMap != style.weightsMap || recipe.signedMap != style.signedMap)
            add("--colors", nameOf(recipe.weightsMap) + ',' + nameOf(recipe.signedMap));
    }

    /// Adds side A as in its source. No option expresses the user's changes to it.
    void addComparison() {
        const Comparison &comparison = m_document.comparison();
        const std::optional<SideA> &a = comparison.a();
        if (comparison.shown() == ComparisonSide::Now)
            return;
        if (comparison.sequence())
            add("--compare-sequence", QString::number(*comparison.sequence()));
        if (a) {
            addWord("--compare");
            addFile(a->source);
            if (a->session.lesson)
                add("--compare-step", QString::number(a->state.lessonStep));
            if (a->state.input.batch->count() > 1)
                add("--compare-sequence", QString::number(comparison.compared().sequence.value_or(
                                              m_document.selection().sequence)));
            if (a->state.edits.any())
                m_lost << tr("what was changed of A before it was pinned");
            if (a->seed)
                m_lost << tr("the seed of A");
        }
        add("--show", nameOf(comparison.shown()));
    }

    void addLook(const FigureCommandLine &recipe) {
        if (recipe.dark && !recipe.paper)
            add("--theme", "dark");
        if (recipe.textScale != 1)
            add("--text-scale", QString::number(recipe.textScale));
        if (recipe.paper)
            addWord("--paper");
        if (recipe.paper && recipe.transparent)
            addWord("--transparent");
        if (recipe.textAsPaths && recipe.format != Format::Png)
            addWord("--text-as-paths");
        add("--size", recipe.size.text());
        if (recipe.scale != 1)
            add("--scale", QString::number(recipe.scale));
        const QString caption = recipe.caption.trimmed();
        const bool suggested = caption == suggestedCaption(m_document, recipe.stage, recipe.view);
        if (!caption.isEmpty())
            add("--caption", suggested ? "auto" : caption);
    }

    void add(const QString &option, const QString &value) {
        // A value that starts with a dash would be parsed as an option.
        if (value.startsWith('-'))
            addWord(option + '=' + value);
        else
            for (const QString &word : {option, value})
                addWord(word);
    }
    void addWordOf(const char *option, std::string_view word) {
        add(option, QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())));
    }
    void addWord(const QString &option) {
        m_words << option;
        m_stored << option;
    }

    FigureCommand made(const QString &file) const {
        // Do not overwrite the figure that is the source.
        const QString typedFile = m_words.value(0) == file ? "again." + file.section('.', 1) : file;
        return {typed(m_words, typedFile), typed(m_stored, file), m_lost, m_stored};
    }

  private:
    void addFile(const QString &source) {
        m_words << source;
        m_stored << withoutFolder(source);
    }
    static QString typed(const QStringList &words, const QString &file) {
        QStringList quoted{"headlight", "figure"};
        for (const QString &word : words)
            quoted << shellWord(word);
        quoted << "-o" << file;
        return quoted.join(' ');
    }
    /// If the source selects an index that the document does not, adds "none".
    void addIndex(const char *option, std::optional<core::Index> index,
                  std::optional<core::Index> own) {
        if (index)
            add(option, QString::number(*index));
        else if (own)
            add(option, "none");
    }

    const Document &m_document;
    QStringList m_words;
    QStringList m_stored; // the same words, with file names without folders
    QStringList m_lost;
};

} // namespace

QString suggestedCaption(const Document &document, core::Stage stage, const QString &view) {
    if (const ViewInfo *info = findView(view); info && info->has(Choice::Softmax))
        if (const QString own = captionOf(document.state().softmax); !own.isEmpty())
            return own;
    core::Selection selection = document.selection();
    selection.stage = stage;
    return withComparison(suggestedCaption(document.session(), document.state(), selection),
                          document.comparison().compared());
}

FigureCommand commandFor(const Document &document, const FigureCommandLine &recipe) {
    const QString file = "figure." + nameOf(recipe.format);
    Command command(document, document.source());
    command.add("--view", recipe.view);
    command.addEdits();
    if (recipe.session && !command.lost().isEmpty()) {
        command.beginAnew(file);
        command.add("--view", recipe.view);
        command.addSequence();
    }
    command.addSelection(recipe);
    command.addSoftmax(recipe);
    command.addChoices(recipe);
    command.addComparison();
    command.addLook(recipe);
    if (!recipe.session)
        command.addWord("--no-session");
    return command.made(file);
}

std::string carriedBy(const Document &document, const FigureCommandLine &recipe) {
    core::FigureSession figure;
    for (const QString &word : commandFor(document, recipe).words)
        figure.arguments.push_back(word.toStdString());
    Snapshot snapshot = document.snapshot(recipe.view);
    // Selects like the command, not like the window, to get the same bytes.
    snapshot.selection.stage =
        showsStage(recipe.view) ? recipe.stage : ownSelection(document).stage;
    figure.session = snapshot.carriedBytes();
    return core::figureText(figure);
}

} // namespace headlight::ui
