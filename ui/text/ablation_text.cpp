#include "ui/text/ablation_text.h"

#include "core/format_number.h"
#include "ui/text/number_text.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct AblationText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::AblationStudy)
};

QString percent(double share) {
    return AblationText::tr("%1 %").arg(fixedText(100 * share, 1));
}

QString percent(std::optional<double> share) {
    return share ? percent(*share) : QString::fromStdString(std::string(core::kNoNumber));
}

/// The names of the two runs in the sentences.
struct RunNames {
    QString run, ablated;
};

/// Describes how the worse run fails as claimed in articles.
QString asClaimedText(core::Criterion by, const QString &worse) {
    switch (by) {
    case core::Criterion::WentOn:
        return AblationText::tr("Confirmed: training diverges %1.").arg(worse);
    case core::Criterion::Learned:
        return AblationText::tr("Confirmed: %1, the task has not been learned so far.").arg(worse);
    case core::Criterion::Sooner:
        return AblationText::tr("Learning takes longer %1, but succeeds.").arg(worse);
    case core::Criterion::MoreRight:
        return AblationText::tr("Confirmed so far: accuracy is lower %1.").arg(worse);
    case core::Criterion::LessLoss:
        return AblationText::tr("Confirmed so far: the loss is higher %1.").arg(worse);
    }
    return {};
}

/// Describes how the run that was expected to be worse does better.
QString contradictedText(core::Criterion by, const QString &better) {
    switch (by) {
    case core::Criterion::WentOn:
        return AblationText::tr(
                   "Not confirmed: training continues %1, while the other run diverges.")
            .arg(better);
    case core::Criterion::Learned:
        return AblationText::tr("Not confirmed: so far the task has been learned only %1.")
            .arg(better);
    case core::Criterion::Sooner:
        return AblationText::tr("Not confirmed: learning is faster %1.").arg(better);
    case core::Criterion::MoreRight:
        return AblationText::tr("Not confirmed so far: accuracy is higher %1.").arg(better);
    case core::Criterion::LessLoss:
        return AblationText::tr("Not confirmed so far: the loss is lower %1.").arg(better);
    }
    return {};
}

QString verdictText(const core::AblationResult &result, core::Ablation ablation,
                    const RunNames &who) {
    const core::Verdict verdict = core::verdictOf(result, ablation);
    const bool isSo = verdict == core::Verdict::AsClaimed;
    if (ablation == core::Ablation::NoMask)
        return isSo ? AblationText::tr("Confirmed.") : AblationText::tr("Not confirmed.");
    if (ablation == core::Ablation::NoPositions && verdict == core::Verdict::Contradicted &&
        result.ablated.learned)
        return AblationText::tr("Not confirmed: the task is also learned %1.").arg(who.ablated);
    const auto leader = core::winnerOf(result);
    if (!leader)
        return AblationText::tr("No clear difference so far.");
    const QString &better = leader->isAblated ? who.ablated : who.run;
    const QString &worse = leader->isAblated ? who.run : who.ablated;
    return isSo ? asClaimedText(leader->by, worse) : contradictedText(leader->by, better);
}

QString divergenceText(const QString &who, core::Index step) {
    return AblationText::tr("The run %1 diverged at step %2 (NaN or infinity).").arg(who).arg(step);
}

QString heldOutText(const core::AblationResult &result, const RunNames &who) {
    return AblationText::tr("On held-out examples at step %1: loss %3 and accuracy %4 %2, loss %6 "
                            "and accuracy %7 %5.")
        .arg(result.step)
        .arg(who.run, lossText(result.run.heldOut.loss), percent(result.run.heldOut.accuracy),
             who.ablated, lossText(result.ablated.heldOut.loss),
             percent(result.ablated.heldOut.accuracy));
}

QString learnedText(const core::AblationResult &result, const RunNames &who) {
    const auto &run = result.run.learned, &ablated = result.ablated.learned;
    const QString share = percent(core::kLearned);
    if (run && ablated)
        return AblationText::tr(
                   "The run %3 reached accuracy %1 after %2 steps, and the run %5 after %4.")
            .arg(share)
            .arg(*run)
            .arg(who.run)
            .arg(*ablated)
            .arg(who.ablated);
    if (run || ablated)
        return AblationText::tr(
                   "The run %3 reached accuracy %1 after %2 steps; the run %4 has not reached it.")
            .arg(share)
            .arg(run ? *run : *ablated)
            .arg(run ? who.run : who.ablated, run ? who.ablated : who.run);
    return AblationText::tr("Neither run has reached accuracy %1.").arg(share);
}

QString halfLossText(const core::AblationResult &result, const RunNames &who) {
    const auto &run = result.run.stepsToHalfLoss, &ablated = result.ablated.stepsToHalfLoss;
    if (run && ablated)
        return AblationText::tr("The run %2 reached half the loss of guessing after %1 steps, and "
                                "the run %4 after %3.")
            .arg(*run)
            .arg(who.run)
            .arg(*ablated)
            .arg(who.ablated);
    if (run || ablated)
        return AblationText::tr("The run %2 reached half the loss of guessing after %1 steps; the "
                                "run %3 is still above it.")
            .arg(run ? *run : *ablated)
            .arg(run ? who.run : who.ablated, run ? who.ablated : who.run);
    return {};
}

} // namespace

QString nameOf(core::Ablation ablation) {
    switch (ablation) {
    case core::Ablation::NoScale:
        return AblationText::tr("without ÷√d");
    case core::Ablation::OneHead:
        return AblationText::tr("with 1 head");
    case core::Ablation::FourHeads:
        return AblationText::tr("with 4 heads");
    case core::Ablation::NoPositions:
        return AblationText::tr("without positions");
    case core::Ablation::NoResidual:
        return AblationText::tr("without residual connections");
    case core::Ablation::NoNorm:
        return AblationText::tr("without norms");
    case core::Ablation::NoMask:
        return AblationText::tr("without a mask");
    }
    return {};
}

QString runName(core::Ablation ablation, const core::Architecture &architecture) {
    switch (ablation) {
    case core::Ablation::NoScale:
        return AblationText::tr("with ÷√d");
    case core::Ablation::OneHead:
    case core::Ablation::FourHeads:
        return architecture.heads == 1 ? AblationText::tr("with 1 head")
                                       : AblationText::tr("with %n heads", nullptr,
                                                          static_cast<int>(architecture.heads));
    case core::Ablation::NoPositions:
        return AblationText::tr("with positions");
    case core::Ablation::NoResidual:
        return AblationText::tr("with residual connections");
    case core::Ablation::NoNorm:
        return AblationText::tr("with norms");
    case core::Ablation::NoMask:
        return AblationText::tr("with a mask");
    }
    return {};
}

QString claimOf(core::Ablation ablation) {
    switch (ablation) {
    case core::Ablation::NoScale:
        return AblationText::tr(
            "In the literature: without ÷√d, the scores of a wide head are so large that softmax "
            "passes hardly any gradient, and the model learns more slowly.");
    case core::Ablation::OneHead:
    case core::Ablation::FourHeads:
        return AblationText::tr("In the literature: several heads attend to several things at "
                                "once, so they learn better or faster than one.");
    case core::Ablation::NoPositions:
        return AblationText::tr("In the literature: without positions, attention ignores the order "
                                "of the tokens and cannot learn what depends on it.");
    case core::Ablation::NoResidual:
        return AblationText::tr(
            "In the literature: without residual connections, gradients hardly reach the first "
            "layers. The model learns more slowly, and with many layers not at all.");
    case core::Ablation::NoNorm:
        return AblationText::tr(
            "In the literature: without norms, training is slower and less stable, or diverges.");
    case core::Ablation::NoMask:
        return AblationText::tr("In the literature: without a mask, a model sees its targets. Its "
                                "loss falls to zero, but the text it generates is nonsense.");
    }
    return {};
}

QStringList outcomeOf(const core::AblationResult &result, core::Ablation ablation,
                      const core::Architecture &architecture) {
    const RunNames who{runName(ablation, architecture), nameOf(ablation)};
    QStringList all{verdictText(result, ablation, who)};
    if (result.run.divergence)
        all << divergenceText(who.run, *result.run.divergence);
    if (result.ablated.divergence)
        all << divergenceText(who.ablated, *result.ablated.divergence);
    all << heldOutText(result, who);
    if (ablation == core::Ablation::NoMask) {
        all << AblationText::tr(
                   "The last answer of each example is not in the input, so it does not count %1.")
                   .arg(who.ablated);
        if (result.ablated.heldOut.written)
            all << AblationText::tr("Generating token by token, with nothing to copy from, the run "
                                    "without a mask gets %1 of the examples right.")
                       .arg(percent(*result.ablated.heldOut.written));
        return all;
    }
    all << learnedText(result, who);
    if (!result.run.learned || !result.ablated.learned) // not needed if both have learned
        if (const QString half = halfLossText(result, who); !half.isEmpty())
            all << half;
    if (ablation == core::Ablation::NoNorm) // articles make this claim only here
        all << AblationText::tr("From batch to batch, the loss varies by %1 %2, and by %3 %4.")
                   .arg(percent(result.run.lossVariation), who.run,
                        percent(result.ablated.lossVariation), who.ablated);
    return all;
}

} // namespace headlight::ui
