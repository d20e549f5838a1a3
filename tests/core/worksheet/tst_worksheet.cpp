// Steps of a lesson that a worksheet includes. Its answers must follow from the given numbers only,
// so this test computes them with the operations of a transformer, but without the trace.
#include "../explained_traces.h"
#include "../fixture.h"
#include "core/worksheet/task.h"
#include "core/worksheet/worksheet.h"
#include "core_test.h"

namespace {

Selection at(Stage stage) {
    Selection selection;
    selection.stage = stage;
    return selection;
}

WorksheetStep step(Index number, const TracePointer &trace) {
    WorksheetStep made;
    made.step = number;
    made.title = "Step";
    made.trace = trace;
    return made;
}

Question asked() {
    return {"Which?",
            {{"the first", "weights 0 0 0 0 > weights 0 0 0 0", {}},
             {"the second", "weights 0 0 0 0 = weights 0 0 0 0", {}}},
            {}};
}

} // namespace

TEST_CASE("a step that shows what an earlier one asked for is left out") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"money bank"}));
    Worksheet sheet;
    addStep(sheet, step(0, trace), at(Stage::Embeddings)); // this step has no task
    addStep(sheet, step(1, trace), at(Stage::Query));
    addStep(sheet, step(2, trace), at(Stage::Query)); // the same task as before
    addStep(sheet, step(3, trace), at(Stage::Key));
    addStep(sheet, step(4, trace), std::nullopt); // this step has only a picture
    REQUIRE(sheet.steps.size() == 2);
    CHECK(sheet.steps[0].step == 1);
    CHECK(sheet.steps[1].step == 3);
    CHECK(sheet.leftOut.empty());

    // The same stage of another text is a different task.
    addStep(sheet, step(5, traceOf(smallModel(), inputOf({"river bank"}))), at(Stage::Query));
    CHECK(sheet.steps.size() == 3);
}

TEST_CASE("a step gives the answers of an earlier one if it prints the numbers asked for there") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"money bank"}));
    Worksheet sheet;
    addStep(sheet, step(0, trace), at(Stage::Query));
    addStep(sheet, step(1, trace), at(Stage::Key));
    addStep(sheet, step(2, trace), at(Stage::Scores)); // this step prints the queries and the keys
    WorksheetStep question = step(3, trace);
    question.question = asked();
    question.pictured = at(Stage::Scores);
    addStep(sheet, question, std::nullopt);
    REQUIRE(sheet.steps.size() == 4);
    const auto gives = [&sheet](std::size_t later, std::size_t earlier) {
        return givesAnswersOf(sheet.steps[later], sheet.steps[earlier]);
    };
    CHECK_FALSE(gives(1, 0));
    CHECK(gives(2, 0));
    CHECK(gives(2, 1));
    CHECK(gives(3, 2)); // its picture has the scores
    CHECK_FALSE(gives(3, 1));
}

TEST_CASE("a question is included without a task, and its right answer is the trace's") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"money bank"}));
    Worksheet sheet;
    WorksheetStep one = step(0, trace);
    one.question = asked();
    addStep(sheet, one, std::nullopt);
    REQUIRE(sheet.steps.size() == 1);
    CHECK_FALSE(sheet.steps[0].task);
    CHECK(sheet.steps[0].right == std::size_t(1));
}

TEST_CASE("a question has the matrix of its picture, unless the task asks for it") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"money bank"}));
    const auto withPicture = [&](Stage pictured, const std::optional<Selection> &shown) {
        Worksheet sheet;
        WorksheetStep one = step(0, trace);
        one.question = asked();
        one.pictured = at(pictured);
        addStep(sheet, one, shown);
        REQUIRE(sheet.steps.size() == 1);
        return sheet.steps[0].picture;
    };
    const auto keys = withPicture(Stage::Key, at(Stage::Scores));
    REQUIRE(keys);
    CHECK(keys->isWhole());
    const SharedMatrix numbers = trace->stage(Stage::Key).matrix(0, 0);
    REQUIRE(keys->allRows == numbers.rows);
    REQUIRE(keys->allColumns == numbers.columns);
    for (std::size_t row = 0; row < keys->rows.size(); ++row)
        for (std::size_t column = 0; column < keys->columns.size(); ++column)
            CHECK(keys->number(row, column) ==
                  numbers(static_cast<Index>(row), static_cast<Index>(column)));
    CHECK(withPicture(Stage::AttentionWeights, std::nullopt));
    CHECK_FALSE(withPicture(Stage::Scores, at(Stage::Scores))); // it would give away the answer
}

TEST_CASE("an exercise is included without a task") {
    Worksheet sheet;
    WorksheetStep one = step(3, traceOf(smallModel(), inputOf({"money bank"})));
    one.exercise = Exercise{"Let *bank* listen to itself.", {{"it does", "1 > 2"}}, {}, {}};
    addStep(sheet, one, std::nullopt);
    REQUIRE(sheet.steps.size() == 1);
    CHECK(sheet.steps[0].step == 3);
    CHECK(sheet.steps[0].exercise->goals.size() == 1);
}

TEST_CASE("what is too large is reported") {
    const TracePointer trace = traceOf(
        smallModel(), inputOf({"one two three four five six seven eight nine ten eleven twelve "
                               "thirteen"}));
    Worksheet sheet;
    addStep(sheet, step(0, trace), at(Stage::AttentionWeights));
    CHECK(sheet.steps.empty());
    REQUIRE(sheet.leftOut.size() == 1);
    CHECK(sheet.leftOut[0].step == 0);
}

TEST_CASE("a session that is not a lesson asks for the stages of an attention module") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"money bank"}));
    Worksheet sheet;
    Selection selection = at(Stage::AttentionWeights);
    selection.layer = 1;
    addStages(sheet, trace, selection);
    std::vector<std::string> names;
    for (const WorksheetStep &one : sheet.steps)
        names.push_back(stageName(one.task->selection.stage, one.task->selection.attention()));
    CHECK(names.front() == "layers.1.self_attention.query");
    CHECK(std::ranges::count(names, "layers.1.self_attention.weights") == 1);
    CHECK(std::ranges::count(names, "layers.0.self_attention.weights") == 0);
}

namespace {

/// A given matrix, possibly a part of one. Its numbers are read by row and column of the whole
/// matrix.
class Given {
  public:
    explicit Given(const WorksheetMatrix &matrix) : m_matrix(matrix) {}

    double at(Index row, Index column) const {
        const auto r = std::ranges::find(m_matrix.rows, row);
        const auto c = std::ranges::find(m_matrix.columns, column);
        REQUIRE(r != m_matrix.rows.end());
        REQUIRE(c != m_matrix.columns.end());
        return static_cast<double>(
            m_matrix.number(static_cast<std::size_t>(r - m_matrix.rows.begin()),
                            static_cast<std::size_t>(c - m_matrix.columns.begin())));
    }
    Index rows() const { return m_matrix.allRows; }
    Index columns() const { return m_matrix.allColumns; }

  private:
    const WorksheetMatrix &m_matrix;
};

class Pencil {
  public:
    Pencil(const WorksheetTask &task, const Operation &operation) : m_task(task), m_by(operation) {}

    /// Returns nothing for an operation that this test does not implement.
    std::optional<double> at(Index row, Index column) const {
        if (std::holds_alternative<op::Linear>(m_by))
            return linear(row, column);
        if (std::holds_alternative<op::DotProduct>(m_by))
            return sum(stage(0).columns(),
                       [&](Index i) { return stage(0).at(row, i) * stage(1).at(column, i); });
        if (std::holds_alternative<op::WeightedSum>(m_by))
            return sum(stage(0).columns(),
                       [&](Index i) { return stage(0).at(row, i) * stage(1).at(i, column); });
        if (const auto *each = std::get_if<op::Each>(&m_by))
            if (const auto *of = std::get_if<op::Scale>(&each->function))
                return stage(0).at(row, column) * static_cast<double>(of->factor);
        if (std::holds_alternative<op::Mask>(m_by)) {
            const Given mask(m_task.given[1]);
            return m_task.asked.role == Role::Weights
                       ? stage(0).at(row, column) * mask.at(row, column)
                   : mask.at(row, column) == 0 ? stage(0).at(row, column)
                                               : mask.at(row, column);
        }
        if (const auto *of = std::get_if<op::Softmax>(&m_by); of && of->normalises)
            return softmax(row, column, static_cast<double>(of->temperature));
        if (const auto *of = std::get_if<op::SinkWeight>(&m_by)) {
            const double sink = Given(m_task.given[1]).at(0, 0);
            return 1 / (1 + sum(stage(0).columns(), [&](Index i) {
                            return std::exp((stage(0).at(row, i) - sink) /
                                            static_cast<double>(of->temperature));
                        }));
        }
        if (std::holds_alternative<op::Add>(m_by))
            return stage(0).at(row, column) + stage(1).at(row, column);
        if (const auto *of = std::get_if<op::AddRows>(&m_by);
            of && of->kind != op::AddRows::Kind::TokenTypes)
            return stage(0).at(row, column) + Given(m_task.given[1]).at(row, column);
        if (const auto *of = std::get_if<op::Pool>(&m_by)) {
            // Pools the tokens of one sequence, the only row of the task.
            if (of->pooling != Pooling::Mean)
                return stage(0).at(m_task.given[0].rows.front(), column);
            const Index count = m_task.trace->batch()[m_task.selection.sequence].length;
            return sum(count, [&](Index i) { return stage(0).at(i, column); }) /
                   static_cast<double>(count);
        }
        if (std::holds_alternative<op::ConcatHeads>(m_by)) {
            Index left = column;
            for (const WorksheetMatrix &one : m_task.given) {
                // Only heads with requested numbers are given.
                const Index first = one.head * one.allColumns;
                if (column >= first && column < first + one.allColumns)
                    return Given(one).at(row, left - first);
            }
            FAIL("no head has the column");
        }
        return std::nullopt;
    }

  private:
    Given stage(std::size_t which) const { return Given(m_task.given[which]); }
    static double sum(Index count, const std::function<double(Index)> &term) {
        double total = 0;
        for (Index i = 0; i < count; ++i)
            total += term(i);
        return total;
    }
    double linear(Index row, Index column) const {
        const WorksheetMatrix &w = m_task.given[1];
        REQUIRE(w.kind == WorksheetMatrix::Kind::Learned);
        const double bias = m_task.given.size() > 2 ? Given(m_task.given[2]).at(0, column) : 0.0;
        return bias + sum(stage(0).columns(), [&](Index i) {
                   return stage(0).at(row, i) *
                          (w.transposed ? Given(w).at(column, i) : Given(w).at(i, column));
               });
    }
    double softmax(Index row, Index column, double temperature) const {
        double most = -std::numeric_limits<double>::infinity();
        for (Index i = 0; i < stage(0).columns(); ++i)
            most = std::max(most, stage(0).at(row, i));
        if (std::isinf(most))
            return 0; // fully masked
        const auto e = [&](Index i) {
            return std::exp((stage(0).at(row, i) - most) / temperature);
        };
        const double sink = // an additional score without a weight
            m_task.given.size() > 1
                ? std::exp((Given(m_task.given[1]).at(0, 0) - most) / temperature)
                : 0;
        return e(column) / (sum(stage(0).columns(), e) + sink);
    }

    const WorksheetTask &m_task;
    const Operation &m_by;
};

Selection selectionAt(StageId at, Index sequence, Index head) {
    Selection selection;
    selection.stage = at.stage;
    selection.setAttention(at.attention);
    selection.sequence = sequence;
    selection.head = head;
    return selection;
}

/// Checks every stage of the trace, for every sequence and head.
std::map<std::string, int> checkAll(const TracePointer &trace) {
    std::map<std::string, int> done;
    const Plan &plan = trace->plan();
    for (StepId id = 0; id < plan.size(); ++id) {
        const Step &step = plan[id];
        if (!step.isNamed() || step.renames)
            continue;
        for (Index sequence = 0; sequence < step.sequences(); ++sequence)
            for (Index head = 0; head < step.heads(); ++head) {
                const auto made = worksheetTask(trace, selectionAt(step.at, sequence, head));
                const auto *task = std::get_if<WorksheetTask>(&made);
                if (!task)
                    continue;
                const std::string name = stageName(step.at.stage, step.at.attention);
                CAPTURE(name);
                CAPTURE(sequence);
                CAPTURE(head);
                REQUIRE(task->blank.size() == task->asked.numbers.size());
                CHECK(std::ranges::find(task->blank, true) != task->blank.end());
                if (step.changeAt(step.sequences() == 1 ? 0 : sequence, task->asked.head))
                    continue;
                const bool isChain = std::ranges::any_of(
                    step.reads, [&](StepId read) { return !plan[read].isNamed(); });
                if (isChain)
                    continue;
                const Pencil pencil(*task, step.operation);
                for (std::size_t r = 0; r < task->asked.rows.size(); ++r)
                    for (std::size_t c = 0; c < task->asked.columns.size(); ++c) {
                        const auto number = pencil.at(task->asked.rows[r], task->asked.columns[c]);
                        if (!number)
                            continue;
                        const auto expected = static_cast<double>(task->asked.number(r, c));
                        if (std::isinf(expected))
                            CHECK(*number == expected);
                        else
                            CHECK(*number == doctest::Approx(expected).epsilon(1e-4));
                        ++done[std::string(infoOf(step.at.stage).name)];
                    }
            }
    }
    return done;
}

} // namespace

TEST_CASE("the given numbers are enough to compute the requested ones") {
    std::map<std::string, int> done;
    for (const NamedTrace &named : explainedTraces()) {
        CAPTURE(named.name);
        for (const auto &[name, count] : checkAll(named.trace))
            done[name] += count;
    }
    for (const char *stage : {"query", "key", "value", "scores", "scaled_scores", "masked_scores",
                              "weights", "context", "concatenated", "output", "embedding_sum"}) {
        CAPTURE(stage);
        CHECK(done[stage] > 0);
    }
}

TEST_CASE("the given numbers are also enough in complete transformers") {
    std::map<std::string, int> done;
    for (const NamedTrace &named : blockTraces()) {
        CAPTURE(named.name);
        for (const auto &[name, count] : checkAll(named.trace))
            done[name] += count;
    }
    for (const char *stage : {"pooled", "class_logits", "residual", "layer.output", "logits"}) {
        CAPTURE(stage);
        CHECK(done[stage] > 0);
    }
}

TEST_CASE("rows of logits that are computed one at a time are filled in too") {
    int compared = 0;
    for (const NamedTrace &named : blockTraces()) {
        const Trace &whole = *named.trace;
        if (whole.source() || !whole.has(Stage::Logits))
            continue;
        CAPTURE(named.name);
        const Result<Computable> computable = Computable::of(whole.model(), whole.input());
        REQUIRE(computable.ok());
        const Result<TracePointer> rows = forward(*computable, nullptr, {}, Detail::Rows);
        REQUIRE(rows.ok());
        REQUIRE((*rows)->isByRow(Stage::Logits));
        const Selection selection = selectionAt({Stage::Logits, {}}, 0, 0);
        const auto made = worksheetTask(*rows, selection);
        const auto expected = worksheetTask(named.trace, selection);
        const auto *task = std::get_if<WorksheetTask>(&made);
        REQUIRE((task != nullptr) == std::holds_alternative<WorksheetTask>(expected));
        if (!task)
            continue;
        CHECK(task->asked.numbers == std::get<WorksheetTask>(expected).asked.numbers);
        ++compared;
    }
    CHECK(compared > 0);
}

TEST_CASE("words' vectors are not a task") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}));
    const auto made = worksheetTask(trace, selectionAt({Stage::Embeddings, {}}, 0, 0));
    REQUIRE(std::holds_alternative<WorksheetUnavailable>(made));
    CHECK(std::get<WorksheetUnavailable>(made) == WorksheetUnavailable::NothingToDo);
}

TEST_CASE("a norm over a batch is not a task, because only one sequence is given") {
    for (const bool several : {true, false}) {
        Model model = smallModel();
        model.config.norm.kind = NormKind::Batch;
        const TracePointer trace =
            traceOf(model, inputOf(several ? std::vector<std::string>{"money bank", "river bank"}
                                           : std::vector<std::string>{"money bank"}));
        const auto made = worksheetTask(trace, selectionAt({Stage::Norm, {}}, 0, 0));
        CHECK(std::holds_alternative<WorksheetUnavailable>(made) == several);
    }
}

TEST_CASE("a row that needs too many numbers is too large") {
    const TracePointer trace =
        traceOf(smallModel(), inputOf({"one two three four five six seven eight nine ten eleven "
                                       "twelve thirteen"}));
    const auto weights = worksheetTask(trace, selectionAt({Stage::AttentionWeights, {}}, 0, 0));
    REQUIRE(std::holds_alternative<WorksheetUnavailable>(weights));
    CHECK(std::get<WorksheetUnavailable>(weights) == WorksheetUnavailable::TooLarge);
    // Rows of queries are independent, so eight are requested, including the selected one.
    Selection selection = selectionAt({Stage::Query, {}}, 0, 0);
    selection.query = 11;
    const auto query = worksheetTask(trace, selection);
    REQUIRE(std::holds_alternative<WorksheetTask>(query));
    const auto &task = std::get<WorksheetTask>(query);
    CHECK(task.asked.rows.size() == 8);
    CHECK(std::ranges::count(task.asked.rows, 11) == 1);
    CHECK(task.given[0].rows == task.asked.rows);
    CHECK_FALSE(task.asked.isWhole());
}

TEST_CASE("a large task requests only some rows, including the selected one") {
    const Model model = explainedModel(3, {}, 1, Positions::None, true, false, 1);
    const TracePointer trace = traceOf(model, inputOf({"one two three four five six seven eight"}));
    Selection selection =
        selectionAt({Stage::Context, {}}, 0, 0); // 8 × 3 numbers, each the sum of 8 products
    selection.query = 6;
    const auto made = worksheetTask(trace, selection);
    REQUIRE(std::holds_alternative<WorksheetTask>(made));
    const auto &task = std::get<WorksheetTask>(made);
    CHECK(task.asked.rows == std::vector<Index>{4, 5, 6, 7});
    CHECK(task.asked.columns.size() == 3);
    CHECK(task.asked.allRows == 8);
    CHECK(task.given[0].rows == task.asked.rows); // the requested rows of the attention weights
    CHECK(task.given[1].rows.size() == 8);        // all rows of the values
}

TEST_CASE("stages of one sentence are requested for that sentence only") {
    Model model = smallModel();
    model.config.outputLayer = {.kind = OutputLayerKind::Classifier, .classes = 2};
    model.config.outputLayer.pooling = Pooling::Last;
    Random random(5);
    model.parameters.outputLayer.classifier = randomMatrix(random, 4, 2);
    const TracePointer trace = traceOf(model, inputOf({"money bank", "river bank", "the bank"}));
    const auto pooled = worksheetTask(trace, selectionAt({Stage::Pooled, {}}, 1, 0));
    REQUIRE(std::holds_alternative<WorksheetTask>(pooled));
    CHECK(std::get<WorksheetTask>(pooled).asked.rows == std::vector<Index>{1});
    // The classes are requested for all sequences.
    const auto classes = worksheetTask(trace, selectionAt({Stage::ClassLogits, {}}, 1, 0));
    REQUIRE(std::holds_alternative<WorksheetTask>(classes));
    CHECK(std::get<WorksheetTask>(classes).asked.rows.size() == 3);
}

TEST_CASE("an overridden score is mentioned") {
    Input input = inputOf({"money bank"});
    input.interventions.setScore({0, 0, 0, 1, 0, 1.5f});
    const TracePointer trace = traceOf(smallModel(), input);
    const auto made = worksheetTask(trace, selectionAt({Stage::Scores, {}}, 0, 0));
    REQUIRE(std::holds_alternative<WorksheetTask>(made));
    const auto &task = std::get<WorksheetTask>(made);
    CHECK(task.asked.number(1, 0) == 1.5f);
    CHECK(task.blank == std::vector<bool>{true, true, false, true});
}
