// What a step shows and sets, which panels it opens, and the training that it offers.
#pragma once

#include "ui/panels/lesson_editor/step_page.h"

#include <array>

class QComboBox;
class QLabel;
class QPushButton;

namespace headlight::ui {

class ShowsPage : public StepPage {
    Q_OBJECT
  public:
    ShowsPage(Document &document, SeenNow seen, QWidget *parent = nullptr);

    void showStep(const core::LessonStep &step) override;
    void showNumbers() override;
    bool hasMarks() const override { return false; }
    void goTo(const QString &place) override;

  signals:
    /// The panels that the step shows or hides are others now.
    void panelsChanged();

  private:
    void choosePanel(std::size_t panel, int choice);
    void takeRun();

    Document &m_document;
    SeenNow m_seen;
    QLabel *m_shows, *m_sets, *m_run;
    QPushButton *m_show, *m_set, *m_unset, *m_offer, *m_withdraw;
    std::array<QComboBox *, core::kPanels> m_panels{};
};

/// "Flow, weights, query 1, key 0": what is looked at, as a file says it.
QString placeWordsOf(const core::SelectionPatch &place);
/// "the text, the scaling": what is set, part by part; empty: nothing.
QString setWordsOf(const core::StatePatch &set);

} // namespace headlight::ui
