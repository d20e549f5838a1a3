#include "ui/document/edits/mechanism_edits.h"

#include "core/lesson/mark_words.h"
#include "core/lesson/slider_mark.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/text/attention_names.h"
#include "ui/text/mechanism_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <cmath>

namespace headlight::ui::edits {

namespace {

using core::Error;
using core::HeadState;
using core::Index;
using core::ScoreIntervention;

struct MechanismEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MechanismEdits)
};

QString scoreName(const DocumentState &state, const ScoreIntervention &score) {
    const auto token = [&](const core::Batch &batch, Index index) {
        const bool there = score.sequence >= 0 && score.sequence < batch.count() && index >= 0 &&
                           index < batch.length();
        return there ? QString::fromStdString(batch[score.sequence][index].text)
                     : QString::number(index);
    };
    const core::AttentionId attention = state.model.hasAttention(score.attention())
                                            ? score.attention()
                                            : core::AttentionId(score.layer);
    QStringList where{MechanismEditText::tr("head %1").arg(score.head)};
    if (const QString words = attentionName(state.model, score.attention()); !words.isEmpty())
        where << words;
    if (state.input.batch->count() > 1)
        where << sentenceName(score.sequence);
    // Uses a single arg() call, because a token may contain "%1".
    return MechanismEditText::tr("score %1 → %2, %3")
        .arg(token(state.input.queries(attention), score.query),
             token(state.input.keys(attention), score.key), enumerated(where));
}

QString scoreText(const DocumentState &state, const ScoreIntervention &at) {
    const auto score =
        state.input.interventions.scoreAt(at.sequence, at.attention(), at.head, at.query, at.key);
    return score ? fullText(*score) : MechanismEditText::tr("computed");
}

QString headName(const DocumentState &state, core::AttentionId attention, Index head) {
    const QString where = attentionName(state.model, attention);
    return where.isEmpty() ? MechanismEditText::tr("Head %1").arg(head)
                           : MechanismEditText::tr("Head %1, %2").arg(QString::number(head), where);
}

/// Removes tables that the encoding does not use and takes missing ones from `usual`.
void putPositions(core::Model &model, core::Positions positions,
                  const core::ModelParameters &usual) {
    model.config.positions = positions;
    const auto put = [](core::Parameter &table, const core::Parameter &other, bool isNeeded) {
        if (!isNeeded)
            table = nullptr;
        else if (!table)
            table = other;
    };
    for (core::StackParameters core::ModelParameters::*stack :
         {&core::ModelParameters::main, &core::ModelParameters::encoder}) {
        core::StackParameters &mine = model.parameters.*stack;
        const core::StackParameters &other = usual.*stack;
        put(mine.positions, other.positions, positions == core::Positions::Learned);
        put(mine.positionBias, other.positionBias, positions == core::Positions::Relative);
    }
}

} // namespace

core::Result<Change> setTemperature(const DocumentState &state, float temperature) {
    Edit edit{state,
              {MechanismEditText::tr("Temperature"), fullText(state.model.config.temperature),
               fullText(temperature)}};
    edit.state.model.config.temperature = temperature;
    return checked(std::move(edit));
}

core::Result<Change> setScale(const DocumentState &state, const core::Scale &scale) {
    Edit edit{state,
              {MechanismEditText::tr("Scaling"), scalingText(state.model.config.scale),
               scalingText(scale)}};
    edit.state.model.config.scale = scale;
    if (scale.kind != core::Scale::Kind::Number) // drops a number that a file would not contain
        edit.state.model.config.scale.number = core::Scale().number;
    return checked(std::move(edit));
}

core::Result<Change> setSoftmax(const DocumentState &state, bool on) {
    Edit edit{
        state,
        {on ? MechanismEditText::tr("Softmax on") : MechanismEditText::tr("Softmax off"), {}, {}}};
    edit.state.model.config.softmax = on;
    return checked(std::move(edit));
}

core::Result<Change> setMasking(const DocumentState &state, const core::MaskOptions &masking) {
    Edit edit{state,
              {MechanismEditText::tr("Masking"), maskingText(state.model.config.masking),
               maskingText(masking)}};
    edit.state.model.config.masking = masking;
    return checked(std::move(edit));
}

core::Result<Change> setPositions(const DocumentState &state, core::Positions positions,
                                  const core::ModelParameters &usual) {
    const bool on = positions != core::Positions::None;
    Edit edit{state,
              {on ? MechanismEditText::tr("Positions on") : MechanismEditText::tr("Positions off"),
               {},
               {}}};
    putPositions(edit.state.model, positions, usual);
    return checked(std::move(edit));
}

core::Result<Change> setHead(const DocumentState &state, core::AttentionId attention, Index head,
                             HeadState headState) {
    Edit edit{state,
              {headName(state, attention, head),
               headStateText(state.input.interventions.stateOf(attention, head)),
               headStateText(headState)}};
    if (!state.model.hasAttention(attention) || head < 0 ||
        head >= state.model.headsOf(attention.stack))
        return Error{"there is no such head", headName(state, attention, head).toStdString(), ""};
    edit.state.input.interventions.setHead(attention, head, headState);
    return checked(std::move(edit));
}

core::Result<Change> setHeads(const DocumentState &state, core::AttentionId attention,
                              HeadState headState) {
    Edit edit{state, {}};
    if (!state.model.hasAttention(attention))
        return Error{"there is no such layer", "layer " + std::to_string(attention.layer), ""};
    for (Index head = 0; head < state.model.headsOf(attention.stack); ++head)
        edit.state.input.interventions.setHead(attention, head, headState);
    const QString where = attentionName(state.model, attention);
    edit.words.what =
        where.isEmpty()
            ? MechanismEditText::tr("All heads: %1").arg(headStateText(headState))
            : MechanismEditText::tr("All heads, %1: %2").arg(where, headStateText(headState));
    return checked(std::move(edit));
}

core::Result<Change> setScores(const DocumentState &state,
                               const std::vector<ScoreIntervention> &scores) {
    if (scores.empty())
        return Error{"there is no score to set", "", "select at least one cell"};
    Edit edit{state, {}};
    for (const ScoreIntervention &score : scores)
        edit.state.input.interventions.setScore(score);
    if (scores.size() == 1)
        edit.words = {MechanismEditText::tr("Override: %1").arg(scoreName(state, scores.front())),
                      scoreText(state, scores.front()), fullText(scores.front().score)};
    else
        edit.words.what =
            MechanismEditText::tr("Override: %n scores", nullptr, static_cast<int>(scores.size()));
    return checked(std::move(edit));
}

core::Result<Change> removeScores(const DocumentState &state,
                                  const std::vector<ScoreIntervention> &scores) {
    Edit edit{state, {}};
    core::Interventions &interventions = edit.state.input.interventions;
    for (const ScoreIntervention &at : scores)
        interventions.removeScore(at.sequence, at.attention(), at.head, at.query, at.key);
    if (interventions == state.input.interventions)
        return Error{"no score is overridden there", "", ""};
    edit.words.what =
        scores.size() == 1
            ? MechanismEditText::tr("Clear override: %1").arg(scoreName(state, scores.front()))
            : MechanismEditText::tr("Clear overrides: %n scores", nullptr,
                                    static_cast<int>(scores.size()));
    return checked(std::move(edit));
}

core::Result<Change> clearInterventions(const DocumentState &state) {
    if (state.input.interventions.empty())
        return Error{"there is no intervention", "", ""};
    Edit edit{state, {MechanismEditText::tr("Clear all interventions"), {}, {}}};
    edit.state.input.interventions = {};
    return checked(std::move(edit));
}

core::Result<Change> moveSlider(const DocumentState &state, const core::Trace &trace,
                                const QString &mark, double share) {
    const std::string text = core::textOfHex(mark.toStdString());
    std::string_view rest = text;
    (void)core::nextMarkWord(rest); // skips the word "slider"
    const core::Result<core::SliderMark> slider = core::takeSlider(rest, trace);
    if (!slider)
        return core::Error{slider.error().what, "{" + text + "}", slider.error().remedy};
    const float value = slider->at(share);
    if (!slider->parameter)
        return setTemperature(state, value);
    MatrixId id;
    id.parameter = *slider->parameter;
    return setCells(state, id, {{slider->row, slider->column, value}});
}

} // namespace headlight::ui::edits
