#include "core/training/pass/program.h"

#include "core/training/pass/nodes.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Thrown for models that training does not support.
struct Refused {
    Error error;
};

[[noreturn]] void refuse(const Message &what, const char *where, const Message &remedy) {
    throw Refused{{what, where, remedy}};
}

/// The reason why an operation prevents training, the field that adds the operation, and the
/// remedy.
struct Untrained {
    const char *what = nullptr, *where = nullptr, *remedy = nullptr;
};
template <typename Operation>
constexpr Untrained kUntrained{};
template <>
constexpr Untrained kUntrained<op::Captured>{"it is a capture without trainable parameters",
                                             "capture", "open the model itself"};
template <>
constexpr Untrained kUntrained<op::SplitHeads>{
    "a model with a norm over all heads cannot be trained", "model.query_key_norm",
    "use a norm for each head"};
template <>
constexpr Untrained kUntrained<op::JoinColumns>{"a model with latent attention cannot be trained",
                                                "model.latent", "leave it out"};
template <>
constexpr Untrained kUntrained<op::JoinNeighbours>{"a model that reads audio cannot be trained",
                                                   "model.sound_bands", "leave it out"};
template <>
constexpr Untrained kUntrained<op::TuneQueries>{
    "a model that scales queries by their position cannot be trained", "model.query_tuning",
    "set it to 0"};

class Compiler {
  public:
    Compiler(const Model &model, const Input &masks, Index tokens, Index sourceTokens)
        : m_model(model),
          m_masks(masks),
          m_plan(planOf(model, Extent(1, tokens, sourceTokens))),
          m_buffers(m_plan.size()),
          m_flows(m_plan.size()) {}

    Program take() {
        const StepId last = lossStep();
        findWhatIsNeeded(last);
        findReaders();
        for (StepId id = 0; id < m_plan.size(); ++id)
            if (m_isNeeded[id] && !m_isOfAttention[id])
                make(id);
        m_program.logits = bufferOf(last);
        return std::move(m_program);
    }

  private:
    StepId lossStep() const {
        for (const Stage stage : {Stage::Logits, Stage::ClassLogits})
            if (const auto id = m_plan.find({stage, {}}))
                return m_plan.origin(*id);
        refuse("the model makes no prediction, so there is no loss", "model.head",
               "give it an output layer");
    }

    void findWhatIsNeeded(StepId last) {
        m_isNeeded.assign(m_plan.size(), false);
        m_isOfAttention.assign(m_plan.size(), false);
        m_isNeeded[last] = true;
        for (StepId id = m_plan.size(); id-- > 0;) {
            if (!m_isNeeded[id])
                continue;
            for (const StepId read : m_plan[id].reads)
                m_isNeeded[m_plan.origin(read)] = true;
            if (std::holds_alternative<op::WeightedSum>(m_plan[id].operation))
                markScores(m_plan.origin(m_plan[id].reads[0]));
        }
    }

    /// Marks the steps from the attention weights back to Q·Kᵀ, which all belong to one node.
    void markScores(StepId id) {
        m_isOfAttention[id] = true;
        if (!std::holds_alternative<op::DotProduct>(m_plan[id].operation))
            for (const StepId read : m_plan[id].reads)
                markScores(m_plan.origin(read));
    }

    /// Finds the reader that is the first to write each step's gradient: the last reader in the
    /// plan.
    void findReaders() {
        std::vector<bool> hasReader(m_plan.size());
        for (StepId id = m_plan.size(); id-- > 0;) {
            if (!m_isNeeded[id])
                continue;
            for (const StepId read : readsOf(id)) {
                m_flows[id].push_back(hasReader[read] ? Accumulate::Add : Accumulate::Replace);
                hasReader[read] = true;
            }
        }
    }
    /// Returns the steps that a node reads: queries, keys and values for attention. A step that
    /// only renames another one is replaced by the step that owns the buffer.
    std::vector<StepId> readsOf(StepId id) const {
        std::vector<StepId> reads;
        if (m_isOfAttention[id] || isRenaming(id))
            return reads;
        if (std::holds_alternative<op::WeightedSum>(m_plan[id].operation)) {
            const Scores scores = scoresOf(id);
            reads = m_plan[scores.product].reads;
            reads.push_back(m_plan[id].reads[1]);
        } else {
            reads = m_plan[id].reads;
        }
        for (StepId &read : reads)
            read = bufferStep(read);
        return reads;
    }
    /// True for steps that compute nothing, because heads are stored concatenated anyway.
    bool isRenaming(StepId id) const {
        return std::holds_alternative<op::ConcatHeads>(m_plan[id].operation);
    }
    StepId bufferStep(StepId id) const {
        id = m_plan.origin(id);
        return isRenaming(id) ? bufferStep(m_plan[id].reads[0]) : id;
    }
    const Buffer &bufferOf(StepId id) const { return m_buffers[bufferStep(id)]; }
    NodeRead reading(StepId id, std::size_t which) const {
        return {m_buffers[readsOf(id)[which]], m_flows[id][which]};
    }

    /// The steps from the product of queries and keys to attention weights.
    struct Scores {
        StepId product = 0;
        op::Scale scale{};
        op::Mask mask{};
        op::Softmax softmax{};
        std::optional<StepId> bias{};
    };
    Scores scoresOf(StepId mix) const {
        Scores scores;
        StepId id = m_plan.origin(m_plan[mix].reads[0]);
        if (!m_plan[id].parameters.empty())
            refuse("a model with sinks cannot be trained", "model", "remove the heads' sinks");
        const auto expect = [&]<typename Operation>(Operation &into) {
            const auto *operation = std::get_if<Operation>(&m_plan[id].operation);
            if (!operation)
                return false;
            into = *operation;
            id = m_plan.origin(m_plan[id].reads[0]);
            return true;
        };
        if (!expect(scores.softmax) || !scores.softmax.normalises || !expect(scores.mask))
            refuse("a model that masks after softmax, or has no softmax, cannot be trained",
                   "model.softmax", "turn softmax on, after the mask");
        op::Add add;
        const StepId sum = id;
        if (expect(add)) {
            scores.bias = m_plan.origin(m_plan[sum].reads[1]);
            if (std::holds_alternative<op::Each>(m_plan[*scores.bias].operation))
                refuse("a model with disentangled attention cannot be trained",
                       "model.disentangled", "leave it out");
        }
        op::Each each;
        const bool isEach = expect(each);
        const auto *scale = std::get_if<op::Scale>(&each.function);
        if (!isEach || !scale)
            refuse("a model with a score cap cannot be trained", "model.score_cap", "turn it off");
        scores.scale = *scale;
        scores.product = id;
        return scores;
    }

    Buffer &newBuffer(StepId id) {
        const Shape &shape = m_plan[id].shape;
        Buffer &buffer = m_buffers[id];
        if (shape.rank() == 4)
            buffer = {shape[2], {shape[1], shape[3]}};
        else
            buffer = {shape.rank() == 3 ? shape[1] : 1, {1, shape[shape.rank() - 1]}};
        buffer.offset = m_program.sizeOfSequence;
        m_program.sizeOfSequence += buffer.sizeOfSequence();
        m_program.largestBuffer = std::max(m_program.largestBuffer, buffer.sizeOfSequence());
        return buffer;
    }
    Index newExtras(Index count) {
        const Index offset = m_program.extrasOfSequence;
        m_program.extrasOfSequence += padded(count);
        return offset;
    }

    /// Adds the parameter to the flat buffer and returns its layout; nullopt if the model does not
    /// have it.
    std::optional<FlatParameter> parameter(StepId id, std::size_t which, const RowLayout &rows,
                                           const RowLayout &columns, bool decays = false,
                                           bool isTurned = false) {
        if (which >= m_plan[id].parameters.size())
            return std::nullopt;
        const ParameterId &name = m_plan[id].parameters[which].id;
        if (!parameterOf(m_model.parameters, name))
            return std::nullopt;
        std::size_t at = 0;
        if (!m_program.parameters.add(name, rows, columns, decays, at))
            refuse("a matrix that is used in two layouts cannot be trained", "model", "");
        if (isTurned)
            m_program.parameters.needTransposed(at);
        return m_program.parameters[at];
    }

    void make(StepId id) {
        const Step &step = m_plan[id];
        if (!isRenaming(id) && step.isOwn())
            std::visit(Make{*this, id, newBuffer(id)}, step.operation);
    }
    void add(NodePointer node) { m_program.nodes.push_back(std::move(node)); }
    bool isOfSource(StepId id) const {
        const Stack stack = m_plan[id].at.attention.stack;
        return stack == Stack::Encoder || stack == Stack::SourceEmbeddings;
    }

    struct Make {
        Compiler &compiler;
        StepId id;
        Buffer out;

        NodeRead reads(std::size_t which = 0) const { return compiler.reading(id, which); }
        void add(NodePointer node) const { compiler.add(std::move(node)); }
        Matrix rowsOf(SinusoidOrder order) const {
            return sinusoidalPositions(out.rows, out.columns.width, order);
        }

        void operator()(const op::EmbeddingLookup &) const {
            const ParameterId name = compiler.m_plan[id].parameters.empty()
                                         ? ParameterId{}
                                         : compiler.m_plan[id].parameters[0].id;
            const Parameter &matrix = parameterOf(compiler.m_model.parameters, name);
            if (compiler.m_plan[id].parameters.empty() || !matrix)
                refuse("its words have fixed vectors, which are not trained", "model.embeddings",
                       "give it a vocabulary and token_embeddings");
            add(lookUpNode(*compiler.parameter(id, 0, {1, matrix->rows()}, out.columns), out,
                           compiler.isOfSource(id)));
        }
        void operator()(const op::AddRows &operation) const {
            switch (operation.kind) {
            case op::AddRows::Kind::Sinusoids:
                return add(addRowsNode(reads(), out, rowsOf(operation.order)));
            case op::AddRows::Kind::Same:
                return refuseExperts();
            case op::AddRows::Kind::Positions:
                return addLearnedRows(operation.offset, false);
            case op::AddRows::Kind::TokenTypes:
                return addLearnedRows(0, true);
            }
        }
        void addLearnedRows(Index first, bool sameRow) const {
            const Parameter &matrix =
                parameterOf(compiler.m_model.parameters, compiler.m_plan[id].parameters.at(0).id);
            const Index last = sameRow ? first : first + out.rows - 1;
            if (!matrix || matrix->rows() <= last)
                refuse({"there are positions for %1 tokens, and the examples have %2",
                        matrix ? matrix->rows() - first : 0, out.rows},
                       "model.position_embeddings", "choose a task with shorter examples");
            add(addLearnedRowsNode(reads(), out,
                                   *compiler.parameter(id, 0, {1, matrix->rows()}, out.columns),
                                   first, sameRow));
        }
        void operator()(const op::Normalise &operation) const {
            if (operation.kind == NormKind::Batch)
                refuse("a model with batch norm cannot be trained", "model.norm",
                       "use layer or RMS norm");
            const NodeRead x = reads();
            if (x.buffer.columns.blocks != compiler.m_plan[id].shape[1] &&
                x.buffer.columns.blocks > 1)
                refuse("a model with a norm over all heads cannot be trained",
                       "model.query_key_norm", "use a norm for each head");
            const RowLayout row{1, x.buffer.columns.width};
            const auto gain = compiler.parameter(id, 0, {1, 1}, row);
            const auto bias = compiler.parameter(id, 1, {1, 1}, row);
            NormNumbers numbers;
            numbers.gain = gain ? &*gain : nullptr;
            numbers.bias = bias ? &*bias : nullptr;
            numbers.centred = operation.kind == NormKind::Layer;
            numbers.epsilon = operation.epsilon;
            numbers.extras = compiler.newExtras(2 * out.rows * out.columns.blocks);
            add(normNode(x, out, numbers));
        }
        void operator()(const op::Linear &operation) const {
            const NodeRead x = reads();
            const auto matrix =
                operation.transposed
                    ? compiler.parameter(id, 0, out.columns, x.buffer.columns, true, true)
                    : compiler.parameter(id, 0, x.buffer.columns, out.columns, true, true);
            const auto bias = compiler.parameter(id, 1, {1, 1}, out.columns);
            if (!matrix)
                refuse("a matrix is missing", "model", "");
            add(linearNode(x, out, *matrix, bias ? &*bias : nullptr, operation.transposed));
        }
        void operator()(const op::ApplyRotary &operation) const {
            add(rotateNode(reads(), out, RotaryTable(operation.turns, out.rows)));
        }
        void operator()(const op::WeightedSum &) const {
            const Scores scores = compiler.scoresOf(id);
            const AttentionId attention = compiler.m_plan[id].at.attention;
            AttentionOffsets places;
            places.query = reads(0);
            places.key = reads(1);
            places.value = reads(2);
            places.context = out;
            places.extras = compiler.newExtras(places.query.buffer.columns.blocks * out.rows *
                                               padded(places.key.buffer.rows));
            places.keysOfSource =
                attention.block == Block::CrossAttention || compiler.isOfSource(id);
            places.scale = scores.scale.factor;
            places.temperature = scores.softmax.temperature;
            AttentionMask mask{maskLayersOf(compiler.m_model.configOf(attention.stack),
                                            compiler.m_masks, attention),
                               scores.mask.value};
            if (std::ranges::any_of(mask.layers, [](const MaskLayer &layer) {
                    return std::holds_alternative<CellMask>(layer);
                }))
                refuse("a model with single-cell mask edits cannot be trained", "masks",
                       "remove that mask layer");
            compiler.m_program.attentionScratch =
                std::max(compiler.m_program.attentionScratch, attentionScratch(places));
            add(attentionNode(places, mask, biasOf(scores)));
        }
        std::optional<AttentionBias> biasOf(const Scores &scores) const {
            if (!scores.bias)
                return std::nullopt;
            StepId at = *scores.bias;
            while (std::holds_alternative<op::Clone>(compiler.m_plan[at].operation))
                at = compiler.m_plan.origin(compiler.m_plan[at].reads[0]);
            AttentionBias bias{std::get<op::DistanceBias>(compiler.m_plan[at].operation)};
            if (const auto *learned = std::get_if<DistanceBias::Relative>(&bias.of.by)) {
                const Index heads = compiler.m_plan[at].shape[1];
                bias.table = compiler.parameter(at, 0, {1, learned->config.buckets}, {1, heads});
            }
            return bias;
        }
        void operator()(const op::Each &operation) const { std::visit(*this, operation.function); }
        void operator()(op::Scale of) const { add(scaleNode(reads(), out, of.factor)); }
        void operator()(Activation activation) const {
            add(activateNode(reads(), out, activation));
        }
        void operator()(op::Tanh) const { add(tanhNode(reads(), out)); }
        void operator()(op::Sigmoid) const { refuseExperts(); }
        void operator()(op::Softcap) const {
            refuse("a model with a logit cap cannot be trained", "model.logit_cap", "turn it off");
        }
        void operator()(const op::Add &) const { add(addNode(reads(0), reads(1), out)); }
        void operator()(const op::Gate &operation) const {
            add(gateNode(reads(0), reads(1), out, operation.activation));
        }
        void operator()(const op::Pool &operation) const {
            if (operation.pooling == Pooling::LargestId)
                refuse("a model that reads the token with the largest id cannot be trained",
                       "model.head.pooling", "use another pooling");
            add(poolNode(reads(), out, operation.pooling, compiler.isOfSource(id)));
        }
        void operator()(const op::Clone &) const { add(scaleNode(reads(), out, 1)); }
        template <OneOf<op::Captured, op::SplitHeads, op::JoinColumns, op::JoinNeighbours,
                        op::TuneQueries>
                      Other>
        void operator()(const Other &) const {
            constexpr Untrained why = kUntrained<Other>;
            refuse(why.what, why.where, why.remedy);
        }
        template <
            OneOf<op::KeepLargest, op::ScaleForExperts, op::ExpertLinear, op::MixExperts> OfExperts>
        void operator()(const OfExperts &) const {
            refuseExperts();
        }
        [[noreturn]] static void refuseExperts() {
            refuse("a model with experts cannot be trained", "model.feed_forward.experts",
                   "use one network for all tokens");
        }
        /// These steps have no node. They belong to the attention node, or scoresOf() refuses the
        /// model. SetCells and Replace are interventions, which training does not have.
        template <
            OneOf<op::DotProduct, op::DistanceBias, op::DistanceVectors, op::PickDistances,
                  op::Mask, op::Softmax, op::SinkWeight, op::ConcatHeads, op::SetCells, op::Replace>
                Other>
        void operator()(const Other &) const {}
    };

    const Model &m_model;
    const Input &m_masks;
    Plan m_plan;
    std::vector<Buffer> m_buffers;
    std::vector<bool> m_isNeeded, m_isOfAttention;
    std::vector<std::vector<Accumulate>> m_flows; ///< [step][input], inputs as in readsOf()
    Program m_program;
};

} // namespace

Result<Program> compileForTraining(const Model &model, const Input &masks, Index tokens,
                                   Index sourceTokens) try {
    return Compiler(model, masks, tokens, sourceTokens).take();
} catch (const Refused &refused) {
    return refused.error;
}

} // namespace headlight::core
