#include "core/transformer/forward.h"

#include "core/operations/linear.h"
#include "core/operations/position.h"
#include "core/operations/softmax.h"
#include "core/tensor/product.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <new>

namespace headlight::core {

namespace {

/// What a stage's values depend on: tensors and parameters by identity, and plain numbers.
struct Sources {
    std::vector<const void *> identities;
    std::vector<double> numbers;
};

/// No NaN and nothing infinite but, where a mask may hide, its −∞. Without a branch, so that the
/// compiler does many at once.
bool isSound(const std::vector<float> &values, bool mayHide) {
    constexpr float largest = std::numeric_limits<float>::max();
    const float smallest = mayHide ? -std::numeric_limits<float>::infinity() : -largest;
    bool sound = true;
    for (const float value : values)
        sound &= (value <= largest) & (value >= smallest);
    return sound;
}

/// One run through the layers. Every stage goes through stage(), which computes it or takes it
/// over.
class Pass {
  public:
    Pass(const Model &model, const Input &input, TracePointer previous, std::stop_token stop)
        : m_model(model),
          m_config(model.config),
          m_input(input),
          m_batch(*input.batch),
          m_previous(std::move(previous)),
          m_stop(std::move(stop)) {}

    TracePointer run() {
        const auto start = std::chrono::steady_clock::now();
        resolveMasks();
        Tensor x = embed();
        for (std::size_t layer = 0; layer < m_model.weights.layers.size(); ++layer)
            x = runLayer(static_cast<Index>(layer), x);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        return std::make_shared<const Trace>(m_model, m_input, m_masks, std::move(m_entries),
                                             std::move(m_recomputed), time.count());
    }

    bool cancelled() const { return m_stop.stop_requested(); }
    /// The first stage that holds what no number is: too large for 32 bits, or made from such.
    const std::string &overflowed() const { return m_overflowed; }

  private:
    using Fill = std::function<void(std::vector<float> &, const Shape &)>;

    Tensor stage(const std::string &name, const Shape &shape, Sources sources, const Fill &fill) {
        if (m_previous) {
            const TraceEntry *before = m_previous->find(name);
            if (before && before->sources == sources.identities &&
                before->numbers == sources.numbers && before->tensor.shape() == shape) {
                m_entries.push_back(*before);
                return before->tensor;
            }
        }
        std::vector<float> values(static_cast<std::size_t>(shape.count()));
        fill(values, shape);
        if (m_overflowed.empty() && !isSound(values, name.ends_with("masked_scores")))
            m_overflowed = name;
        Tensor tensor(shape, std::move(values));
        m_recomputed.push_back(name);
        m_entries.push_back(
            {name, tensor, std::move(sources.identities), std::move(sources.numbers)});
        return tensor;
    }

    /// The same numbers under one more name.
    void alias(const std::string &name, const Tensor &tensor) {
        m_entries.push_back({name, tensor, {tensor.identity()}, {}});
    }

    void resolveMasks() {
        if (m_previous && m_previous->input() == m_input) {
            m_masks = m_previous->masks();
            return;
        }
        auto masks = std::make_shared<std::vector<Mask>>();
        const Index length = m_batch.length();
        for (Index b = 0; b < m_batch.count(); ++b)
            masks->emplace_back(m_input.masks, b, length, length, m_batch[b].length);
        m_masks = std::move(masks);
    }

    Tensor embed() {
        const Shape shape{m_batch.count(), m_batch.length(), m_config.width};
        const Tensor embeddings =
            stage(stageName(Stage::Embeddings), shape,
                  {{m_input.batch.get(), m_model.embeddings.get()}, {}},
                  [&](std::vector<float> &values, const Shape &) {
                      float *row = values.data();
                      for (const Sequence &sequence : m_batch.sequences())
                          for (Index t = 0; t < m_batch.length() && !cancelled(); ++t) {
                              if (sequence.embeddings) {
                                  const auto given = sequence.embeddings->view().row(t);
                                  row = std::copy(given.begin(), given.end(), row);
                              } else {
                                  const auto vector = m_model.embeddings->vectorOf(
                                      sequence.tokens[static_cast<std::size_t>(t)]);
                                  row = std::copy(vector.begin(), vector.end(), row);
                              }
                          }
                  });
        if (m_config.positions == Positions::None) {
            alias(stageName(Stage::Positioned), embeddings);
            return embeddings;
        }
        const Tensor sum =
            stage(stageName(Stage::EmbeddingSum), shape,
                  {{embeddings.identity()}, {static_cast<double>(m_config.positions)}},
                  [&](std::vector<float> &values, const Shape &) {
                      const Matrix positions =
                          sinusoidalPositions(m_batch.length(), m_config.width);
                      const std::size_t period = positions.values().size();
                      for (std::size_t i = 0; i < values.size(); ++i)
                          values[i] = embeddings.values()[i] + positions.values()[i % period];
                  });
        alias(stageName(Stage::Positioned), sum);
        return sum;
    }

    Tensor runLayer(Index layer, const Tensor &input) {
        const std::string prefix = "layers." + std::to_string(layer) + ".";
        alias(prefix + "input", input);
        const AttentionWeights &weights =
            m_model.weights.layers[static_cast<std::size_t>(layer)].selfAttention;
        const Tensor query = project(Stage::Query, layer, input, weights.query, weights.queryBias);
        const Tensor key = project(Stage::Key, layer, input, weights.key, weights.keyBias);
        const Tensor value = project(Stage::Value, layer, input, weights.value, weights.valueBias);
        const Tensor context = attend(layer, query, key, value);
        const Tensor concatenated = concatenate(layer, context);
        Tensor output = concatenated;
        if (weights.output)
            output = projectOutput(layer, concatenated, weights);
        alias(prefix + "output", output);
        return output;
    }

    /// Calls `work` for every matrix of a [B, H, …] stage, until cancelled.
    template <typename Work>
    void forEachHead(Work work) {
        for (Index b = 0; b < m_batch.count(); ++b)
            for (Index h = 0; h < m_config.heads && !cancelled(); ++h)
                work(b, h);
    }

    Tensor project(Stage which, Index layer, const Tensor &input, const Parameter &weight,
                   const Parameter &bias) {
        const Index d = m_config.headSize;
        const Shape shape{m_batch.count(), m_config.heads, m_batch.length(), d};
        return stage(stageName(which, layer), shape,
                     {{input.identity(), weight.get(), bias.get()}, {}},
                     [&](std::vector<float> &values, const Shape &) {
                         forEachHead([&](Index b, Index h) {
                             const auto headBias = bias ? bias->view().columnBlock(h * d, d).row(0)
                                                        : std::span<const float>();
                             linear(input.matrix(b), weight->view().columnBlock(h * d, d), headBias,
                                    matrixOf(values, shape, b, h));
                         });
                     });
    }

    /// From queries, keys and values to the heads' contexts.
    Tensor attend(Index layer, const Tensor &query, const Tensor &key, const Tensor &value) {
        const Index length = m_batch.length();
        const Shape square{m_batch.count(), m_config.heads, length, length};
        const Tensor scores =
            stage(stageName(Stage::Scores, layer), square, {{query.identity(), key.identity()}, {}},
                  [&](std::vector<float> &values, const Shape &shape) {
                      forEachHead([&](Index b, Index h) {
                          multiplyTransposed(query.matrix(b, h), key.matrix(b, h),
                                             matrixOf(values, shape, b, h));
                      });
                  });
        const float factor = m_config.scale.factor(m_config.headSize);
        const Tensor scaled =
            stage(stageName(Stage::ScaledScores, layer), square, {{scores.identity()}, {factor}},
                  [&](std::vector<float> &values, const Shape &) {
                      std::transform(scores.values().begin(), scores.values().end(), values.begin(),
                                     [factor](float score) { return score * factor; });
                  });
        const Tensor masked = stage(
            stageName(Stage::MaskedScores, layer), square, {{scaled.identity(), m_masks.get()}, {}},
            [&](std::vector<float> &values, const Shape &shape) {
                forEachHead([&](Index b, Index h) {
                    applyMask(scaled.matrix(b, h), (*m_masks)[static_cast<std::size_t>(b)],
                              matrixOf(values, shape, b, h));
                });
            });
        const Tensor weights = stage(
            stageName(Stage::Weights, layer), square, {{masked.identity()}, {m_config.temperature}},
            [&](std::vector<float> &values, const Shape &shape) {
                forEachHead([&](Index b, Index h) {
                    const MutableMatrixView out = matrixOf(values, shape, b, h);
                    for (Index i = 0; i < length; ++i)
                        softmax(masked.matrix(b, h).row(i), m_config.temperature, out.row(i));
                });
            });
        return stage(stageName(Stage::Context, layer), query.shape(),
                     {{weights.identity(), value.identity()}, {}},
                     [&](std::vector<float> &values, const Shape &shape) {
                         forEachHead([&](Index b, Index h) {
                             multiply(weights.matrix(b, h), value.matrix(b, h),
                                      matrixOf(values, shape, b, h));
                         });
                     });
    }

    Tensor concatenate(Index layer, const Tensor &context) {
        const Index d = m_config.headSize;
        const Shape shape{m_batch.count(), m_batch.length(), m_config.concatenatedWidth()};
        return stage(stageName(Stage::Concatenated, layer), shape, {{context.identity()}, {}},
                     [&](std::vector<float> &values, const Shape &) {
                         forEachHead([&](Index b, Index h) {
                             const MatrixView head = context.matrix(b, h);
                             const MutableMatrixView place =
                                 matrixOf(values, shape, b).columnBlock(h * d, d);
                             for (Index t = 0; t < head.rows; ++t)
                                 std::copy(head.row(t).begin(), head.row(t).end(),
                                           place.row(t).begin());
                         });
                     });
    }

    Tensor projectOutput(Index layer, const Tensor &concatenated, const AttentionWeights &weights) {
        const Shape shape{m_batch.count(), m_batch.length(), m_config.width};
        return stage(
            stageName(Stage::Output, layer), shape,
            {{concatenated.identity(), weights.output.get(), weights.outputBias.get()}, {}},
            [&](std::vector<float> &values, const Shape &) {
                const auto bias = weights.outputBias ? weights.outputBias->view().row(0)
                                                     : std::span<const float>();
                for (Index b = 0; b < m_batch.count() && !cancelled(); ++b)
                    linear(concatenated.matrix(b), weights.output->view(), bias,
                           matrixOf(values, shape, b));
            });
    }

    const Model &m_model;
    const Config &m_config;
    const Input &m_input;
    const Batch &m_batch;
    TracePointer m_previous;
    std::stop_token m_stop;
    std::shared_ptr<const std::vector<Mask>> m_masks;
    std::vector<TraceEntry> m_entries;
    std::vector<std::string> m_recomputed;
    std::string m_overflowed;
};

Outcome fitsBudget(const Model &model, const Batch &batch) {
    const auto &layers = model.weights.layers;
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
    const double bytes = of(batch) * of(length) *
                         ((embeddings + of(layers) * perToken) * number +
                          of(length) * (of(layers) * perPair * number + maskBytes));
    return bytes < 0x1p62 ? static_cast<Index>(bytes) : Index(1) << 62;
}

Outcome fits(const Model &model, const Input &input) {
    assert(input.batch);
    if (Outcome outcome = validate(model.config); !outcome)
        return outcome;
    if (Outcome outcome = validate(model.weights, model.config); !outcome)
        return outcome;
    for (std::size_t layer = 0; layer + 1 < model.weights.layers.size(); ++layer)
        if (!model.weights.layers[layer].selfAttention.output &&
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
    if (Outcome outcome = validate(input.interventions, model.config,
                                   static_cast<Index>(model.weights.layers.size()), *input.batch);
        !outcome)
        return outcome;
    return fitsBudget(model, *input.batch);
}

Result<TracePointer> forward(const Model &model, const Input &input, const TracePointer &previous,
                             std::stop_token stop) try {
    if (Outcome outcome = fits(model, input); !outcome)
        return outcome.error();
    Pass pass(model, input, previous, std::move(stop));
    TracePointer trace = pass.run();
    if (pass.cancelled())
        return Error{"cancelled", "", ""};
    if (!pass.overflowed().empty())
        return Error{"the numbers grow beyond what 32 bits hold", pass.overflowed(),
                     "use smaller weights or embeddings"};
    return trace;
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the attention", "text", "use a shorter text"};
}

} // namespace headlight::core
