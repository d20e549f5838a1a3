// States that a person could have made of a session, drawn from a seed.
#pragma once

#include "core/formats/session.h"
#include "core/random.h"
#include "core/tokenizers/word_tokenizer.h"

#include <doctest/doctest.h>
#include <limits>

namespace headlight::core::test {

class RandomStates {
  public:
    explicit RandomStates(std::uint64_t seed) : m_random(seed) {}

    bool coin() { return m_random.next() % 2 == 0; }
    Index below(Index count) {
        return static_cast<Index>(m_random.next() % static_cast<std::uint64_t>(count));
    }

    /// Among them the ones that a careless writer loses: −0, denormals, the largest.
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

    BatchPointer batch(Index width) {
        std::vector<std::vector<std::string>> tokens;
        std::vector<std::string> texts;
        for (Index count = 1 + below(3); count > 0; --count) {
            const std::string typed = text();
            texts.push_back(coin() ? typed : "");
            tokens.push_back(*splitIntoWords(typed));
        }
        auto batch = *Batch::create(std::move(tokens), below(9), std::move(texts));
        for (Index sequence = 0; sequence < batch->count(); ++sequence)
            if (below(4) == 0)
                batch = batch->withEmbeddings(sequence, matrix(batch->length(), width));
        return batch;
    }

    MaskLayers masks(const Batch &batch) {
        MaskLayers layers;
        for (Index count = below(4); count > 0; --count)
            layers.push_back(mask(batch));
        return layers;
    }

    Interventions interventions(const Model &model, const Batch &batch) {
        Interventions made;
        const auto layers = static_cast<Index>(model.weights.main.layers.size());
        for (Index count = below(3); count > 0; --count)
            made.setHead(below(layers), below(model.config.heads),
                         static_cast<HeadState>(1 + below(3)));
        for (Index count = below(4); count > 0; --count)
            made.setScore({below(batch.count()), below(layers), below(model.config.heads),
                           below(batch.length()), below(batch.length()), number()});
        return made;
    }

    SavedState state(const Session &session) {
        SavedState now;
        if (session.lesson)
            now.step = below(static_cast<Index>(session.lesson->steps.size()));
        const Session at = session.lesson ? *atStep(session, now.step) : session;
        const Config &config = at.model.config;
        BatchPointer read = at.input.batch;
        if (coin())
            now.set.batch = read = batch(config.width);
        // What the step sets may not exist in another batch.
        if (now.set.batch || coin())
            now.set.masks = masks(*read);
        if (now.set.batch || coin())
            now.set.interventions = interventions(at.model, *read);
        if (coin())
            now.set.positions = coin() ? Positions::Sinusoidal : Positions::None;
        if (coin())
            now.set.scale = Scale{static_cast<Scale::Kind>(below(3)), 1};
        if (now.set.scale && now.set.scale->kind == Scale::Kind::Number)
            now.set.scale->number = 0.1f + static_cast<float>(below(9));
        if (coin())
            now.set.temperature = 0.5f + static_cast<float>(below(4));
        if (coin())
            now.set.softmax = coin();
        if (coin())
            now.set.masking = Masking{coin() ? Masking().value : -1e4f, coin()};
        parameters(at.model, now.set);
        if (coin())
            for (const char *word : {"bank", "水", "new word"})
                now.set.words[word] = matrix(1, config.width)->values();
        if (coin())
            now.seed = coin() ? m_random.next() : 7;
        now.show = selection(at, *read);
        return now;
    }

  private:
    MaskLayer mask(const Batch &batch) {
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
            cells.cells.push_back({coin() ? std::optional(below(batch.count())) : std::nullopt,
                                   below(batch.length()), below(batch.length()), coin()});
        return cells;
    }

    void parameters(const Model &model, StatePatch &set) {
        const AttentionWeights &first = model.weights.main.layers.front().selfAttention;
        if (coin())
            set.parameters.push_back({{0, ParameterKind::Query},
                                      {},
                                      matrix(first.query->rows(), first.query->columns())});
        if (coin()) {
            ParameterPatch patch{{0, ParameterKind::Key}, {}, nullptr};
            for (Index count = 1 + below(3); count > 0; --count)
                patch.cells.push_back(
                    {below(first.key->rows()), below(first.key->columns()), number()});
            set.parameters.push_back(std::move(patch));
        }
        if (coin())
            set.parameters.push_back(
                {{0, ParameterKind::ValueBias},
                 {},
                 coin() ? matrix(1, model.config.concatenatedWidth()) : nullptr});
    }

    SelectionPatch selection(const Session &at, const Batch &batch) {
        constexpr const char *kViews[] = {"flow", "heads", "similarity", "geometry"};
        SelectionPatch show;
        if (coin())
            show.sequence = below(batch.count());
        if (coin())
            show.head = below(at.model.config.heads);
        if (coin())
            show.stage = Stage::Scores;
        show.clearsCell = coin();
        if (coin())
            show.query = below(batch.length());
        if (coin())
            show.key = below(batch.length());
        if (coin())
            show.view = kViews[below(3)];
        return show;
    }

    Random m_random;
};

} // namespace headlight::core::test
