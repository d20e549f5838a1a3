#include "ui/words/race_words.h"

#include "core/format_number.h"
#include "ui/words/number_text.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct RaceWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Race)
};

QString percent(double share) {
    return RaceWords::tr("%1 %").arg(fixedText(100 * share, 1));
}

QString percent(std::optional<double> share) {
    return share ? percent(*share) : QString::fromStdString(std::string(core::kNoNumber));
}

/// Who, and who else: the names in the sentences.
struct Racers {
    QString run, rival;
};

/// What the one that is worse does, as articles claim it of it.
QString asClaimedWords(core::Lead by, const QString &worse) {
    switch (by) {
    case core::Lead::WentOn:
        return RaceWords::tr("Here it is so: it breaks down %1.").arg(worse);
    case core::Lead::Learned:
        return RaceWords::tr("Here it is so: %1 it has not been learned so far.").arg(worse);
    case core::Lead::Sooner:
        return RaceWords::tr("Here it takes longer %1, and is learned all the same.").arg(worse);
    case core::Lead::MoreRight:
        return RaceWords::tr("Here it is so up to now: less is right %1.").arg(worse);
    case core::Lead::LessLoss:
        return RaceWords::tr("Here it is so up to now: the loss is larger %1.").arg(worse);
    }
    return {};
}

/// What the one does that should be worse.
QString contradictedWords(core::Lead by, const QString &better) {
    switch (by) {
    case core::Lead::WentOn:
        return RaceWords::tr("Here it is not so: it goes on %1, and the other one breaks down.")
            .arg(better);
    case core::Lead::Learned:
        return RaceWords::tr("Here it is not so: only %1 has it been learned so far.").arg(better);
    case core::Lead::Sooner:
        return RaceWords::tr("Here it is not so: it is learned sooner %1.").arg(better);
    case core::Lead::MoreRight:
        return RaceWords::tr("Here it is not so up to now: more is right %1.").arg(better);
    case core::Lead::LessLoss:
        return RaceWords::tr("Here it is not so up to now: the loss is smaller %1.").arg(better);
    }
    return {};
}

QString verdictWords(const core::RaceResult &result, core::RaceSwitch turned, const Racers &who) {
    const core::Verdict verdict = core::verdictOf(result, turned);
    const bool isSo = verdict == core::Verdict::AsClaimed;
    if (turned == core::RaceSwitch::NoMask)
        return isSo ? RaceWords::tr("Here it is so.") : RaceWords::tr("Here it is not so.");
    if (turned == core::RaceSwitch::NoPositions && verdict == core::Verdict::Contradicted &&
        result.rival.learned)
        return RaceWords::tr("Here it is not so: it is learned %1 as well.").arg(who.rival);
    const auto leader = core::leaderOf(result);
    if (!leader)
        return RaceWords::tr("Here there is no clear difference so far.");
    const QString &better = leader->isRival ? who.rival : who.run;
    const QString &worse = leader->isRival ? who.run : who.rival;
    return isSo ? asClaimedWords(leader->by, worse) : contradictedWords(leader->by, better);
}

QString fallenWords(const QString &who, core::Index step) {
    return RaceWords::tr("The run %1 ended at step %2: a number was none.").arg(who).arg(step);
}

QString heldOutWords(const core::RaceResult &result, const Racers &who) {
    return RaceWords::tr("At step %1, held out: %2 loss %3 and %4 right, %5 loss %6 and %7 right.")
        .arg(result.step)
        .arg(who.run, lossText(result.run.heldOut.loss), percent(result.run.heldOut.accuracy),
             who.rival, lossText(result.rival.heldOut.loss),
             percent(result.rival.heldOut.accuracy));
}

QString learnedWords(const core::RaceResult &result, const Racers &who) {
    const auto &run = result.run.learned, &rival = result.rival.learned;
    const QString share = percent(core::kLearned);
    if (run && rival)
        return RaceWords::tr("%1 right took %2 steps %3, and %4 steps %5.")
            .arg(share)
            .arg(*run)
            .arg(who.run)
            .arg(*rival)
            .arg(who.rival);
    if (run || rival)
        return RaceWords::tr("%1 right took %2 steps %3; %4 has not come that far.")
            .arg(share)
            .arg(run ? *run : *rival)
            .arg(run ? who.run : who.rival, run ? who.rival : who.run);
    return RaceWords::tr("Neither has come to %1 right.").arg(share);
}

QString halfLossWords(const core::RaceResult &result, const Racers &who) {
    const auto &run = result.run.halfLoss, &rival = result.rival.halfLoss;
    if (run && rival)
        return RaceWords::tr("Half the loss of guessing took %1 steps %2, and %3 steps %4.")
            .arg(*run)
            .arg(who.run)
            .arg(*rival)
            .arg(who.rival);
    if (run || rival)
        return RaceWords::tr("Half the loss of guessing took %1 steps %2; %3 is still above it.")
            .arg(run ? *run : *rival)
            .arg(run ? who.run : who.rival, run ? who.rival : who.run);
    return {};
}

} // namespace

QString nameOf(core::RaceSwitch turned) {
    switch (turned) {
    case core::RaceSwitch::NoScale:
        return RaceWords::tr("without ÷√d");
    case core::RaceSwitch::OneHead:
        return RaceWords::tr("with 1 head");
    case core::RaceSwitch::FourHeads:
        return RaceWords::tr("with 4 heads");
    case core::RaceSwitch::NoPositions:
        return RaceWords::tr("without positions");
    case core::RaceSwitch::NoResidual:
        return RaceWords::tr("without residual");
    case core::RaceSwitch::NoNorm:
        return RaceWords::tr("without norm");
    case core::RaceSwitch::NoMask:
        return RaceWords::tr("without mask");
    }
    return {};
}

QString runName(core::RaceSwitch turned, const core::Architecture &architecture) {
    switch (turned) {
    case core::RaceSwitch::NoScale:
        return RaceWords::tr("with ÷√d");
    case core::RaceSwitch::OneHead:
    case core::RaceSwitch::FourHeads:
        return architecture.heads == 1 ? RaceWords::tr("with 1 head")
                                       : RaceWords::tr("with %1 heads").arg(architecture.heads);
    case core::RaceSwitch::NoPositions:
        return RaceWords::tr("with positions");
    case core::RaceSwitch::NoResidual:
        return RaceWords::tr("with residual");
    case core::RaceSwitch::NoNorm:
        return RaceWords::tr("with norm");
    case core::RaceSwitch::NoMask:
        return RaceWords::tr("with mask");
    }
    return {};
}

QString claimOf(core::RaceSwitch turned) {
    switch (turned) {
    case core::RaceSwitch::NoScale:
        return RaceWords::tr("Articles say that without ÷√d the scores of a wide head are so large "
                             "that softmax lets hardly a gradient through: it learns more slowly.");
    case core::RaceSwitch::OneHead:
    case core::RaceSwitch::FourHeads:
        return RaceWords::tr("Articles say that several heads look at several things at once, and "
                             "so learn better, or faster, than one.");
    case core::RaceSwitch::NoPositions:
        return RaceWords::tr("Articles say that without positions attention does not know in which "
                             "order the tokens stand, and cannot learn what depends on it.");
    case core::RaceSwitch::NoResidual:
        return RaceWords::tr("Articles say that without residual connections gradients hardly "
                             "reach the first layers: it learns more slowly, and with many layers "
                             "not at all.");
    case core::RaceSwitch::NoNorm:
        return RaceWords::tr("Articles say that without norms training is slower and less steady, "
                             "or breaks down.");
    case core::RaceSwitch::NoMask:
        return RaceWords::tr(
            "Articles say that without a mask a model sees what it should predict: "
            "its loss falls to nothing, and what it writes is nonsense.");
    }
    return {};
}

QStringList outcomeOf(const core::RaceResult &result, core::RaceSwitch turned,
                      const core::Architecture &architecture) {
    const Racers who{runName(turned, architecture), nameOf(turned)};
    QStringList all{verdictWords(result, turned, who)};
    if (result.run.fallen)
        all << fallenWords(who.run, *result.run.fallen);
    if (result.rival.fallen)
        all << fallenWords(who.rival, *result.rival.fallen);
    all << heldOutWords(result, who);
    if (turned == core::RaceSwitch::NoMask) {
        all << RaceWords::tr("The last answer of each example, which is not in the input, is left "
                             "out %1.")
                   .arg(who.rival);
        if (result.rival.heldOut.written)
            all << RaceWords::tr("Writing token by token, with nothing to copy from, it gets %1 of "
                                 "the examples right.")
                       .arg(percent(*result.rival.heldOut.written));
        return all;
    }
    all << learnedWords(result, who);
    if (!result.run.learned || !result.rival.learned) // else it says the same once more
        if (const QString half = halfLossWords(result, who); !half.isEmpty())
            all << half;
    if (turned == core::RaceSwitch::NoNorm) // of the others nobody claims that they are less steady
        all << RaceWords::tr("From batch to batch the loss jumps by %1 of itself %2, and by %3 %4.")
                   .arg(percent(result.run.jaggedness), who.run, percent(result.rival.jaggedness),
                        who.rival);
    return all;
}

} // namespace headlight::ui
