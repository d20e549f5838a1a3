// Edits of every kind, drawn from a seed.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/mechanism_edits.h"
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

    /// One edit; what is impossible there (the last token cannot be deleted) is refused, and
    /// changes nothing.
    void edit(ui::Document &document) {
        const ui::DocumentState &state = document.state();
        const core::Batch &batch = *state.input.batch;
        const core::Config &config = state.model.config;
        const core::Index sequence = index(batch.count());
        const core::Index head = index(config.heads);
        const ui::edits::TokenPlace place{document.session().minimumLength, sequence,
                                          index(batch[sequence].length)};
        const core::Index query = index(batch.length());
        const core::Index key = index(batch.length());
        switch (below(14)) {
        case 0:
        case 1:
        case 2:
            return apply(document, cells(state, {ui::MatrixId::Kind::Parameter,
                                                 {0, core::kAttentionParameters[below(8)]},
                                                 {},
                                                 0}));
        case 3:
            return apply(document,
                         cells(state, {ui::MatrixId::Kind::Embeddings, {}, {}, sequence}));
        case 4:
            return apply(document, ui::edits::setTemperature(state, 0.5F + std::abs(number())));
        case 5:
            return apply(document, ui::edits::setScale(state, {core::Scale::Kind(below(3)), 1.5F}));
        case 6:
            return apply(document, ui::edits::setHead(state, 0, head, core::HeadState(below(4))));
        case 7:
            return apply(document,
                         ui::edits::setScores(state, {{sequence, 0, head, query, key, number()}}));
        case 8:
            return apply(document, ui::edits::setMaskCells(state, sequence, {{query, key}},
                                                           ui::edits::CellWish(below(3))));
        case 9:
            return apply(document, ui::edits::insertToken(state, place, word()));
        case 10:
            return apply(document, ui::edits::deleteToken(state, place));
        case 11:
            return apply(document, ui::edits::changeToken(state, place, word()));
        case 12: {
            core::Selection selection = document.selection();
            selection.sequence = sequence;
            document.select(selection);
            (void)document.setText(word() + ' ' + word() + ' ' + word()).ok();
            return document.endTyping();
        }
        default: {
            core::Matrix matrix(config.width, config.concatenatedWidth());
            for (core::Index row = 0; row < matrix.rows(); ++row)
                for (float &value : matrix.view().row(row))
                    value = number();
            return apply(document, ui::edits::setMatrix(state,
                                                        {ui::MatrixId::Kind::Parameter,
                                                         {0, core::kAttentionParameters[below(3)]},
                                                         {},
                                                         0},
                                                        matrix, "random"));
        }
        }
    }

  private:
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
        // Now and then moves of one drag follow each other.
        if (below(8) == 0)
            m_gesture = document.newGesture();
        const bool dragged = below(3) == 0;
        (void)document.apply(*std::move(change), dragged ? m_gesture : ui::Document::kNoGesture)
            .ok();
    }

    QString word() {
        static const QStringList words{"money", "bank", "river", "the", "cat", "naïve", "🙂"};
        return words.at(static_cast<qsizetype>(below(static_cast<std::size_t>(words.size()))));
    }

    std::mt19937 m_random;
    int m_gesture = ui::Document::kNoGesture;
};

} // namespace headlight::test
