#include "core/transformer/forward.h"

#include "core/operations/position.h"
#include "core/transformer/attention.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>

namespace headlight::core {

namespace {

/// One run through the layers.
class Pass {
  public:
    Pass(const Model &model, const Input &input, const Trace *previous, std::stop_token stop)
        : m_model(model),
          m_input(input),
          m_batch(*input.batch),
          m_recorder(previous, std::move(stop)) {}

    TracePointer run() {
        const auto start = std::chrono::steady_clock::now();
        resolveMasks();
        Computed x = embed();
        for (Index layer = 0; layer < static_cast<Index>(m_model.weights.main.layers.size());
             ++layer) {
            const std::string prefix = "layers." + std::to_string(layer) + ".";
            x = m_recorder.alias(prefix + "input", x);
            x = Attention(m_recorder, m_model, m_input, m_masks, layer).run(x);
            x = m_recorder.alias(prefix + "output", x);
        }
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        Work work = m_recorder.takeWork();
        work.milliseconds = time.count();
        return std::make_shared<const Trace>(m_model, m_input, TraceMasks{m_masks},
                                             m_recorder.takeEntries(), std::move(work));
    }

    const StageRecorder &recorder() const { return m_recorder; }

  private:
    void resolveMasks() {
        const Trace *previous = m_recorder.previous();
        if (previous && previous->input().batch == m_input.batch &&
            previous->input().masks == m_input.masks) {
            m_masks = previous->masks();
            return;
        }
        auto masks = std::make_shared<std::vector<Mask>>();
        const Index length = m_batch.length();
        for (Index b = 0; b < m_batch.count(); ++b)
            masks->emplace_back(m_input.masks, b, length, length, m_batch[b].length);
        m_masks = std::move(masks);
    }

    Computed embed() {
        const Trace *previous = m_recorder.previous();
        const Shape shape{m_batch.count(), m_batch.length(), m_model.config.width};
        Computed x = m_recorder.stage(
            Stage::Embeddings, 0, shape,
            [&](Index b, Index) {
                const Sequence &before = previous->batch()[b];
                return m_batch[b].embeddings == before.embeddings &&
                       (before.embeddings || (m_batch[b].tokens == before.tokens &&
                                              m_model.embeddings == previous->model().embeddings));
            },
            [&](Index b, Index, MutableMatrixView out) { embedSequence(m_batch[b], out); });
        if (m_model.config.positions != Positions::None)
            x = addPositions(x);
        return m_recorder.alias(stageName(Stage::Positioned), x);
    }

    void embedSequence(const Sequence &sequence, MutableMatrixView out) {
        for (Index t = 0; t < out.rows && !m_recorder.cancelled(); ++t)
            if (sequence.embeddings)
                std::ranges::copy(sequence.embeddings->view().row(t), out.row(t).begin());
            else
                std::ranges::copy(
                    m_model.embeddings->vectorOf(sequence.tokens[static_cast<std::size_t>(t)]),
                    out.row(t).begin());
    }

    Computed addPositions(const Computed &embeddings) {
        const Matrix positions = sinusoidalPositions(m_batch.length(), m_model.config.width);
        return m_recorder.stage(
            Stage::EmbeddingSum, 0, embeddings.tensor.shape(),
            // Only sinusoidal ones have this stage.
            [&](Index b, Index) { return embeddings.isSame(b); },
            [&](Index b, Index, MutableMatrixView out) {
                for (Index t = 0; t < out.rows; ++t)
                    std::ranges::transform(embeddings.matrix(b).row(t), positions.view().row(t),
                                           out.row(t).begin(), std::plus());
            });
    }

    const Model &m_model;
    const Input &m_input;
    const Batch &m_batch;
    StageRecorder m_recorder;
    TraceMasks::List m_masks;
};

Outcome fitsBudget(const Model &model, const Batch &batch) {
    const auto &layers = model.weights.main.layers;
    const bool projected = std::any_of(layers.begin(), layers.end(), [](const LayerWeights &layer) {
        return layer.selfAttention.output != nullptr;
    });
    const auto bytes = [&](Index length) {
        return traceBytes(model.config, projected, batch.count(), length,
                          static_cast<Index>(layers.size()));
    };
    if (bytes(batch.length()) <= kTraceBudgetBytes)
        return Done{};
    Index fits = 0; // bisection: bytes() grows with the length
    for (Index low = 0, high = batch.length(); low < high;) {
        const Index middle = (low + high) / 2;
        if (bytes(middle) <= kTraceBudgetBytes) {
            fits = middle;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return Error{std::to_string(batch.length()) + " tokens would need " +
                     std::to_string(bytes(batch.length()) >> 20) + " MB for their attention",
                 "text", "use at most " + std::to_string(fits) + " tokens with this model"};
}

} // namespace

Index traceBytes(const Config &config, bool outputProjection, Index batch, Index length,
                 Index layers) {
    // In double, which cannot overflow, whatever sizes a file asks for; exact far beyond the
    // budget.
    const auto of = [](Index value) { return static_cast<double>(value); };
    const double embeddings = (config.positions == Positions::None ? 1 : 2) * of(config.width);
    const double perToken =
        (outputProjection ? of(config.width) : 0) +
        5 * of(config.heads) * of(config.headSize); // Q, K, V, context, concatenated
    const double perPair = 4 * of(config.heads);    // four [T, S] stages a head
    constexpr double number = sizeof(float);
    constexpr double maskBytes = 2; // one mask for all layers
    const double headOutputs =
        outputProjection ? std::min(of(batch) * of(config.heads) * of(length) * of(config.width),
                                    of(kMaximumHeadOutputs))
                         : 0;
    const double bytes = of(batch) * of(length) *
                             ((embeddings + of(layers) * perToken) * number +
                              of(length) * (of(layers) * perPair * number + maskBytes)) +
                         of(layers) * headOutputs * number;
    return bytes < 0x1p62 ? static_cast<Index>(bytes) : Index(1) << 62;
}

Outcome fits(const Model &model, const Input &input) {
    assert(input.batch);
    if (Outcome outcome = validate(model.config); !outcome)
        return outcome;
    if (Outcome outcome = validate(model.weights, model.config); !outcome)
        return outcome;
    for (std::size_t layer = 0; layer + 1 < model.weights.main.layers.size(); ++layer)
        if (!model.weights.main.layers[layer].selfAttention.output &&
            model.config.concatenatedWidth() != model.config.width)
            return Error{"without an output matrix the layer gives " +
                             std::to_string(model.config.concatenatedWidth()) +
                             " numbers a token, the next one reads " +
                             std::to_string(model.config.width),
                         "model.layers[" + std::to_string(layer) + "].self_attention.output",
                         "give the matrix"};
    const Shape expected{input.batch->length(), model.config.width};
    for (Index b = 0; b < input.batch->count(); ++b) {
        const Parameter &own = (*input.batch)[b].embeddings;
        if (own && Shape{own->rows(), own->columns()} != expected)
            return Error{"the embeddings are " + Shape{own->rows(), own->columns()}.text() +
                             ", expected " + expected.text(),
                         "batch.sequences[" + std::to_string(b) + "].embeddings", ""};
        if (!own && (!model.embeddings || model.embeddings->given().width != model.config.width))
            return Error{"the words' vectors do not have the model's width", "model.embeddings",
                         ""};
    }
    if (Outcome outcome = validate(input.interventions, model, input); !outcome)
        return outcome;
    return fitsBudget(model, *input.batch);
}

Result<TracePointer> forward(const Model &model, const Input &input, const TracePointer &previous,
                             std::stop_token stop) try {
    if (Outcome outcome = fits(model, input); !outcome)
        return outcome.error();
    Pass pass(model, input, previous.get(), std::move(stop));
    TracePointer trace = pass.run();
    if (pass.recorder().cancelled())
        return Error{"cancelled", "", ""};
    if (const std::string &stage = pass.recorder().overflowed(); !stage.empty())
        return Error{"the numbers grow beyond what 32 bits hold", stage,
                     "use smaller weights or embeddings"};
    return trace;
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the attention", "text", "use a shorter text"};
}

} // namespace headlight::core
