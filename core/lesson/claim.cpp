#include "core/lesson/claim.h"

#include "core/lesson/step_condition.h"
#include "core/lesson/step_number.h"

#include <cmath>
#include <cstdio>

namespace headlight::core {

namespace {

/// Formats `count` tenths with one decimal place and a decimal point, in every locale.
std::string tenths(long count) {
    const long whole = std::labs(count) / 10, rest = std::labs(count) % 10;
    return (count < 0 ? "-" : "") + std::to_string(whole) + "." + std::to_string(rest);
}

Result<long> tenthsOf(std::string_view mark, const StepNumber &number) {
    const double scaled = static_cast<double>(number.value) * 10;
    if (!std::isfinite(scaled) || std::abs(scaled) > 1e15)
        return Error{"the number is too large for a claim", "{" + std::string(mark) + "}", ""};
    // The margin is needed because floats such as 0.3F are slightly below or above their tenth.
    return static_cast<long>(std::floor(scaled + 1e-4));
}

} // namespace

Result<std::string> claimAbout(std::string_view mark, const Trace &trace) {
    const Result<StepNumber> number = numberOf(mark, trace);
    if (!number)
        return number.error();
    const std::string all(mark);
    if (number->isWord) {
        const std::string claim = all + " " + number->text;
        // A word that occurs more than once does not identify its column.
        const Result<bool> holds = conditionHolds(claim, trace);
        return holds && *holds ? claim : all + " = " + all;
    }
    const Result<long> below = tenthsOf(mark, *number);
    if (!below)
        return below.error();
    const bool isAtTenth = number->value * 10 - static_cast<float>(*below) < 0.05F;
    return all + " > " + tenths(isAtTenth ? *below - 1 : *below);
}

Result<std::string> goalAbout(std::string_view mark, const Trace &trace) {
    const Result<StepNumber> number = numberOf(mark, trace);
    if (!number)
        return number.error();
    if (number->isWord)
        return Error{"a goal needs a number", "{" + std::string(mark) + "}", "select a cell"};
    const Result<long> below = tenthsOf(mark, *number);
    if (!below)
        return below.error();
    const std::string all(mark);
    return *below >= 8 && *below <= 10 ? all + " < 0.5" : all + " > " + tenths(*below + 1);
}

} // namespace headlight::core
