// What is laid over a session, and what of a state differs from it.
#include "core/formats/session_parts.h"
#include "core/formats/session_switches.h"
#include "core/in_quotes.h"
#include "core/transformer/parameter_places.h"

#include <algorithm>
#include <cstring>

namespace headlight::core {

namespace {

Outcome applyParameter(const ParameterPatch &patch, const std::string &where, Model &model) {
    if (!hasPlaceFor(model.weights, patch.id))
        return Error{"there is no parameter " + inQuotes(nameOf(patch.id)), where + ".parameter",
                     "layers are counted from 0"};
    Parameter &parameter = parameterOf(model.weights, patch.id);
    if (patch.cells.empty()) {
        parameter = patch.whole;
        return Done{};
    }
    if (!parameter)
        return Error{"the model does not have this parameter", where + ".parameter",
                     "give all of it as \"matrix\""};
    Matrix changed = *parameter;
    for (std::size_t i = 0; i < patch.cells.size(); ++i) {
        const ParameterPatch::Cell &cell = patch.cells[i];
        if (cell.row < 0 || cell.row >= changed.rows() || cell.column < 0 ||
            cell.column >= changed.columns())
            return Error{"the parameter has no cell at row " + std::to_string(cell.row) +
                             ", column " + std::to_string(cell.column),
                         where + ".cells[" + std::to_string(i) + "]",
                         "it is " + std::to_string(changed.rows()) + " × " +
                             std::to_string(changed.columns())};
        changed(cell.row, cell.column) = cell.value;
    }
    parameter = makeParameter(std::move(changed));
    return Done{};
}

Outcome applyWords(const std::map<std::string, std::vector<float>> &words, Model &model) {
    if (words.empty())
        return Done{};
    const Index width = model.embeddings->width();
    for (const auto &[word, vector] : words)
        if (static_cast<Index>(vector.size()) != width)
            return Error{"the vector has " + std::to_string(vector.size()) + " numbers",
                         "words[\"" + word + "\"]", "give " + std::to_string(width)};
    model.embeddings = std::make_shared<const Embeddings>(model.embeddings, words);
    return Done{};
}

/// Cell by cell where that is shorter than the whole.
ParameterPatch difference(const ParameterId &id, const Parameter &before, const Parameter &after) {
    ParameterPatch patch{id, {}, after};
    if (!before || !after || before->rows() != after->rows() ||
        before->columns() != after->columns())
        return patch;
    const std::size_t most = after->values().size() / 8;
    for (Index row = 0; row < after->rows(); ++row)
        for (Index column = 0; column < after->columns(); ++column) {
            const float value = (*after)(row, column);
            const float old = (*before)(row, column);
            if (std::memcmp(&value, &old, sizeof value) == 0)
                continue;
            if (patch.cells.size() > most) {
                patch.cells.clear();
                return patch;
            }
            patch.cells.push_back({row, column, value});
        }
    patch.whole = nullptr;
    return patch;
}

} // namespace

Result<Session> patched(Session session, const StatePatch &patch) {
    if (patch.batch)
        session.input.batch = *patch.batch;
    else if (patch.text)
        if (const Outcome read = readText(session, *patch.text); !read)
            return Error{read.error().what, "text", read.error().remedy};
    if (patch.source)
        session.input.source = *patch.source;
    else if (patch.sourceText)
        if (const Outcome read = readSourceText(session, *patch.sourceText); !read)
            return Error{read.error().what, "source_text", read.error().remedy};
    if (patch.masks)
        session.input.masks = *patch.masks;
    if (patch.encoderMasks)
        session.input.encoderMasks = *patch.encoderMasks;
    if (patch.crossMasks)
        session.input.crossMasks = *patch.crossMasks;
    if (patch.interventions)
        session.input.interventions = *patch.interventions;
    Config &config = session.model.config;
    forEachSwitch([&](const char *, auto member, auto place) {
        config.*member = (patch.*place).value_or(config.*member);
    });
    config.masking = patch.masking.value_or(config.masking);
    // A norm that is turned off takes its gains with it, and so on.
    dropWithoutPlace(session.model.weights, config);
    for (std::size_t i = 0; i < patch.parameters.size(); ++i)
        if (Outcome outcome = applyParameter(
                patch.parameters[i], "parameters[" + std::to_string(i) + "]", session.model);
            !outcome)
            return outcome.error();
    if (Outcome outcome = applyWords(patch.words, session.model); !outcome)
        return outcome.error();
    return session;
}

StatePatch differenceOf(const Session &base, const Model &model, const Input &input) {
    StatePatch patch;
    const auto say = [](auto &place, const auto &before, const auto &after) {
        if (!(before == after))
            place = after;
    };
    if (!sameNumbers(base.input.batch, input.batch))
        patch.batch = input.batch;
    if (input.source && !sameNumbers(base.input.source, input.source))
        patch.source = input.source;
    say(patch.masks, base.input.masks, input.masks);
    say(patch.encoderMasks, base.input.encoderMasks, input.encoderMasks);
    say(patch.crossMasks, base.input.crossMasks, input.crossMasks);
    say(patch.interventions, base.input.interventions, input.interventions);
    forEachSwitch([&](const char *, auto member, auto place) {
        say(patch.*place, base.model.config.*member, model.config.*member);
    });
    say(patch.masking, base.model.config.masking, model.config.masking);
    for (const ParameterId &id : allParameters(model.weights)) {
        const Parameter &old = parameterOf(base.model.weights, id);
        const Parameter &now = parameterOf(model.weights, id);
        if (hasPlaceFor(model.config, id) && !sameNumbers(old, now)) // else a switch took it
            patch.parameters.push_back(difference(id, old, now));
    }
    if (model.embeddings != base.model.embeddings)
        for (const auto &[word, vector] : model.embeddings->given().words)
            if (!base.model.embeddings->isGiven(word) ||
                base.model.embeddings->vectorOf(word) != vector)
                patch.words.emplace(word, vector);
    return patch;
}

} // namespace headlight::core
