#include "core/analysis/output_row_id.h"

#include "core/operations/softmax.h"

#include <algorithm>

namespace headlight::core {

namespace {

bool isHidden(const Token &token) {
    return token.text == "[MASK]" || token.text == "<mask>";
}

Index usualRow(const Trace &trace, const Sequence &sequence) {
    if (trace.model().config.outputLayer.kind == OutputLayerKind::MaskedLanguage) {
        const auto hidden = std::ranges::find_if(sequence.tokens, isHidden);
        if (hidden != sequence.tokens.end())
            return hidden - sequence.tokens.begin();
    }
    return sequence.length - 1;
}

/// True if the selected query is a token that the output layer reads.
bool asksOwn(const Trace &trace, const Selection &selection) {
    return infoOf(selection.stage).part == Part::OutputLayer ||
           selection.stack == trace.model().mainStack();
}

} // namespace

bool hasOutput(const Trace &trace) {
    return (trace.has(Stage::Logits) && trace.has(Stage::Probabilities)) ||
           trace.has(Stage::ClassLogits);
}

OutputRowId outputPlaceOf(const Trace &trace, const Selection &selection) {
    const Index sequence =
        std::clamp<Index>(selection.sequence, 0, std::max<Index>(0, trace.batch().count() - 1));
    if (trace.has(Stage::ClassLogits))
        return {sequence, sequence};
    const Sequence &text = trace.batch()[sequence];
    const Index usual = usualRow(trace, text);
    const Index row = asksOwn(trace, selection) ? selection.query.value_or(usual) : usual;
    return {sequence, std::clamp<Index>(row, 0, std::max<Index>(0, text.length - 1))};
}

Index predictedAt(const Model &model, OutputRowId place) {
    return model.saysNext() ? place.row + 1 : place.row;
}

Index rowAbout(const Model &model, Index token) {
    return model.saysNext() ? token - 1 : token;
}

bool isOutputReady(const Trace &trace, OutputRowId place) {
    if (trace.has(Stage::ClassLogits))
        return trace.isReady(Stage::ClassLogits, {}, place.sequence);
    return trace.isRowReady(Stage::Probabilities, place.sequence, place.row) &&
           trace.isRowReady(Stage::Logits, place.sequence, place.row);
}

namespace {

Result<OutputRowPointer> unread() {
    return Error{"the logits of this token could not be read", "", ""};
}

/// Reads the output of a classifier. The trace has only logits, so the probabilities are computed
/// here.
Result<OutputRowPointer> readClasses(const Trace &trace, Index sequence) {
    const SharedMatrix logits = trace.matrix(Stage::ClassLogits, {}, 0, 0);
    if (sequence >= logits.rows)
        return unread();
    OutputRow row{copied(logits.row(sequence)), copied(logits.row(sequence)), 0};
    softmax(row.logits, 1, row.probabilities);
    return std::make_shared<const OutputRow>(std::move(row));
}

/// Reads the output of a trace that computes and caches single rows.
Result<OutputRowPointer> readRow(const Trace &trace, OutputRowId place,
                                 const std::stop_token &stop) {
    OutputRow read;
    for (const auto &[stage, numbers] :
         {std::pair(Stage::Logits, &OutputRow::logits),
          std::pair(Stage::Probabilities, &OutputRow::probabilities)}) {
        const StepId step = *trace.plan().find({stage, {}});
        if (place.row < 0 || place.row >= trace.plan()[step].shape.last(1))
            return unread();
        const Result<SharedMatrix> row =
            trace.madeRows(step, place.sequence, 0, {place.row, 1}, stop);
        if (!row)
            return row.error();
        read.*numbers = copied(row->row(0));
    }
    return std::make_shared<const OutputRow>(std::move(read));
}

} // namespace

Result<OutputRowPointer> readOutput(const Trace &trace, OutputRowId place, std::stop_token stop) {
    if (trace.has(Stage::ClassLogits))
        return readClasses(trace, place.sequence);
    if (trace.isByRow(Stage::Logits))
        return readRow(trace, place, stop);
    if (!isOutputReady(trace, place) && !trace.model().isCaptured()) {
        Result<OutputRow> row = outputRow(trace, place.sequence, place.row, std::move(stop));
        if (!row)
            return row.error();
        return std::make_shared<const OutputRow>(*std::move(row));
    }
    const SharedMatrix logits = trace.matrix(Stage::Logits, {}, place.sequence, 0);
    const SharedMatrix probabilities = trace.matrix(Stage::Probabilities, {}, place.sequence, 0);
    if (place.row >= logits.rows || place.row >= probabilities.rows)
        return unread();
    return std::make_shared<const OutputRow>(
        OutputRow{copied(logits.row(place.row)), copied(probabilities.row(place.row)), 0});
}

} // namespace headlight::core
