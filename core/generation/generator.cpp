#include "core/generation/generator.h"

#include "core/cancelled.h"
#include "core/generation/next_token.h"
#include "core/transformer/run/forward.h"
#include "core/transformer/run/output_row.h"

namespace headlight::core {

namespace {

Outcome validate(const GenerationOptions &options, const Model &model, const Input &input) {
    const Index count = input.batch->count(), words = model.vocabulary->size();
    if (options.sequence < 0 || options.sequence >= count)
        return Error{
            {"there is no sequence %1", options.sequence}, "sequence", {"use 0 to %1", count - 1}};
    if ((*input.batch)[options.sequence].embeddings)
        return Error{"the sequence has its own vectors, and a new token would have none",
                     "sequence " + std::to_string(options.sequence),
                     "remove them, so that its words are looked up"};
    if (options.maximum < 0)
        return Error{{"%1 tokens cannot be generated", options.maximum},
                     "tokens",
                     "use a number of at least 0"};
    if (options.end && (*options.end < 0 || *options.end >= words))
        return Error{
            {"there is no word %1", *options.end}, "end token", {"use 0 to %1", words - 1}};
    return validate(options.sampling);
}

/// Returns the interventions that concern this sequence, which becomes sequence 0.
Interventions onlyOf(Interventions all, Index sequence) {
    std::erase_if(all.scores, [sequence](const ScoreIntervention &score) {
        return score.sequence != sequence;
    });
    for (ScoreIntervention &score : all.scores)
        score.sequence = 0;
    return all;
}

MaskLayers onlyOf(MaskLayers layers, Index sequence) {
    for (MaskLayer &layer : layers)
        if (auto *cellMask = std::get_if<CellMask>(&layer)) {
            std::erase_if(cellMask->cells, [sequence](const MaskCell &cell) {
                return cell.sequence && *cell.sequence != sequence;
            });
            for (MaskCell &cell : cellMask->cells)
                cell.sequence.reset();
        }
    return layers;
}

Input onlyOf(const Input &input, Index sequence) {
    Input one;
    one.batch = input.batch->only(sequence);
    one.masks = onlyOf(input.masks, sequence);
    one.interventions = onlyOf(input.interventions, sequence);
    one.source = input.source ? input.source->only(sequence) : nullptr;
    one.encoderMasks = onlyOf(input.encoderMasks, sequence);
    one.crossMasks = onlyOf(input.crossMasks, sequence);
    return one;
}

/// Returns the stages of a pass that the next pass reuses.
std::vector<StageId> neededBehind(const Model &model, const Input &input) {
    const Plan plan = planOf(model, Extent(input));
    std::vector<StageId> stages{readByOutputLayer(plan)};
    for (const AttentionId attention : model.attentions())
        if (attention.stack == model.mainStack())
            for (const Stage stage : {Stage::Key, Stage::Value})
                stages.push_back({stage, attention});
    return stages;
}

} // namespace

Generator::Generator(Model model, Input input, GenerationOptions options, TracePointer before)
    : m_model(std::move(model)),
      m_input(std::move(input)),
      m_options(std::move(options)),
      m_trace(std::move(before)),
      m_kept(neededBehind(m_model, m_input)) {}

Result<Generator> Generator::create(const Computable &begun, GenerationOptions options,
                                    TracePointer before) {
    if (Outcome outcome = canWrite(begun.model()); !outcome)
        return outcome.error();
    if (Outcome outcome = validate(options, begun.model(), begun.input()); !outcome)
        return outcome.error();
    Input alone = onlyOf(begun.input(), options.sequence);
    return Generator(begun.model(), std::move(alone), std::move(options), std::move(before));
}

void Generator::append(Index id) {
    m_input.batch = m_input.batch->withAppended(m_model.vocabulary->token(id));
}

Result<std::optional<GeneratedToken>> Generator::next(std::stop_token stop) {
    if (m_hasEnded || m_count >= m_options.maximum)
        return std::optional<GeneratedToken>();
    const Result<Computable> longer = Computable::of(m_model, m_input);
    if (!longer)
        return longer.error();
    Result<TracePointer> trace = forward(*longer, m_trace, stop, RetainedStages(m_kept));
    if (!trace)
        return trace.error();
    const Index length = m_input.batch->length();
    const Result<OutputRow> row = outputRow(**trace, 0, length - 1, std::move(stop));
    if (!row)
        return row.error();
    m_trace = *std::move(trace);
    m_numbersMade = m_trace->recomputedNumbers() + row->made;
    const Result<NextToken> chosen = nextToken(m_model, *row, m_options.sampling, length);
    if (!chosen)
        return chosen.error();
    GeneratedToken token{chosen->id,
                         m_model.vocabulary->word(chosen->id),
                         chosen->probability,
                         chosen->chance,
                         chosen->id == m_options.end,
                         likeliestOf(row->probabilities, m_options.likeliest)};
    append(token.id);
    ++m_count;
    m_hasEnded = token.isEnd;
    return std::optional(std::move(token));
}

} // namespace headlight::core
