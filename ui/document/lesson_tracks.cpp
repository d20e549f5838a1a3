#include "ui/document/lesson_tracks.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct LessonTrackText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::LessonTracks)
};

LessonTrack makeTrack(const QString &id, const QString &name, const QString &summary,
                      const QStringList &lessons) {
    LessonTrack track{id, name, summary, lessons, 0};
    for (const LessonInfo &lesson : lessonInfos())
        if (lessons.contains(lesson.id))
            track.minutes += lesson.minutes;
    return track;
}

} // namespace

const QList<LessonTrack> &lessonTracks() {
    static const QList<LessonTrack> tracks{
        makeTrack("minutes", LessonTrackText::tr("Ten minutes"),
                  LessonTrackText::tr(
                      "One answer from a trained model, and time for sentences of your own."),
                  {"who-is-it"}),
        makeTrack("hour", LessonTrackText::tr("An hour"),
                  LessonTrackText::tr("The whole formula of one head, from words to context."),
                  {"words", "query-key-value", "scores", "scaling", "softmax"}),
        makeTrack("term", LessonTrackText::tr("A term"),
                  LessonTrackText::tr("All lessons in order, one or two a week."), lessonIds()),
        makeTrack("researcher", LessonTrackText::tr("A researcher"),
                  LessonTrackText::tr(
                      "For readers who know the formula: trained heads, layers and positions."),
                  {"two-heads", "depth", "heads", "whose-kite", "block", "positions", "long-range",
                   "learning", "writing", "ten-things"}),
    };
    return tracks;
}

const LessonTrack *trackOf(const QString &id) {
    const QList<LessonTrack> &tracks = lessonTracks();
    const auto found = std::ranges::find(tracks, id, &LessonTrack::id);
    return found == tracks.end() ? nullptr : &*found;
}

} // namespace headlight::ui
