#include "core/lesson/row_number.h"

#include "core/analysis/cosine_similarity.h"
#include "core/lesson/cell_reference.h"
#include "core/lesson/mark_words.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

using Row = std::span<const float>;

Eigen::VectorXd vectorOf(Row row) {
    return Eigen::Map<const Eigen::VectorXf>(row.data(), std::ssize(row)).cast<double>();
}

/// Returns −Σ p·log₂ p, or a negative number if a value is outside 0 … 1.
double entropyOf(Row row) {
    double bits = 0;
    for (const float share : row) {
        if (!(share >= 0 && share <= 1))
            return -1;
        if (share > 0)
            bits -= static_cast<double>(share) * std::log2(static_cast<double>(share));
    }
    return bits;
}

double shareOf(Row row, Index column) {
    const auto largest = static_cast<double>(*std::ranges::max_element(row));
    double sum = 0;
    for (const float number : row)
        sum += std::exp(static_cast<double>(number) - largest);
    return std::exp(static_cast<double>(row[static_cast<std::size_t>(column)]) - largest) / sum;
}

StepNumber worth(double value) {
    return {static_cast<float>(value), {}};
}

constexpr std::array<std::string_view, 7> kRowNumbers{"sum",         "length", "entropy", "most",
                                                      "probability", "cosine", "distance"};

Result<StepNumber> takeOfTwo(std::string_view word, const CellReference &row,
                             std::string_view &mark, const Trace &trace, AttentionId attention) {
    if (nextMarkWord(mark) != "with")
        return Error{
            {"expected \"with\" and a second row after the first row of %1", word}, "", ""};
    const auto other = takeRow(mark, trace, attention);
    if (!other)
        return other.error();
    if (other->numbers.size() != row.numbers.size())
        return Error{
            {"the rows have %1 and %2 numbers", row.numbers.size(), other->numbers.size()}, "", ""};
    if (word == "distance")
        return worth((vectorOf(row.numbers) - vectorOf(other->numbers)).norm());
    const Cosine cosine = cosineOf(row.numbers, other->numbers);
    // NaN is displayed as a dash.
    return worth(cosine.isDefined ? cosine.value : std::numeric_limits<double>::quiet_NaN());
}

} // namespace

bool isRowNumber(std::string_view word) {
    return std::ranges::find(kRowNumbers, word) != kRowNumbers.end();
}

Result<StepNumber> takeRowNumber(std::string_view word, std::string_view &mark, const Trace &trace,
                                 AttentionId attention) {
    const auto row = takeRow(mark, trace, attention);
    if (!row)
        return row.error();
    const Row numbers = row->numbers;
    if (word == "cosine" || word == "distance")
        return takeOfTwo(word, *row, mark, trace, attention);
    if (word == "sum")
        return worth(vectorOf(numbers).sum());
    if (word == "length")
        return worth(vectorOf(numbers).norm());
    if (word == "entropy") {
        const double bits = entropyOf(numbers);
        if (bits < 0)
            return Error{"only a row of weights has an entropy", "", ""};
        return worth(bits);
    }
    if (word == "most") {
        const auto column = static_cast<Index>(std::ranges::max_element(numbers) - numbers.begin());
        return StepNumber{static_cast<float>(column), nameOfColumn(column, *row, trace), true};
    }
    const std::string_view name = nextMarkWord(mark);
    const Index column = columnCalled(name, *row, trace);
    if (column < 0)
        return Error{{"\"%1\" is not one of the row's words", name}, "", ""};
    return worth(shareOf(numbers, column));
}

} // namespace headlight::core
