// Formats the numbers in the cells of a matrix, all with the same number of decimals.
#pragma once

#include <QString>

namespace headlight::ui {

/// The range of a matrix's numbers, which determines how long their texts are.
struct NumberRange {
    double low = 0, high = 0;           ///< extremes of the numbers written without a power of ten
    double lowPower = 0, highPower = 0; ///< extremes of numbers written with a power of ten
    double smallest = 0;                ///< smallest magnitude that four decimals show; 0: none
    bool hasSpecial = false;            ///< contains infinity or NaN

    void add(double number);
};

/// The form of the numbers of one matrix: ".54", "−3.41", "12.30", "−∞". There is no zero before
/// the point. An exact zero is "0"; a value that rounds to zero is ".00", or "≈0" without decimals.
struct CellNumbers {
    int decimals = 2;
    int digits = 4; ///< maximum digits before the point; larger numbers have a power of ten: "5e4"

    static constexpr int kMaxDecimals = 2;
    static constexpr int kMaxSmallDecimals = 4; ///< in cells that show small numbers
    /// Returns the usual form: two decimals for numbers below 10, one below 1000, otherwise none.
    static CellNumbers usual(const NumberRange &range);
    /// Returns the form for narrow cells: one decimal for numbers below 10, otherwise none, and at
    /// most three digits.
    static CellNumbers brief(const NumberRange &range);

    /// Returns the form with enough decimals for each number to show a nonzero digit, but at most
    /// four.
    static CellNumbers ofSmall(const NumberRange &range);

    QString text(double number) const;
    /// True if the text is a zero, exact or rounded.
    bool isZero(double number) const;
    bool operator==(const CellNumbers &) const = default;
};

} // namespace headlight::ui
