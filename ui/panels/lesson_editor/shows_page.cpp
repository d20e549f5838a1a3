#include "ui/panels/lesson_editor/shows_page.h"

#include "core/formats/session/data/state_fields.h"
#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/text/changed_text.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"
#include "ui/text/token_names.h"
#include "ui/widgets/eyebrow.h"
#include "ui/widgets/wrapped_button.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

QLabel *wordsLabel(const char *objectName) {
    auto *label = new QLabel;
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

QString placeTextOf(const core::SelectionPatch &place) {
    QStringList words;
    const auto add = [&words](const QString &name, const std::optional<core::Index> &index) {
        if (index)
            words << name.arg(*index);
    };
    if (place.view)
        words << QString::fromStdString(*place.view);
    if (place.stage)
        words << titleOf(*place.stage);
    if (place.stack)
        words << titleOf(*place.stack);
    if (place.block == core::Block::CrossAttention)
        words << ShowsPage::tr("cross-attention");
    if (place.sequence)
        words << sentenceName(*place.sequence);
    add(ShowsPage::tr("layer %1"), place.layer);
    add(ShowsPage::tr("head %1"), place.head);
    add(ShowsPage::tr("query %1"), place.query);
    add(ShowsPage::tr("key %1"), place.key);
    add(ShowsPage::tr("dimension %1"), place.dimension);
    add(ShowsPage::tr("distance %1"), place.distance);
    if (place.opened.value_or(false))
        words << ShowsPage::tr("arithmetic expanded");
    return words.isEmpty() ? ShowsPage::tr("the session's view") : enumerated(words);
}

QString setTextOf(const core::StatePatch &set) {
    QStringList words;
    core::forEachField(core::kStateFields, [&](const auto &field) {
        if (const QString name = nameOf(field.part); isSet(set, field) && !words.contains(name))
            words << name;
    });
    return listed(words);
}

ShowsPage::ShowsPage(Document &document, SeenNow seen, QWidget *parent)
    : StepPage(parent),
      m_document(document),
      m_seen(std::move(seen)),
      m_shows(wordsLabel("stepShows")),
      m_sets(wordsLabel("stepSets")),
      m_run(wordsLabel("stepRun")),
      m_show(pageButton(
          "showSeen", tr("Show the current view"),
          tr("The view, the stage, the attention block and the selected cell of the window"))),
      m_set(pageButton("setChanged", tr("Use my changes"),
                       tr("Your changes to the text, masks, switches and numbers become part of "
                          "the step, so Reset restores them"))),
      m_unset(pageButton("setNothing", tr("Clear changes"),
                         tr("The step uses the lesson's own numbers again"))),
      m_offer(
          pageButton("offerRun", tr("Offer the current run"),
                     tr("Readers of the step can start this document's training in a new window"))),
      m_withdraw(pageButton("offerNoRun", tr("Offer no run"), tr("The step offers no training"))) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(eyebrow(tr("SHOWS")));
    layout->addWidget(m_shows);
    layout->addWidget(m_show);
    layout->addWidget(eyebrow(tr("SETS")));
    layout->addWidget(m_sets);
    layout->addWidget(m_set);
    layout->addWidget(m_unset);
    layout->addWidget(eyebrow(tr("PANELS")));
    auto *form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    const std::array<QString, core::kPanels> names{tr("Inspector"), tr("Editor"), tr("History"),
                                                   tr("Formula")};
    for (std::size_t panel = 0; panel < core::kPanels; ++panel) {
        auto *box = new QComboBox;
        box->addItems({tr("unchanged"), tr("shown"), tr("hidden")});
        box->setObjectName("stepPanel" + QString::number(panel));
        box->setAccessibleName(names[panel]);
        box->setToolTip(tr("Show or hide the panel when the step begins"));
        connect(box, &QComboBox::activated, this,
                [this, panel](int choice) { choosePanel(panel, choice); });
        m_panels[panel] = box;
        form->addRow(names[panel], box);
    }
    layout->addLayout(form);
    layout->addWidget(eyebrow(tr("TRAINING")));
    layout->addWidget(m_run);
    layout->addWidget(m_offer);
    layout->addWidget(m_withdraw);
    layout->addStretch(1);
    connect(m_show, &QPushButton::clicked, this, [this] {
        emit edited(tr("View of a step"), [seen = m_seen()](core::LessonStep &step) {
            step.show = seen.place;
            step.look = seen.look;
        });
    });
    connect(m_set, &QPushButton::clicked, this, [this] {
        emit made(edits::setWhatIsChanged(m_document.state(), m_document.session()));
    });
    connect(m_unset, &QPushButton::clicked, this,
            [this] { emit made(edits::setNothing(m_document.state(), m_document.session())); });
    connect(m_offer, &QPushButton::clicked, this, &ShowsPage::takeRun);
    connect(m_withdraw, &QPushButton::clicked, this, [this] {
        emit edited(tr("The training that a step offers"),
                    [](core::LessonStep &step) { step.run.reset(); });
    });
}

void ShowsPage::choosePanel(std::size_t panel, int choice) {
    emit edited(tr("Panels of a step"), [panel, choice](core::LessonStep &step) {
        step.panels[panel] = choice == 0 ? std::nullopt : std::optional(choice == 1);
    });
    emit panelsChanged();
}

void ShowsPage::takeRun() {
    const core::TrainingRunPointer run = m_document.state().training;
    if (!run)
        return;
    core::LessonRun offered{run->recipe, {}};
    if (run->ablated)
        offered.ablation = run->ablated->ablation;
    emit edited(tr("The training that a step offers"),
                [offered](core::LessonStep &step) { step.run = offered; });
}

void ShowsPage::showStep(const core::LessonStep &step) {
    m_shows->setText(placeTextOf(step.show));
    const QString sets = setTextOf(step.set);
    m_sets->setText(sets.isEmpty() ? tr("nothing: the lesson's own numbers") : sets);
    m_unset->setEnabled(!sets.isEmpty());
    m_set->setEnabled(m_document.state().edits.any());
    m_run->setText(!step.run ? tr("no training")
                   : step.run->ablation
                       ? tr("an ablation: %1").arg(QString::fromStdString(step.run->recipe.task))
                       : tr("a run: %1").arg(QString::fromStdString(step.run->recipe.task)));
    m_offer->setEnabled(m_document.state().training != nullptr);
    m_withdraw->setEnabled(step.run.has_value());
    for (std::size_t panel = 0; panel < core::kPanels; ++panel)
        m_panels[panel]->setCurrentIndex(!step.panels[panel] ? 0 : *step.panels[panel] ? 1 : 2);
}

void ShowsPage::showNumbers() {
    m_set->setEnabled(m_document.state().edits.any());
}

void ShowsPage::goTo(const QString &place) {
    (place.startsWith("set")   ? m_set
     : place.startsWith("run") ? m_offer
                               : m_show)
        ->setFocus(Qt::OtherFocusReason);
}

} // namespace headlight::ui
