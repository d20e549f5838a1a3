// Editor page for what a step shows and sets, the panels it opens, and the training it offers.
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
    /// The step's visible panels changed.
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

/// Describes the selection with the names used in files: "Flow, weights, query 1, key 0".
QString placeTextOf(const core::SelectionPatch &place);
/// Lists the parts that the step sets: "the text, the scaling". Empty if it sets nothing.
QString setTextOf(const core::StatePatch &set);

} // namespace headlight::ui
