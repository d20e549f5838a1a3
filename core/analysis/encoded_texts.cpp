#include "core/analysis/encoded_texts.h"

#include "core/analysis/text_vectors.h"

#include <algorithm>

namespace headlight::core {

namespace {

Matrix firstColumns(MatrixView rows) {
    const Index columns = std::min(rows.columns, kMaxWrittenColumns);
    Matrix first(rows.rows, columns);
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::copy(rows.row(row).first(static_cast<std::size_t>(columns)),
                          first.view().row(row).begin());
    return first;
}

Matrix beneathEachOther(MatrixView above, MatrixView below) {
    Matrix both(above.rows + below.rows, above.columns);
    for (Index row = 0; row < both.rows(); ++row)
        std::ranges::copy(row < above.rows ? above.row(row) : below.row(row - above.rows),
                          both.view().row(row).begin());
    return both;
}

std::vector<float> pooled(MatrixView rows, Pooling pooling) {
    std::vector<float> vector(static_cast<std::size_t>(rows.columns));
    pool(rows, rows.rows, pooling, vector);
    return vector;
}

class Encoder {
  public:
    Encoder(const Trace &trace, Index sequence, Stack stack)
        : m_trace(trace),
          m_attention(0, Block::SelfAttention,
                      trace.model().hasStack(stack) ? stack : trace.model().mainStack()),
          m_batch(trace.queries(m_attention)) {
        m_made.sequences = writtenPair(sequence, m_batch.count());
    }

    EncodedTexts write() {
        std::vector<Sequence> texts;
        for (const Index sequence : m_made.sequences) {
            const Sequence &text = m_batch[sequence];
            texts.push_back(text);
            m_made.lengths.push_back(text.length);
            const auto shown = static_cast<std::size_t>(std::min(text.length, kMaxWrittenTokens));
            m_made.tokens.push_back(textsOf(std::span(text.tokens).first(shown)));
        }
        m_made.vocabulary = vocabularyOf(texts);
        m_made.idf = inverseDocumentFrequency(texts, m_made.vocabulary);
        oneHots();
        Matrix counts(std::ssize(texts), std::ssize(m_made.vocabulary));
        for (std::size_t i = 0; i < texts.size(); ++i)
            std::ranges::copy(
                bagOfWords(textsOf(std::span(texts[i].tokens)
                                       .first(static_cast<std::size_t>(texts[i].length))),
                           m_made.vocabulary),
                counts.view().row(static_cast<Index>(i)).begin());
        ofTexts(TextEncoding::BagOfWords, counts);
        ofTexts(TextEncoding::TfIdf, tfIdf(texts, m_made.vocabulary, TextVectorLength::Raw));
        ofStage(TextEncoding::Embeddings, {{Stage::Embeddings, m_attention}});
        way(TextEncoding::Contextual).pooling =
            m_trace.model().sentencePooling.value_or(Pooling::Mean);
        ofStage(TextEncoding::Contextual, lastStages());
        return std::move(m_made);
    }

  private:
    bool hasTwo() const { return m_made.sequences.size() == 2; }
    EncodedText &way(TextEncoding which) { return m_made.ways[static_cast<std::size_t>(which)]; }

    void oneHots() {
        std::vector<Matrix> each;
        for (const std::vector<std::string> &tokens : m_made.tokens)
            each.push_back(oneHot(tokens, m_made.vocabulary));
        ofWords(way(TextEncoding::OneHot), each);
    }
    void ofWords(EncodedText &made, const std::vector<Matrix> &shown) {
        made.columns = shown[0].columns();
        const Matrix all = hasTwo() ? beneathEachOther(shown[0].view(), shown[1].view()) : shown[0];
        made.numbers = firstColumns(all.view());
        if (hasTwo())
            made.words = cosineSimilarity(shown[0].view(), shown[1].view());
    }
    void ofTexts(TextEncoding which, const Matrix &vectors) {
        EncodedText &made = way(which);
        made.columns = vectors.columns();
        made.numbers = firstColumns(vectors.view());
        if (hasTwo())
            made.texts = cosineOf(vectors.view().row(0), vectors.view().row(1));
    }
    /// Returns the stages that can serve as the last layer's output, the most suitable first. A
    /// capture may lack some.
    std::vector<StageId> lastStages() const {
        std::vector<StageId> stages;
        // sentence-transformers pools the rows before the output layer.
        if (m_trace.model().sentencePooling)
            stages.push_back({Stage::FinalNorm, {0, Block::SelfAttention, m_attention.stack}});
        for (Index layer = m_trace.model().layerCount(m_attention.stack) - 1; layer >= 0; --layer) {
            stages.push_back(
                {Stage::LayerOutput, {layer, Block::SelfAttention, m_attention.stack}});
            for (const Stage stage :
                 {Stage::Residual, Stage::Output, Stage::Concatenated, Stage::Context})
                for (const Block block : {Block::CrossAttention, Block::SelfAttention})
                    stages.push_back({stage, {layer, block, m_attention.stack}});
        }
        return stages;
    }
    /// Encodes the first of `stages` that the trace has.
    void ofStage(TextEncoding which, const std::vector<StageId> &stages) {
        EncodedText &made = way(which);
        const auto found = std::ranges::find_if(
            stages, [this](const StageId &at) { return m_trace.has(at.stage, at.attention); });
        made.absence = EncodedText::Absence::NoSuchStage;
        if (found == stages.end())
            return;
        made.stage = *found;
        made.absence = EncodedText::Absence::NotMade;
        for (const Index sequence : m_made.sequences)
            if (!m_trace.isReady(found->stage, found->attention, sequence, 0))
                return;
        std::vector<Matrix> shown;
        std::vector<std::vector<float>> vectors;
        for (std::size_t i = 0; i < m_made.sequences.size(); ++i) {
            const SharedMatrix all =
                m_trace.matrix(found->stage, found->attention, m_made.sequences[i], 0);
            if (all.rows < m_made.lengths[i])
                return; // the file cannot be read
            shown.push_back(copied(all, m_made.shownTokens(i)));
            const SharedMatrix real = all.rowBlock(0, m_made.lengths[i]);
            vectors.push_back(pooled(real, made.pooling));
        }
        made.absence = EncodedText::Absence::None;
        ofWords(made, shown);
        if (hasTwo())
            made.texts = cosineOf(vectors[0], vectors[1]);
    }
    static Matrix copied(const SharedMatrix &all, Index rows) {
        Matrix first(rows, all.columns);
        for (Index row = 0; row < rows; ++row)
            std::ranges::copy(all.row(row), first.view().row(row).begin());
        return first;
    }

    const Trace &m_trace;
    AttentionId m_attention;
    const Batch &m_batch;
    EncodedTexts m_made;
};

} // namespace

std::pair<std::size_t, Index> EncodedTexts::tokenOf(Index row) const {
    const Index first = shownTokens(0);
    return row < first ? std::pair<std::size_t, Index>(0, row)
                       : std::pair<std::size_t, Index>(1, row - first);
}

std::optional<Index> EncodedTexts::rowOf(std::size_t text, Index token) const {
    if (token < 0 || token >= shownTokens(text))
        return std::nullopt;
    return text == 0 ? token : shownTokens(0) + token;
}

std::optional<std::size_t> EncodedTexts::textOf(Index sequence) const {
    const auto found = std::ranges::find(sequences, sequence);
    return found == sequences.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - sequences.begin()));
}

std::vector<Index> writtenPair(Index sequence, Index count) {
    if (count < 2)
        return {0};
    const Index first = std::min(sequence - sequence % 2, count - 2);
    return {first, first + 1};
}

EncodedTexts encodedTextsOf(const Trace &trace, Index sequence, Stack stack) {
    return Encoder(trace, sequence, stack).write();
}

} // namespace headlight::core
