// Reads matrices in a session file: numbers, random numbers, a multiple of the identity, one number
// in all cells, or base64.
#include "core/formats/encodings/base64.h"
#include "core/formats/session/reading/parts.h"
#include "core/random.h"
#include "core/tensor/number_storage.h"
#include "core/tensor/presets.h"
#include "core/tensor/shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

bool copyRow(const Field &row, std::span<float> out) {
    if (!row.is(Kind::Array) || row.size() != out.size()) {
        row.expected({"a list of %1 numbers", out.size()});
        return false;
    }
    bool good = true;
    const auto &elements = row.value().elements();
    for (std::size_t column = 0; column < out.size(); ++column) {
        const JsonValue &element = elements[column]; // the path is only built if there is a problem
        if (element.kind == Kind::Number && std::isfinite(element.single))
            out[column] = element.single;
        else
            good = row.element(column).number().has_value() && good;
    }
    return good;
}

Parameter fromNumbers(const Field &field, Matrix matrix) {
    bool good = true;
    for (Index row = 0; row < matrix.rows(); ++row)
        good =
            copyRow(field.element(static_cast<std::size_t>(row)), matrix.view().row(row)) && good;
    return good ? makeParameter(std::move(matrix)) : nullptr;
}

Parameter fromRandom(const Field &field, Index rows, Index columns) {
    if (!field.isObject())
        return nullptr;
    const auto seed = readSeed(field.member("seed"));
    const Field kindField = field.member("kind");
    const auto kind =
        kindField.present() ? kindField.word({"normal", "uniform"}) : std::optional<std::size_t>(0);
    const Field scaleField = field.member("scale");
    const auto scale =
        scaleField.present() ? readRandomScale(scaleField) : std::optional<float>(1.0f);
    if (!seed || !kind || !scale)
        return nullptr;
    return makeParameter(randomMatrix(rows, columns, mixedSeed(field.reading(), *seed),
                                      *kind == 0 ? RandomKind::Normal : RandomKind::Uniform,
                                      *scale));
}

Parameter fromIdentity(const Field &field, Matrix matrix) {
    const auto diagonal = field.number();
    if (!diagonal)
        return nullptr;
    for (Index i = 0; i < std::min(matrix.rows(), matrix.columns()); ++i)
        matrix(i, i) = *diagonal;
    return makeParameter(std::move(matrix));
}

Parameter fromConstant(const Field &field, Matrix matrix) {
    const auto number = field.number();
    if (!number)
        return nullptr;
    for (Index row = 0; row < matrix.rows(); ++row)
        std::ranges::fill(matrix.view().row(row), *number);
    return makeParameter(std::move(matrix));
}

/// Checks the declared shape. Reports a problem if it is not [rows, columns].
bool declaresShape(const Field &field, Index rows, Index columns) {
    bool good = true;
    for (const auto &[name, size] : {std::pair("rows", rows), std::pair("columns", columns)}) {
        const Field declared = field.member(name);
        if (declared.is(Kind::Number) && declared.value().number == static_cast<double>(size))
            continue;
        declared.expected({"%1", size});
        good = false;
    }
    return good;
}

/// Decodes exactly `count` 16-bit floats, or returns nullopt.
std::optional<std::vector<float>> fromHalves(std::string_view text, std::size_t count) {
    if (text.size() != (count * bytesOf(NumberType::F16) + 2) / 3 * 4) // before allocating
        return std::nullopt;
    const std::optional<std::string> bytes = bytesFromBase64(text);
    if (!bytes || bytes->size() != count * bytesOf(NumberType::F16))
        return std::nullopt;
    std::vector<float> floats(count);
    decodeNumbers(NumberType::F16, reinterpret_cast<const std::byte *>(bytes->data()),
                  static_cast<Index>(count), floats.data());
    return floats;
}

Parameter fromBase64(const Field &field, Index rows, Index columns) {
    const Field data = field.member("base64");
    if (!declaresShape(field, rows, columns))
        return nullptr;
    const Field type = field.member("type");
    const auto which = type.present() ? type.word({"F32", "F16"}) : std::optional<std::size_t>(0);
    if (!which)
        return nullptr;
    const bool isHalf = *which == 1;
    const auto count = static_cast<std::size_t>(rows * columns);
    std::optional<std::vector<float>> floats;
    if (data.is(Kind::String))
        floats = isHalf ? fromHalves(data.value().text(), count)
                        : floatsFromBase64(data.value().text(), count);
    if (!floats) {
        data.expected({"base64 of %1 floats of %2 bytes", count, isHalf ? 2 : 4});
        return nullptr;
    }
    if (!std::all_of(floats->begin(), floats->end(), [](float f) { return std::isfinite(f); })) {
        data.fail("it contains NaN or infinity");
        return nullptr;
    }
    return makeParameter(Matrix(rows, columns, std::move(*floats)));
}

} // namespace

std::optional<float> readRandomScale(const Field &field) {
    constexpr float kLargest = 1e30f; // a normal sample times this scale still fits into a float
    const auto scale = field.number();
    if (!scale || std::abs(*scale) <= kLargest)
        return scale;
    field.expected("a number between −1e30 and 1e30");
    return std::nullopt;
}

std::optional<std::uint64_t> readSeed(const Field &field) {
    if (!field.is(Kind::String)) {
        const auto number = field.whole(0, Index(1) << 53);
        return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
    }
    const std::string &digits = field.value().text();
    const char *end = digits.data() + digits.size();
    std::uint64_t seed = 0;
    const auto read = std::from_chars(digits.data(), end, seed);
    if (read.ec == std::errc() && read.ptr == end)
        return seed;
    field.expected("a whole number from 0 to 18446744073709551615");
    return std::nullopt;
}

std::uint64_t mixedSeed(const Reading &reading, std::uint64_t seed) {
    if (!reading.seed)
        return seed;
    return seedFor(*reading.seed, std::to_string(seed));
}

Parameter readMatrix(const Field &field, Index rows, Index columns) {
    const bool numbers = field.is(Kind::Array);
    if (numbers && field.size() != static_cast<std::size_t>(rows)) { // checked before allocating
        field.fail(
            {"expected %1 numbers, found %2 rows", Shape{rows, columns}.text(), field.size()});
        return nullptr;
    }
    field.member("rows"); // allowed everywhere, but only used if the model does not determine it
    field.member("type"); // allowed everywhere, but only used with base64
    const Field random = field.member("random");
    const Field identity = field.member("identity"), constant = field.member("constant");
    if (!numbers && !random.present() && !identity.present() && !constant.present() &&
        !field.member("base64").present()) {
        field.expected({"a matrix: %1 numbers, or an object with \"random\", \"identity\", "
                        "\"constant\" or \"base64\"",
                        Shape{rows, columns}.text()});
        return nullptr;
    }
    if (!field.spend(rows, columns))
        return nullptr;
    if (numbers)
        return fromNumbers(field, Matrix(rows, columns));
    if (random.present())
        return fromRandom(random, rows, columns);
    if (identity.present())
        return fromIdentity(identity, Matrix(rows, columns));
    if (constant.present())
        return fromConstant(constant, Matrix(rows, columns));
    return fromBase64(field, rows, columns);
}

Parameter readRow(const Field &field, Index size) {
    if (field.is(Kind::Object))
        return readMatrix(field, 1, size);
    auto numbers = readVector(field, size);
    return numbers ? makeParameter(Matrix(1, size, std::move(*numbers))) : nullptr;
}

Parameter readHeads(const Field &field, Index rows, Index columns, const Config &config,
                    HeadBlocks blocks) {
    const Index heads = blocks == HeadBlocks::GroupColumns ? config.groups() : config.heads;
    const Field list = field.member("heads");
    if (!list.present())
        return readMatrix(field, rows, columns);
    if (!list.is(Kind::Array) || list.size() != static_cast<std::size_t>(heads)) {
        list.expected({"a list of %1 matrices, one per head", heads});
        return nullptr;
    }
    const bool beside = blocks != HeadBlocks::Rows;
    const Index headRows = beside ? rows : rows / heads;
    const Index headColumns = beside ? columns / heads : columns;
    if (!field.spend(rows, columns))
        return nullptr;
    Matrix whole(rows, columns);
    bool good = true;
    for (Index head = 0; head < heads; ++head) {
        const Parameter part =
            readMatrix(list.element(static_cast<std::size_t>(head)), headRows, headColumns);
        good = good && part;
        if (!part)
            continue;
        for (Index row = 0; row < headRows; ++row) {
            const auto to = whole.view().row(beside ? row : head * headRows + row);
            std::ranges::copy(ParameterBlock(part).row(row),
                              to.begin() + (beside ? head * headColumns : 0));
        }
    }
    return good ? makeParameter(std::move(whole)) : nullptr;
}

std::optional<std::vector<float>> readVector(const Field &field, Index size) {
    if (!field.is(Kind::Array) || field.size() != static_cast<std::size_t>(size)) {
        field.expected({"a list of %1 numbers", size});
        return std::nullopt;
    }
    if (!field.spend(1, size))
        return std::nullopt;
    std::vector<float> numbers(static_cast<std::size_t>(size));
    if (!copyRow(field, numbers))
        return std::nullopt;
    return numbers;
}

} // namespace headlight::core
