// ModelView: the effects of silencing one head or each head. Also the numbers that are shown in
// place of thumbnails: effects, a measure, or the changes of a comparison.
#include "core/analysis/named_word.h"
#include "ui/command_line/head_names.h"
#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/views/model_bar.h"
#include "ui/views/model_panel.h"
#include "ui/views/model_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QTimer>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kLogitDecimals = 2;
constexpr int kSilencingTick = 100; // ms between two polls of the progress

/// Returns "0.3 %" as rich text that is not broken into two lines.
QString percentInLine(double share) {
    return percentText(share).replace(QLatin1Char(' '), QChar::Nbsp).toHtmlEscaped();
}

} // namespace

QString ModelView::cannotSilenceAny() const {
    const core::TracePointer &trace = document().trace();
    if (document().failure())
        return translated(*document().failure());
    if (!trace || document().traceIsStale())
        return tr("Computing…");
    if (document().isCapture())
        return tr("A capture contains no model, so no head can be silenced.");
    if (document().comparison().shown() != ComparisonSide::Now)
        return tr("Choose Current to see what silencing a head does.");
    if (!document().computable() || !core::hasOutput(*trace))
        return tr("The model has no output layer, so silencing a head changes no prediction.");
    return {};
}

QString ModelView::cannotSilence() const {
    const core::TracePointer &trace = document().trace();
    if (QString why = cannotSilenceAny(); !why.isEmpty())
        return why;
    if (trace->input().interventions.stateOf(chosen().attention, chosen().head) !=
        core::HeadState::On)
        return tr("This head is already silenced or replaced.");
    return {};
}

void ModelView::showSilencing() {
    const QString why = cannotSilence();
    if (!why.isEmpty())
        return m_panel->setSilencing(why.toHtmlEscaped(), {});
    const core::HeadId head = chosen();
    const core::Trace &trace = *document().trace();
    const QString name = placesOf(trace.model()).size() > 1
                             ? tr("Silencing %1").arg(headNameOf(trace.model(), head))
                             : tr("Silencing %1.%2").arg(head.attention.layer).arg(head.head);
    const core::OutputRowId output = core::outputPlaceOf(trace, document().selectionInTrace());
    const SilencedHeads::Found *const all = m_silencedAll.exactly(trace, {output});
    const auto *result = m_silenced.of(trace, {head, output});
    if (!all && !result)
        return m_panel->setSilencing(tr("%1: computing…").arg(name), {});
    if (!all && !*result)
        return m_panel->setSilencing(labelled(name, translated(result->error()).toHtmlEscaped()),
                                     {});
    const core::AblatedHeads &found = all ? *all->heads : **result;
    const auto own = std::ranges::find_if(found.heads, [&](const core::HeadEffect &each) {
        return each.attention == head.attention && each.head == head.head;
    });
    if (own == found.heads.end())
        return m_panel->setSilencing(labelled(name, tr("the head is already silenced or replaced")),
                                     {});
    const core::HeadEffect &effect = *own;
    const core::Model &model = trace.model();
    const auto word = [&model](core::Index index) {
        return tr("“%1”").arg(predictedName(model, index).toHtmlEscaped());
    };
    const QString change = tr("%1 %2 → %3")
                               .arg(word(found.token), percentInLine(found.probability),
                                    percentInLine(effect.probability));
    const QString logit = numberText(effect.logitDifference, kLogitDecimals);
    const QString more = tr("logit difference %1")
                             .arg(effect.logitDifference > 0 ? QLatin1Char('+') + logit : logit);
    m_panel->setSilencing(
        labelled(name, change),
        effect.top == found.token
            ? more
            : QStringList{more, tr("then most probable: %1").arg(word(effect.top))}.join(
                  QStringLiteral(" · ")));
}

void ModelView::makeBar() {
    connect(m_bar, &ModelBar::startWanted, this, &ModelView::silenceAll);
    connect(m_bar, &ModelBar::cancelWanted, &m_silencedAll, &SilencedHeads::cancel);
    connect(m_bar, &ModelBar::effectsWanted, this, &ModelView::showEffects);
    connect(m_bar, &ModelBar::copyWanted, this, &ModelView::copyEffects);
    connect(m_bar, &ModelBar::chosen, this, [this] {
        keepChoices();
        showBar();
        remake();
    });
    m_ticks->setInterval(kSilencingTick);
    connect(m_ticks, &QTimer::timeout, this, &ModelView::showBar);
    connect(&m_silencedAll, &SilencedHeads::changed, this, [this] {
        m_silencedAll.isBusy() ? m_ticks->start() : m_ticks->stop();
        showBar();
        showSilencing();
        remake();
        emit partComputed();
    });
    m_bar->hide();
    showBar();
}

void ModelView::restoreChoices() {
    // A copy, because signals change the original.
    const core::ModelViewState chosen = document().modelView();
    const core::Model &model = document().state().model;
    m_pinned.clear();
    for (const std::string &text : chosen.pinned) {
        const auto name = findHeadName(QString::fromStdString(text));
        const auto attention = name ? attentionNamed(*name, model, "") : core::Error{"", "", ""};
        const core::HeadId head = attention ? core::HeadId{*attention, name->head} : core::HeadId{};
        if (attention && std::ranges::find(m_pinned, head) == m_pinned.end())
            m_pinned.push_back(head);
    }
    m_panel->setMeasure(chosen.measure);
    setShowsMeasure(chosen.asColours);
    m_bar->setModel(model);
    m_bar->choose(chosen.ofLoss, chosen.byMean ? core::HeadState::Mean : core::HeadState::Zero,
                  model.vocabulary ? core::wordNamed(*model.vocabulary, chosen.token)
                                   : std::nullopt);
    document().setModelView(chosen);
}

void ModelView::keepChoices() {
    core::ModelViewState chosen;
    const core::Model &model = document().state().model;
    for (const core::HeadId &head : m_pinned)
        if (chosen.pinned.size() < core::kMaxPinnedHeads)
            chosen.pinned.push_back(
                textOf(headNameOf(head.attention, head.head, model)).toStdString());
    chosen.measure = m_panel->measure();
    chosen.asColours = m_showsMeasure;
    chosen.ofLoss = m_bar->isLoss();
    chosen.byMean = m_bar->state() == core::HeadState::Mean;
    if (const auto token = m_bar->token();
        token && model.vocabulary && *token < model.vocabulary->size())
        if (const std::string &word = model.vocabulary->word(*token);
            word.size() <= core::kMaxTokenBytes)
            chosen.token = word;
    document().setModelView(chosen);
}

QList<QAction *> ModelView::headActions() const {
    return m_actions + m_bar->actions();
}

QSizeF ModelView::figureSize() const {
    const int bar = m_bar->isHidden() ? 0 : m_bar->sizeHint().height();
    return {static_cast<double>(width()), std::max(1.0, static_cast<double>(height() - bar))};
}

SilencedHeads::Wanted ModelView::wantedEffects() const {
    return {core::outputPlaceOf(*document().trace(), document().selectionInTrace()), m_bar->state(),
            m_bar->isLoss(), m_bar->isLoss() ? std::nullopt : m_bar->token()};
}

void ModelView::silenceAll() {
    if (!cannotSilenceAny().isEmpty() || m_silencedAll.isBusy() || !m_bar->unknownWord().isEmpty())
        return;
    m_isDropped = false;
    m_showsEffects = true;
    setShowsMeasure(false);
    m_silencedAll.start(*document().computable(), document().trace(), wantedEffects());
    if (!isVisible())
        emit wanted();
}

void ModelView::showEffects(bool shown) {
    m_showsEffects = shown;
    if (shown)
        setShowsMeasure(false);
    showBar();
    remake();
    if (!isVisible())
        emit wanted();
}

/// Drops the effects when the text or the model changes, because they would be wrong.
void ModelView::followChanges(const ChangeEvent &event) {
    if (document().traceIsStale())
        m_silencedAll.stop();
    const core::TracePointer &trace = document().trace();
    if (is<SessionChanged>(event)) {
        m_silencedAll.forget();
        m_showsEffects = m_isDropped = false;
    } else if (trace && !document().traceIsStale() && !m_silencedAll.isOf(*trace)) {
        m_isDropped |= m_silencedAll.hasAny();
        m_silencedAll.forget();
        m_showsEffects = false;
    }
    if (!changesOnlyLesson(event))
        showBar();
}

HeadEffects ModelView::effects() const {
    const SilencedHeads::Wanted wanted = wantedEffects();
    const SilencedHeads::Found *const found = m_silencedAll.of(*document().trace(), wanted);
    HeadEffects shown{found ? found->wanted.output : wanted.output,
                      wanted.state,
                      m_bar->isLoss(),
                      found ? found->heads : nullptr,
                      {},
                      !found || found->wanted.output == wanted.output};
    if (found && (!shown.isLoss || found->heads->loss))
        return shown;
    shown.found.reset();
    if (found)
        shown.missing =
            document().trace()->model().saysNext()
                ? tr("the text has no next token in the vocabulary, so there is no loss")
                : tr("the model does not predict the next tokens, so there is no loss");
    else if (m_silencedAll.isBusy())
        shown.missing = tr("computing…");
    else if (const core::Error *error = m_silencedAll.error())
        shown.missing = translated(*error);
    else if (m_silencedAll.end() == SilencedHeads::End::Cancelled)
        shown.missing = tr("cancelled");
    else
        shown.missing = tr("not computed with these choices");
    return shown;
}

void ModelView::showBar() {
    const bool isPossible =
        document().trace() && !document().isCapture() && core::hasOutput(*document().trace());
    ModelBar::State state;
    state.unavailableReason = cannotSilenceAny();
    state.isBusy = m_silencedAll.isBusy();
    state.progress = m_silencedAll.progress();
    state.showsEffects = m_showsEffects;
    state.canShow = document().comparison().shown() == ComparisonSide::Now;
    if (isPossible) {
        m_bar->setModel(document().trace()->model());
        const HeadEffects shown = effects();
        state.hasEffects = shown.found != nullptr;
        const bool isOfAnother = state.hasEffects && !shown.isLoss && !shown.isOfSelected;
        if (state.isBusy)
            state.words.clear(); // the progress bar is shown instead
        else if (const QString unknown = m_bar->unknownWord(); !unknown.isEmpty())
            state.words = tr("The model has no token “%1”. Choose one of its vocabulary, or "
                             "clear the field.")
                              .arg(unknown);
        else if (m_isDropped)
            state.words = tr("The text or the model has changed, so the effects were discarded.");
        else if (m_silencedAll.end() != SilencedHeads::End::Finished && !state.hasEffects)
            state.words = ended(labelled(tr("Silencing"), shown.missing));
        else if (isOfAnother)
            state.words = tr("The effects were computed for another word. Silence the heads again "
                             "for the selected one.");
        else if (m_showsEffects && !state.hasEffects)
            state.words = ended(labelled(tr("Silencing"), shown.missing));
    }
    m_bar->show(state);
    if (isPossible != m_bar->isHidden())
        return;
    m_bar->setVisible(isPossible);
    layOut();
    remake();
}

QString ModelView::shownBeyondOptions() const {
    const ComparisonSide side = document().comparison().shown();
    if (side == ComparisonSide::Difference && m_panel->isBySimilarity())
        return tr("the change of the similarity");
    const bool shows = m_showsEffects && side == ComparisonSide::Now;
    return shows && !shownEffects() ? tr("the effects of silencing each head") : QString();
}

std::optional<ChosenEffects> ModelView::shownEffects() const {
    if (!m_showsEffects || !document().trace() ||
        document().comparison().shown() != ComparisonSide::Now)
        return std::nullopt;
    const HeadEffects shown = effects();
    if (!shown.found || (!shown.isLoss && !shown.isOfSelected))
        return std::nullopt; // a command can only measure the selected prediction
    ChosenEffects chosen{shown.isLoss, shown.state, {}};
    const SilencedHeads::Wanted wanted = wantedEffects();
    if (!wanted.token)
        return chosen;
    const core::Vocabulary *const words = document().trace()->model().vocabulary.get();
    if (!words || *wanted.token >= words->size())
        return std::nullopt;
    chosen.token = words->word(*wanted.token);
    return core::wordNamed(*words, *chosen.token) == wanted.token ? std::optional(chosen)
                                                                  : std::nullopt;
}

std::optional<ModelChanges::Sides> ModelView::comparedSides() const {
    const Compared compared = document().comparison().comparedAsComputed();
    if (compared.shown != ComparisonSide::Difference || !compared.a || !document().trace())
        return std::nullopt;
    const core::Selection selection = document().selectionInTrace();
    const core::Index sequenceOfA = inA(compared, selection).sequence;
    if (sequenceOfA >= compared.a->batch().count())
        return std::nullopt; // the figure shows the reason
    return ModelChanges::Sides{document().trace(), compared.a, selection.sequence, sequenceOfA,
                               compared.partners};
}

std::optional<HeadNumbers> ModelView::numbers(const core::TraceGlances *glances) const {
    const core::NamedMeasure &measure = m_panel->heads().measure();
    if (document().comparison().shown() == ComparisonSide::Difference) {
        if (m_panel->isBySimilarity())
            return HeadNumbers{
                &measure,
                true,
                {},
                tr("the change of the similarity is not computed: choose another measure")};
        const auto sides = comparedSides();
        const ModelChanges::FoundPointer found = sides ? m_changes.of(*sides) : nullptr;
        HeadNumbers changes =
            changesOf(measure, found ? found->heads : std::vector<core::ComparedHead>());
        if (found && found->error)
            changes.missing = translated(*found->error);
        else if (!found || !found->isComplete)
            changes.missing = tr("computing…");
        return changes;
    }
    if (!m_showsMeasure || m_panel->isBySimilarity())
        return std::nullopt;
    if (!glances)
        return HeadNumbers{&measure, false, {}, tr("computing…")};
    return numbersOf(measure, *glances);
}

QString ModelView::shownMeasure() const {
    const bool isDifference = document().comparison().shown() == ComparisonSide::Difference;
    if (m_panel->isBySimilarity() || (!isDifference && (!m_showsMeasure || m_showsEffects)))
        return {};
    const std::string_view name = m_panel->heads().measure().name;
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

void ModelView::setShowsMeasure(bool shown) {
    m_showsMeasure = shown;
    if (auto *action = findChild<QAction *>("measureAsColours"))
        action->setChecked(shown);
    keepChoices();
}

void ModelView::showMeasure(bool shown) {
    setShowsMeasure(shown);
    if (shown && document().comparison().shown() == ComparisonSide::Now)
        m_showsEffects = false;
    showBar();
    remake();
    emit partComputed();
}

void ModelView::copyEffects() const {
    if (!document().trace())
        return;
    if (const HeadEffects shown = effects(); shown.found)
        QGuiApplication::clipboard()->setText(
            effectsTable(document().trace()->model(), *shown.found));
}

} // namespace headlight::ui
