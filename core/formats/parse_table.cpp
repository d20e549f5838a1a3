#include "core/formats/parse_table.h"

#include "core/format_number.h"
#include "core/parse_number.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

namespace headlight::core {

namespace {

bool hasSign(std::string_view text, char sign) {
    return text.find(sign) != std::string_view::npos;
}

/// The format of a block of numbers: the column separator (a space means any number of spaces) and
/// the meaning of its commas.
struct TableLayout {
    char between = ' ';
    Commas commas = Commas::Decimal;
    bool hasPoint = false;
};

/// Iterates over lines. Ignores line breaks at the end, which spreadsheets add.
class TableLines {
  public:
    explicit TableLines(std::string_view text) : m_rest(text) {
        while (!m_rest.empty() && (m_rest.back() == '\n' || m_rest.back() == '\r'))
            m_rest.remove_suffix(1);
    }
    std::optional<std::string_view> next() {
        if (m_atEnd)
            return std::nullopt;
        const std::size_t end = m_rest.find('\n');
        const std::string_view line = m_rest.substr(0, end);
        m_atEnd = end == std::string_view::npos;
        m_rest.remove_prefix(m_atEnd ? m_rest.size() : end + 1);
        return line;
    }

  private:
    std::string_view m_rest;
    bool m_atEnd = false;
};

/// The fields of one line.
class TableFields {
  public:
    TableFields(std::string_view line, const TableLayout &layout)
        : m_layout(layout),
          m_rest(layout.between == ' ' ? withoutOuterSpaces(line) : line),
          m_atEnd(layout.between == ' ' && m_rest.empty()) {}
    std::optional<std::string_view> next() {
        if (m_atEnd)
            return std::nullopt;
        const std::size_t end = m_layout.between == ' ' ? m_rest.find_first_of(kNumberSpaces)
                                                        : m_rest.find(m_layout.between);
        std::string_view field = m_rest.substr(0, end);
        m_atEnd = end == std::string_view::npos;
        m_rest.remove_prefix(m_atEnd ? m_rest.size() : end + 1);
        if (m_layout.between != ' ' || m_atEnd)
            return field;
        m_rest.remove_prefix(m_rest.find_first_not_of(kNumberSpaces));
        if (field.size() > 1 && field.back() == ',')
            field.remove_suffix(1); // in "1,5, 2,5", the comma before the space separates numbers
        return field;
    }

  private:
    const TableLayout &m_layout;
    std::string_view m_rest;
    bool m_atEnd;
};

/// Properties of the fields of a block, used to guess the meaning of its commas.
struct TableSigns {
    bool hasCommas = false; ///< a number contains a comma
    bool hasHalves = false; ///< a field looks like half of a decimal number
};

std::string_view withoutSign(std::string_view number) {
    for (const std::string_view sign :
         {std::string_view("-"), std::string_view("+"), std::string_view(kMinusSign)})
        if (number.starts_with(sign))
            return number.substr(sign.size());
    return number;
}

/// True for numbers such as "1,234" and "12,345,678.9".
bool isInThousands(std::string_view number) {
    number = withoutSign(number);
    const std::string_view whole = number.substr(0, number.find('.'));
    const std::string_view fraction =
        whole.size() < number.size() ? number.substr(whole.size() + 1) : std::string_view("0");
    constexpr std::string_view kDigits = "0123456789";
    if (whole.size() < 5 || whole.front() == '0' ||
        fraction.find_first_not_of(kDigits) != std::string_view::npos)
        return false;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        const bool isComma = (whole.size() - at) % 4 == 0;
        if (isComma ? at == 0 || whole[at] != ',' : !hasSign(kDigits, whole[at]))
            return false;
    }
    return true;
}

Result<float> numberIn(std::string_view field, const TableLayout &layout) {
    if (layout.between != ' ' || !hasSign(field, ','))
        return parseNumber(field);
    if (layout.commas == Commas::Thousands && isInThousands(field)) {
        std::string digits(field);
        std::erase(digits, ',');
        return parseNumber(digits);
    }
    if (layout.commas == Commas::Thousands || layout.hasPoint)
        return Error{{"%1 has a comma and others a point", std::string(field)}, "", ""};
    return parseNumber(field);
}

/// True for a field that must be half of a decimal number, such as the "05" of "1,05" and the "-0"
/// of "-0,5".
bool isHalfANumber(std::string_view field) {
    field = withoutOuterSpaces(field);
    const std::string_view digits = withoutSign(field);
    return digits.starts_with('0') && (digits.size() > 1 ? digits[1] >= '0' && digits[1] <= '9'
                                                         : digits.size() < field.size());
}

/// Counts rows and columns. Stores the numbers only if `rows` is not null.
Result<TableReading> readTable(std::string_view text, const TableLayout &layout, NumberRows *rows,
                               TableSigns *signs = nullptr) {
    TableReading reading{layout.commas, 0, 0};
    TableLines lines(text);
    while (const auto line = lines.next()) {
        const std::string where = "line " + std::to_string(reading.rows + 1);
        TableFields fields(*line, layout);
        std::vector<float> row;
        Index columns = 0;
        while (const auto field = fields.next()) {
            const Result<float> number = numberIn(*field, layout);
            if (!number)
                return Error{number.error().what, where + ", column " + std::to_string(columns + 1),
                             number.error().remedy};
            ++columns;
            if (rows)
                row.push_back(*number);
            if (signs) {
                signs->hasCommas = signs->hasCommas || hasSign(*field, ',');
                signs->hasHalves = signs->hasHalves || isHalfANumber(*field);
            }
        }
        if (reading.rows > 0 && columns != reading.columns)
            return Error{
                {"it has %1 numbers, but the lines before it have %2", columns, reading.columns},
                where,
                "give every line the same number"};
        reading.columns = columns;
        ++reading.rows;
        if (rows)
            rows->push_back(std::move(row));
    }
    return reading;
}

/// Returns the layout if it is unambiguous: tabs or semicolons separate the columns, there are no
/// commas, or the text is a single number.
std::optional<TableLayout> layoutWithoutDoubt(std::string_view text) {
    for (const char between : {'\t', ';'})
        if (hasSign(text, between))
            return TableLayout{between};
    if (!hasSign(text, ','))
        return TableLayout{};
    const std::string_view whole = withoutOuterSpaces(text);
    if (whole.find_first_of(kNumberSpaces) == std::string_view::npos && parseNumber(whole))
        return TableLayout{}; // a single number: its comma is a decimal point
    return std::nullopt;
}

TableLayout layoutWith(Commas commas, std::string_view text) {
    return {commas == Commas::Separators ? ',' : ' ', commas, hasSign(text, '.')};
}

/// Returns the most likely meaning of the commas. If no meaning is valid, the user sees the error
/// for this one.
Commas likeliest(std::string_view text) {
    if (hasSign(text, '.') || text.find(", ") != std::string_view::npos)
        return Commas::Separators;
    TableLines lines(text);
    while (const auto line = lines.next())
        if (std::ranges::count(*line, ',') > 1)
            return Commas::Separators;
    return Commas::Decimal;
}

/// Returns all meanings of the commas for which the text is a block of numbers.
std::vector<TableReading> possibleReadings(std::string_view text) {
    std::vector<TableReading> readings;
    bool hasHalves = false;
    for (const Commas commas : {Commas::Separators, Commas::Decimal, Commas::Thousands}) {
        TableSigns signs;
        const Result<TableReading> reading =
            readTable(text, layoutWith(commas, text), nullptr, &signs);
        if (!reading)
            continue;
        if (commas == Commas::Separators)
            hasHalves = signs.hasHalves;
        else if (!signs.hasCommas)
            continue; // as in "1, 2, 3", where commas only separate numbers
        else if (commas == Commas::Decimal && hasHalves)
            std::erase_if(readings, [](const TableReading &before) {
                return before.commas == Commas::Separators;
            });
        readings.push_back(*reading);
    }
    std::ranges::stable_sort(
        readings, std::ranges::greater(),
        [first = likeliest(text)](const TableReading &reading) { return reading.commas == first; });
    return readings;
}

/// Checks the size and the characters before parsing.
Outcome checkTable(std::string_view text) {
    if (text.size() > kMaxTableBytes)
        return Error{{"it is longer than %1 bytes", kMaxTableBytes}, "", "paste a smaller block"};
    if (withoutOuterSpaces(text).empty())
        return Error{"it contains no numbers", "", ""};
    return Done{};
}

Result<NumberRows> parseAs(std::string_view text, const TableLayout &layout) {
    NumberRows rows;
    const Result<TableReading> reading = readTable(text, layout, &rows);
    if (!reading)
        return reading.error();
    return rows;
}

} // namespace

std::vector<TableReading> doubtfulReadings(std::string_view text) {
    if (!checkTable(text) || layoutWithoutDoubt(text))
        return {};
    std::vector<TableReading> readings = possibleReadings(text);
    if (readings.size() < 2)
        readings.clear();
    return readings;
}

Result<NumberRows> parseTable(std::string_view text) {
    if (const Outcome can = checkTable(text); !can)
        return can.error();
    if (const auto layout = layoutWithoutDoubt(text))
        return parseAs(text, *layout);
    const std::vector<TableReading> readings = possibleReadings(text);
    if (readings.size() > 1)
        return Error{"its commas are ambiguous", "",
                     "use decimal points, or tabs between the columns"};
    return parseAs(text,
                   layoutWith(readings.empty() ? likeliest(text) : readings.front().commas, text));
}

Result<NumberRows> parseTable(std::string_view text, Commas commas) {
    if (const Outcome can = checkTable(text); !can)
        return can.error();
    if (const auto layout = layoutWithoutDoubt(text))
        return parseAs(text, *layout);
    return parseAs(text, layoutWith(commas, text));
}

} // namespace headlight::core
