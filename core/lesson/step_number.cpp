#include "core/lesson/step_number.h"

#include "core/format_number.h"
#include "core/lesson/cell_reference.h"
#include "core/lesson/row_number.h"
#include "core/lesson/slider_mark.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

namespace {

/// Evaluates "size weights 2" or "shape weights". `first` is the first word.
Result<StepNumber> takeExtent(std::string_view first, std::string_view &mark, const Trace &trace,
                              AttentionId attention) {
    const std::string_view name = nextMarkWord(mark);
    const StageReference stage = stageCalled(name, trace, attention);
    if (stage.tensor.isNull())
        return noStage(name, trace);
    const Shape &shape = stage.tensor.shape();
    if (first == "shape") {
        std::string text = "(";
        for (std::size_t axis = 0; axis < shape.rank(); ++axis)
            text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
        return StepNumber{0, text + ")"};
    }
    Index axis = 0;
    if (!readWholeWord(nextMarkWord(mark), axis) || axis >= static_cast<Index>(shape.rank()))
        return Error{"expected a stage, and for a size one of its axes",
                     "",
                     {"the stage is %1", shape.text()}};
    const Index size = shape[static_cast<std::size_t>(axis)];
    return StepNumber{static_cast<float>(size), std::to_string(size)};
}

Result<StepNumber> takeParameter(std::string_view &mark, const Trace &trace) {
    const std::string_view name = nextMarkWord(mark);
    const auto id = findParameter(name);
    const ModelParameters &weights = trace.model().parameters;
    if (!id || !hasPlaceFor(weights, *id) || !parameterOf(weights, *id))
        return Error{{"this model has no parameter \"%1\"", name}, "", ""};
    const ParameterMatrix &matrix = *parameterOf(weights, *id);
    Index row = 0, column = 0;
    if (!readWholeWord(nextMarkWord(mark), row) || !readWholeWord(nextMarkWord(mark), column) ||
        row >= matrix.rows() || column >= matrix.columns())
        return Error{
            {"expected a row and a column of %1 × %2", matrix.rows(), matrix.columns()}, "", ""};
    return StepNumber{matrix(row, column), {}};
}

/// Evaluates a mark that is not a ratio or difference.
Result<StepNumber> takeNumber(std::string_view &mark, const Trace &trace, AttentionId attention) {
    std::string_view rest = mark;
    const std::string_view first = nextMarkWord(rest);
    if (first == "size" || first == "shape")
        return takeExtent(first, mark = rest, trace, attention);
    if (first == "parameter")
        return takeParameter(mark = rest, trace);
    if (first == "slider") {
        const Result<SliderMark> slider = takeSlider(mark = rest, trace);
        return slider ? Result<StepNumber>(StepNumber{slider->value, {}}) : slider.error();
    }
    if (isRowNumber(first))
        return takeRowNumber(first, mark = rest, trace, attention);
    const auto cell = takeCell(mark, trace, attention);
    if (!cell)
        return cell.error();
    return StepNumber{cell->numbers.front(), {}};
}

/// Evaluates "ratio A to B" or "difference A to B". `first` is the first word.
Result<StepNumber> takeOfTwoNumbers(std::string_view first, std::string_view &mark,
                                    const Trace &trace, AttentionId attention) {
    const auto a = takeNumber(mark, trace, attention);
    if (!a)
        return a.error();
    if (nextMarkWord(mark) != "to")
        return Error{
            {"expected \"to\" and a second number after the first number of %1", first}, "", ""};
    const auto b = takeNumber(mark, trace, attention);
    if (!b)
        return b.error();
    const auto x = static_cast<double>(a->value), y = static_cast<double>(b->value);
    return StepNumber{static_cast<float>(first == "ratio" ? x / y : x - y), {}};
}

Result<StepNumber> take(std::string_view &mark, const Trace &trace, AttentionId attention) {
    std::string_view rest = mark;
    const std::string_view first = nextMarkWord(rest);
    return first == "ratio" || first == "difference"
               ? takeOfTwoNumbers(first, mark = rest, trace, attention)
               : takeNumber(mark, trace, attention);
}

} // namespace

Result<StepNumber> numberOf(std::string_view mark, const Trace &trace, AttentionId attention) {
    const std::string where = "{" + std::string(mark) + "}";
    Result<StepNumber> number = take(mark, trace, attention);
    if (!number)
        return Error{number.error().what, where, number.error().remedy};
    const std::string_view word = nextMarkWord(mark);
    const bool isWords = !number->text.empty(); // the result is a word, which has no decimals
    int decimals = 2;
    if (word == ":" && !isWords) {
        if (!readWholeWord(nextMarkWord(mark), decimals) || decimals > 9 ||
            !nextMarkWord(mark).empty())
            return Error{"expected 0 to 9 decimals after the colon", where, ""};
    } else if (!word.empty()) {
        return Error{{"unexpected word \"%1\"", word}, where, ""};
    }
    if (!isWords)
        number->text = shown(number->value, decimals);
    return number;
}

} // namespace headlight::core
