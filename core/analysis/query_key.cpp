#include "core/analysis/query_key.h"

#include "core/operations/dot_product.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::core {

QueryKeyProducts queryKeyProducts(const Trace &trace, const AttentionRowId &row,
                                  std::optional<Index> key) {
    QueryKeyProducts made;
    for (const Stage stage : {Stage::Query, Stage::Key})
        if (!trace.has(stage, row.attention) ||
            !trace.isReady(stage, row.attention, row.sequence, row.head))
            return made;
    const SharedMatrix queries = trace.matrix(Stage::Query, row.attention, row.sequence, row.head);
    const SharedMatrix keys = trace.matrix(Stage::Key, row.attention, row.sequence, row.head);
    if (row.query >= queries.rows || keys.empty() || keys.columns != queries.columns)
        return made;
    Index count = std::min(keys.rows, trace.keys(row.attention)[row.sequence].length);
    made.hidden = hiddenKeysOf(trace, row);
    made.hidden.resize(made.hidden.empty() ? 0 : static_cast<std::size_t>(count));
    while (count > 1 && !made.hidden.empty() && made.hidden.back()) { // hidden keys at the end
        made.hidden.pop_back();
        --count;
    }
    const Index size = keys.columns;
    made.products = Matrix(count, size);
    for (Index j = 0; j < count; ++j) {
        const DotProduct product = dotProduct(queries.row(row.query), keys.row(j));
        std::ranges::copy(product.terms, made.products.view().row(j).begin());
        made.scores.push_back(static_cast<double>(product.sum));
    }
    const auto isVisible = [&](Index j) {
        return made.hidden.empty() || !made.hidden[static_cast<std::size_t>(j)];
    };
    Index visible = 0, best = -1;
    std::vector<double> sums(static_cast<std::size_t>(size));
    for (Index j = 0; j < count; ++j) {
        if (!isVisible(j))
            continue;
        ++visible;
        const double score = made.scores[static_cast<std::size_t>(j)];
        made.mean += score;
        if (best < 0 || score > made.scores[static_cast<std::size_t>(best)])
            best = j;
        for (Index d = 0; d < size; ++d)
            sums[static_cast<std::size_t>(d)] += static_cast<double>(made.products(j, d));
    }
    made.mean /= static_cast<double>(std::max<Index>(1, visible));
    made.chosen = key && *key < count ? *key : std::max<Index>(0, best);
    for (Index d = 0; d < size; ++d)
        made.decided.push_back(static_cast<double>(made.products(made.chosen, d)) -
                               sums[static_cast<std::size_t>(d)] /
                                   static_cast<double>(std::max<Index>(1, visible)));
    made.order.resize(static_cast<std::size_t>(size));
    std::iota(made.order.begin(), made.order.end(), Index(0));
    std::ranges::stable_sort(made.order, std::greater<>(), [&](Index d) {
        return std::abs(made.decided[static_cast<std::size_t>(d)]);
    });
    return made;
}

} // namespace headlight::core
