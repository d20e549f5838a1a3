#include "core/analysis/cosine_similarity.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

using DoubleRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Squares of floats neither overflow nor underflow in double.
bool isDirection(double length) {
    return length > 0 && std::isfinite(length);
}

/// The rows of a matrix divided by their lengths; 0 where a row has no direction.
struct UnitRows {
    DoubleRows rows;
    std::vector<bool> areMissing;
};

UnitRows unitRowsOf(MatrixView x) {
    const Eigen::Map<const FloatRows, 0, Eigen::OuterStride<>> numbers(
        x.data, x.rows, x.columns, Eigen::OuterStride<>(x.stride));
    UnitRows unit{numbers.cast<double>(), {}};
    for (auto row : unit.rows.rowwise()) {
        const double length = row.norm();
        unit.areMissing.push_back(!isDirection(length));
        if (isDirection(length))
            row /= length;
        else
            row.setZero();
    }
    return unit;
}

Matrix asCosines(const DoubleRows &products) {
    Matrix cosines(products.rows(), products.cols());
    Eigen::Map<FloatRows>(cosines.view().data, products.rows(), products.cols()) =
        products.cwiseMax(-1).cwiseMin(1).cast<float>();
    return cosines;
}

} // namespace

CosineSimilarity cosineSimilarity(MatrixView x) {
    const UnitRows unit = unitRowsOf(x);
    DoubleRows products = DoubleRows::Zero(x.rows, x.rows);
    products.selfadjointView<Eigen::Lower>().rankUpdate(unit.rows);
    products = DoubleRows(products.selfadjointView<Eigen::Lower>());
    for (Index i = 0; i < x.rows; ++i)
        products(i, i) = unit.areMissing[static_cast<std::size_t>(i)] ? 0 : 1;
    return {asCosines(products), unit.areMissing};
}

Cosine cosineOf(std::span<const float> a, std::span<const float> b) {
    const auto vectorOf = [](std::span<const float> numbers) {
        return Eigen::VectorXd(
            Eigen::Map<const Eigen::VectorXf>(numbers.data(), std::ssize(numbers)).cast<double>());
    };
    const Eigen::VectorXd first = vectorOf(a), second = vectorOf(b);
    Cosine cosine{first.dot(second), first.norm(), second.norm(), 0, false};
    cosine.isDefined = isDirection(cosine.firstLength) && isDirection(cosine.secondLength);
    if (cosine.isDefined)
        cosine.value =
            std::clamp(cosine.product / cosine.firstLength / cosine.secondLength, -1.0, 1.0);
    return cosine;
}

CrossSimilarity cosineSimilarity(MatrixView x, MatrixView y) {
    const UnitRows rows = unitRowsOf(x), columns = unitRowsOf(y);
    return {asCosines(rows.rows * columns.rows.transpose()), rows.areMissing, columns.areMissing};
}

} // namespace headlight::core
