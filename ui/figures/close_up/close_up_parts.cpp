#include "ui/figures/close_up/close_up_parts.h"

#include "core/explain/evaluation.h"
#include "core/explain/inlined.h"
#include "core/explain/sources.h"
#include "core/selection/selected.h"
#include "core/transformer/run/step_parameter.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/head_text.h"
#include "ui/text/parameter_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::ui {

namespace {

using core::Expression;
using core::Index;
using core::MeetingMatrix;
using Kind = core::Expression::Kind;
using Shares = core::MeetingMatrix::Shares;

// Limits for parts that are computed only for the picture. They keep the picture fast.
constexpr Index kMaxMade = 1 << 17;    // cells
constexpr Index kMaxSearched = 64;     // rows or columns that are searched for the largest term
constexpr Index kTableRows = 3;        // number of table rows shown around a word
constexpr Index kMaxLearned = 1 << 22; // numbers of a parameter matrix that are read

core::Tensor transposed(const core::SharedMatrix &matrix) {
    std::vector<float> numbers(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (Index r = 0; r < matrix.rows; ++r)
        for (Index c = 0; c < matrix.columns; ++c)
            numbers[static_cast<std::size_t>(c * matrix.rows + r)] = matrix(r, c);
    return core::Tensor({1, 1, matrix.columns, matrix.rows}, std::move(numbers));
}

/// Swaps rows and columns.
HeatmapContent turned(HeatmapContent content) {
    content.tensor = transposed(content.matrix());
    content.sequence = content.head = 0;
    content.columnLabels = std::exchange(content.rowLabels, {}); // the new rows have no labels
    std::swap(content.selectedRow, content.selectedColumn);
    content.columnsAreTokens = true;
    content.firstPaddingRow = -1;
    content.columnGroups.clear();
    content.mask = nullptr;
    content.keptPainting = nullptr;
    return content;
}

class PartsMaker {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CloseUpParts)

  public:
    PartsMaker(const core::TracePointer &trace, const core::Selection &current,
               const FigureStyle &style, const FigureOptions &options, HeatmapCache *kept)
        : m_trace(trace), m_current(current), m_style(style), m_options(options), m_kept(kept) {}

    CloseUpParts make() {
        const core::StageId at{m_current.stage, m_current.attention()};
        m_parts.result = stagePart(m_current, m_options);
        addSinkColumn(m_parts.result.content, m_trace, m_current, m_options);
        m_parts.result.content.computedTo =
            computedTo(m_current, m_options.granularity, m_parts.result.columns());
        m_row = m_parts.result.content.selectedRow;
        m_column = m_parts.result.content.selectedColumn;
        const auto region = core::regionOf(m_trace->plan(), m_current);
        if (!region || m_parts.result.content.matrix().empty())
            return std::move(m_parts);
        m_slice = {*m_trace->plan().find(at), region->head, {}, {}};
        const Expression number = meaning(m_slice);
        m_parts.sign = QString::fromStdString(core::signBetween(number));
        for (const MeetingMatrix &one : core::meetingMatrices(number))
            add(one);
        if (number.is(Kind::Given) && m_current.stage == core::Stage::Embeddings)
            addTable();
        findSummedColumns();
        mark(core::meetingOf(number));
        m_parts.largestTerm = largestTerm();
        m_parts.largestColumn = largestColumn();
        return std::move(m_parts);
    }

  private:
    Expression meaning(const core::Slice &slice) const {
        return core::inlinedMeaning(*m_trace, m_current.sequence, slice, core::Inline::EachNumber)
            .number;
    }

    CloseUpPart stagePart(const core::Selection &at, const FigureOptions &options) const {
        const core::Stage named = namedStage(at.stage, at.layer);
        CloseUpPart part;
        part.content = contentOf(m_trace, at, m_style, options, m_kept);
        part.symbol = symbolSpans(symbolText(*m_trace, {named, at.attention()}),
                                  part.content.titleColour, true);
        part.name = nameOfHeads(at, titleOf(m_trace->model(), named));
        part.at = core::StageId{at.stage, at.attention()};
        part.isOfHead = hasSeveralHeads(m_trace->model(), *part.at);
        if (core::infoOf(at.stage).columns == core::Columns::Dimensions)
            part.content.columnLabels.clear();
        return part;
    }

    /// Adds the head numbers to the name if several heads share their keys and values.
    QString nameOfHeads(const core::Selection &at, const QString &name) const {
        const core::Index heads = m_trace->model().headsOf(at.attention());
        const core::Shape shape = shapeOf(*m_trace, at.stage, at.attention());
        if (!core::infoOf(at.stage).ofKeys() || shape.rank() < 4 || shape[1] >= heads)
            return name;
        const core::Index each = heads / shape[1], first = at.head / each * each;
        return (each == 2 ? tr("%1 of heads %2 and %3") : tr("%1 of heads %2 to %3"))
            .arg(name)
            .arg(first)
            .arg(first + each - 1);
    }

    void add(const MeetingMatrix &meeting) {
        if (meeting.part.is(Kind::Read))
            addRead(meeting);
        else if (m_options.compared.shown != ComparisonSide::Difference)
            meeting.part.is(Kind::Learned) ? addLearned(meeting) : addMade(meeting);
    }

    void place(CloseUpPart part, const MeetingMatrix &meeting) {
        part.shares = meeting.shares;
        part.isTransposed = meeting.isTransposed;
        part.isSummed = meeting.isSummed;
        part.content.title.clear();
        part.content.rowAxis.clear();
        part.content.columnAxis.clear();
        (part.isAbove() ? m_parts.above : m_parts.left).push_back(std::move(part));
    }

    struct Source {
        core::StageId at;
        // False if an unnamed step between the stage and the result mixes rows or columns.
        bool sharesRows = true, sharesColumns = true;
    };
    /// Returns the stage that the step reads. Skips unnamed steps in between.
    std::optional<Source> stageRead(const Expression &read) const {
        const core::Plan &plan = m_trace->plan();
        core::StepId step = plan[read.step].reads[read.which];
        Source source{};
        while (!plan[step].isNamed() && !plan[step].reads.empty()) {
            const auto meetings = core::meetingMatrices(
                core::meaningOf(*m_trace, m_current.sequence, {step, 0, {}, {}}).number);
            const auto first = std::ranges::find_if(meetings, [](const MeetingMatrix &one) {
                return one.part.is(Kind::Read) && one.part.which == 0;
            });
            if (first != meetings.end()) { // each joined head is part of every row
                const bool isCells = first->shares == Shares::Cells, isBlock = !!first->block;
                source.sharesRows &= isCells || isBlock || first->shares == Shares::Rows;
                source.sharesColumns &= isCells || (!isBlock && first->shares == Shares::Columns);
            }
            step = plan[step].reads[0];
        }
        source.at = plan[step].at;
        return plan[step].isNamed() ? std::optional(source) : std::nullopt;
    }
    static Shares sharedWith(const Source &source, const MeetingMatrix &meeting) {
        const bool isCells = meeting.shares == Shares::Cells;
        const bool rows = source.sharesRows && (isCells || meeting.shares == Shares::Rows);
        const bool columns = (meeting.isTransposed ? source.sharesRows : source.sharesColumns) &&
                             (isCells || meeting.shares == Shares::Columns);
        return rows && columns ? Shares::Cells
               : rows          ? Shares::Rows
               : columns       ? Shares::Columns
                               : Shares::Nothing;
    }

    void addRead(MeetingMatrix meeting) {
        const auto source = stageRead(meeting.part);
        if (!source)
            return;
        meeting.shares = sharedWith(*source, meeting);
        core::Selection selection = atStage(m_current, source->at);
        if (meeting.part.head)
            selection.head = *meeting.part.head;
        FigureOptions options = m_options;
        options.title.clear();
        CloseUpPart part = stagePart(selection, options);
        if (part.content.matrix().empty())
            return;
        if (meeting.block) {
            part.isBlock = true;
            part.isOfHead = false; // all heads are visible, side by side
            part.head = meeting.part.head;
            part.firstColumn = m_columnsOfBlocks;
            m_columnsOfBlocks += part.columns();
            if (part.head) {
                part.symbol << Span{QString::number(*part.head), part.content.titleColour, true,
                                    Span::Place::Subscript};
                part.name = tr("head %1").arg(*part.head);
            }
        }
        if (meeting.isTransposed) {
            part.content = turned(std::move(part.content));
            part.symbol << Span{QStringLiteral("T"), part.content.titleColour, true,
                                Span::Place::Superscript};
            part.name = tr("%1, transposed").arg(part.name);
        }
        place(std::move(part), meeting);
    }

    /// Returns the heatmap of all numbers of a sampled parameter matrix. Null if there are too
    /// many, or if a difference is shown.
    std::shared_ptr<const HeatmapContent> wholeOf(const ParameterHeatmap &learned) const {
        const core::ParameterBlock &block = learned.matrix.block;
        const bool isTransposed = learned.matrix.transposed;
        if (block.rows * block.columns > kMaxLearned ||
            m_options.compared.shown == ComparisonSide::Difference)
            return nullptr;
        const auto make = [&]() -> std::shared_ptr<const HeatmapContent> {
            auto numbers =
                std::make_shared<core::Matrix>(isTransposed ? block.columns : block.rows,
                                               isTransposed ? block.rows : block.columns);
            const core::Outcome read =
                isTransposed ? block.copyTransposed(numbers->view()) : block.copy(numbers->view());
            if (!read)
                return nullptr;
            auto whole = std::make_shared<HeatmapContent>(learned.content);
            whole->tensor =
                core::Tensor(core::SharedMatrix(std::as_const(*numbers).view(), numbers));
            whole->keptPainting = std::make_shared<PaintingCache>();
            return whole;
        };
        return m_kept
                   ? m_kept->wholeLearned(m_trace, withoutCell(m_current), m_style, m_options, make)
                   : make();
    }

    /// Adds a bias, a row of a table, or a weight matrix in the orientation used.
    void addLearned(const MeetingMatrix &meeting) {
        if (!m_options.learned)
            return;
        const bool isRow = meeting.part.is(Kind::Learned) &&
                           meeting.part.row.kind == core::Coordinate::Kind::Fixed;
        if (isRow)
            return addMade(meeting);
        auto learned = learnedOf(m_trace, m_current, m_style, m_options, m_kept);
        if (!learned)
            return;
        CloseUpPart part;
        part.content = learned->content;
        part.symbol = learned->symbol;
        part.name = ParameterHeatmap::name();
        part.isSampled = !learned->sample.isWhole();
        if (const auto whole = part.isSampled ? wholeOf(*learned) : nullptr) {
            part.content = *whole;
            part.isSampled = false;
        }
        part.whole = core::MatrixSize{learned->sample.rows, learned->sample.columns};
        part.learned = std::move(learned);
        part.isOfHead = m_parts.result.isOfHead && isSplit(meeting.part);
        MeetingMatrix whole = meeting;
        whole.isTransposed = false; // the sample already has the orientation used
        if (whole.shares == Shares::Columns && !part.isSampled)
            part.content.columnLabels = m_parts.result.content.columnLabels;
        place(std::move(part), whole);
    }

    /// Adds part of the table in which the words are looked up: the selected word's row and its
    /// neighbours.
    void addTable() {
        const core::Plan &plan = m_trace->plan();
        const core::Step &step = plan[plan.origin(m_slice.step)];
        const core::Stack stack = step.at.attention.stack;
        const core::Sequence &sequence = m_trace->input().of(stack)[m_current.sequence];
        const core::Vocabulary *words = m_trace->model().vocabularyOf(stack);
        const Index token =
            std::min(m_row.value_or(0), static_cast<Index>(sequence.tokens.size()) - 1);
        if (step.parameters.empty() || sequence.embeddings || !words || token < 0 ||
            !m_options.learned || m_options.compared.shown != ComparisonSide::Now)
            return;
        const core::ParameterBlock table =
            core::sliceOf(m_trace->model().parameters, step.parameters[0], step.heads(), 0);
        const auto word = words->idOf(sequence[token]);
        if (!word || table.empty() || *word >= table.rows)
            return;
        const Index count = std::min(kTableRows, table.rows);
        const Index first = std::clamp<Index>(*word - count / 2, 0, table.rows - count);
        auto numbers = std::make_shared<core::Matrix>(count, table.columns);
        if (!table.rowBlock(first, count).copy(numbers->view()))
            return;
        CloseUpPart part;
        part.content.tensor =
            core::Tensor(core::SharedMatrix(std::as_const(*numbers).view(), numbers));
        part.content.scale = m_parts.result.content.scale;
        part.content.numbers = m_options.numbers;
        part.content.titleColour = m_parts.result.content.titleColour;
        for (Index row = first; row < first + count; ++row)
            part.content.rowLabels << wordName(words, row);
        part.content.selectedRow = *word - first;
        part.symbol = symbolSpans(markedSymbolOf(step.parameters[0].id.which),
                                  part.content.titleColour, true);
        part.name = tr("a row for each word");
        part.whole = core::MatrixSize{table.rows, table.columns};
        MeetingMatrix meeting;
        meeting.shares = Shares::Columns;
        place(std::move(part), meeting);
    }

    /// Returns the part's numbers, computed by its expression. Null if that would take too long.
    core::Tensor numbersOf(const MeetingMatrix &meeting) const {
        const core::SharedMatrix made = m_parts.result.content.matrix();
        if (made.rows * made.columns > kMaxMade)
            return {};
        const auto make = [&] { return computed(meeting); };
        return m_kept && meeting.name
                   ? m_kept->intermediate(
                         m_trace, {m_slice, m_current.sequence, meeting.part.step, *meeting.name},
                         make)
                   : make();
    }
    core::Tensor computed(const MeetingMatrix &meeting) const {
        const core::SharedMatrix made = m_parts.result.content.matrix();
        const bool hasRows = meeting.shares == Shares::Cells || meeting.shares == Shares::Rows;
        const bool hasColumns = meeting.shares != Shares::Rows;
        const Index rows = hasRows ? made.rows : 1, columns = hasColumns ? made.columns : 1;
        const bool needsRow = meeting.name == core::Quantity::Exponential;
        std::vector<float> numbers;
        for (Index row = 0; row < rows; ++row) {
            const bool isOfSink = meeting.name == core::Quantity::SinkExponential;
            if ((needsRow || isOfSink || meeting.name == core::Quantity::Sum) &&
                isWhollyHidden(row)) { // the sink takes the entire weight of the row
                numbers.insert(numbers.end(), static_cast<std::size_t>(columns),
                               isOfSink ? 1.0F : 0.0F);
                continue;
            }
            core::Slice slice = m_slice;
            slice.row = row;
            const Expression number = meaning(slice);
            Expression part = meeting.part;
            // Use the expression of this row instead.
            for (const MeetingMatrix &one : core::meetingMatrices(number))
                if (one.name == meeting.name && one.part.kind == meeting.part.kind &&
                    one.part.step == meeting.part.step && one.part.which == meeting.part.which)
                    part = one.part;
            slice.column = 0;
            core::Evaluation evaluation(*m_trace, m_current.sequence, slice);
            if (!hasColumns) {
                numbers.push_back(static_cast<float>(evaluation.value(part)));
                continue;
            }
            for (const double value : evaluation.row(part))
                numbers.push_back(static_cast<float>(value));
        }
        return core::Tensor({1, 1, rows, columns}, std::move(numbers));
    }

    /// True if softmax makes this row 0 because its query sees no key.
    bool isWhollyHidden(Index row) const {
        if (m_parts.left.empty() || m_parts.left.front().rows() <= row)
            return false;
        const core::SharedMatrix made = m_parts.result.content.matrix();
        const core::SharedMatrix scores = m_parts.left.front().content.matrix();
        constexpr float kHidden = -std::numeric_limits<float>::infinity();
        const auto isAll = [](const auto &numbers, float value) {
            return std::ranges::all_of(numbers, [value](float each) { return each == value; });
        };
        return isAll(made.row(row), 0) && isAll(scores.row(row), kHidden);
    }

    void addMade(const MeetingMatrix &meeting) {
        const core::Tensor numbers = numbersOf(meeting);
        if (numbers.isNull() || numbers.values().empty())
            return;
        CloseUpPart part;
        const HeatmapContent &made = m_parts.result.content;
        part.content.tensor = numbers;
        part.content.scale = ColourScale::of(
            numbers, 0, 0,
            meeting.name == core::Quantity::Exponential ? m_style.weightsMap : m_style.signedMap,
            Range::PerHead);
        part.content.setScale(part.content.scale, m_style, m_options);
        part.content.titleColour = made.titleColour;
        if (meeting.shares != Shares::Columns)
            part.content.rowLabels = made.rowLabels;
        if (meeting.shares != Shares::Rows) {
            part.content.columnLabels = made.columnLabels;
            part.content.columnsAreTokens = made.columnsAreTokens;
        }
        if (meeting.part.is(Kind::Choose)) { // mark hidden keys in the mask M, as in every heatmap
            part.isMask = true;
            part.content.mask = made.mask;
            part.content.hiddenHaveNumbers = made.hiddenHaveNumbers;
        }
        part.isOfHead = m_parts.result.isOfHead && isMadeOfHead(meeting);
        // Without this, a small divisor would be shown as .00.
        part.content.showsSmall = meeting.shares != Shares::Cells;
        const auto [symbol, name] = textOf(meeting);
        part.symbol = symbolSpans(symbol, made.titleColour, true);
        part.name = name;
        place(std::move(part), meeting);
    }

    /// True if the parameter is split between heads.
    bool isSplit(const Expression &learned) const {
        using Split = core::ParameterSlice::Split;
        return m_trace->plan()[learned.step].parameters[learned.which].split != Split::Whole;
    }
    /// True if the intermediate result differs between heads.
    bool isMadeOfHead(const MeetingMatrix &meeting) const {
        using core::Quantity;
        constexpr Quantity kOfHead[] = {Quantity::Mean, Quantity::Variance, Quantity::Exponential,
                                        Quantity::Sum, Quantity::SinkExponential};
        return meeting.part.is(Kind::Learned)
                   ? isSplit(meeting.part)
                   : meeting.name && std::ranges::find(kOfHead, *meeting.name) != std::end(kOfHead);
    }

    std::pair<QString, QString> textOf(const MeetingMatrix &meeting) const {
        if (meeting.part.is(Kind::Learned)) {
            const core::Step &step = m_trace->plan()[meeting.part.step];
            return {meeting.symbol.empty()
                        ? markedSymbolOf(step.parameters[meeting.part.which].id.which)
                        : QString::fromStdString(meeting.symbol),
                    ParameterHeatmap::name()};
        }
        if (meeting.part.is(Kind::Choose))
            return {QStringLiteral("M"), tr("mask")};
        switch (meeting.name.value_or(core::Quantity::Other)) {
        case core::Quantity::Mean:
            return {QStringLiteral("μ"), tr("mean")};
        case core::Quantity::Variance:
            if (meeting.symbol.empty()) // RMSNorm does not subtract the mean
                return {QStringLiteral("RMS²"), tr("mean of the squares")};
            return {QStringLiteral("σ²"), tr("variance")};
        case core::Quantity::Exponential:
            return {QStringLiteral("e^(%1 − max)").arg(readSymbol()), tr("exponentials")};
        case core::Quantity::Sum:
            return {tr("sum"), tr("of each row")};
        case core::Quantity::SinkExponential: // a short symbol, for a narrow column
            return {QStringLiteral("e^s"), tr("sink, minus max")};
        case core::Quantity::Factor:
            return {QStringLiteral("τ"), tr("factors")};
        default:
            return {QStringLiteral("P"), tr("positions")};
        }
    }

    /// Returns the symbol of the first left operand.
    QString readSymbol() const {
        return m_parts.left.empty() ? QString() : plainText(m_parts.left.front().symbol);
    }

    /// Outlines the row and the column that meet in the selected number.
    void mark(std::optional<core::Meeting> meeting) {
        if (m_style.isPaper && !m_row)
            return;
        const bool isByRows = meeting == core::Meeting::ByRows;
        std::vector<HeatmapMark> &result = m_parts.result.content.marks;
        for (CloseUpPart &part : m_parts.left) {
            const bool isCell = part.shares == Shares::Cells && !isByRows;
            if (!m_row || part.shares == Shares::Nothing)
                continue;
            const auto column =
                isCell && m_column && *m_column < part.columns() ? m_column : std::nullopt;
            part.content.marks = {{m_row, column, part.content.titleColour}};
            part.content.selectedRow = m_row; // to highlight its label
            if (meeting == core::Meeting::Product)
                result = {{m_row, {}, part.content.titleColour}};
        }
        for (CloseUpPart &part : m_parts.above) {
            part.content.marks.clear();
            part.content.selectedColumn.reset();
            if (const auto row = std::exchange(part.content.selectedRow, {}); part.whole && row) {
                part.content.selectedRow = row; // the word that was looked up
                part.content.marks = {{row, {}, part.content.titleColour}};
            }
            const auto column = columnIn(part);
            if (part.isBlock && m_row) {
                part.content.selectedRow = m_row; // to highlight its label
                if (!m_column)
                    part.content.marks = {{m_row, {}, part.content.titleColour}};
            }
            if (!column || !part.content.marks.empty())
                continue;
            part.content.marks = {{{}, *column, part.content.titleColour}};
            part.content.selectedColumn = *column;
            if (part.isBlock && m_row)
                part.content.marks = {{m_row, column, part.content.titleColour}};
            if (meeting == core::Meeting::Product && m_column && part.isSummed)
                result.push_back({{}, m_column, part.content.titleColour});
        }
        if (!result.empty() && m_row && m_column)
            result.push_back({m_row, m_column, m_style.selection});
        if (result.size() == 1 && !m_column) // only the row is selected
            result.front().colour = m_style.selection;
    }

    /// Returns the column of the part for the selected column of the result.
    std::optional<Index> columnIn(const CloseUpPart &part) const {
        if (!m_column)
            return std::nullopt;
        const Index column = part.isSampled ? part.learned->sample.sampledColumn(*m_column)
                                            : *m_column - part.firstColumn;
        return column >= 0 && column < part.columns() ? std::optional(column) : std::nullopt;
    }

    /// Finds the columns of the left operand that are summed for the selected number, if not all
    /// are summed. An expert reads only the columns that belong to it.
    void findSummedColumns() {
        if (m_parts.left.empty() || m_parts.above.empty())
            return;
        CloseUpPart &left = m_parts.left.back();
        const CloseUpPart &above = m_parts.above.front();
        const Index depth = above.rows();
        if (!left.isSummed || !above.isSummed || above.isSampled || depth == 0 ||
            left.columns() <= depth || left.columns() % depth != 0)
            return;
        const Index experts = left.columns() / depth;
        const Index expert =
            m_column.value_or(0) / std::max<Index>(1, m_parts.result.columns() / experts);
        left.summedColumns = {std::min(expert, experts - 1) * depth, depth};
    }

    /// Returns the column of the largest number. Among equal numbers, prefers the one to which the
    /// first operand contributes most, such as a 1 of an embedding over a 1 of its position.
    std::optional<Index> largestColumn() const {
        const core::SharedMatrix made = m_parts.result.content.matrix();
        if (made.rows * made.columns == 0 || (m_row && *m_row >= made.rows) ||
            (!m_row && made.rows * made.columns > kMaxMade))
            return std::nullopt;
        core::SharedMatrix first;
        if (!m_parts.left.empty() && m_parts.left.front().shares == Shares::Cells)
            first = m_parts.left.front().content.matrix();
        const bool hasFirst = first.rows == made.rows && first.columns == made.columns;
        std::pair<float, float> most(-1, -1);
        Index largest = 0;
        for (Index row = m_row.value_or(0), end = m_row ? row + 1 : made.rows; row < end; ++row)
            for (Index column = 0; column < made.columns; ++column)
                if (const std::pair size(std::abs(made(row, column)),
                                         hasFirst ? std::abs(first(row, column)) : 0.0F);
                    size > most) {
                    most = size;
                    largest = column;
                }
        return largest;
    }

    std::optional<Index> largestTerm() const {
        if (m_parts.left.empty() || m_parts.above.empty())
            return std::nullopt;
        const CloseUpPart &left = m_parts.left.back(), &above = m_parts.above.front();
        const core::SharedMatrix a = left.content.matrix(), b = above.content.matrix();
        const core::Rows summed = left.summedColumns.value_or(core::Rows{0, a.columns});
        if (!left.isSummed || !above.isSummed || summed.count != b.rows)
            return std::nullopt;
        // Find the largest term in the selected row and column, or else in the first ones.
        const Index rows = m_row ? 1 : std::min(a.rows, kMaxSearched);
        const Index columns = m_column ? 1 : std::min(b.columns, kMaxSearched);
        const auto sizeOf = [&](Index i) {
            float ofRows = 0, ofColumns = 0;
            for (Index row = m_row.value_or(0), end = row + rows; row < end; ++row)
                ofRows = std::max(ofRows, std::abs(a(row, summed.first + i)));
            for (Index column = m_column.value_or(0), end = column + columns; column < end;
                 ++column)
                ofColumns = std::max(ofColumns, std::abs(b(i, column)));
            return ofRows * ofColumns;
        };
        std::optional<Index> largest;
        float most = -1;
        for (Index i = 0; i < summed.count; ++i)
            if (const float size = sizeOf(i); size > most) {
                most = size;
                largest = i;
            }
        return largest;
    }

    const core::TracePointer &m_trace;
    const core::Selection &m_current;
    const FigureStyle &m_style;
    const FigureOptions &m_options;
    HeatmapCache *m_kept;
    core::Slice m_slice;
    std::optional<Index> m_row, m_column;
    CloseUpParts m_parts;
    core::Index m_columnsOfBlocks = 0; ///< total of the blocks so far; blocks are side by side
};

} // namespace

CloseUpParts CloseUpParts::of(const core::TracePointer &trace, const core::Selection &current,
                              const FigureStyle &style, const FigureOptions &options,
                              HeatmapCache *kept) {
    return PartsMaker(trace, current, style, options, kept).make();
}

} // namespace headlight::ui
