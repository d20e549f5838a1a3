// The content of the pictures of a head being born, without layout: the heads that form, the
// model's answers, and the loss, at one snapshot of a recorded run.
#pragma once

#include "core/training/run/run_moment.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/training/training_content.h"

#include <QString>

#include <map>
#include <vector>

namespace headlight::ui {

/// Cache of a recorded run's forward passes, one per snapshot, for a replay. Not thread-safe.
class MomentCache {
  public:
    MomentCache() = default;
    /// Uses the `example`-th readable held-out example, modulo the number of such examples.
    explicit MomentCache(core::RecordedRunPointer run, std::size_t example = 0,
                         std::vector<core::HeadIntervention> silenced = {});

    const core::RecordedRunPointer &run() const { return m_run; }
    const core::Example &example() const { return m_example; }
    /// Returns the words of the example; empty without a run.
    QString exampleText() const;
    const std::vector<core::HeadIntervention> &silenced() const { return m_silenced; }
    /// Returns the same errors as forward().
    core::Result<core::RunMoment> at(std::size_t snapshot);

  private:
    core::RecordedRunPointer m_run;
    core::Example m_example{};
    std::vector<core::HeadIntervention> m_silenced;
    std::map<std::size_t, core::RunMoment> m_moments;
};

struct BirthAnswer {
    enum class State { NotAsked, Right, Wrong };
    QString token; ///< empty if the answer belongs to the whole text
    QString given;
    State state = State::NotAsked;
    double probability = 0;
};

/// A head at a snapshot, as a small picture with its step.
struct BirthThumbnail {
    HeatmapContent content;
    QString caption; ///< "step 80", "now"
};

struct BirthHead {
    QString name;  ///< "head 0.1": layer and head
    QString looks; ///< "looks at the letter before"
    HeatmapContent content;
    std::vector<BirthThumbnail> earlier{}; ///< at steps from the start of the run to the snapshot
    bool isSilenced = false;
};

/// The step at which a head has formed.
struct BirthMark {
    double step = 0;
    QString words; ///< "step 140: head 0.1 finds the letter before"
};

struct BirthContent {
    QString title;   ///< "Say it again"
    QString learned; ///< one sentence
    QString example; ///< the text of the example
    QString nothing; ///< why there is nothing to show; the rest is empty then
    std::vector<BirthHead> heads{};
    QString noHeads; ///< shown if no head formed
    std::vector<BirthAnswer> answers{};
    QString answersTitle;     ///< for example "what it predicts next"
    TrainingContent curves{}; ///< one plot: the loss up to the snapshot
    std::vector<BirthMark> marks{};
    core::Index step = 0, steps = 0;
    double loss = 0;     ///< on held-out examples
    double accuracy = 0; ///< on held-out examples
};

/// Returns the content at a snapshot. `earlier`: the number of small pictures of each head.
BirthContent birthContentOf(MomentCache &moments, std::size_t snapshot, const FigureStyle &style,
                            std::size_t earlier = 4);

/// Removes the text about the head's purpose, because it would reveal the answer to the current
/// question.
void withholdPurpose(BirthHead &head);

/// Returns content that only explains why there is nothing to show.
BirthContent noBirthContent(const QString &title, const QString &why);

/// Returns the pattern of a head as a heatmap without words, for a small picture.
core::Result<HeatmapContent> patternContent(MomentCache &moments, const core::PatternChoice &choice,
                                            const FigureStyle &style);

/// Returns "head 0.1".
QString headNameOf(core::AttentionId attention, core::Index head);

} // namespace headlight::ui
