// Changes of a matrix, applied forward and backward, and two changes merged into one.
#include "tests/support/test_main.h"
#include "ui/document/matrix_delta.h"

#include <QtTest>

#include <random>

using namespace headlight;
using core::Parameter;
using ui::MatrixDelta;

namespace {

bool same(const Parameter &a, const Parameter &b) {
    return core::sameNumbers(a, b);
}

/// Returns a matrix, `before` with some changed cells, another shape, or null.
Parameter next(const Parameter &before, std::mt19937 &random) {
    const auto below = [&random](unsigned count) {
        return static_cast<unsigned>(random() % count);
    };
    if (below(12) == 0)
        return nullptr;
    if (!before || below(12) == 0) {
        core::Matrix fresh(1 + below(6), 1 + below(9));
        for (core::Index row = 0; row < fresh.rows(); ++row)
            for (float &value : fresh.view().row(row))
                value = static_cast<float>(below(5));
        return core::makeParameter(std::move(fresh));
    }
    if (below(2) == 0) { // shares the numbers of `before`
        std::vector<core::CellEdit> cells;
        for (unsigned count = below(4); count > 0; --count)
            cells.push_back({below(static_cast<unsigned>(before->rows())),
                             below(static_cast<unsigned>(before->columns())),
                             static_cast<float>(below(5))});
        return withCells(before, std::move(cells));
    }
    core::Matrix matrix = *before->toMatrix();
    for (unsigned count = below(4) == 0 ? 40 : below(4); count > 0; --count)
        matrix(static_cast<core::Index>(below(static_cast<unsigned>(matrix.rows()))),
               static_cast<core::Index>(below(static_cast<unsigned>(matrix.columns())))) =
            static_cast<float>(below(5));
    return core::makeParameter(std::move(matrix));
}

/// Returns a copy that shares no numbers.
Parameter alone(const Parameter &parameter) {
    return parameter ? core::makeParameter(*parameter->toMatrix()) : nullptr;
}

} // namespace

class MatrixDeltaTest : public QObject {
    Q_OBJECT

  private slots:
    void thereAndBack() {
        std::mt19937 random(5);
        for (int round = 0; round < 4000; ++round) {
            Parameter a = next(nullptr, random);
            Parameter b = next(a, random);
            Parameter c = next(b, random);
            const MatrixDelta first(a, b);
            const MatrixDelta second(b, c);
            const MatrixDelta both = first.then(second);
            QCOMPARE(first.empty(), same(a, b));
            QCOMPARE(both.empty(), same(a, c));
            if (round % 2 == 0) { // the originals are freed
                a = alone(a);
                b = alone(b);
                c = alone(c);
            }
            QVERIFY(same(first.after(a), b));
            QVERIFY(same(first.before(b), a));
            QVERIFY(same(both.after(a), c));
            QVERIFY(same(both.before(c), a));
        }
    }

    void signedZerosAreNumbersOfTheirOwn() {
        const Parameter plus = core::makeParameter(core::Matrix(1, 20));
        core::Matrix other(1, 20);
        other(0, 3) = -0.0F;
        const Parameter minus = core::makeParameter(std::move(other));
        const MatrixDelta delta(plus, minus);
        QVERIFY(!delta.empty());
        QVERIFY(std::signbit((*delta.after(alone(plus)))(0, 3)));
    }

    void theMatrixItselfComesBackWhereSomebodyHasIt() {
        const Parameter before = core::makeParameter(core::Matrix(4, 16));
        core::Matrix changed(4, 16);
        changed(2, 2) = 1;
        const Parameter after = core::makeParameter(std::move(changed));
        const MatrixDelta delta(before, after);
        QVERIFY(delta.before(after) == before);
        QVERIFY(delta.after(before) == after);
        QVERIFY(delta.bytes() < 200);
    }
};

HEADLIGHT_GUILESS_TEST(MatrixDeltaTest)
#include "tst_matrix_delta.moc"
