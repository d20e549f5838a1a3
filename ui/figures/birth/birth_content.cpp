#include "ui/figures/birth/birth_content.h"

#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct BirthText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Birth)
};

HeatmapContent heatmapOf(const core::TracePointer &trace, core::AttentionId attention,
                         core::Index head, const FigureStyle &style) {
    core::Selection selection;
    selection.head = head;
    selection = atStage(selection, {core::Stage::AttentionWeights, attention});
    HeatmapContent content = contentOf(trace, selection, style, {});
    content.subtitle.clear();
    content.rowLabels = queryTokens(*trace, selection); // without answers, which are shown below
    content.hiddenHaveNumbers = false;
    return content;
}

QString wordOf(const std::vector<std::string> &words, core::Index id) {
    return tokenText(words[static_cast<std::size_t>(id)]);
}

std::vector<BirthAnswer> answersOf(const core::RunMoment &moment, const core::Task &task,
                                   const core::Example &example) {
    const core::TaskInfo &info = task.info();
    const bool isClass = info.asks == core::TargetPositions::Class;
    const bool isMasked = info.asks == core::TargetPositions::MaskedToken;
    std::vector<BirthAnswer> answers;
    for (const core::GivenAnswer &given : moment.answers) {
        if (isMasked && !given.isAsked())
            continue; // the other words of the sentence have no answer
        BirthAnswer answer;
        if (!isClass)
            answer.token =
                wordOf(info.words, example.tokens[static_cast<std::size_t>(given.token)]);
        answer.given = wordOf(isClass ? info.classes : info.words, given.given);
        answer.state = !given.isAsked()  ? BirthAnswer::State::NotAsked
                       : given.isRight() ? BirthAnswer::State::Right
                                         : BirthAnswer::State::Wrong;
        answer.probability = given.probability;
        answers.push_back(answer);
    }
    return answers;
}

/// Returns the row of the only answer, or none if there are no answers or several.
std::optional<core::Index> onlyAskedRow(const core::RunMoment &moment) {
    std::optional<core::Index> row;
    for (const core::GivenAnswer &answer : moment.answers) {
        if (!answer.isAsked())
            continue;
        if (row)
            return std::nullopt;
        row = answer.token;
    }
    return row;
}

QString answersTitleOf(const core::TaskInfo &info) {
    const bool isNext = info.asks == core::TargetPositions::NextToken && !info.answersInPlace;
    return isNext ? BirthText::tr("what it predicts next") : BirthText::tr("what it answers");
}

/// Returns the batch loss up to the step, as a moving average over about 1/100 of the run. The axes
/// cover the whole run.
TrainingContent curvesOf(const core::RecordedRun &run, core::Index step) {
    TrainingContent content;
    content.step = step;
    content.lastStep = std::max<double>(1, static_cast<double>(run.end.recipe.steps));
    TrainingContent::Plot plot;
    plot.title = BirthText::tr("Loss");
    plot.unit = BirthText::tr("nats");
    plot.levels.push_back(
        {run.guessLoss,
         BirthText::tr("guessing without reading: %1").arg(lossText(run.guessLoss))});
    TrainingContent::Curve curve;
    curve.kind = TrainingContent::Curve::Kind::Smoothed;
    double most = run.guessLoss;
    const core::History &history = run.end.history;
    const std::size_t around = std::max<std::size_t>(history.size() / 200, 1);
    for (std::size_t i = 0; i < history.size(); ++i) {
        double sum = 0, count = 0;
        for (std::size_t j = i - std::min(i, around); j < std::min(history.size(), i + around + 1);
             ++j)
            if (history[j].isStep) {
                sum += history[j].loss;
                ++count;
            }
        if (count == 0)
            continue;
        most = std::max(most, sum / count);
        if (history[i].step <= step)
            curve.points.emplace_back(static_cast<double>(history[i].step), sum / count);
    }
    plot.high = most * 1.1;
    plot.curves.push_back(std::move(curve));
    content.plots.push_back(std::move(plot));
    return content;
}

constexpr std::size_t kMaxMoments = 64; // a few MB

/// Returns the tokens that the formed heads find for the asked row.
std::vector<core::Index> soughtBy(const core::RecordedRun &run, const core::Example &example,
                                  std::optional<core::Index> asked) {
    std::vector<core::Index> sought;
    for (const core::FormedHead &formed : run.heads) {
        if (!asked)
            break;
        const auto keysOfRows = core::targetKeysOf(formed.purpose.keys, *run.task, example);
        for (const core::Index key : keysOfRows[static_cast<std::size_t>(*asked)])
            if (std::ranges::find(sought, key) == sought.end())
                sought.push_back(key);
    }
    return sought;
}

} // namespace

QString headNameOf(core::AttentionId attention, core::Index head) {
    return BirthText::tr("head %1.%2").arg(attention.layer).arg(head);
}

BirthContent noBirthContent(const QString &title, const QString &why) {
    BirthContent content;
    content.title = title.isEmpty() ? BirthText::tr("A head being born") : title;
    content.nothing = why;
    return content;
}

BirthContent birthContentOf(MomentCache &moments, std::size_t snapshot, const FigureStyle &style,
                            std::size_t earlier) {
    const core::RecordedRun &run = *moments.run();
    const core::WatchableTask &watched = *core::findWatchableTask(run.task->info().id);
    BirthContent content;
    content.title = translated(watched.title);
    content.learned = translated(watched.learned);
    const core::Result<core::RunMoment> now = moments.at(snapshot);
    if (!now)
        return noBirthContent(content.title, translated(now.error()));
    const core::RunSnapshot &shown = run.snapshots[snapshot];
    content.step = shown.step;
    content.steps = run.end.recipe.steps;
    content.loss = shown.heldOut.loss;
    content.accuracy = shown.heldOut.accuracy;
    content.example = tokensOf(*now->trace, 0).join(QLatin1Char(' '));
    content.answers = answersOf(*now, *run.task, moments.example());
    content.answersTitle = answersTitleOf(run.task->info());
    content.curves = curvesOf(run, shown.step);
    const std::vector<std::size_t> before = run.spread(snapshot, earlier);
    const std::optional<core::Index> asked = onlyAskedRow(*now);
    for (const core::FormedHead &formed : run.heads) {
        BirthHead head;
        head.name = headNameOf(formed.attention, formed.head);
        head.looks = translated(formed.purpose.looks);
        head.content = heatmapOf(now->trace, formed.attention, formed.head, style);
        head.content.select(asked, std::nullopt);
        head.content.keptLabels = soughtBy(run, moments.example(), asked);
        head.content.title = head.name;
        head.content.subtitle = head.looks;
        head.isSilenced =
            std::ranges::any_of(moments.silenced(), [&formed](const core::HeadIntervention &each) {
                return each.attention() == formed.attention && each.head == formed.head;
            });
        if (head.isSilenced)
            head.content.subtitle = BirthText::tr("silenced");
        for (const std::size_t each : before) {
            const core::Result<core::RunMoment> then = moments.at(each);
            if (!then)
                return noBirthContent(content.title, translated(then.error()));
            const core::Index step = run.snapshots[each].step;
            head.earlier.push_back({heatmapOf(then->trace, formed.attention, formed.head, style),
                                    each == snapshot && each > 0
                                        ? BirthText::tr("now")
                                        : BirthText::tr("step %1").arg(step)});
        }
        content.heads.push_back(std::move(head));
        const core::Index formedAt = run.snapshots[formed.formed].step;
        if (formedAt <= shown.step)
            content.marks.push_back(
                {static_cast<double>(formedAt), BirthText::tr("step %1: head %2.%3 %4")
                                                    .arg(formedAt)
                                                    .arg(formed.attention.layer)
                                                    .arg(formed.head)
                                                    .arg(translated(formed.purpose.finds))});
    }
    if (content.heads.empty())
        content.noHeads = BirthText::tr("In this run, no head serves a known purpose. Train for "
                                        "more steps, or with another seed.");
    std::ranges::stable_sort(content.marks, {}, &BirthMark::step);
    return content;
}

void withholdPurpose(BirthHead &head) {
    head.looks = BirthText::tr("?");
    if (!head.isSilenced)
        head.content.subtitle = head.looks;
}

core::Result<HeatmapContent> patternContent(MomentCache &moments, const core::PatternChoice &choice,
                                            const FigureStyle &style) {
    const core::Result<core::RunMoment> moment = moments.at(choice.snapshot);
    if (!moment)
        return moment.error();
    return heatmapOf(moment->trace, choice.attention, choice.head, style);
}

MomentCache::MomentCache(core::RecordedRunPointer run, std::size_t example,
                         std::vector<core::HeadIntervention> silenced)
    : m_run(std::move(run)), m_silenced(std::move(silenced)) {
    m_example = m_run->examples[example % m_run->examples.size()];
}

QString MomentCache::exampleText() const {
    QStringList words;
    if (m_run)
        for (const core::Index id : m_example.tokens)
            words << wordOf(m_run->task->info().words, id);
    return words.join(' ');
}

core::Result<core::RunMoment> MomentCache::at(std::size_t snapshot) {
    if (const auto found = m_moments.find(snapshot); found != m_moments.end())
        return found->second;
    core::Result<core::RunMoment> moment = core::momentOf(*m_run, snapshot, m_example, m_silenced);
    if (!moment)
        return moment;
    if (m_moments.size() >= kMaxMoments)
        m_moments.clear();
    m_moments.emplace(snapshot, *moment);
    return moment;
}

} // namespace headlight::ui
