#include "ui/document/edits/matrix_edits.h"

#include "core/tensor/shape.h"
#include "core/transformer/model/parameter_table.h"
#include "ui/document/edits/matrix_text.h"
#include "ui/text/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight::ui::edits {

namespace {

using core::Error;
using core::Index;

struct MatrixEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MatrixEdits)
};

Error noSuchMatrix(const DocumentState &state, const MatrixId &id) {
    return {"the model has no such matrix", nameOf(id, state).toStdString(), ""};
}

core::Outcome finite(Index row, Index column, float value) {
    if (std::isfinite(value))
        return core::Done{};
    return Error{"the number is not finite",
                 "row " + std::to_string(row) + ", column " + std::to_string(column),
                 "use a finite number"};
}

core::Outcome fitting(const core::ParameterBlock &view, const std::vector<CellValue> &cells) {
    if (cells.empty())
        return Error{"there is no number to set", "", "select at least one cell"};
    for (const CellValue &cell : cells) {
        if (cell.row < 0 || cell.row >= view.rows || cell.column < 0 || cell.column >= view.columns)
            return Error{"there is no such cell",
                         "row " + std::to_string(cell.row) + ", column " +
                             std::to_string(cell.column),
                         {"the matrix is %1", core::Shape{view.rows, view.columns}.text()}};
        if (core::Outcome outcome = finite(cell.row, cell.column, cell.value); !outcome)
            return outcome;
    }
    return core::Done{};
}

core::CellEdit editOf(Index row, Index column, float value) {
    return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), value};
}

/// Sets the cells in the rows of the embedding matrix that belong to the words.
void setRows(DocumentState &state, const MatrixId &id, const std::vector<CellValue> &cells) {
    const bool own =
        id.stack == core::Stack::Encoder && state.model.parameters.encoder.embeddings != nullptr;
    core::Parameter &matrix =
        own ? state.model.parameters.encoder.embeddings : state.model.parameters.main.embeddings;
    std::vector<core::CellEdit> changed;
    for (const CellValue &cell : cells)
        if (const auto word = wordOf(state, id, cell.row))
            changed.push_back(editOf(*word, cell.column, cell.value));
    matrix = withCells(matrix, std::move(changed));
}

/// Sets cells in the vectors of words. A vector is stored under the word's spelling in the text.
void setWords(DocumentState &state, const core::Sequence &read,
              const std::vector<CellValue> &cells) {
    const core::Embeddings &before = *state.model.embeddings;
    std::map<std::string, std::vector<float>> changed;
    for (const CellValue &cell : cells) {
        const std::string &word = read[cell.row].text;
        auto place = std::find_if(changed.begin(), changed.end(), [&](const auto &entry) {
            return before.isSameWord(entry.first, word);
        });
        if (place == changed.end())
            place = changed.emplace(word, before.vectorOf(word)).first;
        place->second[static_cast<std::size_t>(cell.column)] = cell.value;
    }
    core::Embeddings::Given given = before.given();
    for (auto &[word, vector] : changed) {
        // Two spellings of one word must not have two vectors.
        std::erase_if(given.words, [&before, &kept = word](const auto &entry) {
            return entry.first != kept && before.isSameWord(entry.first, kept);
        });
        given.words[word] = std::move(vector);
    }
    state.model.embeddings = std::make_shared<const core::Embeddings>(std::move(given));
}

void setNumbers(DocumentState &state, const MatrixId &id, const std::vector<CellValue> &cells) {
    const auto write = [&cells](core::Parameter &parameter, Index row, Index column) {
        std::vector<core::CellEdit> changed;
        changed.reserve(cells.size());
        for (const CellValue &cell : cells)
            changed.push_back(editOf(row + cell.row, column + cell.column, cell.value));
        parameter = withCells(parameter, std::move(changed));
    };
    if (id.kind == MatrixId::Kind::Parameter) {
        const HeadPart part = headPart(state, id);
        return write(parameterOf(state.model.parameters, id.parameter), part.row, part.column);
    }
    const core::Batch &batch = batchOf(state.input, id);
    const core::Sequence &read = batch[id.sequence];
    if (!read.embeddings)
        return state.model.embeddingMatrix(id.stack) ? setRows(state, id, cells)
                                                     : setWords(state, read, cells);
    core::Parameter own = read.embeddings;
    write(own, 0, 0);
    core::BatchPointer &changed =
        &batch == state.input.source.get() ? state.input.source : state.input.batch;
    changed = batch.withEmbeddings(id.sequence, std::move(own));
}

QString cellName(const DocumentState &state, const MatrixId &id, const CellValue &cell) {
    if (id.kind == MatrixId::Kind::Embeddings) {
        const QString word = rowLabel(state, id, cell.row);
        return hasOwnEmbeddings(state, id)
                   ? MatrixEditText::tr("embedding of token %1 (%2), dimension %3")
                         .arg(QString::number(cell.row), word, QString::number(cell.column))
                   : MatrixEditText::tr("embedding of “%1”, dimension %2")
                         .arg(word, QString::number(cell.column));
    }
    if (core::isRow(id.parameter.which))
        return MatrixEditText::tr("%1, column %2")
            .arg(nameOf(id, state), columnLabel(state, id, cell.column));
    return MatrixEditText::tr("%1, row %2, column %3")
        .arg(nameOf(id, state), rowLabel(state, id, cell.row), columnLabel(state, id, cell.column));
}

} // namespace

core::Result<Change> setCells(const DocumentState &state, const MatrixId &id,
                              const std::vector<CellValue> &cells) {
    const MatrixNumbers numbers = numbersOf(state, id);
    if (!numbers.exists())
        return noSuchMatrix(state, id);
    if (core::Outcome outcome = fitting(numbers.view, cells); !outcome)
        return outcome.error();
    Edit edit{state, {}};
    setNumbers(edit.state, id, cells);
    if (cells.size() == 1) {
        const CellValue &cell = cells.front();
        edit.words = {cellName(state, id, cell), fullText(numbers.view(cell.row, cell.column)),
                      fullText(cell.value)};
    } else {
        edit.words.what =
            MatrixEditText::tr("%1: %2 numbers").arg(nameOf(id, state)).arg(cells.size());
    }
    return checked(std::move(edit));
}

core::Result<Change> setMatrix(const DocumentState &state, const MatrixId &id,
                               const core::Matrix &matrix, const QString &words) {
    const MatrixNumbers numbers = numbersOf(state, id);
    if (!numbers.exists())
        return noSuchMatrix(state, id);
    if (matrix.rows() != numbers.view.rows || matrix.columns() != numbers.view.columns)
        return Error{
            {"a matrix of %1 does not fit", core::Shape{matrix.rows(), matrix.columns()}.text()},
            nameOf(id, state).toStdString(),
            {"it is %1", core::Shape{numbers.view.rows, numbers.view.columns}.text()}};
    const EditText description{MatrixEditText::tr("%1: %2").arg(nameOf(id, state), words), {}, {}};
    for (Index row = 0; row < matrix.rows(); ++row)
        for (Index column = 0; column < matrix.columns(); ++column)
            if (core::Outcome outcome = finite(row, column, matrix(row, column)); !outcome)
                return outcome.error();
    Edit edit{state, description};
    if (id.kind == MatrixId::Kind::Parameter) { // may be large, so it is not set cell by cell
        const HeadPart part = headPart(state, id);
        core::Parameter &parameter = parameterOf(edit.state.model.parameters, id.parameter);
        parameter = withBlock(parameter, part.row, part.column, matrix.view());
        return checked(std::move(edit));
    }
    std::vector<CellValue> cells;
    cells.reserve(matrix.values().size());
    for (Index row = 0; row < matrix.rows(); ++row)
        for (Index column = 0; column < matrix.columns(); ++column)
            cells.push_back({row, column, matrix(row, column)});
    setNumbers(edit.state, id, cells);
    return checked(std::move(edit));
}

core::Result<Change> scaleHead(const DocumentState &state, core::AttentionId attention, Index head,
                               float factor) {
    if (!state.model.hasAttention(attention) || head < 0 || head >= state.model.headsOf(attention))
        return Error{"there is no such head", "", ""};
    const core::ParameterId output =
        core::parameterAt(state.model, core::ParameterKind::Output, attention);
    const MatrixId id{MatrixId::Kind::Parameter, output, head};
    const MatrixNumbers numbers = numbersOf(state, id);
    if (!numbers.exists())
        return Error{"the model has no W_O to scale", "", "leave it out, or silence the head"};
    const core::Result<core::SharedMatrix> rows = numbers.view.read();
    if (!rows)
        return rows.error();
    core::Matrix scaled(rows->rows, rows->columns);
    for (Index row = 0; row < rows->rows; ++row)
        for (Index column = 0; column < rows->columns; ++column)
            scaled(row, column) = factor * (*rows)(row, column);
    return setMatrix(state, id, scaled, MatrixEditText::tr("times %1").arg(fullText(factor)));
}

core::Result<Change> addBias(const DocumentState &state, const core::ParameterId &id) {
    const MatrixId matrix{MatrixId::Kind::Parameter, id, std::nullopt, 0};
    if (!core::isRow(id.which) || !hasPlaceFor(state.model.parameters, id))
        return noSuchMatrix(state, matrix);
    if (parameterOf(state.model.parameters, id))
        return Error{"the model has this bias already", nameOf(matrix, state).toStdString(), ""};
    if (!isPartOf(state.model, id))
        return Error{"a bias without its matrix", nameOf(matrix, state).toStdString(),
                     id.which == core::ParameterKind::OutputBias ? "this model has no output matrix"
                                                                 : ""};
    const core::Model &model = state.model;
    core::Matrix row(1, core::infoOf(id.which).columns(model.config, logitsOf(model.parameters)));
    const float usual = isGain(id.which) ? 1.0f : 0.0f;
    for (float &number : row.view().row(0))
        number = usual;
    const QString words = isGain(id.which) ? MatrixEditText::tr("Add %1, filled with ones")
                                           : MatrixEditText::tr("Add %1, filled with zeros");
    Edit edit{state, {words.arg(nameOf(matrix, state)), {}, {}}};
    parameterOf(edit.state.model.parameters, id) = core::makeParameter(std::move(row));
    return checked(std::move(edit));
}

core::Result<Change> removeBias(const DocumentState &state, const core::ParameterId &id) {
    const MatrixId matrix{MatrixId::Kind::Parameter, id, std::nullopt, 0};
    if (!core::isRow(id.which) || !numbersOf(state, matrix).exists())
        return noSuchMatrix(state, matrix);
    Edit edit{state, {MatrixEditText::tr("Remove %1").arg(nameOf(matrix, state)), {}, {}}};
    parameterOf(edit.state.model.parameters, id) = nullptr;
    return checked(std::move(edit));
}

} // namespace headlight::ui::edits
