#include "core/analysis/attention_flow.h"

#include "core/cancelled.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

/// Smaller or equal capacities are treated as 0, because rounding leaves remainders of about 1e-17.
constexpr double kNoCapacity = 1e-12;

/// Computes the maximum flow with Dinic's algorithm (1970): repeatedly finds and fills all shortest
/// paths with remaining capacity, until there are none. Node (l, t) is token t above l layers.
class LayeredFlow {
  public:
    explicit LayeredFlow(std::span<const TokenMixing> layers)
        : m_layers(layers),
          m_tokens(layers.front().size),
          m_height(static_cast<Index>(layers.size())) {
        const auto nodes = static_cast<std::size_t>((m_height + 1) * m_tokens);
        m_distance.resize(nodes);
        m_nextEdge.resize(nodes);
        m_up.resize(static_cast<std::size_t>(m_height * m_tokens * m_tokens));
    }

    double maximum(Index from, Index to) {
        m_down.clear();
        for (const TokenMixing &layer : m_layers)
            m_down.insert(m_down.end(), layer.values.begin(), layer.values.end());
        std::ranges::fill(m_up, 0.0);
        const Index source = m_height * m_tokens + from, sink = to;
        double flow = 0;
        while (reaches(source, sink)) {
            std::ranges::fill(m_nextEdge, Index(0));
            flow += pushed(source, sink, std::numeric_limits<double>::infinity());
        }
        return flow;
    }

  private:
    /// Returns the remaining capacity of a node's edge. Edges 0 … T − 1 lead to the layer below.
    /// The next T lead back to the layer above, where they undo flow. Null if there is no such
    /// layer.
    double *rest(Index node, Index edge) {
        const Index level = node / m_tokens, token = node % m_tokens;
        if (edge < m_tokens)
            return level > 0 ? &m_down[place(level - 1, token, edge)] : nullptr;
        return level < m_height ? &m_up[place(level, edge - m_tokens, token)] : nullptr;
    }
    /// Returns the remaining capacity of the edge in the opposite direction.
    double &opposite(Index node, Index edge) {
        const Index level = node / m_tokens, token = node % m_tokens;
        return edge < m_tokens ? m_up[place(level - 1, token, edge)]
                               : m_down[place(level, edge - m_tokens, token)];
    }
    Index target(Index node, Index edge) const {
        const Index level = node / m_tokens;
        return edge < m_tokens ? (level - 1) * m_tokens + edge
                               : (level + 1) * m_tokens + (edge - m_tokens);
    }
    std::size_t place(Index layer, Index above, Index below) const {
        return static_cast<std::size_t>((layer * m_tokens + above) * m_tokens + below);
    }

    /// Computes the distance of each node from the source. True if the sink can be reached.
    bool reaches(Index source, Index sink) {
        std::ranges::fill(m_distance, Index(-1));
        m_distance[static_cast<std::size_t>(source)] = 0;
        m_queue.assign(1, source);
        for (std::size_t at = 0; at < m_queue.size(); ++at) {
            const Index node = m_queue[at];
            for (Index edge = 0; edge < 2 * m_tokens; ++edge) {
                const double *const left = rest(node, edge);
                if (!left || *left <= kNoCapacity)
                    continue;
                Index &distance = m_distance[static_cast<std::size_t>(target(node, edge))];
                if (distance >= 0)
                    continue;
                distance = m_distance[static_cast<std::size_t>(node)] + 1;
                m_queue.push_back(target(node, edge));
            }
        }
        return m_distance[static_cast<std::size_t>(sink)] >= 0;
    }

    /// Pushes up to `limit` along shortest paths. Returns the amount that reached the sink.
    double pushed(Index node, Index sink, double limit) {
        if (node == sink)
            return limit;
        double sum = 0;
        Index &edge = m_nextEdge[static_cast<std::size_t>(node)];
        for (; edge < 2 * m_tokens; ++edge) {
            double *const left = rest(node, edge);
            if (!left || *left <= kNoCapacity)
                continue;
            const Index next = target(node, edge);
            if (m_distance[static_cast<std::size_t>(next)] !=
                m_distance[static_cast<std::size_t>(node)] + 1)
                continue;
            const double through = pushed(next, sink, std::min(limit - sum, *left));
            *left -= through;
            opposite(node, edge) += through;
            sum += through;
            if (limit - sum <= kNoCapacity)
                return sum; // the edge may have capacity left for another path
        }
        return sum;
    }

    std::span<const TokenMixing> m_layers;
    Index m_tokens;
    Index m_height;
    std::vector<double> m_down, m_up; ///< remaining capacities, by layer, token above, token below
    std::vector<Index> m_distance, m_nextEdge, m_queue;
};

} // namespace

Error tooManyForFlow(Index tokens) {
    return {{"the text has %1 tokens", tokens},
            "",
            {"attention flow is computed for up to %1; use a shorter text, or rollout",
             kMaxFlowTokens}};
}

Result<TokenMixing> attentionFlow(std::span<const TokenMixing> layers,
                                  const std::stop_token &stop) {
    assert(!layers.empty());
    const Index tokens = layers.front().size;
    if (tokens > kMaxFlowTokens)
        return tooManyForFlow(tokens);
    TokenMixing flow(tokens);
    inParallel(tokens, [&](Index from, Index) {
        LayeredFlow graph(layers);
        for (Index to = 0; to < tokens && !stop.stop_requested(); ++to)
            flow(from, to) = graph.maximum(from, to);
    });
    if (stop.stop_requested())
        return cancelled();
    return flow;
}

} // namespace headlight::core
