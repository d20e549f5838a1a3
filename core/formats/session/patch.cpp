// Applies patches to a session, and computes the patch between two states.
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"
#include "core/transformer/model/parameter_differences.h"
#include "core/transformer/model/parameter_id.h"

#include <algorithm>

namespace headlight::core {

namespace {

Outcome applyParameter(const ParameterPatch &patch, const std::string &where, Model &model) {
    if (!hasPlaceFor(model.parameters, patch.id))
        return Error{{"there is no parameter %1", inQuotes(nameOf(patch.id))},
                     where + ".parameter",
                     "layers are counted from 0"};
    Parameter &parameter = parameterOf(model.parameters, patch.id);
    if (patch.cells.empty()) {
        parameter = patch.whole;
        return Done{};
    }
    if (!parameter)
        return Error{"the model does not have this parameter", where + ".parameter",
                     "give all of it as \"matrix\""};
    std::vector<CellEdit> cells;
    for (std::size_t i = 0; i < patch.cells.size(); ++i) {
        const ParameterPatch::Cell &cell = patch.cells[i];
        if (cell.row < 0 || cell.row >= parameter->rows() || cell.column < 0 ||
            cell.column >= parameter->columns())
            return Error{{"the parameter has no cell at row %1, column %2", cell.row, cell.column},
                         where + ".cells[" + std::to_string(i) + "]",
                         {"it is %1 × %2", parameter->rows(), parameter->columns()}};
        cells.push_back({static_cast<std::uint32_t>(cell.row),
                         static_cast<std::uint32_t>(cell.column), cell.value});
    }
    parameter = withCells(parameter, std::move(cells));
    return Done{};
}

Outcome applyWords(const std::map<std::string, std::vector<float>> &words, Model &model) {
    if (words.empty())
        return Done{};
    const Index width = model.embeddings->width();
    for (const auto &[word, vector] : words)
        if (static_cast<Index>(vector.size()) != width)
            return Error{{"the vector has %1 numbers", vector.size()},
                         "words[\"" + word + "\"]",
                         {"give %1", width}};
    model.embeddings = std::make_shared<const Embeddings>(model.embeddings, words);
    return Done{};
}

/// Returns the change of a parameter: single cells if that is shorter than the whole parameter.
ParameterPatch difference(const ParameterId &id, const Parameter &before, const Parameter &after) {
    ParameterPatch patch{id, {}, after};
    if (!before || !after)
        return patch;
    if (before->edits().empty() && before->hasBaseOf(*after)) { // avoids reading the base
        for (const CellEdit &cell : after->edits())
            patch.cells.push_back({cell.row, cell.column, cell.value});
        patch.whole = nullptr;
        return patch;
    }
    const Index most = after->rows() * after->columns() / 8 + 1;
    const auto cells = differencesOf(*before, *after, most);
    if (!cells)
        return patch;
    for (const CellDifference &cell : *cells)
        patch.cells.push_back({cell.row, cell.column, cell.after});
    patch.whole = nullptr;
    return patch;
}

/// Applies each field of the patch to the session.
struct Overlay {
    const StatePatch &patch;
    Session &session;

    template <typename Owner, typename Value>
    Outcome lay(const StateField<Owner, Value, std::optional<Value>> &field) const {
        if (const auto &patchValue = patch.*field.inPatch)
            valueIn(session, field) = *patchValue;
        return Done{};
    }
    Outcome lay(const SequencesField &field) const {
        if (const auto &patchValue = patch.*field.inPatch)
            session.input.*field.place = *patchValue;
        else if (const auto &text = patch.*field.text)
            if (const Outcome read = readText(session, field, *text); !read)
                return Error{read.error().what, field.textName, read.error().remedy};
        return Done{};
    }
    Outcome lay(const ParametersField &field) const {
        Model &model = session.model;
        // Removes parameters that the new switches do not use, such as gains of a disabled norm.
        dropWithoutPlace(model.parameters, model.config);
        const auto &patchValue = patch.*field.inPatch;
        for (std::size_t i = 0; i < patchValue.size(); ++i)
            if (Outcome outcome = applyParameter(
                    patchValue[i], std::string(field.name) + "[" + std::to_string(i) + "]", model);
                !outcome)
                return outcome;
        return Done{};
    }
    Outcome lay(const WordsField &field) const {
        return applyWords(patch.*field.inPatch, session.model);
    }
};

/// Compares each field and stores the differences in the patch.
struct Comparing {
    const Session &base;
    const Model &model;
    const Input &input;
    StatePatch &patch;

    template <typename Owner, typename Value>
    void compare(const StateField<Owner, Value, std::optional<Value>> &field) const {
        if (!(valueIn(base, field) == valueIn(*this, field)))
            patch.*field.inPatch = valueIn(*this, field);
    }
    void compare(const SequencesField &field) const {
        const BatchPointer &now = valueIn(*this, field);
        if (now && !sameNumbers(valueIn(base, field), now))
            patch.*field.inPatch = now;
    }
    void compare(const ParametersField &field) const {
        for (const ParameterId &id : allParameters(model.parameters)) {
            const Parameter &old = parameterOf(base.model.parameters, id);
            const Parameter &now = parameterOf(model.parameters, id);
            if (hasPlaceFor(model.config, id) && !sameNumbers(old, now)) // switches remove the rest
                (patch.*field.inPatch).push_back(difference(id, old, now));
        }
    }
    void compare(const WordsField &field) const {
        const EmbeddingsPointer &old = valueIn(base, field), &now = valueIn(*this, field);
        if (now == old)
            return;
        for (const auto &[word, vector] : now->given().words)
            if (!old->isGiven(word) || old->vectorOf(word) != vector)
                (patch.*field.inPatch).emplace(word, vector);
    }
};

} // namespace

Result<Session> patched(Session session, const StatePatch &patch) {
    Outcome outcome = Done{};
    forEachField(kStateFields, [&, overlay = Overlay{patch, session}](const auto &field) {
        if (outcome)
            outcome = overlay.lay(field);
    });
    if (!outcome)
        return outcome.error();
    return session;
}

StatePatch differenceOf(const Session &base, const Model &model, const Input &input) {
    StatePatch patch;
    forEachField(kStateFields, [comparing = Comparing{base, model, input, patch}](
                                   const auto &field) { comparing.compare(field); });
    return patch;
}

} // namespace headlight::core
