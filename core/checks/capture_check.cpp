#include "core/checks/capture_check.h"

#include "core/format_number.h"
#include "core/formats/capture/capture_trace.h"

#include <cmath>

namespace headlight::core {

namespace {

/// How far the sum of a row may be from 1: as the numbers were rounded when they were written.
double toleranceOf(const std::string &dtype) {
    if (dtype == "F16")
        return 1e-3;
    return dtype == "BF16" ? 1e-2 : 1e-4;
}

/// The rows of one stage, and what was found in them.
class StageCheck {
  public:
    StageCheck(const NamedTensor &stage, double tolerance, bool isNormalized,
               std::vector<Error> &problems)
        : m_stage(stage), m_tolerance(tolerance), m_problems(problems) {
        const auto place = findStageAnywhere(stage.name);
        if (!place)
            return;
        const StageInfo &info = infoOf(place->stage);
        m_isPerHead = info.perHead && stage.tensor.shape().rank() == 4;
        m_isWeights = isNormalized && place->stage == Stage::Weights;
        m_isScores = info.role == Role::Scores;
    }

    void run() {
        const Shape &shape = m_stage.tensor.shape();
        const Index columns = shape.last(0);
        const Index rows = columns > 0 ? shape.count() / columns : 0;
        for (Index row = 0; row < rows; ++row)
            checkRow(m_stage.tensor.values().data() + row * columns, columns, row);
        report(m_notNumbers, "of its cells are no numbers");
        report(m_negative, "of its rows have negative weights");
        report(m_sums, "of its rows do not sum to 1");
    }

  private:
    struct Found {
        Error first;
        Index others = 0;
        bool any = false;
    };

    void checkRow(const float *numbers, Index columns, Index row) {
        double sum = 0;
        bool isNumber = true, isNegative = false;
        for (Index column = 0; column < columns; ++column) {
            const float number = numbers[column];
            // What a mask hides has a score of −infinity.
            const bool isHidden = m_isScores && std::isinf(number) && number < 0;
            if (!std::isfinite(number) && !isHidden) {
                note(m_notNumbers, row, column, {"the number is %1", text(number)});
                isNumber = false;
            }
            if (m_isWeights && number < 0 && !isNegative) {
                note(m_negative, row, column, {"the weight is %1", text(number)});
                isNegative = true;
            }
            sum += static_cast<double>(number);
        }
        if (m_isWeights && isNumber && !isNegative && sum != 0 && std::abs(sum - 1) > m_tolerance)
            note(m_sums, row, -1, {"the weights sum to %1", text(static_cast<float>(sum))});
    }

    static std::string text(float number) {
        if (std::isnan(number))
            return "NaN";
        if (std::isinf(number))
            return number > 0 ? "infinite" : "−infinite";
        return exact(number);
    }

    void note(Found &found, Index row, Index column, Message what) {
        if (found.any) {
            ++found.others;
            return;
        }
        found.any = true;
        found.first = {std::move(what), placeOf(row, column), ""};
    }

    /// "layers.0.self_attention.weights, head 1, row 2, column 3".
    std::string placeOf(Index row, Index column) const {
        const Shape &shape = m_stage.tensor.shape();
        std::string place = m_stage.name;
        const Index rows = shape.rank() > 1 ? shape.last(1) : 1;
        Index matrix = row / rows;
        const Index heads = m_isPerHead ? shape[1] : 1;
        if (shape.rank() > 2 && shape[0] > 1)
            place += ", sequence " + std::to_string(matrix / heads);
        if (m_isPerHead)
            place += ", head " + std::to_string(matrix % heads);
        place += ", row " + std::to_string(row % rows);
        return column < 0 ? place : place + ", column " + std::to_string(column);
    }

    void report(const Found &found, const char *others) {
        if (!found.any)
            return;
        Error problem = found.first;
        if (found.others > 0)
            problem.what = {"%1; %2 more %3", problem.what, found.others, others};
        m_problems.push_back(std::move(problem));
    }

    const NamedTensor &m_stage;
    double m_tolerance;
    std::vector<Error> &m_problems;
    bool m_isPerHead = false, m_isWeights = false, m_isScores = false;
    Found m_notNumbers, m_negative, m_sums;
};

/// The heads of keys and values; 0 where neither was captured.
Index groupsOf(const Capture &capture) {
    for (const NamedTensor &stage : capture.stages)
        if (const auto place = findStageAnywhere(stage.name);
            place && infoOf(place->stage).ofKeys() && stage.tensor.shape().rank() == 4)
            return stage.tensor.shape()[1];
    return 0;
}

} // namespace

std::vector<Error> problemsOf(const Capture &capture) {
    std::vector<Error> problems;
    const Result<TracePointer> trace = traceOf(capture);
    if (!trace) {
        problems.push_back(trace.error());
    } else {
        const Index heads = (*trace)->model().config.heads;
        const Index groups = groupsOf(capture);
        if (groups > 0 && heads % groups != 0)
            problems.push_back({{"%1 heads cannot share %2 key and value heads", heads, groups},
                                "capture",
                                "check that all stages are of one model"});
    }
    const bool isNormalized = !capture.metadata.contains(std::string(kRowSums));
    for (std::size_t i = 0; i < capture.stages.size(); ++i)
        StageCheck(capture.stages[i],
                   toleranceOf(i < capture.types.size() ? capture.types[i] : "F32"), isNormalized,
                   problems)
            .run();
    return problems;
}

} // namespace headlight::core
