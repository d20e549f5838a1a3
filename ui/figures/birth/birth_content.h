// The content of the pictures of a head being born, without layout: the heads that form, the
// model's answers, and the loss, at one snapshot of a recorded run.
#pragma once

#include "ui/figures/birth/moment_cache.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/training/training_content.h"

#include <QString>

#include <vector>

namespace headlight::ui {

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
    std::vector<BirthThumbnail> earlier{}; ///< from the start of the run to the snapshot
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
    QString answersTitle;     ///< for example "what it says next"
    TrainingContent curves{}; ///< one plot: the loss up to the snapshot
    std::vector<BirthMark> marks{};
    core::Index step = 0, steps = 0;
    double loss = 0;     ///< on held-out examples
    double accuracy = 0; ///< on held-out examples
};

/// Returns the content at a snapshot. `earlier`: the number of small pictures of each head.
BirthContent birthContentOf(MomentCache &moments, std::size_t snapshot, const FigureStyle &style,
                            std::size_t earlier = 4);

/// Removes the words about what the head does, while a question asks for it.
void withholdPurpose(BirthHead &head);

/// Returns content that only explains why there is nothing to show.
BirthContent noBirthContent(const QString &title, const QString &why);

/// Returns the pattern of a head as a heatmap without words, for a small picture.
core::Result<HeatmapContent> patternContent(MomentCache &moments, const core::PatternChoice &choice,
                                            const FigureStyle &style);

/// Returns "head 0.1".
QString headNameOf(core::AttentionId attention, core::Index head);

} // namespace headlight::ui
