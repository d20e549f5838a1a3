#include "core/analysis/numpy_script.h"

#include "core/analysis/cell_explanation.h"
#include "core/analysis/numpy_cell.h"
#include "core/analysis/numpy_text.h"
#include "core/analysis/weighting.h"

#include <algorithm>

namespace headlight::core {

namespace {

using numpy::assign;
using numpy::columnOf;
using numpy::matrix;
using numpy::number;
using numpy::vector;

class Script {
  public:
    Script(const Trace &trace, const Selection &place)
        : m_trace(trace), m_config(trace.model().config), m_place(place) {}

    std::string write() {
        m_text = "import numpy as np\n\n";
        m_text += "# " + stageName(m_place.stage, m_place.site()) + ", sequence " +
                  std::to_string(m_place.sequence);
        if (infoOf(m_place.stage).perHead)
            m_text += ", head " + std::to_string(m_place.head);
        m_text += ", row " + std::to_string(row()) + ", column " +
                  std::to_string(infoOf(m_place.stage).overKeys() ? *m_place.key : dimension()) +
                  "\n";
        writeStage();
        return std::move(m_text);
    }

  private:
    Index row() const { return *selectedRow(m_place); }
    Index dimension() const { return *m_place.dimension; }
    SharedMatrix at(Stage stage) const {
        return matrixAt(m_trace, {stage, m_place.site()}, m_place.sequence, m_place.head);
    }
    std::vector<float> rowOf(Stage stage, Index index) const {
        const SharedMatrix matrix = at(stage);
        const std::span<const float> row = matrix.row(index);
        return {row.begin(), row.end()};
    }
    void writeStage() {
        switch (m_place.stage) {
        case Stage::Scores:
        case Stage::ScaledScores:
        case Stage::PositionBias:
        case Stage::BiasedScores:
        case Stage::MaskedScores:
            return writePair();
        case Stage::UnmaskedWeights:
            writeScores();
            writeWeighing();
            m_text += "print(weights[" + std::to_string(*m_place.key) + "])\n";
            return;
        case Stage::Weights:
            writeRow();
            m_text += "print(weights[" + std::to_string(*m_place.key) + "])\n";
            return;
        case Stage::Context:
            return writeContext(m_place.head, dimension());
        case Stage::Concatenated:
            m_text += "# heads side by side: the number is head " +
                      std::to_string(dimension() / m_config.headSize) + "'s context\n";
            return writeContext(dimension() / m_config.headSize, dimension() % m_config.headSize);
        default:
            return writeCell();
        }
    }

    /// What is the same as elsewhere is followed to where it is made.
    void writeCell() {
        const CellExplanation cell = originOf(m_trace, m_place, row(), dimension());
        if (cell.origin != Origin::Same) {
            m_text += numpy::cellScript(m_trace, m_place, row(), cell);
            return;
        }
        const Index from = row();
        m_place.setSite(cell.from->site);
        m_place.stage = cell.from->stage;
        m_place.query = m_place.key = from;
        m_text += "# the same number as at " + stageName(m_place.stage, m_place.site()) + "\n";
        writeStage();
    }

    std::string scaled(const std::string &scores) const {
        switch (m_config.scale.kind) {
        case Scale::Kind::SquareRoot:
            return scores + " / np.sqrt(" + std::to_string(m_config.headSize) + ")";
        case Scale::Kind::Number:
            return scores + " / " + number(m_config.scale.number);
        case Scale::Kind::Off:
            break;
        }
        return scores;
    }

    bool isBiased() const { return m_trace.has(Stage::BiasedScores, m_place.site()); }

    void writePair() {
        const Index i = *m_place.query, j = *m_place.key;
        if (m_place.stage == Stage::PositionBias) {
            writePositionBias();
            m_text += "print(bias)\n";
            return;
        }
        m_text += vector("q", rowOf(Stage::Query, i), "query " + std::to_string(i));
        m_text += vector("k", rowOf(Stage::Key, j), "key " + std::to_string(j));
        m_text += "score = q @ k\n";
        if (const auto score = setByHand(j))
            m_text += assign("score", number(*score), "set by hand");
        if (m_place.stage != Stage::Scores)
            m_text += assign("score", scaled("score"), "scaled");
        if (isBiased() &&
            (m_place.stage == Stage::BiasedScores || m_place.stage == Stage::MaskedScores)) {
            writePositionBias();
            m_text += "score = score + bias\n";
        }
        if (m_place.stage == Stage::MaskedScores &&
            m_trace.mask(m_place.sequence, m_place.site()).hidden(i, j))
            m_text += assign("score", number(m_config.masking.value), "hidden by the mask");
        m_text += "print(score)\n";
    }

    /// `bias`: the pair's number for its distance.
    void writePositionBias() {
        const PositionBias bias = *explainPair(m_trace, m_place)->position;
        const std::string distance = std::to_string(bias.distance);
        m_text += bias.slope
                      ? assign("bias", "-" + number(*bias.slope) + " * abs(" + distance + ")",
                               "ALiBi: the head's slope, the distance")
                      : assign("bias", number(bias.value),
                               "position_bias[" + std::to_string(bias.bucket) + ", " +
                                   std::to_string(m_place.head) + "], for distance " + distance);
    }

    std::optional<float> setByHand(Index key) const {
        return m_trace.input().interventions.scoreAt(m_place.sequence, m_place.site(), m_place.head,
                                                     *m_place.query, key);
    }

    /// The keys that the row's query may see, or those that it may not: "0, 3".
    std::string keys(bool hidden) const {
        const Mask &mask = m_trace.mask(m_place.sequence, m_place.site());
        std::string text;
        for (Index key = 0; key < mask.keys(); ++key)
            if (mask.hidden(*m_place.query, key) == hidden)
                text += (text.empty() ? "" : ", ") + std::to_string(key);
        return text;
    }

    /// The row of scaled scores, from q and K.
    void writeScores() {
        const Index i = *m_place.query;
        m_text += vector("q", rowOf(Stage::Query, i), "query " + std::to_string(i));
        const SharedMatrix keys = at(Stage::Key);
        m_text += matrix("K", keys, "the keys, one a row");
        const auto said =
            m_trace.input().interventions.scoresOf(m_place.sequence, m_place.site(), m_place.head);
        if (std::ranges::none_of(said, [i](const auto &one) { return one.query == i; })) {
            m_text += assign("scores", scaled("K @ q"), "");
            return addPositionBias();
        }
        m_text += "scores = K @ q\n";
        for (const ScoreIntervention &one : said)
            if (one.query == i)
                m_text += assign("scores[" + std::to_string(one.key) + "]", number(one.score),
                                 "set by hand");
        m_text += assign("scores", scaled("scores"), "");
        addPositionBias();
    }

    void addPositionBias() {
        if (!isBiased())
            return;
        m_text +=
            vector("bias", rowOf(Stage::PositionBias, *m_place.query), "for each key's distance");
        m_text += "scores = scores + bias\n";
    }

    /// The row of weights from `scores`, with what the config puts in softmax's place.
    void writeWeighing() {
        const std::string temperature =
            m_config.temperature == 1 ? "" : " / " + number(m_config.temperature);
        if (!m_config.softmax) {
            m_text += assign("weights", "scores" + temperature, "no softmax");
            return;
        }
        m_text += "e = np.exp((scores - scores.max())" + temperature + ")\n";
        m_text += "weights = e / e.sum()\n";
    }

    /// The row of weights, from q and K.
    void writeRow() {
        const Mask &mask = m_trace.mask(m_place.sequence, m_place.site());
        const Weighting weighting = weightingOf(m_trace, m_place.site(), m_place.head);
        const std::string size = std::to_string(mask.keys());
        if (mask.seesNothing(*m_place.query) && weighting.hidesWholly) {
            m_text += assign("weights", "np.zeros(" + size + ")", "the mask hides every key");
            return;
        }
        if (weighting.isUniform) {
            m_text += "visible = [" + keys(false) + "]\n";
            m_text += "weights = np.zeros(" + size + ")\n";
            m_text += assign("weights[visible]", "1 / len(visible)", "the head is uniform");
            return;
        }
        writeScores();
        const std::string hidden = keys(true);
        const bool after = m_config.masking.afterSoftmax;
        if (!hidden.empty() && !after)
            m_text += assign("scores[[" + hidden + "]]", number(m_config.masking.value),
                             "hidden by the mask");
        writeWeighing();
        if (!hidden.empty() && weighting.hidesWholly && (after || !m_config.softmax))
            m_text += assign("weights[[" + hidden + "]]", "0", "hidden by the mask");
    }

    void writeContext(Index head, Index which) {
        m_place.head = head;
        const HeadState state = m_trace.input().interventions.stateOf(m_place.site(), head);
        if (state == HeadState::Zero) {
            m_text += "print(0.0)  # the head is silenced\n";
            return;
        }
        const SharedMatrix values = at(Stage::Value);
        const std::string column = "V[:, " + std::to_string(which) + "]";
        if (state == HeadState::Mean) {
            const SharedMatrix weights =
                at(Stage::Weights)
                    .rowBlock(0, m_trace.queries(m_place.site())[m_place.sequence].length);
            m_text += matrix("A", weights, "the weights of the real tokens, one a row");
            m_text += columnOf("v", values, which, column);
            m_text += "print((A @ v).mean())  # the head gives its mean\n";
            return;
        }
        writeRow();
        m_text += columnOf("v", values, which, column);
        m_text += "print(weights @ v)\n";
    }

    const Trace &m_trace;
    const Config &m_config;
    Selection m_place;
    std::string m_text;
};

} // namespace

Result<std::string> numpyScript(const Trace &trace, const Selection &place) {
    if (const Result<float> value = valueAt(trace, place); !value)
        return value.error();
    return Script(trace, place).write();
}

} // namespace headlight::core
