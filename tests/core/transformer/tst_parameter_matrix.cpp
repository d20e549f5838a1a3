// Parameter matrices: their numbers, and the storage that edited copies share.
#include "core/analysis/block_summary.h"
#include "core/tensor/number_formats.h"
#include "core/tensor/reordered_rows.h"
#include "core/transformer/model/parameter_differences.h"
#include "core_test.h"
#include "stored_parameters.h"

namespace {

Matrix drawn(Random &random, Index rows, Index columns, NumberType type = NumberType::F32) {
    Matrix matrix(rows, columns);
    for (Index row = 0; row < rows; ++row)
        for (float &number : matrix.view().row(row))
            number = roundedTo(type, static_cast<float>(random.normal()));
    return matrix;
}

CellEdit cell(std::uint32_t row, std::uint32_t column, float value) {
    return {row, column, value};
}

bool haveEqualBits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

} // namespace

TEST_CASE("every half is decoded as IEEE 754 specifies") {
    for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float is = halfToFloat(half);
        if ((bits & 0x7C00) != 0x7C00) {
            if (!haveEqualBits(is, ofHalf(half)))
                FAIL_CHECK("half " << bits << " is " << is);
        } else if ((bits & 0x3FF) == 0) {
            CHECK(is == (bits & 0x8000 ? -1 : 1) * std::numeric_limits<float>::infinity());
        } else if (!std::isnan(is) || std::signbit(is) != ((bits & 0x8000) != 0)) {
            FAIL_CHECK("half " << bits << " is a number");
        }
        CHECK(haveEqualBits(bfloatToFloat(half), std::bit_cast<float>(bits << 16)));
    }
    CHECK(halfToFloat(0x0001) == std::ldexp(1.0f, -24)); // the smallest subnormal
    CHECK(halfToFloat(0x03FF) == std::ldexp(1023.0f, -24));
    CHECK(halfToFloat(0x7BFF) == 65504);
    CHECK(haveEqualBits(halfToFloat(0x8000), -0.0f));
}

TEST_CASE("numbers are read from every storage, as a whole, in blocks, and transposed") {
    Random random(3);
    StoredParameters stored(random, freshFolder("storages"));
    for (const NumberType type : {NumberType::F32, NumberType::F16, NumberType::BF16})
        for (const Lies lies : {Lies::InMemory, Lies::InFile})
            for (int layout = 0; layout <= 4; ++layout) {
                CAPTURE(static_cast<int>(type));
                CAPTURE(layout);
                const Matrix numbers = drawn(random, 40, 31, type);
                const Parameter is = stored.store(numbers, type, lies, layout, layout % 3);
                CHECK(*is->toMatrix() == numbers);
                CHECK(sameNumbers(is, makeParameter(numbers)));
                const MatrixBlock block{between(random, 0, 20), between(random, 0, 20),
                                        between(random, 1, 20), between(random, 1, 11)};
                const Result<SharedMatrix> part = is->read(block);
                Matrix turned(block.columns, block.rows);
                REQUIRE(part.ok());
                REQUIRE(is->copyTransposed(block, turned.view()).ok());
                for (Index row = 0; row < block.rows; ++row)
                    for (Index column = 0; column < block.columns; ++column) {
                        const float wanted = numbers(block.row + row, block.column + column);
                        CHECK((*is)(block.row + row, block.column + column) == wanted);
                        CHECK((*part)(row, column) == wanted);
                        CHECK(turned(column, row) == wanted);
                    }
            }
}

TEST_CASE("a layout that reaches beyond its storage is refused") {
    const StoragePointer storage = storageOf(std::vector<std::byte>(24));
    CHECK(ParameterMatrix::create(storage, {NumberType::F16, 3, 4, 0, 4, 1}).ok());
    CHECK(ParameterMatrix::create(storage, {NumberType::F16, 4, 3, 0, 1, 4}).ok());
    for (const NumberLayout &layout :
         {NumberLayout{NumberType::F32, 3, 4, 0, 4, 1},
          NumberLayout{NumberType::F16, 3, 4, 1, 4, 1},
          NumberLayout{NumberType::F16, 3, 4, 0, 5, 1},
          NumberLayout{NumberType::F16, 3, 4, 0, 4, 2},
          NumberLayout{NumberType::F16, -3, 4, 0, 4, 1},
          NumberLayout{NumberType::F16, 3, 4, -1, 4, 1},
          NumberLayout{NumberType::F16, 3, 4, 0, -4, 1},
          NumberLayout{NumberType::F16, Index(1) << 62, Index(1) << 62, 0, Index(1) << 62, 1}})
        CHECK_FALSE(ParameterMatrix::create(storage, layout).ok());
    CHECK_FALSE(
        ParameterMatrix::create(storageOf(std::vector<float>(9)), {NumberType::F16, 3, 3, 0, 3, 1})
            .ok());
}

TEST_CASE("floats in memory are not copied, except where they are edited") {
    const Parameter before = makeParameter(Matrix(40, 40));
    const Parameter after = withCells(before, {cell(7, 9, 2)});
    CHECK(after->hasBaseOf(*before));
    CHECK(before->plain(before->whole()));
    CHECK_FALSE(after->plain(after->whole()));
    const auto above = after->plain({0, 0, 7, 40}), beside = after->plain({0, 10, 40, 30});
    REQUIRE(above);
    REQUIRE(beside);
    CHECK(above->row(0).data() == before->plain(before->whole())->row(0).data());
    CHECK(above->storage() == before->plain(before->whole())->storage());
    CHECK((*after->read({7, 0, 1, 40}))(0, 9) == 2);
    CHECK((*before)(7, 9) == 0);
}

TEST_CASE("many edits become a new matrix") {
    const Parameter before = makeParameter(Matrix(1000, 1000));
    CHECK(before->maxEdits() == 65'536);
    std::vector<CellEdit> cells;
    for (std::uint32_t i = 0; i < 65'536; ++i)
        cells.push_back(cell(i / 1000, i % 1000, 1));
    const Parameter most = withCells(before, cells);
    CHECK(most->hasBaseOf(*before));
    const Parameter more = withCells(most, {cell(900, 900, 5)});
    CHECK_FALSE(more->hasBaseOf(*before));
    CHECK(more->edits().empty());
    CHECK((*more)(900, 900) == 5);
    CHECK((*more)(65, 535) == 1);
    CHECK((*more)(65, 536) == 0);
    CHECK(sameNumbers(withCells(more, {cell(900, 900, 0)}), most)); // compares bits
    // Replacing the whole matrix makes one copy and no list of edits.
    Random random(1);
    const Matrix fresh = drawn(random, 1000, 1000);
    const Parameter whole = withBlock(most, 0, 0, fresh.view());
    CHECK(whole->edits().empty());
    CHECK(*whole->toMatrix() == fresh);
    const Parameter part = withBlock(most, 998, 10, fresh.view().rowBlock(0, 2).columnBlock(0, 5));
    CHECK((*part)(999, 14) == fresh(1, 4));
}

TEST_CASE("random edits match a copy with the same numbers") {
    Random random(8);
    StoredParameters stored(random, freshFolder("edits"));
    for (int round = 0; round < 60; ++round) {
        const NumberType type = static_cast<NumberType>(between(random, 0, 2));
        Matrix numbers = drawn(random, between(random, 1, 12), between(random, 1, 12), type);
        const Matrix base = numbers;
        const Parameter first = stored.storeAnyhow(numbers, type);
        Parameter now = first;
        for (int edit = 0; edit < 12; ++edit) {
            const Parameter before = now;
            const Matrix was = numbers;
            std::vector<CellEdit> cells;
            for (Index count = between(random, 1, 3); count > 0; --count) {
                const Index row = between(random, 0, numbers.rows() - 1);
                const Index column = between(random, 0, numbers.columns() - 1);
                const float value =
                    oneIn(random, 2) ? base(row, column) : static_cast<float>(random.normal());
                numbers(row, column) = value;
                cells.push_back(cell(static_cast<std::uint32_t>(row),
                                     static_cast<std::uint32_t>(column), value));
            }
            now = withCells(now, cells);
            CHECK(*now->toMatrix() == numbers);
            CHECK(sameNumbers(now, makeParameter(numbers)));
            CHECK(sameNumbers(now, before) == (was == numbers));
            const MatrixBlock block{0, 0, between(random, 1, numbers.rows()),
                                    between(random, 1, numbers.columns())};
            bool areSame = true;
            for (Index row = 0; row < block.rows; ++row)
                for (Index column = 0; column < block.columns; ++column)
                    areSame = areSame && was(row, column) == numbers(row, column);
            CHECK(sameNumbers(ParameterBlock(before, block), ParameterBlock(now, block)) ==
                  areSame);
            const auto cellsThatDiffer = differencesOf(*before, *now, 200);
            REQUIRE(cellsThatDiffer);
            Matrix made = was;
            for (const CellDifference &difference : *cellsThatDiffer) {
                CHECK(difference.before == was(difference.row, difference.column));
                made(difference.row, difference.column) = difference.after;
            }
            CHECK(made == numbers);
            for (const RowDifference &row :
                 rowsThatDiffer(ParameterBlock(before, block), ParameterBlock(now, block))) {
                CHECK(was(row.row, row.first) != numbers(row.row, row.first));
                CHECK(was(row.row, row.last) != numbers(row.row, row.last));
            }
        }
    }
}

TEST_CASE("a summary that reads only the edited rows again matches a summary of all rows") {
    Random random(7);
    Parameter now = makeParameter(drawn(random, 50, 40));
    const MatrixBlock block{3, 5, 40, 30};
    BlockSummary kept{ParameterBlock(now, block)};
    for (int edit = 0; edit < 40; ++edit) {
        const Parameter before = now;
        now = withCells(now, {cell(static_cast<std::uint32_t>(between(random, 0, 49)),
                                   static_cast<std::uint32_t>(between(random, 0, 39)),
                                   static_cast<float>(5 * random.normal())),
                              cell(9, 9, static_cast<float>(edit % 3))});
        std::vector<Index> rows;
        for (const RowDifference &row :
             rowsThatDiffer(ParameterBlock(before, block), ParameterBlock(now, block)))
            rows.push_back(row.row);
        CHECK(rows.size() <= 2);
        kept.update(ParameterBlock(now, block), rows);
        double least = 1e9, most = -1e9, sum = 0;
        for (Index row = 3; row < 43; ++row)
            for (Index column = 5; column < 35; ++column) {
                const auto number = static_cast<double>((*now)(row, column));
                least = std::min(least, number);
                most = std::max(most, number);
                sum += number;
            }
        CHECK(kept.least() == least);
        CHECK(kept.most() == most);
        CHECK(static_cast<double>(kept.largest()) == std::max(most, -least));
        CHECK(kept.mean() == doctest::Approx(sum / 1200));
    }
    CHECK(BlockSummary().empty());
}

TEST_CASE("a truncated file is an error with its name, not a signal") {
    Random random(2);
    StoredParameters stored(random, freshFolder("cut"));
    const Matrix numbers = drawn(random, 20, 30);
    const Parameter is = stored.store(numbers, NumberType::F32, Lies::InFile, 0, 0);
    const auto path = stored.files().back();
    std::filesystem::resize_file(path, 4 + 10 * 30 * sizeof(float));
    CHECK_FALSE(is->number(9, 29)); // not shown, because the file may have been replaced
    CHECK(std::isnan((*is)(10, 0)));
    CHECK_FALSE(is->number(10, 0));
    const Result<SharedMatrix> read = is->read({5, 0, 10, 30});
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().where == path.string());
    CHECK(read.error().what.text().find("truncated") != std::string::npos);
    // Cells that cannot be read can still be edited.
    const Parameter edited = withCells(is, {cell(15, 3, 2)});
    CHECK((*edited)(15, 3) == 2);
    CHECK(edited->hasBaseOf(*is));
    CHECK_FALSE(differencesOf(*is, *edited, 10));
    CHECK_FALSE(sameNumbers(is, edited));
    CHECK_FALSE(sameNumbers(is, makeParameter(numbers)));
}

TEST_CASE("a region beyond a file's end is refused when it is opened") {
    const auto path = freshFolder("region") / "numbers";
    put(path, "0123456789");
    const auto file = openNumberFile(path.string());
    REQUIRE(file.ok());
    CHECK(numbersIn(*file, 2, 8).ok());
    CHECK_FALSE(numbersIn(*file, 3, 8).ok());
    CHECK_FALSE(numbersIn(*file, 11, 0).ok());
    CHECK_FALSE(numbersIn(*file, 1, std::numeric_limits<std::uint64_t>::max()).ok());
    CHECK_FALSE(openNumberFile((path.parent_path() / "none").string()).ok());
}

TEST_CASE("rows of a storage in another order, whole and in part") {
    Random random(8);
    const Matrix numbers = drawn(random, 7, 5);
    const std::vector<std::uint32_t> order{3, 4, 5, 0, 6, 2, 1, 3};
    std::vector<std::byte> bytes(7 * 5 * sizeof(float));
    for (Index i = 0; i < 35; ++i)
        putNumber(bytes, NumberType::F32, i, numbers(i / 5, i % 5));
    const StoragePointer rows = withRowsInOrder(storageOf(bytes), 5 * sizeof(float), order);
    REQUIRE(rows->size() == 8 * 5 * sizeof(float));
    const Parameter is =
        valueOf(ParameterMatrix::create(rows, {NumberType::F32, 5, 8, 0, 1, 5})); // transposed
    const Matrix whole = valueOf(is->toMatrix());
    for (Index column = 0; column < 8; ++column)
        for (Index row = 0; row < 5; ++row) {
            const float expected = numbers(order[static_cast<std::size_t>(column)], row);
            CHECK((*is)(row, column) == expected);
            CHECK(whole(row, column) == expected);
        }
    // A part whose first and last rows are incomplete.
    std::vector<std::byte> part(2 * 5 * sizeof(float));
    REQUIRE(rows->read(2 * sizeof(float), part).ok());
    for (Index i = 0; i < 10; ++i) {
        float number = 0;
        decodeNumbers(NumberType::F32, part.data() + i * static_cast<Index>(sizeof number), 1,
                      &number);
        CHECK(number == numbers(order[static_cast<std::size_t>((i + 2) / 5)], (i + 2) % 5));
    }
}
