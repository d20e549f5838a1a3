// The question of the start page as a show for a class: twelve moments in full screen. It computes
// two sentences with the model of the start page, and every sentence that it shows is true for
// these numbers.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/window/start/show/moments.h"

#include <QWidget>

#include <array>
#include <memory>

class QLabel;

namespace headlight::ui {

class RunAhead;
class ShowStage;

class OpeningShow : public QWidget {
    Q_OBJECT
  public:
    /// `text`: the user's sentence. If the show cannot use it, it uses its own sentence and
    /// explains this.
    explicit OpeningShow(const QString &text, QWidget *parent = nullptr);

    void setTheme(bool dark);
    /// True while the sentences are computed.
    bool isReading() const { return m_job.isBusy(); }
    /// Returns null while the sentences are computed, or if that fails.
    const ShowMoments *moments() const { return m_moments.get(); }
    int momentNow() const { return m_now; }
    void goTo(int moment);
    void next();
    void back();
    /// Adds a vote for the first or second noun.
    void vote(int noun);
    const std::array<int, 2> &votes() const { return m_votes; }
    ShowStage &stage() const { return *m_stage; }

  signals:
    void left();
    /// The user requests to see how the model of the show is trained.
    void trainingWanted(const headlight::core::Recipe &recipe);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

  private:
    QLabel *makeText(const char *name);
    void take(core::Result<OpenedShow> opened);
    void silenceAll(bool on);
    void watch();
    /// Starts recording the run that watch() shows, so that the class need not wait for it.
    void recordAhead();
    /// Shows the sentence and the note of the moment, and announces them.
    void showTexts();
    void applyStyle();
    void place();
    QString html(const QString &marked) const;

    LatestJob m_job;
    std::unique_ptr<ShowMoments> m_moments;
    std::shared_ptr<RunAhead> m_ahead; ///< stops with the show, unless it is watched
    int m_now = 0;
    std::array<int, 2> m_votes{};
    bool m_dark = false;
    QLabel *m_sentence, *m_note, *m_where, *m_keys;
    ShowStage *m_stage;
};

} // namespace headlight::ui
