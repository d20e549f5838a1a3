#include "core/analysis/projection.h"

#include "core/random.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::core {

namespace {

using Vectors = Eigen::MatrixXd; // one vector per column
using Vector = Eigen::VectorXd;

Vectors columnsOf(MatrixView rows) {
    Vectors numbers(rows.columns, rows.rows);
    for (Index i = 0; i < rows.rows; ++i)
        for (Index j = 0; j < rows.columns; ++j)
            numbers(j, i) = static_cast<double>(rows(i, j));
    return numbers;
}

Vector asVector(std::span<const float> numbers) {
    return Eigen::Map<const Eigen::VectorXf>(numbers.data(),
                                             static_cast<Eigen::Index>(numbers.size()))
        .cast<double>();
}

std::vector<double> asNumbers(const Vector &vector) {
    return {vector.data(), vector.data() + vector.size()};
}

/// Eigenvectors have no defined sign, so make the largest component positive.
Vector withFixedSign(Vector axis) {
    Eigen::Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    return axis(largest) < 0 ? Vector(-axis) : axis;
}

struct Directions {
    std::array<Vector, 2> axes;
    std::array<double, 2> squares{0, 0}; ///< sum of squares along each axis
    double total = 0;
};

/// The two largest eigenvalues of a positive semidefinite matrix and their eigenvectors.
struct Leading {
    Vectors vectors; ///< one per column
    Vector values;
};

/// Orthogonal iteration (Golub & Van Loan, section 8.2.4). Uses 8 vectors instead of the 2 wanted,
/// because that converges faster. Stops after 300 rounds with the best approximation so far.
Leading iterated(const Vectors &product) {
    constexpr int kVectors = 8;
    constexpr int kMaxRounds = 300;
    Random random(1);
    Vectors basis(product.rows(), kVectors);
    for (Eigen::Index i = 0; i < basis.size(); ++i)
        basis.data()[i] = static_cast<double>(random.normal());
    Vector values = Vector::Zero(kVectors);
    for (int round = 0; round < kMaxRounds; ++round) {
        const Eigen::HouseholderQR<Vectors> qr(product * basis);
        basis = qr.householderQ() * Vectors::Identity(product.rows(), kVectors);
        const Vector before = values;
        values = (basis.transpose() * product * basis).diagonal();
        if ((values - before).head(2).norm() <= values(0) * 1e-14)
            break;
    }
    // Exact eigenvectors within the iterated subspace.
    const Eigen::SelfAdjointEigenSolver<Vectors> small(basis.transpose() * product * basis);
    return {basis * small.eigenvectors().rightCols(2).rowwise().reverse(),
            small.eigenvalues().tail(2).reverse()};
}

Leading leadingOf(const Vectors &product) {
    constexpr Eigen::Index kLargestWhole = 256; // size up to which the exact solver is used
    if (product.rows() > kLargestWhole)
        return iterated(product);
    const Eigen::SelfAdjointEigenSolver<Vectors> solver(product);
    const Eigen::Index count = std::min<Eigen::Index>(2, product.rows());
    return {solver.eigenvectors().rightCols(count).rowwise().reverse(),
            solver.eigenvalues().tail(count).reverse()};
}

/// Finds the directions along which the columns are longest. A·Aᵀ and Aᵀ·A have the same nonzero
/// eigenvalues, so the smaller product is decomposed.
Directions longest(const Vectors &columns) {
    Directions found;
    found.axes = {Vector(Vector::Zero(columns.rows())), Vector(Vector::Zero(columns.rows()))};
    found.total = columns.squaredNorm();
    if (!(found.total > 0))
        return found;
    const bool fewVectors = columns.cols() < columns.rows();
    const Leading leading = leadingOf(fewVectors ? Vectors(columns.transpose() * columns)
                                                 : Vectors(columns * columns.transpose()));
    for (Eigen::Index k = 0; k < leading.values.size(); ++k) {
        const double square = leading.values(k);
        // Smaller values are rounding errors, not directions.
        if (square <= found.total * 1e-12)
            break;
        Vector axis = leading.vectors.col(k);
        if (fewVectors)
            axis = columns * axis;
        const auto place = static_cast<std::size_t>(k);
        found.axes[place] = withFixedSign(axis.normalized());
        found.squares[place] = square;
    }
    return found;
}

/// Returns the share of each axis; no value if the total variance (or length) is 0.
std::optional<std::array<double, 2>> sharesOf(const std::array<double, 2> &squares, double total) {
    if (!(total > 0))
        return std::nullopt;
    return std::array<double, 2>{squares[0] / total, squares[1] / total};
}

} // namespace

PlanePoint Projection::of(std::span<const float> vector) const {
    PlanePoint point;
    for (std::size_t i = 0; i < origin.size(); ++i) {
        const double moved = static_cast<double>(vector[i]) - origin[i];
        point.x += moved * axes[0][i];
        point.y += moved * axes[1][i];
    }
    return point;
}

std::vector<float> Projection::moved(std::span<const float> vector, double dx, double dy) const {
    std::vector<float> result(vector.begin(), vector.end());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] =
            static_cast<float>(static_cast<double>(vector[i]) + dx * axes[0][i] + dy * axes[1][i]);
    return result;
}

Projection exactPlane(Index width) {
    Projection plane;
    plane.origin.assign(static_cast<std::size_t>(width), 0.0);
    for (std::size_t k = 0; k < 2; ++k) {
        plane.axes[k].assign(static_cast<std::size_t>(width), 0.0);
        if (k < plane.axes[k].size())
            plane.axes[k][k] = 1;
    }
    return plane;
}

Projection principalPlane(MatrixView rows) {
    Projection plane;
    plane.kind = Projection::Kind::Principal;
    Vectors columns = columnsOf(rows);
    Vector mean = Vector::Zero(rows.columns);
    if (rows.rows > 0)
        mean = columns.rowwise().mean();
    columns.colwise() -= mean;
    const Directions found = longest(columns);
    plane.origin = asNumbers(mean);
    for (std::size_t k = 0; k < 2; ++k)
        plane.axes[k] = asNumbers(found.axes[k]);
    plane.share = sharesOf(found.squares, found.total);
    return plane;
}

Result<Projection> dotProductPlane(std::span<const float> query, MatrixView rows) {
    const Vector direction = asVector(query);
    const double length = direction.norm();
    if (!(length > 0))
        return Error{"this query is all zeros, so it has no direction to project on", "query",
                     "choose another query, or principal components"};
    const Vector along = direction / length;
    const Vectors columns = columnsOf(rows);
    const double total = columns.squaredNorm();
    const Vector lengths = columns.transpose() * along;
    const Directions rest = longest(columns - along * lengths.transpose());
    Projection plane;
    plane.kind = Projection::Kind::DotProduct;
    plane.origin.assign(query.size(), 0.0);
    // Makes the second axis orthogonal to the first, despite rounding.
    Vector second = Vector::Zero(along.size());
    if (rest.squares[0] > total * 1e-12)
        second = (rest.axes[0] - along * along.dot(rest.axes[0])).normalized();
    plane.axes = {asNumbers(along), asNumbers(second)};
    plane.share = sharesOf({lengths.squaredNorm(), rest.squares[0]}, total);
    return plane;
}

VectorPair comparedVectors(std::span<const float> a, std::span<const float> b) {
    const Vector first = asVector(a);
    const Vector second = asVector(b);
    VectorPair pair;
    pair.dot = first.dot(second);
    pair.lengthA = first.norm();
    pair.lengthB = second.norm();
    pair.angled = pair.lengthA > 0 && pair.lengthB > 0;
    if (pair.angled) {
        pair.cosine = std::clamp(pair.dot / (pair.lengthA * pair.lengthB), -1.0, 1.0);
        pair.degrees = std::acos(pair.cosine) * 180 / std::numbers::pi;
    }
    if (pair.lengthA > 0)
        pair.projection = pair.dot / pair.lengthA;
    return pair;
}

} // namespace headlight::core
