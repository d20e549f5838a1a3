#include "core/transformer/residual_stream.h"

#include "core/transformer/embedding.h"

namespace headlight::core {

namespace {

class Builder {
  public:
    Builder(const Model &model, Stack stack)
        : m_model(model), m_config(model.config), m_stack(stack) {}

    ResidualStream build() {
        embed();
        for (Index layer = 0; layer < m_model.layerCount(m_stack); ++layer)
            addLayer(layer);
        m_stream.last = m_now;
        const bool final = m_stack != Stack::Source && m_config.hasNorm() && m_config.norm.final;
        m_stream.leaving = become(Stage::FinalNorm, {0, Block::SelfAttention, m_stack}, final);
        return std::move(m_stream);
    }

  private:
    /// The tensor that the stage is: a new one, or the last one under one more name.
    std::size_t become(Stage stage, Site site, bool isNew) {
        if (isNew) {
            m_stream.tensors.emplace_back();
            m_now = m_stream.tensors.size() - 1;
        }
        m_stream.tensors[m_now].push_back({stage, site});
        return m_now;
    }

    void embed() {
        const Site site(0, Block::SelfAttention, m_stack);
        m_stream.embeddings = become(Stage::Embeddings, site, true);
        m_stream.embeddingSum =
            become(Stage::EmbeddingSum, site, hasEmbeddingSum(m_model, m_stack));
        m_stream.positioned =
            become(Stage::Positioned, site, m_config.hasNorm() && m_config.norm.embedding);
        m_stream.entering = become(Stage::EmbeddingProjected, site,
                                   m_model.stack(m_stack).embeddingProjection != nullptr);
    }

    void addLayer(Index layer) {
        become(Stage::LayerInput, {layer, Block::SelfAttention, m_stack}, false);
        for (const Block block : {Block::SelfAttention, Block::CrossAttention}) {
            const Site site(layer, block, m_stack);
            if (!m_model.hasAttention(site))
                continue;
            const std::size_t input = m_now;
            std::size_t made = become(Stage::Concatenated, site, true);
            if (m_model.attention(site).output)
                made = become(Stage::Output, site, true);
            add(Part::Attention, site, input, made, Stage::ResidualSum, Stage::Residual);
        }
        const Site site(layer, Block::SelfAttention, m_stack);
        if (m_config.feedForward.width > 0) {
            const std::size_t input = m_now;
            const std::size_t made = become(Stage::FeedForwardOutput, site, true);
            add(Part::FeedForward, site, input, made, Stage::FeedForwardResidualSum,
                Stage::LayerOutput);
        } else {
            become(Stage::LayerOutput, site, false);
        }
    }

    void add(Part part, Site site, std::size_t input, std::size_t made, Stage sumName,
             Stage resultName) {
        const bool normed = m_config.normsAfter();
        std::size_t sum = made;
        if (normed)
            sum = become(sumName, site, m_config.residual);
        const std::size_t result = become(resultName, site, normed || m_config.residual);
        m_stream.sublayers.push_back({part, site, input, made, normed ? sum : result, result});
    }

    const Model &m_model;
    const Config &m_config;
    Stack m_stack;
    ResidualStream m_stream;
    std::size_t m_now = 0; // the tensor that was made last
};

} // namespace

ResidualStream residualStream(const Model &model, Stack stack) {
    return Builder(model, stack).build();
}

} // namespace headlight::core
