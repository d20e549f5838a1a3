#include "core/lesson/step_condition.h"

#include "core/format_number.h"
#include "core/lesson/cell_reference.h"
#include "core/lesson/step_number.h"
#include "core/parse_number.h"

#include <algorithm>

namespace headlight::core {

namespace {

bool isComparison(std::string_view word) {
    return word == "<" || word == ">" || word == "=";
}

bool comparesTwo(std::string_view words) {
    for (std::string_view word = nextMarkWord(words); !word.empty(); word = nextMarkWord(words))
        if (isComparison(word))
            return true;
    return false;
}

Result<StepNumber> operandOf(std::string_view words, const Trace &trace, AttentionId attention) {
    std::string_view rest = words;
    const std::string_view word = nextMarkWord(rest);
    std::string_view none = rest;
    if (const auto number = parseNumber(word); number && nextMarkWord(none).empty())
        return StepNumber{*number, shown(static_cast<double>(*number), 2)};
    return numberOf(words, trace, attention);
}

/// Returns the first word of "0 money bank" that the sequence does not contain; empty if it
/// contains all of them.
Result<std::string_view> missingWord(std::string_view words, const Trace &trace) {
    const std::string where = "{if words" + std::string(words) + "}";
    const auto sequence = parseNumber(nextMarkWord(words));
    const Batch &batch = *trace.input().batch;
    if (!sequence || *sequence < 0 || *sequence >= static_cast<float>(batch.count()))
        return Error{"expected a sequence and its words", where, ""};
    for (std::string_view word = nextMarkWord(words); !word.empty(); word = nextMarkWord(words))
        if (tokenCalled(word, batch, static_cast<Index>(*sequence)) < 0)
            return word;
    return std::string_view();
}

/// Evaluates "0 money bank": the sequence must contain these words.
Result<bool> hasWords(std::string_view words, const Trace &trace) {
    const Result<std::string_view> missing = missingWord(words, trace);
    if (!missing)
        return missing.error();
    if (!missing->empty())
        return Error{
            {"\"%1\" is not in the text", *missing}, "{if words" + std::string(words) + "}", ""};
    return true;
}

/// Evaluates "weights 0 0 it animal": the column of the word must have the row's largest value.
Result<bool> isMost(std::string_view words, const Trace &trace, AttentionId attention) {
    const std::string where = "{if most" + std::string(words) + "}";
    const auto row = takeRow(words, trace, attention);
    if (!row)
        return Error{row.error().what, where, row.error().remedy};
    const std::string_view name = nextMarkWord(words);
    const Index column = columnCalled(name, *row, trace);
    if (column < 0 || !nextMarkWord(words).empty())
        return Error{"expected a row and one of its words", where, ""};
    return std::ranges::max_element(row->numbers) - row->numbers.begin() == column;
}

/// Returns, for example, "{if 1 < 2}", the condition as written in a text.
std::string quotedCondition(std::string_view condition) {
    condition.remove_prefix(std::min(condition.size(), condition.find_first_not_of(' ')));
    return "{if " + std::string(condition) + "}";
}

Result<bool> failsAlone(std::string_view condition, const Trace &trace, AttentionId attention);

/// Evaluates a condition without &. Returns an error if that is not possible.
Result<bool> holdsAlone(std::string_view condition, const Trace &trace, AttentionId attention) {
    if (condition.find_first_not_of(" \t\n") == std::string_view::npos)
        return Error{"a condition is missing", "", ""};
    std::string_view rest = condition, comparison;
    const std::string_view first = nextMarkWord(rest);
    if (first == "not")
        return failsAlone(rest, trace, attention);
    if (first == "words")
        return hasWords(rest, trace);
    if (first == "most" && !comparesTwo(rest))
        return isMost(rest, trace, attention);
    rest = condition;
    std::size_t left = 0;
    while (!isComparison(comparison)) {
        left = condition.size() - rest.size();
        comparison = nextMarkWord(rest);
        if (comparison.empty())
            return Error{"expected two numbers with <, > or = between them",
                         quotedCondition(condition), ""};
    }
    const auto a = operandOf(condition.substr(0, left), trace, attention);
    const auto b = operandOf(rest, trace, attention);
    if (!a || !b)
        return a ? b.error() : a.error();
    if (a->isWord || b->isWord) // equal indices can belong to different words
        return comparison == "=" && a->text == b->text;
    return comparison == "<"   ? a->value < b->value
           : comparison == ">" ? a->value > b->value
                               : a->text == b->text || a->value == b->value;
}

/// Evaluates the condition after "not". Unlike in a "words" condition, a missing word is not an
/// error.
Result<bool> failsAlone(std::string_view condition, const Trace &trace, AttentionId attention) {
    std::string_view rest = condition;
    if (nextMarkWord(rest) == "words") {
        const Result<std::string_view> missing = missingWord(rest, trace);
        if (!missing)
            return missing.error();
        return !missing->empty();
    }
    const Result<bool> holds = holdsAlone(condition, trace, attention);
    if (!holds)
        return holds.error();
    return !*holds;
}

/// Removes the condition up to the next "&" from the front, and returns it without the "&".
std::string_view nextCondition(std::string_view &conditions) {
    const std::string_view all = conditions;
    while (!conditions.empty()) {
        const std::size_t length = all.size() - conditions.size();
        if (nextMarkWord(conditions) == "&")
            return all.substr(0, length);
    }
    return all;
}

} // namespace

Result<bool> conditionHolds(std::string_view conditions, const Trace &trace,
                            AttentionId attention) {
    bool all = true;
    do {
        const Result<bool> one = holdsAlone(nextCondition(conditions), trace, attention);
        if (!one)
            return one.error();
        all = all && *one;
    } while (!conditions.empty());
    return all;
}

std::optional<bool> constantCondition(std::string_view condition) {
    const auto left = parseNumber(nextMarkWord(condition));
    const std::string_view comparison = nextMarkWord(condition);
    const auto right = parseNumber(nextMarkWord(condition));
    if (!left || !right || !isComparison(comparison) || !nextMarkWord(condition).empty())
        return std::nullopt;
    return comparison == "<"   ? *left < *right
           : comparison == ">" ? *left > *right
                               : *left == *right;
}

} // namespace headlight::core
