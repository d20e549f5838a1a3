#include "app/training_progress.h"

#include "app/standard_streams.h"
#include "app/words.h"
#include "core/format_number.h"
#include "ui/text/sentences.h"

#include <algorithm>

namespace headlight::app {

namespace {

constexpr std::chrono::milliseconds kBetweenLines(200);

QString numberText(double number, int decimals) {
    constexpr double kLarge = 1e6; // only a diverging run has larger losses
    return QString::fromStdString(number < kLarge ? core::fixed(number, decimals)
                                                  : core::scientific(number, decimals));
}

/// Formats "3:05" or "1:02:07".
QString timeText(double seconds) {
    const auto whole = static_cast<qint64>(seconds + 0.5);
    const auto two = [](qint64 number) { return QString("%1").arg(number, 2, 10, QChar('0')); };
    const qint64 hours = whole / 3600, minutes = whole / 60 % 60;
    return hours > 0 ? QString("%1:%2:%3").arg(hours).arg(two(minutes), two(whole % 60))
                     : QString("%1:%2").arg(minutes).arg(two(whole % 60));
}

const core::HistoryPoint *lastWith(const core::History &history,
                                   bool (*has)(const core::HistoryPoint &)) {
    const auto found = std::find_if(history.rbegin(), history.rend(), has);
    return found == history.rend() ? nullptr : &*found;
}

} // namespace

TrainingProgress::TrainingProgress(const core::AblationStudy &study)
    : m_study(study), m_first(study.step()), m_printed(study.step()), m_isTerminal(isTerminal()) {}

QString TrainingProgress::timeLeft(double rate) const {
    const auto left = static_cast<double>(m_study.recipe().steps - m_study.step());
    return timeText(left / rate);
}

QString TrainingProgress::line() const {
    QStringList parts{Words::tr("step %1 of %2").arg(m_study.step()).arg(m_study.recipe().steps)};
    const core::History &history = m_study.run().history();
    if (const auto *point = lastWith(history, [](const auto &each) { return each.isStep; }))
        parts << Words::tr("loss %1").arg(numberText(point->loss, 4));
    if (const auto *point =
            lastWith(history, [](const auto &each) { return each.heldOut.has_value(); }))
        parts << (m_study.run().task().info().counts == core::AccuracyUnit::Answers
                      ? Words::tr("held out: loss %1, accuracy of single answers %2")
                      : Words::tr("held out: loss %1, accuracy %2"))
                     .arg(numberText(point->heldOut->loss, 4),
                          numberText(point->heldOut->accuracy, 3));
    if (const core::Trainer *ablated = m_study.ablated())
        if (const auto *point = lastWith(ablated->history(),
                                         [](const auto &each) { return each.heldOut.has_value(); }))
            parts << Words::tr("ablated run: loss %1, accuracy %2")
                         .arg(numberText(point->heldOut->loss, 4),
                              numberText(point->heldOut->accuracy, 3));
    const double seconds = std::chrono::duration<double>(Clock::now() - m_begun).count();
    const auto made = static_cast<double>(m_study.step() - m_first);
    if (made > 0 && seconds > 0) {
        parts << Words::tr("%1 steps per second").arg(numberText(made / seconds, 0));
        if (!m_study.isDone())
            parts << Words::tr("%1 left").arg(timeLeft(made / seconds));
    }
    return ui::enumerated(parts);
}

void TrainingProgress::show() {
    if (m_isTerminal) {
        if (const auto now = Clock::now(); now - m_shown > kBetweenLines) {
            m_shown = now;
            sayOnTerminal("\r\x1b[K" + line().toStdString());
        }
        return;
    }
    const core::Index tenth = std::max<core::Index>(m_study.recipe().steps / 10, 1);
    if (m_study.isDone() || m_study.step() < m_printed + tenth)
        return; // end() prints the last line, even on the last step
    m_printed = m_study.step();
    say(line().toStdString());
}

void TrainingProgress::end() {
    sayOnTerminal("\r\x1b[K");
    say(line().toStdString());
}

} // namespace headlight::app
