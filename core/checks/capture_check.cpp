#include "core/checks/capture_check.h"

#include "core/cancelled.h"
#include "core/format_number.h"
#include "core/formats/capture/capture_trace.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight::core {

namespace {

/// Returns the tolerance of a row's sum, which depends on the rounding of the number type.
double toleranceOf(const std::string &dtype) {
    if (dtype == "F16")
        return 1e-3;
    return dtype == "BF16" ? 1e-2 : 1e-4;
}

/// Checks the rows of one stage and collects the problems.
class StageCheck {
  public:
    StageCheck(const CapturedStage &stage, double tolerance, bool isNormalized,
               std::vector<Error> &problems)
        : m_stage(stage), m_tolerance(tolerance), m_problems(problems) {
        const auto place = findStageAnywhere(stage.name);
        if (!place)
            return;
        const StageInfo &info = infoOf(place->stage);
        m_isPerHead = info.perHead && stage.shape().rank() == 4;
        m_isWeights = isNormalized && place->stage == Stage::AttentionWeights;
        m_isScores = info.role == Role::Scores;
    }

    Outcome run(const std::stop_token &stop) {
        const Outcome checked = m_stage.isHeld() ? checkHeld(stop) : checkInFile(stop);
        if (!checked && isCancelled(checked.error()))
            return checked;
        if (!checked)
            m_problems.push_back({checked.error().what, m_stage.name, checked.error().remedy});
        report(m_notNumbers, "of its cells are NaN or infinite");
        report(m_negative, "of its rows have negative weights");
        report(m_sums, "of its rows do not sum to 1");
        return Done{};
    }

  private:
    struct Found {
        Error first;
        Index others = 0;
        bool any = false;
    };

    Outcome checkHeld(const std::stop_token &stop) {
        const Shape &shape = m_stage.shape();
        const Index columns = shape.last(0);
        StopCheck check(stop);
        for (Index row = 0; row < shape.count() / columns; ++row) {
            if (check.requested())
                return cancelled();
            checkRow(m_stage.tensor.values().data() + row * columns, columns, row);
        }
        return Done{};
    }

    /// Reads a few rows at a time, because the stage may be larger than memory.
    Outcome checkInFile(const std::stop_token &stop) {
        constexpr Index kAtOnce = Index(1) << 20; // numbers per read
        const Shape &shape = m_stage.shape();
        const Index rows = shape.last(1), columns = shape.last(0);
        const Index heads = shape.rank() > 3 ? shape[1] : 1;
        const Index sequences = shape.rank() > 2 ? shape[0] : 1;
        for (Index matrix = 0; matrix < sequences * heads; ++matrix)
            for (Index first = 0; first < rows;) {
                const Index count = std::min(rows - first, std::max<Index>(1, kAtOnce / columns));
                const Result<SharedMatrix> read =
                    readRows(m_stage.stored, matrix / heads, matrix % heads, {first, count}, stop);
                if (!read)
                    return read.error();
                for (Index row = 0; row < count; ++row)
                    checkRow(read->row(row).data(), columns, matrix * rows + first + row);
                first += count;
            }
        return Done{};
    }

    void checkRow(const float *numbers, Index columns, Index row) {
        double sum = 0;
        bool isNumber = true, isNegative = false;
        for (Index column = 0; column < columns; ++column) {
            const float number = numbers[column];
            // −∞ is valid: it is the score of a hidden cell.
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

    /// Returns a location such as "layers.0.self_attention.weights, head 1, row 2, column 3".
    std::string placeOf(Index row, Index column) const {
        const Shape &shape = m_stage.shape();
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

    const CapturedStage &m_stage;
    double m_tolerance;
    std::vector<Error> &m_problems;
    bool m_isPerHead = false, m_isWeights = false, m_isScores = false;
    Found m_notNumbers, m_negative, m_sums;
};

/// Finds attention modules whose number of query heads is not a multiple of their number of key and
/// value heads.
void checkGroups(const Capture &capture, std::vector<Error> &problems) {
    struct GroupCounts {
        Index heads = 0, groups = 0;
    };
    std::map<AttentionId, GroupCounts> layers;
    for (const CapturedStage &stage : capture.stages) {
        const auto place = findStageAnywhere(stage.name);
        if (!place || !infoOf(place->stage).inAttention() || stage.shape().rank() != 4)
            continue;
        GroupCounts &counts = layers[place->attention];
        (infoOf(place->stage).ofKeys() ? counts.groups : counts.heads) = stage.shape()[1];
    }
    for (const auto &[attention, counts] : layers)
        if (counts.heads > 0 && counts.groups > 0 && counts.heads % counts.groups != 0)
            problems.push_back(
                {{"%1 heads cannot share %2 key and value heads", counts.heads, counts.groups},
                 "layer " + std::to_string(attention.layer),
                 "check that all stages come from the same model"});
}

} // namespace

std::vector<Error> problemsOf(const Capture &capture, std::stop_token stop) {
    std::vector<Error> problems;
    if (const Result<TracePointer> trace = traceOf(capture); !trace)
        problems.push_back(trace.error());
    checkGroups(capture, problems);
    const bool isNormalized = !capture.metadata.contains(std::string(kRowSums));
    for (const CapturedStage &stage : capture.stages)
        if (!StageCheck(stage, toleranceOf(stage.type), isNormalized, problems).run(stop))
            return {cancelled()};
    return problems;
}

} // namespace headlight::core
