// The bar at the bottom of the model view: silences every head once, with progress and Cancel, and
// chooses how the effects are shown.
#pragma once

#include "core/transformer/model/interventions.h"
#include "ui/compute/silenced_heads.h"

#include <QList>
#include <QWidget>

class QAction;
class QProgressBar;

namespace headlight::ui {

class ElidedComboBox;
class ElidedLabel;
class WordField;

class ModelBar : public QWidget {
    Q_OBJECT
  public:
    explicit ModelBar(QWidget *parent);

    struct State {
        QString unavailableReason; ///< why heads cannot be silenced; empty if they can
        QString words; ///< describes the shown effects, or the reason why there are none
        SilencedHeads::Progress progress{};
        bool isBusy = false;
        bool hasEffects = false;
        bool showsEffects = false;
        bool canShow = true; ///< false: the view shows the other side of a comparison
    };
    void show(const State &state);
    /// Actions for the window's menu: start, cancel, show the effects, copy them.
    QList<QAction *> actions() const { return {m_start, m_cancel, m_shown, m_copy}; }
    /// True if the effects are changes of the loss, false if of the logit.
    bool isLoss() const;
    /// Returns the replacement for the output of a silenced head.
    core::HeadState state() const;
    /// Returns the token whose logit is measured; unset: the token that the model predicts.
    std::optional<core::Index> token() const;
    /// Returns the entered text if it is not in the vocabulary; otherwise empty. The loss needs no
    /// token.
    QString unknownWord() const;
    /// Sets the user's choices without emitting chosen().
    void choose(bool isLoss, core::HeadState state, std::optional<core::Index> token);
    /// Offers the words of this model. A classifier has no words to choose from.
    void setModel(const core::Model &model);

  signals:
    void startWanted();
    void cancelWanted();
    void effectsWanted(bool shown);
    void copyWanted();
    /// The user chose the logit or the loss, another token, or another replacement.
    void chosen();

  protected:
    void changeEvent(QEvent *event) override;

  private:
    /// Makes the field for a token as wide as a long word in the bar's font.
    void fitToken();

    QAction *m_start, *m_cancel, *m_shown, *m_copy;
    ElidedComboBox *m_number, *m_state;
    WordField *m_token;
    QProgressBar *m_progress;
    ElidedLabel *m_words;
};

} // namespace headlight::ui
