// Random changes that a user could make to a session, drawn from a seed.
#pragma once

#include "core/formats/session/data/session.h"
#include "core/formats/session/data/words.h"
#include "core/random.h"
#include "core/tokenizers/word_tokenizer.h"

#include <doctest/doctest.h>
#include <limits>

namespace headlight::core::test {

class RandomStates {
  public:
    explicit RandomStates(std::uint64_t seed) : m_random(seed) {}

    bool coin() { return m_random.next() % 2 == 0; }
    /// Returns a random value of an enumeration.
    template <typename Choice>
    Choice any() {
        return static_cast<Choice>(below(std::ssize(Words<Choice>::all)));
    }
    Index below(Index count) {
        return static_cast<Index>(m_random.next() % static_cast<std::uint64_t>(count));
    }

    /// Returns a random number, sometimes one that a careless writer would change: −0, denormals,
    /// the largest.
    float number() {
        constexpr float kSpecial[] = {-0.0f,
                                      0.0f,
                                      std::numeric_limits<float>::denorm_min(),
                                      -std::numeric_limits<float>::denorm_min(),
                                      std::numeric_limits<float>::min(),
                                      16777217.0f,
                                      1e20f,
                                      -1e-9f,
                                      0.1f};
        if (below(4) == 0)
            return kSpecial[below(std::ssize(kSpecial))];
        return static_cast<float>(m_random.normal());
    }

    std::string text() {
        constexpr const char *kWords[] = {"bank",       "Fluß",        "naïve", "money",
                                          "水",         "🙂",        "it's",  "a",
                                          "\"quoted\"", "back\\slash", "tab\t"};
        std::string text = "start";
        for (Index words = below(5); words > 0; --words)
            text += std::string(" ") + kWords[below(std::ssize(kWords))];
        return text;
    }

    Parameter matrix(Index rows, Index columns) {
        Matrix matrix(rows, columns);
        for (Index row = 0; row < rows; ++row)
            for (float &cell : matrix.view().row(row))
                cell = number();
        return makeParameter(std::move(matrix));
    }

    /// Returns tokens of a text, as Headlight or as another tokenizer makes them: the text or the
    /// spans may be missing, and some tokens may have ids.
    TokenizedText tokenized(const std::string &typed, const Vocabulary *words) {
        TokenizedText text{*splitIntoWords(typed), typed, true};
        if (coin())
            return text;
        text.isSplit = false;
        for (Token &token : text.tokens) {
            if (words && below(3) == 0)
                token.id = below(words->size());
            if (below(4) == 0)
                token.span.reset();
        }
        if (coin())
            return text;
        text.text.clear();
        for (Token &token : text.tokens)
            token.span.reset();
        return text;
    }

    /// Returns a batch for a stack of the model, sometimes with ids and token types.
    BatchPointer batch(const Model &model, Stack stack, Index count) {
        const Vocabulary *words =
            model.embeddingMatrix(stack) ? model.vocabularyOf(stack) : nullptr;
        std::vector<TokenizedText> texts;
        for (; count > 0; --count)
            texts.push_back(tokenized(text(), words));
        auto batch = *Batch::create(std::move(texts), below(9));
        if (words)
            batch = batch->withNeededIds(*words);
        const Parameter &types = model.stack(stack).tokenTypes;
        for (Index sequence = 0; sequence < batch->count(); ++sequence) {
            if (below(4) == 0)
                batch = batch->withEmbeddings(sequence,
                                              matrix(batch->length(), model.config.tokenWidth()));
            if (!types || coin())
                continue;
            std::vector<Index> of(static_cast<std::size_t>(below(batch->length() + 1)));
            for (Index &type : of)
                type = below(types->rows());
            batch = batch->withTokenTypes(sequence, std::move(of));
        }
        return batch;
    }

    MaskLayers masks(const Batch &queries, const Batch &keys) {
        MaskLayers layers;
        for (Index count = below(4); count > 0; --count)
            layers.push_back(mask(queries, keys));
        return layers;
    }

    Interventions interventions(const Model &model, const Input &input) {
        Interventions made;
        const std::vector<AttentionId> attentions = model.attentions();
        const auto any = [&] {
            return attentions[static_cast<std::size_t>(below(std::ssize(attentions)))];
        };
        for (Index count = below(3); count > 0; --count) {
            const AttentionId attention = any();
            made.setHead(attention, below(model.headsOf(attention.stack)),
                         static_cast<HeadState>(1 + below(3)));
        }
        for (Index count = below(4); count > 0; --count) {
            const AttentionId attention = any();
            made.setScore({below(input.batch->count()), attention.layer,
                           below(model.headsOf(attention.stack)),
                           below(input.queries(attention).length()),
                           below(input.keys(attention).length()), number(), attention.block,
                           attention.stack});
        }
        return made;
    }

    /// Returns the network with other settings. Its sizes stay, because the parameters depend on
    /// them.
    FeedForward feedForward(FeedForward network) {
        network.activation = any<Activation>();
        network.gated = network.gated && coin();
        if (!network.gated) // only gated experts have a limit and an offset
            network.limit = network.hiddenOffset = 0;
        if (network.experts > 0) {
            network.chosen =
                1 + below(network.chosenGroups * (network.experts / network.expertGroups));
            network.normalisesExperts = coin();
        }
        return network;
    }
    /// The rotated width is at most the size of the smallest head.
    RotaryConfig rotary(const Config &config) {
        const Index headSize = std::min(config.headSize, config.ofEncoder().headSize);
        RotaryConfig made;
        made.base = coin() ? 10000.0f : 7.5f;
        made.width = config.latent.isOn() ? config.latent.sharedKeySize // the rotated dimensions
                                          : 2 * below(headSize / 2 + 1);
        made.scaling = static_cast<RotaryScaling>(below(6));
        made.factor = 1 + static_cast<float>(below(4));
        made.originalLength = 2 + below(9);
        if (made.scaling == RotaryScaling::LongRope) {
            made.width = 2;
            made.shortFactors = {1.5f};
            made.longFactors = {2};
        }
        made.lowFrequencyFactor = 0.5f;
        made.betaFast = 31;
        made.betaSlow = 2;
        made.attentionFactor = coin() ? 0 : 1.25f;
        made.truncates = made.originalLength % 2 == 0;
        return made;
    }

    SavedState state(const Session &session) {
        SavedState now;
        if (session.lesson)
            now.step = below(static_cast<Index>(session.lesson->steps.size()));
        const Session at = session.lesson ? *atStep(session, now.step) : session;
        const Model &model = at.model;
        Input read = at.input;
        if (coin())
            now.set.batch = read.batch =
                batch(model, model.mainStack(), read.source ? read.batch->count() : 1 + below(3));
        if (read.source && coin())
            now.set.source = read.source = batch(model, model.sourceStack(), read.batch->count());
        // Other batches need their own masks and interventions.
        const bool other = now.set.batch || now.set.source;
        if (other || coin())
            now.set.masks = masks(*read.batch, *read.batch);
        if (model.hasEncoder() && (other || coin()))
            now.set.encoderMasks = masks(*read.source, *read.source);
        if (model.hasCrossAttention() && (other || coin()))
            now.set.crossMasks = masks(*read.batch, *read.source);
        if (other || coin())
            now.set.interventions = interventions(model, read);
        switches(model, now.set);
        parameters(*patched(at, now.set), now.set);
        if (!model.parameters.main.embeddings && coin())
            for (const char *word : {"bank", "水", "new word"})
                now.set.words[word] = matrix(1, model.config.tokenWidth())->toMatrix()->values();
        if (coin())
            now.seed = coin() ? m_random.next() : 7;
        now.show = selection(at, read);
        if (coin())
            now.birth = {below(500), below(24), coin() ? std::optional(below(3)) : std::nullopt,
                         below(24)};
        return now;
    }

  private:
    MaskLayer mask(const Batch &queries, const Batch &keys) {
        switch (below(7)) {
        case 0:
            return CausalMask{};
        case 1:
            return PaddingMask{};
        case 2:
            return DiagonalMask{};
        case 3:
            return WindowMask{1 + below(4), coin()};
        case 4:
            return PrefixMask{below(4)};
        case 5:
            return BlockMask{1 + below(4)};
        default:
            break;
        }
        CellMask cells;
        for (Index count = below(5); count > 0; --count)
            cells.cells.push_back({coin() ? std::optional(below(queries.count())) : std::nullopt,
                                   below(queries.length()), below(keys.length()), coin()});
        return cells;
    }

    /// Sets switches that require no new matrices. Removing a norm also removes its gains.
    void switches(const Model &model, StatePatch &set) {
        const Config &config = model.config;
        if (coin())
            set.positions = std::vector{config.positions, Positions::None, Positions::Sinusoidal,
                                        Positions::Alibi}[static_cast<std::size_t>(below(
                config.disentangled.isOn() ? 3 : 4))]; // ALiBi excludes disentangled attention
        if (coin())
            set.scale = Scale{static_cast<Scale::Kind>(below(3)), 1};
        if (set.scale && set.scale->kind == Scale::Kind::Number)
            set.scale->number = 0.1f + static_cast<float>(below(9));
        if (coin())
            set.temperature = 0.5f + static_cast<float>(below(4));
        if (coin())
            set.softmax = coin();
        if (coin())
            set.masking = MaskOptions{coin() ? MaskOptions().value : -1e4f, coin()};
        const bool projected = config.concatenatedWidth() == config.width;
        if (projected && coin())
            set.residual = coin();
        if (projected && coin())
            set.norm = Norm{any<NormKind>(), any<NormPosition>(), 1e-6f, coin(), coin()};
        if (set.norm && config.disentangled.norm) // distance vectors need one of these norms
            set.norm->kind = coin() ? NormKind::Layer : NormKind::RootMeanSquare;
        if (set.norm && set.norm->place == NormPosition::Before)
            set.norm->skipsFirst = coin();
        // Batch norm cannot be used per head, and post-norm excludes parallel blocks.
        if (set.norm && set.norm->kind == NormKind::Batch && coin())
            set.queryKeyNorm = QueryKeyNorm::None;
        else if (set.norm && set.norm->kind == NormKind::Batch)
            set.norm->kind = NormKind::Layer;
        else if (coin() && config.norm.kind != NormKind::Batch && !config.latent.isOn())
            set.queryKeyNorm = any<QueryKeyNorm>();
        if (set.norm && set.norm->place == NormPosition::After)
            set.parallel = false;
        else if (projected && (set.norm || config.norm.place != NormPosition::After) && coin())
            set.parallel = coin();
        if (coin())
            set.sharedNorm = coin();
        if (set.norm ? set.norm->skipsFirst : config.norm.skipsFirst)
            set.sharedNorm = false; // skipsFirst excludes a shared norm
        if (coin())
            set.windows = std::vector<Index>{below(4)};
        if (coin())
            set.feedForward = feedForward(config.feedForward);
        if (coin())
            set.scaleEmbeddings = coin();
        if (coin())
            set.sinusoidOrder = any<SinusoidOrder>();
        if (config.headSize % 2 == 0 && coin())
            set.rotary = rotary(config);
        if (coin())
            set.relative = RelativeConfig{config.relative.buckets, 128 + below(9)};
        if (coin()) {
            set.head = config.outputLayer;
            set.head->pooling = any<Pooling>();
            set.head->activation = any<Activation>();
            set.head->norm = coin();
        }
    }

    /// Changes parameters of the state: some cells, the whole matrix, or removes it.
    void parameters(const Session &state, StatePatch &set) {
        for (const ParameterId &id : allParameters(state.model.parameters)) {
            const Parameter &parameter = parameterOf(state.model.parameters, id);
            if (!parameter || below(6) > 0)
                continue;
            ParameterPatch patch{id, {}, nullptr};
            if (isRow(id.which) && coin()) {
                set.parameters.push_back(std::move(patch));
                continue;
            }
            if (coin())
                patch.whole = matrix(parameter->rows(), parameter->columns());
            else
                for (Index count = 1 + below(3); count > 0; --count)
                    patch.cells.push_back(
                        {below(parameter->rows()), below(parameter->columns()), number()});
            set.parameters.push_back(std::move(patch));
        }
    }

    SelectionPatch selection(const Session &at, const Input &read) {
        constexpr const char *kViews[] = {"whole",    "heads",  "similarity",
                                          "geometry", "output", "words"};
        const std::vector<AttentionId> attentions = at.model.attentions();
        const AttentionId attention =
            attentions[static_cast<std::size_t>(below(std::ssize(attentions)))];
        SelectionPatch show;
        if (coin())
            show.sequence = below(read.batch->count());
        if (coin())
            show.head = below(at.model.headsOf(attention.stack));
        if (coin())
            show.stage = Stage::Scores;
        // The selected query may not exist in another attention module.
        show.block = attention.block;
        show.layer = attention.layer;
        show.stack = attention.stack;
        show.clearsCell = coin();
        if (coin())
            show.query = below(read.queries(attention).length());
        if (coin())
            show.key = below(read.keys(attention).length());
        if (coin())
            show.view = kViews[below(3)];
        return show;
    }

    Random m_random;
};

} // namespace headlight::core::test
