#include "ui/strip/answer_content.h"

#include "core/analysis/attention_change.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kCosineDecimals = 2;

struct AnswerText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::AnswerContent)
};

/// With an encoder, the next word continues a translation.
QString titleOf(OutputContent::About about, const core::Model &model) {
    switch (about) {
    case OutputContent::About::NextToken:
        return model.hasEncoder() ? AnswerText::tr("translation: next word after %1")
                                  : AnswerText::tr("next word after %1");
    case OutputContent::About::HiddenToken:
        return AnswerText::tr("word in place of %1");
    case OutputContent::About::Answer:
        return AnswerText::tr("answer at %1");
    case OutputContent::About::Class:
        return model.config.picture.isOn() ? AnswerText::tr("class of the picture")
                                           : AnswerText::tr("class of the text");
    }
    return {};
}

QString descriptionOf(const OutputContent &content, const OutputContent::Bar &bar) {
    if (!bar.before)
        return AnswerText::tr("%1: %2").arg(bar.name, percentText(bar.probability));
    return AnswerText::tr("%1: %2, %3: %4")
        .arg(bar.name, percentText(bar.probability), content.otherName, percentText(*bar.before));
}

QString wordAt(const core::Sequence &text, core::Index token) {
    return token < std::ssize(text.tokens) ? tokenText(text[token].text) : QString();
}

QString cosineText(double cosine) {
    return numberText(cosine, kCosineDecimals);
}

} // namespace

QString AnswerContent::titleText() const {
    return title.contains(QLatin1String("%1")) ? title.arg(subject) : title;
}

QString AnswerContent::omittedText() const {
    return omitted > 0
               ? AnswerText::tr("%1 of %2 words").arg(bars.size()).arg(bars.size() + omitted)
               : QString();
}

void AnswerContent::completeWords(const std::vector<core::RestOfWord> &rests) {
    for (std::size_t i = 0; i < std::min(rests.size(), bars.size()); ++i) {
        if (rests[i].ids.empty())
            continue;
        Bar &bar = bars[i];
        bar.restIds = rests[i].ids;
        bar.rest = textOf(rests[i]);
        bar.description = AnswerText::tr("%1; most probably continued as %2")
                              .arg(bar.description, bar.name + bar.rest);
    }
}

AnswerContent answerOf(const core::TracePointer &trace, const core::Selection &selection,
                       const FigureOptions &options, const GivenOutput &given) {
    const OutputContent output = outputContentOf(trace, selection, options, given);
    AnswerContent answer;
    if (!output.nothing.isEmpty()) {
        answer.notice = output.nothing;
        return answer;
    }
    const ShownRun run = shownRun(trace, selection, options.compared);
    answer.title = titleOf(output.about, run.trace->model());
    if (output.about != OutputContent::About::Class) {
        const core::OutputRowId place = core::outputPlaceOf(*run.trace, run.selection);
        answer.subject = wordAt(run.trace->batch()[place.sequence], place.row);
    }
    if (output.bars.empty()) {
        answer.notice = AnswerText::tr("Computing…");
        return answer;
    }
    answer.kind = output.about == OutputContent::About::Class ? AnswerContent::Kind::Classes
                                                              : AnswerContent::Kind::Words;
    answer.highest = 0;
    for (const OutputContent::Bar &bar : output.bars) {
        if (answer.bars.size() == kMaxPredictions)
            break;
        const auto value = static_cast<double>(bar.probability);
        const auto before =
            bar.before ? std::optional(static_cast<double>(*bar.before)) : std::nullopt;
        answer.bars.push_back({bar.word,
                               bar.name,
                               {},
                               {},
                               value,
                               before,
                               percentText(value),
                               descriptionOf(output, bar)});
        answer.highest = std::max({answer.highest, value, before.value_or(0)});
    }
    if (output.about == OutputContent::About::Answer)
        answer.highest = 1; // fixed, because users compare these bars between sentences
    return answer;
}

AnswerContent becomesMoreLike(const core::Trace &trace, const core::Selection &place) {
    AnswerContent answer;
    const core::Batch &batch = trace.queries(place.attention());
    const core::Sequence &text = batch[place.sequence];
    const core::Index last = text.length - 1;
    const core::Index token = std::min(place.query.value_or(last), last);
    answer.title = AnswerText::tr("%1 becomes more like");
    answer.subject = wordAt(text, token);
    if (last == 0) {
        answer.notice = AnswerText::tr("There is no other word");
        return answer;
    }
    const std::vector<core::AttentionChange> changes =
        core::attentionChanges(trace, place, core::Stage::Context, token);
    for (const core::AttentionChange &change : changes) {
        if (!change.before || !change.after)
            continue; // a zero vector has no direction
        if (answer.bars.size() == kMaxCosines) {
            ++answer.omitted;
            continue;
        }
        const QString name = wordAt(text, change.token), before = cosineText(*change.before),
                      after = cosineText(*change.after);
        answer.bars.push_back({change.token,
                               name,
                               {},
                               {},
                               *change.after,
                               change.before,
                               AnswerText::tr("%1 → %2").arg(before, after),
                               AnswerText::tr("%1 and %2: cosine %3 before attention, %4 after")
                                   .arg(answer.subject, name, before, after)});
    }
    if (answer.bars.empty()) {
        answer.notice =
            !changes.empty() ? AnswerText::tr("A zero vector has no direction to compare")
            : trace.model().isCaptured() ? AnswerText::tr("The vectors were not captured")
                                         : AnswerText::tr("Not computed yet");
        return answer;
    }
    answer.kind = AnswerContent::Kind::Cosines;
    return answer;
}

} // namespace headlight::ui
