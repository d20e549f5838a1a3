#include "ui/document/edits/mask_edits.h"

#include "core/operations/mask.h"
#include "ui/text/mask_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace headlight::ui::edits {

namespace {

using core::CellMask;
using core::Error;
using core::Index;
using core::MaskCell;
using core::MaskLayers;

struct MaskEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MaskEdits)
};

core::Outcome validate(const core::MaskLayer &layer) {
    const auto *window = std::get_if<core::WindowMask>(&layer);
    const auto *blocks = std::get_if<core::BlockMask>(&layer);
    const auto *prefix = std::get_if<core::PrefixMask>(&layer);
    if ((window && window->width < 1) || (blocks && blocks->size < 1) ||
        (prefix && prefix->length < 0))
        return Error{"it is out of range", kindOf(layer), "use a whole number of tokens"};
    return core::Done{};
}

Error noSuchLayer(std::size_t index) {
    return {{"there is no mask layer %1", index}, "", ""};
}

/// The cells set by the user, one entry each. Entries for a single sequence come after entries for
/// all sequences and override them.
class Cells {
  public:
    Cells(const CellMask &mask, Index sequences) : m_sequences(sequences) {
        for (const MaskCell &cell : mask.cells)
            say(cell.sequence, {cell.query, cell.key},
                cell.visible ? CellMaskEdit::Show : CellMaskEdit::Hide);
    }

    void say(std::optional<Index> sequence, const MaskId &place, CellMaskEdit wish) {
        if (m_sequences == 1 && sequence == Index(0))
            sequence.reset();
        if (!sequence) // replaces all entries for single sequences
            for (Index each = 0; each < m_sequences; ++each)
                m_cells.erase({each, place});
        else if (wish == CellMaskEdit::Follow)
            splitAll(place);
        if (wish == CellMaskEdit::Follow)
            m_cells.erase({sequence, place});
        else
            m_cells[{sequence, place}] = wish == CellMaskEdit::Show;
    }

    CellMask mask() const {
        CellMask made;
        for (const auto &[key, visible] : m_cells)
            made.cells.push_back({key.first, key.second.query, key.second.key, visible});
        return made;
    }

  private:
    /// Replaces an entry for all sequences with one entry per sequence, so that a single one can be
    /// removed.
    void splitAll(const MaskId &place) {
        const auto all = m_cells.find({std::nullopt, place});
        if (all == m_cells.end())
            return;
        for (Index each = 0; each < m_sequences; ++each)
            m_cells.try_emplace({each, place}, all->second);
        m_cells.erase(all);
    }

    Index m_sequences;
    std::map<std::pair<std::optional<Index>, MaskId>, bool> m_cells; // true: visible
};

bool endsInCells(const MaskLayers &layers) {
    return !layers.empty() && std::holds_alternative<CellMask>(layers.back());
}

MaskLayers withoutCellsOnTop(MaskLayers layers) {
    if (endsInCells(layers))
        layers.pop_back();
    return layers;
}

core::Outcome inside(const DocumentState &state, Index sequence, const std::vector<MaskId> &cells,
                     core::AttentionId attention) {
    if (attention.stack == core::Stack::SourceEmbeddings)
        return Error{"nothing attends within the second sequence", "", "select a layer"};
    const Index queries = state.input.queries(attention).length();
    const Index keys = state.input.keys(attention).length();
    if (sequence < 0 || sequence >= state.input.batch->count())
        return Error{{"there is no sequence %1", sequence}, "", ""};
    if (cells.empty())
        return Error{"there is no cell to set", "", "select at least one cell"};
    for (const MaskId &cell : cells)
        if (cell.query < 0 || cell.query >= queries || cell.key < 0 || cell.key >= keys)
            return Error{
                "there is no such cell",
                "query " + std::to_string(cell.query) + ", key " + std::to_string(cell.key),
                queries == keys ? core::Message("there are %1 tokens", queries)
                                : core::Message("there are %1 queries and %2 keys", queries, keys)};
    return core::Done{};
}

QString wordOf(const core::Batch &batch, Index sequence, Index token) {
    return QString::fromStdString(batch[sequence][token].text);
}

QString wishText(CellMaskEdit wish) {
    switch (wish) {
    case CellMaskEdit::Hide:
        return MaskEditText::tr("hidden");
    case CellMaskEdit::Show:
        return MaskEditText::tr("shown");
    case CellMaskEdit::Follow:
        return MaskEditText::tr("as in the layers");
    }
    return {};
}

/// Returns a change that replaces the user's cells and keeps the layers below them.
core::Result<Change> withCells(const DocumentState &state, const Cells &cells, const QString &words,
                               core::AttentionId attention) {
    Edit edit{state, {words, {}, {}}};
    MaskLayers &layers = masksAt(edit.state.input, attention);
    layers = withoutCellsOnTop(std::move(layers));
    if (CellMask mask = cells.mask(); !mask.cells.empty())
        layers.push_back(std::move(mask));
    return checked(std::move(edit));
}

Cells cellsOf(const DocumentState &state, core::AttentionId attention) {
    const MaskLayers &layers = state.input.masksOf(attention);
    return {endsInCells(layers) ? std::get<CellMask>(layers.back()) : CellMask{},
            state.input.batch->count()};
}

QString cellsName(const DocumentState &state, Index sequence, const std::vector<MaskId> &cells,
                  core::AttentionId attention) {
    if (cells.size() == 1)
        return MaskEditText::tr("Mask %1 → %2")
            .arg(wordOf(state.input.queries(attention), sequence, cells.front().query),
                 wordOf(state.input.keys(attention), sequence, cells.front().key));
    return MaskEditText::tr("%n mask cells", nullptr, static_cast<int>(cells.size()));
}

QString colon(const QString &what, const QString &detail) {
    return QStringLiteral("%1: %2").arg(what, detail);
}

} // namespace

core::MaskLayers &masksAt(core::Input &input, core::AttentionId attention) {
    return const_cast<MaskLayers &>(
        std::as_const(input).masksOf(attention)); // safe, because `input` is not const
}

core::Result<Change> addLayer(const DocumentState &state, const core::MaskLayer &layer,
                              core::AttentionId attention) {
    if (core::Outcome outcome = validate(layer); !outcome)
        return outcome.error();
    Edit edit{state, {MaskEditText::tr("Add mask layer: %1").arg(maskName(layer)), {}, {}}};
    MaskLayers &layers = masksAt(edit.state.input, attention);
    if (std::find(layers.begin(), layers.end(), layer) != layers.end())
        return Error{"the mask has this layer already", maskName(layer).toStdString(), ""};
    layers.insert(endsInCells(layers) ? layers.end() - 1 : layers.end(), layer);
    return checked(std::move(edit));
}

core::Result<Change> removeLayer(const DocumentState &state, std::size_t index,
                                 core::AttentionId attention) {
    Edit edit{state, {}};
    MaskLayers &layers = masksAt(edit.state.input, attention);
    if (index >= layers.size())
        return noSuchLayer(index);
    edit.words.what = MaskEditText::tr("Remove mask layer: %1").arg(maskName(layers[index]));
    layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(index));
    return checked(std::move(edit));
}

core::Result<Change> replaceLayer(const DocumentState &state, std::size_t index,
                                  const core::MaskLayer &layer, core::AttentionId attention) {
    Edit edit{state, {}};
    MaskLayers &layers = masksAt(edit.state.input, attention);
    if (index >= layers.size())
        return noSuchLayer(index);
    if (core::Outcome outcome = validate(layer); !outcome)
        return outcome.error();
    edit.words = {MaskEditText::tr("Mask layer"), maskName(layers[index]), maskName(layer)};
    layers[index] = layer;
    return checked(std::move(edit));
}

core::Result<Change> setLayers(const DocumentState &state, MaskLayers layers,
                               core::AttentionId attention) {
    QStringList names;
    for (const core::MaskLayer &layer : layers) {
        if (core::Outcome outcome = validate(layer); !outcome)
            return outcome.error();
        names << maskName(layer);
    }
    Edit edit{state, {}};
    edit.words.what = names.isEmpty() ? MaskEditText::tr("No mask") : maskSentence(names);
    masksAt(edit.state.input, attention) = std::move(layers);
    return checked(std::move(edit));
}

core::Result<Change> setMaskCells(const DocumentState &state, Index sequence,
                                  const std::vector<MaskId> &cells, CellMaskEdit wish,
                                  core::AttentionId attention) {
    if (core::Outcome outcome = inside(state, sequence, cells, attention); !outcome)
        return outcome.error();
    Cells edited = cellsOf(state, attention);
    for (const MaskId &cell : cells)
        edited.say(sequence, cell, wish);
    return withCells(state, edited,
                     colon(cellsName(state, sequence, cells, attention), wishText(wish)),
                     attention);
}

core::Result<Change> paintMaskCells(const DocumentState &state, Index sequence,
                                    const std::vector<MaskId> &cells, bool visible,
                                    core::AttentionId attention) {
    if (core::Outcome outcome = inside(state, sequence, cells, attention); !outcome)
        return outcome.error();
    const core::Batch &keys = state.input.keys(attention);
    const core::Mask beneath(
        withoutCellsOnTop(core::maskLayersOf(state.model.config, state.input, attention)), sequence,
        state.input.queries(attention).length(), keys.length(), keys[sequence].length);
    Cells edited = cellsOf(state, attention);
    for (const MaskId &cell : cells) {
        const bool same = beneath.hidden(cell.query, cell.key) != visible;
        edited.say(sequence, cell,
                   same      ? CellMaskEdit::Follow
                   : visible ? CellMaskEdit::Show
                             : CellMaskEdit::Hide);
    }
    const CellMaskEdit wish = visible ? CellMaskEdit::Show : CellMaskEdit::Hide;
    return withCells(state, edited,
                     colon(cellsName(state, sequence, cells, attention), wishText(wish)),
                     attention);
}

core::Result<Change> setMaskRow(const DocumentState &state, Index sequence, Index query,
                                CellMaskEdit wish, core::AttentionId attention) {
    std::vector<MaskId> cells;
    for (Index key = 0; key < state.input.keys(attention).length(); ++key)
        cells.push_back({query, key});
    const core::Result<Change> change = setMaskCells(state, sequence, cells, wish, attention);
    if (!change)
        return change;
    const QString row = MaskEditText::tr("Mask, whole row %1")
                            .arg(wordOf(state.input.queries(attention), sequence, query));
    return change->named({colon(row, wishText(wish)), {}, {}});
}

core::Result<Change> clearMaskCells(const DocumentState &state, core::AttentionId attention) {
    Edit edit{state, {MaskEditText::tr("Clear the mask's single-cell edits"), {}, {}}};
    std::erase_if(masksAt(edit.state.input, attention), [](const core::MaskLayer &layer) {
        return std::holds_alternative<CellMask>(layer);
    });
    if (edit.state.input.masksOf(attention).size() == state.input.masksOf(attention).size())
        return Error{"there are no single-cell edits", "", ""};
    return checked(std::move(edit));
}

std::size_t countMaskCells(const MaskLayers &layers) {
    std::size_t count = 0;
    for (const core::MaskLayer &layer : layers)
        if (const auto *cells = std::get_if<CellMask>(&layer))
            count += cells->cells.size();
    return count;
}

CellMaskEdit wishOf(const MaskLayers &layers, Index sequence, const MaskId &cell) {
    if (!endsInCells(layers))
        return CellMaskEdit::Follow;
    CellMaskEdit wish = CellMaskEdit::Follow;
    for (const MaskCell &edited : std::get<CellMask>(layers.back()).cells)
        if ((!edited.sequence || *edited.sequence == sequence) && edited.query == cell.query &&
            edited.key == cell.key)
            wish = edited.visible ? CellMaskEdit::Show : CellMaskEdit::Hide;
    return wish;
}

} // namespace headlight::ui::edits
