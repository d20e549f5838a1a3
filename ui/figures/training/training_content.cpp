#include "ui/figures/training/training_content.h"

#include "core/training/tasks/own_text.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/text/ablation_text.h"
#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct TrainingText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Training)
};

using Content = TrainingContent;
using Points = std::vector<QPointF>;

constexpr double kLogFrom = 20; // the axis is logarithmic if values fall by a larger factor

template <typename NumberOf>
Points pointsOf(const core::History &history, NumberOf numberOf) {
    Points points;
    for (const core::HistoryPoint &point : history)
        if (const std::optional<double> number = numberOf(point))
            points.emplace_back(static_cast<double>(point.step), *number);
    return points;
}

/// Returns a moving average over about 1/50 of the curve.
Points smoothed(const Points &points) {
    const std::size_t around = points.size() / 100;
    if (around == 0)
        return points;
    std::vector<double> sums{0};
    for (const QPointF &point : points)
        sums.push_back(sums.back() + point.y());
    Points means = points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t begin = i - std::min(i, around);
        const std::size_t end = std::min(points.size(), i + around + 1);
        means[i].setY((sums[end] - sums[begin]) / static_cast<double>(end - begin));
    }
    return means;
}

QString lastOf(const Points &points, bool isShare) {
    const double last = points.back().y();
    return isShare ? TrainingText::tr("%1 %").arg(fixedText(100 * last, 1)) : lossText(last);
}

/// A training run or its ablated run. In an ablation study, the label of each curve contains the
/// run's name.
struct NamedRun {
    const core::History *history;
    QString name;
    bool isAblated = false;
};
using RunNames = std::vector<NamedRun>; // the ablated run is first, to be painted below

/// Adds the curves of the training batches and of the held-out data.
template <typename OfStep, typename OfHeldOut>
void addCurves(Content::Plot &plot, const RunNames &runNames, OfStep ofStep, OfHeldOut ofHeldOut) {
    using Kind = Content::Curve::Kind;
    const bool isShare = plot.kind == Content::Plot::Kind::Accuracy;
    for (const NamedRun &run : runNames) {
        const auto add = [&](Kind kind, const QString &name, const Points &points) {
            Content::Curve curve{kind, name, points};
            curve.isAblated = run.isAblated;
            plot.curves.push_back(std::move(curve));
        };
        const Points batches = pointsOf(*run.history, [&](const core::HistoryPoint &point) {
            return point.isStep ? std::optional(ofStep(point)) : std::nullopt;
        });
        const Points heldOut = pointsOf(*run.history, [&](const core::HistoryPoint &point) {
            return point.heldOut ? std::optional(ofHeldOut(*point.heldOut)) : std::nullopt;
        });
        if (!batches.empty())
            add(Kind::Batch, {}, batches);
        const auto named = [&run](const QString &last) {
            return TrainingText::tr("%1 %2").arg(run.name, last);
        };
        if (run.isAblated) { // only one curve, so that its dashes are visible
            if (!heldOut.empty())
                add(Kind::HeldOut, named(lastOf(heldOut, isShare)), heldOut);
            continue;
        }
        if (!batches.empty()) {
            const Points smooth = smoothed(batches);
            const QString last = lastOf(smooth, isShare);
            add(Kind::Smoothed,
                run.name.isEmpty() ? TrainingText::tr("batch %1").arg(last) : named(last), smooth);
        }
        if (!heldOut.empty())
            add(Kind::HeldOut, TrainingText::tr("held out %1").arg(lastOf(heldOut, isShare)),
                heldOut);
    }
}

/// Chooses the range of values. It begins at 0 or, if the axis is logarithmic, just below the
/// smallest value.
void chooseRange(Content::Plot &plot) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const Content::Curve &curve : plot.curves)
        for (const QPointF &point : curve.points) {
            most = std::max(most, point.y());
            if (point.y() > 0)
                least = std::min(least, point.y());
        }
    for (const Content::Level &level : plot.levels)
        most = std::max(most, level.value);
    if (most == 0)
        return;
    plot.isLog = plot.kind == Content::Plot::Kind::Loss && least < most / kLogFrom;
    plot.low = plot.isLog ? least / 1.2 : 0;
    plot.high = plot.isLog ? most * 1.2 : most * 1.04;
}

/// Returns the number of possible answers.
core::Index answersOf(const core::Model &model) {
    const core::OutputLayer &output = model.config.outputLayer;
    return output.kind == core::OutputLayerKind::Classifier ? output.classes
                                                            : core::logitsOf(model.parameters);
}

Content::Plot lossPlot(const RunNames &runNames, const core::Model &model) {
    Content::Plot plot;
    plot.title = TrainingText::tr("Loss");
    plot.unit = TrainingText::tr("nats · mean of −ln p of the targets");
    const core::Index answers = answersOf(model);
    if (answers > 1)
        plot.levels.push_back({std::log(static_cast<double>(answers)),
                               TrainingText::tr("uniform over %1: ln %1").arg(answers)});
    addCurves(
        plot, runNames, [](const core::HistoryPoint &point) { return point.loss; },
        [](const core::HeldOut &heldOut) { return heldOut.loss; });
    chooseRange(plot);
    if (plot.isLog)
        plot.title = TrainingText::tr("Loss, log scale");
    return plot;
}

bool countsAnswers(const std::optional<KnownTask> &task) {
    return task && task->counts == core::AccuracyUnit::Answers;
}

Content::Plot accuracyPlot(const RunNames &runNames, const core::Model &model,
                           const std::optional<KnownTask> &task) {
    Content::Plot plot;
    plot.kind = Content::Plot::Kind::Accuracy;
    plot.title = TrainingText::tr("Accuracy");
    const bool ofAnswers = countsAnswers(task);
    plot.unit = ofAnswers ? TrainingText::tr("share of correct answers")
                          : TrainingText::tr("share of examples with all answers correct");
    plot.high = 1.04;
    const core::Index answers = answersOf(model);
    if (ofAnswers && answers > 1)
        plot.levels.push_back(
            {1 / static_cast<double>(answers), TrainingText::tr("chance: 1 in %1").arg(answers)});
    if (task && task->chance)
        plot.levels.push_back({*task->chance, TrainingText::tr("chance")});
    if (task && task->best)
        plot.levels.push_back({*task->best, TrainingText::tr("best possible")});
    addCurves(
        plot, runNames, [](const core::HistoryPoint &point) { return point.accuracy; },
        [](const core::HeldOut &heldOut) { return heldOut.accuracy; });
    return plot;
}

bool hasInduction(const core::History &history) {
    for (const core::HistoryPoint &point : history)
        for (const auto &heads : point.heads)
            for (const core::HeadMeasures &head : heads)
                if (head.induction)
                    return true;
    return false;
}

QString headName(const core::Model &model, const core::AttentionId &attention, core::Index head) {
    const QString where = attentionName(model, attention);
    return where.isEmpty() ? TrainingText::tr("layer %1, head %2").arg(attention.layer).arg(head)
                           : TrainingText::tr("%1, head %2").arg(where).arg(head);
}

QString unitOf(core::HeadOrder measure) {
    switch (measure) {
    case core::HeadOrder::Entropy:
        return TrainingText::tr("held out · nats, mean over the queries");
    case core::HeadOrder::Distance:
        return TrainingText::tr("held out · tokens, mean over the queries");
    case core::HeadOrder::Induction:
        return TrainingText::tr("held out · mean weight on the token after the first copy");
    case core::HeadOrder::ByIndex:
    case core::HeadOrder::PreviousToken:
    case core::HeadOrder::Diagonal:
    case core::HeadOrder::FirstToken:
        break;
    }
    return TrainingText::tr("held out · mean over the queries");
}

Points measureOfHead(const core::History &history, std::size_t attention, core::Index head,
                     core::HeadOrder measure) {
    return pointsOf(history, [&](const core::HistoryPoint &point) -> std::optional<double> {
        if (attention >= point.heads.size() || head >= std::ssize(point.heads[attention]))
            return std::nullopt;
        return core::measureOf(point.heads[attention][static_cast<std::size_t>(head)], measure);
    });
}

/// Returns the number of measured heads. It may be different in the ablated run.
core::Index headsIn(const core::History &history, std::size_t attention) {
    for (const core::HistoryPoint &point : history)
        if (attention < point.heads.size())
            return std::ssize(point.heads[attention]);
    return 0;
}

/// Adds curves for the ablated run's heads, painted below those of the run. Only the highest curve
/// has a label.
void addAblatedHeads(Content::Plot &plot, const core::AblatedRun &ablated,
                     const std::vector<core::AttentionId> &attentions, core::HeadOrder measure) {
    std::vector<Content::Curve> curves;
    for (std::size_t attention = 0; attention < attentions.size(); ++attention)
        for (core::Index head = 0; head < headsIn(ablated.state.history, attention); ++head) {
            Content::Curve curve{Content::Curve::Kind::Head, {}, {}, attentions[attention], head};
            curve.points = measureOfHead(ablated.state.history, attention, head, measure);
            curve.isAblated = true;
            if (curve.points.empty())
                continue; // not measured for this head
            curves.push_back(std::move(curve));
        }
    const auto highest = std::ranges::max_element(
        curves, {}, [](const Content::Curve &curve) { return curve.points.back().y(); });
    if (highest != curves.end())
        highest->name = TrainingText::tr("heads %1").arg(nameOf(ablated.ablation));
    plot.curves.insert(plot.curves.begin(), curves.begin(), curves.end());
}

/// Plots the heads' measures on the held-out examples. These examples are the same at every step.
/// Empty if nothing was measured.
Content::Plot headsPlot(const core::TrainingRun &run, const core::Model &model,
                        const core::Selection &selection, core::HeadOrder measure) {
    const core::History &history = run.history;
    if (measure == core::HeadOrder::ByIndex)
        measure =
            hasInduction(history) ? core::HeadOrder::Induction : core::HeadOrder::PreviousToken;
    Content::Plot plot;
    plot.kind = Content::Plot::Kind::Heads;
    plot.title = TrainingText::tr("Heads: %1").arg(titleOf(measure));
    plot.unit = unitOf(measure);
    const std::vector<core::AttentionId> attentions = model.attentions();
    for (std::size_t attention = 0; attention < attentions.size(); ++attention)
        for (core::Index head = 0; head < model.headsOf(attentions[attention]); ++head) {
            const Points points = measureOfHead(history, attention, head, measure);
            if (points.empty())
                continue;
            const bool isSelected =
                attentions[attention] == selection.attention() && head == selection.head;
            plot.curves.push_back(
                {Content::Curve::Kind::Head, headName(model, attentions[attention], head), points,
                 attentions[attention], head, static_cast<int>(attention), isSelected});
        }
    std::ranges::stable_partition(plot.curves,
                                  [](const Content::Curve &curve) { return !curve.isSelected; });
    if (run.ablated && !plot.curves.empty())
        addAblatedHeads(plot, *run.ablated, attentions, measure);
    const bool isShare =
        measure != core::HeadOrder::Entropy && measure != core::HeadOrder::Distance;
    if (isShare)
        plot.high = 1.04;
    else
        chooseRange(plot);
    return plot;
}

/// Returns the right end of the plots. It is 20 steps at first, and is enlarged 2.5-fold whenever
/// 80 % of them are done, up to the complete run.
double lastStepOf(const core::TrainingRun &run) {
    double made = static_cast<double>(run.step);
    if (!run.history.empty())
        made = std::max(made, static_cast<double>(run.history.back().step));
    if (run.ablated && !run.ablated->state.history.empty())
        made = std::max(made, static_cast<double>(run.ablated->state.history.back().step));
    const auto all = static_cast<double>(run.recipe.steps);
    if (made >= all)
        return std::max(1.0, made);
    double shown = 20;
    while (shown < all && made > 0.8 * shown)
        shown *= 2.5;
    return std::min(all, shown);
}

QString subtitleOf(const core::TrainingRun &run, const core::Model &model) {
    QStringList facts{TrainingText::tr("step %1 of %2").arg(run.step).arg(run.recipe.steps)};
    if (run.ablated)
        facts << TrainingText::tr("%1, compared with a run %2")
                     .arg(runName(run.ablated->ablation, run.recipe.architecture),
                          nameOf(run.ablated->ablation));
    facts << TrainingText::tr("%1 examples per step").arg(run.recipe.batch);
    facts << TrainingText::tr("width %1").arg(model.config.width)
          << TrainingText::tr("seed %1").arg(run.recipe.seed);
    return facts.join(QStringLiteral(" · "));
}

RunNames runNamesOf(const core::TrainingRun &run) {
    if (!run.ablated)
        return {{&run.history, {}}};
    const core::Ablation ablation = run.ablated->ablation;
    return {{&run.ablated->state.history, nameOf(ablation), true},
            {&run.history, runName(ablation, run.recipe.architecture)}};
}

/// The history points nearest to a step. Null if nothing was measured.
struct Nearest {
    const core::HistoryPoint *made = nullptr, *heldOut = nullptr;
};
Nearest nearestTo(double step, const core::History &history) {
    Nearest nearest;
    const auto away = [step](const core::HistoryPoint &point) {
        return std::abs(static_cast<double>(point.step) - step);
    };
    for (const core::HistoryPoint &point : history) {
        if (point.isStep && (!nearest.made || away(point) < away(*nearest.made)))
            nearest.made = &point;
        if (point.heldOut && (!nearest.heldOut || away(point) < away(*nearest.heldOut)))
            nearest.heldOut = &point;
    }
    return nearest;
}

QString outcomeText(const core::TrainingRun &run, const core::Model &model) {
    if (!run.ablated)
        return {};
    QStringList all{claimOf(run.ablated->ablation)};
    if (const auto result = core::resultOf(run, model); result && result->step > 0)
        all << outcomeOf(*result, run.ablated->ablation, run.recipe.architecture);
    return sentences(all);
}

} // namespace

std::optional<KnownTask> knownTask(const core::Recipe &recipe) {
    if (const core::TaskPointer task = core::findTask(recipe.task)) {
        const core::TaskInfo &info = task->info();
        return KnownTask{translated(info.title), info.counts, info.chance, info.best};
    }
    if (const auto units = core::findTextUnits(recipe.task)) {
        const core::TaskInfo info = core::ownTextInfo(*units);
        return KnownTask{translated(info.title), info.counts};
    }
    return std::nullopt;
}

TrainingContent trainingContentOf(const core::TrainingRunPointer &run, const core::Model &model,
                                  const core::Selection &selection, core::HeadOrder measure) {
    Content content;
    content.title = TrainingText::tr("Training");
    if (!run) {
        // Do not name a control, because a presentation or a saved figure may lack it.
        content.nothing = TrainingText::tr("This model has not been trained. Training › New run… "
                                           "trains one from random weights.");
        return content;
    }
    const std::optional<KnownTask> task = knownTask(run->recipe);
    content.title = TrainingText::tr("Training: %1")
                        .arg(task ? task->title : QString::fromStdString(run->recipe.task));
    content.subtitle = subtitleOf(*run, model);
    content.step = run->step;
    content.lastStep = lastStepOf(*run);
    content.attentions = static_cast<int>(model.attentions().size());
    const RunNames runNames = runNamesOf(*run);
    content.plots = {lossPlot(runNames, model), accuracyPlot(runNames, model, task)};
    content.outcome = outcomeText(*run, model);
    if (Content::Plot heads = headsPlot(*run, model, selection, measure); !heads.curves.empty())
        content.plots.push_back(std::move(heads));
    return content;
}

QString wordsAtStep(const core::TrainingRun &run, double step) {
    const auto [nearest, heldOut] = nearestTo(step, run.history);
    if (!nearest)
        return {};
    const auto percent = [ofAnswers = countsAnswers(knownTask(run.recipe))](double share) {
        const QString number = fixedText(100 * share, 1);
        return ofAnswers ? TrainingText::tr("%1 % of the answers").arg(number)
                         : TrainingText::tr("%1 %").arg(number);
    };
    QStringList facts{
        TrainingText::tr("loss %1, %2 correct in the batch")
            .arg(lossText(nearest->loss), percent(nearest->accuracy)),
        TrainingText::tr("learning rate %1").arg(numberText(nearest->learningRate, 5))};
    if (heldOut)
        facts << TrainingText::tr("held-out loss %1, %2 correct")
                     .arg(lossText(heldOut->heldOut->loss), percent(heldOut->heldOut->accuracy));
    if (run.ablated)
        if (const auto its = nearestTo(step, run.ablated->state.history).heldOut)
            facts << TrainingText::tr("held-out loss %1: %2, %3 correct")
                         .arg(nameOf(run.ablated->ablation), lossText(its->heldOut->loss),
                              percent(its->heldOut->accuracy));
    return labelled(TrainingText::tr("step %1").arg(nearest->step), enumerated(facts));
}

} // namespace headlight::ui
