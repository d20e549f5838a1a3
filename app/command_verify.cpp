#include "app/commands.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/checks/verification.h"
#include "core/format_number.h"
#include "core/formats/json/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace headlight::app {

namespace {

using core::StageVerification;
using core::Verification;

/// Shows which layer is being verified, on a line of the terminal that is overwritten.
class VerifyProgress {
  public:
    VerifyProgress() {
        if (isTerminal())
            m_thread = std::jthread([this](std::stop_token stop) { show(std::move(stop)); });
    }
    ~VerifyProgress() {
        if (!m_thread.joinable())
            return;
        m_thread = {};
        sayOnTerminal("\r\x1b[K");
    }
    core::Progress &progress() { return m_progress; }

  private:
    void show(std::stop_token stop) {
        constexpr std::chrono::milliseconds kBetweenLines(200);
        std::mutex mutex;
        std::unique_lock lock(mutex);
        while (
            !m_stopped.wait_for(lock, stop, kBetweenLines, [&] { return stop.stop_requested(); })) {
            const core::Progress::Layers layers = m_progress.layers();
            if (layers.all == 0)
                continue;
            const QString line = Words::tr("layer %1 of %2")
                                     .arg(std::min(layers.computed + 1, layers.all))
                                     .arg(layers.all);
            sayOnTerminal("\r\x1b[K" + line.toStdString());
        }
    }

    core::Progress m_progress;
    std::condition_variable_any m_stopped;
    std::jthread m_thread;
};

std::string nameOf(const StageVerification &stage) {
    return core::stageName(stage.at.stage, stage.at.attention);
}

/// Returns, for example, "[0, 1, 2, 3]"; empty if there is no cell.
std::string cellText(const StageVerification &stage) {
    std::vector<std::string> indices;
    for (const core::Index index : stage.cell)
        indices.push_back(std::to_string(index));
    return indices.empty() ? std::string() : core::jsonArray(indices);
}

/// Returns "null" for an infinite difference, which JSON cannot represent.
std::string jsonDifference(double difference) {
    return std::isfinite(difference) ? core::jsonNumber(static_cast<float>(difference)) : "null";
}

std::string jsonOf(const Verification &verification) {
    std::vector<std::string> stages;
    for (const StageVerification &stage : verification.stages) {
        const std::string cell = cellText(stage);
        std::vector<core::JsonMemberText> members{{"stage", core::jsonText(nameOf(stage))},
                                                  {"difference", jsonDifference(stage.difference)},
                                                  {"at", cell.empty() ? "null" : cell}};
        if (stage.alone)
            members.push_back({"alone", jsonDifference(*stage.alone)});
        stages.push_back(core::jsonObject(members));
    }
    return core::jsonObject({{"largest", jsonDifference(verification.worst().difference)},
                             {"stages", core::jsonArray(stages, "\n ")}}) +
           '\n';
}

QString differenceText(double difference) {
    return difference == 0 ? QString("0") : QString::fromStdString(core::scientific(difference, 1));
}

QString tableOf(const Verification &verification) {
    const bool hasAlone = verification.stages.front().alone.has_value();
    qsizetype width = Words::tr("stage").size();
    for (const StageVerification &stage : verification.stages)
        width = std::max(width, qsizetype(nameOf(stage).size()));
    const auto line = [&](const QString &stage, const QString &difference, const QString &alone,
                          const QString &at) {
        QString text = stage.leftJustified(width) + "  " + difference.rightJustified(10);
        if (hasAlone)
            text += "  " + alone.rightJustified(10);
        return (text + "  " + at).trimmed() + '\n';
    };
    QString text =
        line(Words::tr("stage"), Words::tr("difference"), Words::tr("alone"), Words::tr("at"));
    for (const StageVerification &stage : verification.stages)
        text +=
            line(QString::fromStdString(nameOf(stage)), differenceText(stage.difference),
                 differenceText(stage.alone.value_or(0)), QString::fromStdString(cellText(stage)));
    const StageVerification &worst = verification.worst();
    const QString last =
        Words::tr("The largest difference, divided by the largest value of its stage: %1 (%2)")
            .arg(differenceText(worst.difference), QString::fromStdString(nameOf(worst)));
    return QString("%1\n%2\n").arg(text, last);
}

/// Returns an error that names the first stage that differs, and whether it is a fault or amplified
/// rounding.
core::Error beyond(const Verification &verification) {
    const StageVerification &first = *verification.firstBeyond();
    const QString what =
        first.cell.empty()
            ? Words::tr("its shape differs from the 64-bit result")
            : Words::tr("it differs from the 64-bit result by %1 of its size, more than %2")
                  .arg(differenceText(first.difference), differenceText(core::kVerifiedWithin));
    const QString why =
        verification.firstBeyondAlone()
            ? Words::tr("the first stage with an error of its own: %1")
                  .arg(QString::fromStdString(nameOf(*verification.firstBeyondAlone())))
            : Words::tr(
                  "computed alone, each stage agrees, so the model amplifies 32-bit rounding");
    return errorOf(what, nameOf(first).c_str(), why);
}

} // namespace

int runVerify(const Arguments &arguments, std::stop_token stop) {
    const core::Result<SourceAndTrace> source = openAndTrace(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    const core::Result<Verification> verified = [&] {
        VerifyProgress progress;
        return core::verify(*source->trace, stop, &progress.progress());
    }();
    if (stop.stop_requested())
        return kInterrupted;
    if (!verified)
        return fail(verified.error());
    const int written =
        writeOutput("-", arguments.json ? jsonOf(*verified) : tableOf(*verified).toStdString());
    if (written != 0 || verified->isWithin())
        return written;
    return fail(beyond(*verified));
}

} // namespace headlight::app
