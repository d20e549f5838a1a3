// Random edits of every kind, for any model.
#pragma once

#include "tests/support/edits.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/edits/softmax_edits.h"
#include "ui/document/edits/token_edits.h"

#include <random>

namespace headlight::test {

class RandomEdits {
  public:
    explicit RandomEdits(std::uint32_t seed) : m_random(seed) {}

    std::size_t below(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random);
    }
    core::Index index(core::Index count) {
        return static_cast<core::Index>(below(static_cast<std::size_t>(count)));
    }
    float number() { return std::uniform_real_distribution<float>(-2, 2)(m_random); }

    /// Makes one edit. Impossible edits, such as deleting the last token, are refused and change
    /// nothing.
    void edit(ui::Document &document) {
        const ui::DocumentState &state = document.state();
        const core::Config &config = state.model.config;
        const core::Index sequence = index(state.input.batch->count());
        const core::Index head = index(config.heads);
        const core::AttentionId attention = this->attention(state.model);
        const core::Index query = index(state.input.queries(attention).length());
        const core::Index key = index(state.input.keys(attention).length());
        switch (below(16)) {
        case 0:
        case 1:
        case 2:
            return apply(document,
                         cells(state, {ui::MatrixId::Kind::Parameter, parameter(state), {}, 0}));
        case 3:
            return apply(document, cells(state, {ui::MatrixId::Kind::Embeddings,
                                                 {},
                                                 {},
                                                 sequence,
                                                 stackOf(state.model, side(state))}));
        case 4:
            return apply(document, ui::edits::setTemperature(state, 0.5F + std::abs(number())));
        case 5:
            return apply(document, ui::edits::setScale(state, {core::Scale::Kind(below(3)), 1.5F}));
        case 6:
            return apply(document,
                         ui::edits::setHead(state, attention, head, core::HeadState(below(4))));
        case 7:
            return apply(document, ui::edits::setScores(
                                       state, {{sequence, attention.layer, head, query, key,
                                                number(), attention.block, attention.stack}}));
        case 8:
            return apply(document,
                         ui::edits::setMaskCells(state, sequence, {{query, key}},
                                                 ui::edits::CellMaskEdit(below(3)), attention));
        case 9:
            return withPlace(document, sequence, [&](const auto &place) {
                apply(document, ui::edits::insertToken(state, place, word(state, place.side)));
            });
        case 10:
            return withPlace(document, sequence, [&](const auto &place) {
                apply(document, ui::edits::deleteToken(state, place));
            });
        case 11:
            return withPlace(document, sequence, [&](const auto &place) {
                apply(document, ui::edits::changeToken(state, place, word(state, place.side)));
            });
        case 12:
            return withPlace(document, sequence, [&](const auto &place) {
                const core::Index length = batchOf(state, place.side)[sequence].length;
                apply(document, ui::edits::moveToken(state, place, index(length)));
            });
        case 13: {
            core::Selection selection = document.selection();
            selection.sequence = sequence;
            document.select(selection);
            const ui::InputSide which = side(state);
            QStringList words;
            for (int count = 0; count < 3; ++count)
                words << word(state, which);
            (void)typeText(document, words.join(' '), which, document.newGesture()).ok();
            return;
        }
        case 14:
            return apply(document, ui::edits::setOwnLogits(state, {number(), number(), number()}));
        default: {
            const ui::MatrixId id{ui::MatrixId::Kind::Parameter, parameter(state), {}, 0};
            const ui::MatrixNumbers numbers = ui::numbersOf(state, id);
            if (!numbers.exists())
                return;
            core::Matrix matrix(numbers.view.rows, numbers.view.columns);
            for (core::Index row = 0; row < matrix.rows(); ++row)
                for (float &value : matrix.view().row(row))
                    value = number();
            return apply(document, ui::edits::setMatrix(state, id, matrix, "random"));
        }
        }
    }

    /// Selects a random place, which the document clamps.
    void look(ui::Document &document) {
        const ui::DocumentState &state = document.state();
        core::Selection selection = document.selection();
        if (below(2) == 0) {
            constexpr core::Stack stacks[] = {core::Stack::Main, core::Stack::Encoder,
                                              core::Stack::Decoder, core::Stack::SourceEmbeddings};
            selection.setAttention(
                {index(4), below(2) == 0 ? core::Block::SelfAttention : core::Block::CrossAttention,
                 stacks[below(4)]});
        } else {
            selection.setAttention(attention(state.model));
        }
        const auto stages = core::allStages();
        if (below(2) == 0)
            selection.stage = stages[below(stages.size())].stage;
        selection.sequence = index(3);
        selection.head = index(5);
        for (std::optional<core::Index> core::Selection::*place :
             {&core::Selection::query, &core::Selection::key, &core::Selection::dimension})
            selection.*place = below(4) == 0 ? std::nullopt : std::optional(index(20));
        document.select(selection);
    }

  private:
    core::AttentionId attention(const core::Model &model) {
        const std::vector<core::AttentionId> attentions = model.attentions();
        return attentions[below(attentions.size())];
    }

    core::ParameterId parameter(const ui::DocumentState &state) {
        const std::vector<core::ParameterId> all = core::allParameters(state.model.parameters);
        return all[below(all.size())];
    }

    ui::InputSide side(const ui::DocumentState &state) {
        return state.input.source && below(2) == 0 ? ui::InputSide::Source : ui::InputSide::Own;
    }

    static core::Stack stackOf(const core::Model &model, ui::InputSide side) {
        return side == ui::InputSide::Source ? model.sourceStack() : model.mainStack();
    }

    const core::Batch &batchOf(const ui::DocumentState &state, ui::InputSide side) {
        return side == ui::InputSide::Source ? *state.input.source : *state.input.batch;
    }

    template <typename Edit>
    void withPlace(const ui::Document &document, core::Index sequence, const Edit &edit) {
        const ui::InputSide which = side(document.state());
        edit(ui::edits::SequenceId{document.textId(which).minimumLength, sequence,
                                   index(batchOf(document.state(), which)[sequence].length),
                                   which});
    }

    core::Result<ui::Change> cells(const ui::DocumentState &state, const ui::MatrixId &id) {
        const ui::MatrixNumbers numbers = ui::numbersOf(state, id);
        if (!numbers.exists())
            return core::Error{"no such matrix", "", ""};
        std::vector<ui::edits::CellValue> values;
        for (std::size_t count = 1 + below(3); count > 0; --count)
            values.push_back({index(numbers.view.rows), index(numbers.view.columns), number()});
        return ui::edits::setCells(state, id, values);
    }

    void apply(ui::Document &document, core::Result<ui::Change> change) {
        if (!change)
            return;
        // Some drags consist of several edits.
        if (below(8) == 0)
            m_gesture = document.newGesture();
        const bool dragged = below(3) == 0;
        (void)document.apply(*std::move(change), dragged ? m_gesture : ui::Document::kNoGesture)
            .ok();
    }

    /// Returns a word, usually from the model's vocabulary.
    QString word(const ui::DocumentState &state, ui::InputSide side) {
        static const QStringList words{"money", "bank", "river", "the", "cat", "naïve", "🙂"};
        const core::Vocabulary *known = state.model.vocabularyOf(stackOf(state.model, side));
        if (known && below(8) > 0)
            return QString::fromStdString(known->words()[below(known->words().size())]);
        return words.at(static_cast<qsizetype>(below(static_cast<std::size_t>(words.size()))));
    }

    std::mt19937 m_random;
    int m_gesture = ui::Document::kNoGesture;
};

} // namespace headlight::test
