#include "ui/window/presenting/presentation.h"

#include "core/training/tasks/head_purpose.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/panels/question_card.h"
#include "ui/panels/reset_offer.h"
#include "ui/strip/sentence_strip.h"
#include "ui/text/chip_text.h"
#include "ui/text/stage_titles.h"
#include "ui/text/step_number.h"
#include "ui/views/close_up_view.h"
#include "ui/views/figure_view.h"
#include "ui/views/model_view.h"
#include "ui/views/whole_view.h"
#include "ui/window/presenting/pointer_light.h"
#include "ui/window/presenting/presented_lesson.h"
#include "ui/window/presenting/presented_names.h"
#include "ui/window/presenting/presented_stages.h"
#include "ui/window/presenting/presented_views.h"

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight::ui {

namespace {

constexpr double kSmallest = 1.5, kLargest = 2.5;
constexpr char kScaleKey[] = "presenting/textScale";
constexpr double kLessonType = 13;       // px, at the usual text size
constexpr double kQuestionType = 15;     // px, as in the window
constexpr double kQuestionShare = 0.36;  // share of the width for a question next to the picture
constexpr double kLessonShare = 0.11;    // share of the height for the step's sentence
constexpr int kLessonLines = 2;          // minimum number of lines
constexpr double kLessonLine = 1.36;     // line height relative to the type size
constexpr double kPictureStep = 0.125;   // step by which the picture's text scale shrinks
constexpr double kSmallestPicture = 1;   // smallest text scale of the picture
constexpr core::Index kFittedRows = 16;  // larger matrices scroll
constexpr double kMargin = 16;           // px at the sides, before scaling
constexpr double kFooterType = 8;        // px, at the usual text size
constexpr int kFormulaLines = 2;         // longer formulas get smaller text
constexpr double kMaxShareOfStrip = 0.3; // largest share of the height for the words

/// True if every row shows its name and the cells have space for their numbers.
bool isReadable(FigureView &view) {
    const ShownHeatmap shown = view.shownHeatmap();
    const bool hasNumbers = !shown.content || !shown.content->numbers ||
                            shown.content->matrix().empty() ||
                            numbersFit(shown.places.cell, *shown.content, view.figureStyle());
    return hasNumbers && view.hasAllLabels();
}

} // namespace

Presentation::Presentation(Document &document, Filmstrip &filmstrip,
                           const QList<FigureView *> &views, MechanismActions &mechanism,
                           QAction &reset, QAction &formula, QWidget *parent)
    : QWidget(parent, Qt::Window),
      m_document(document),
      m_filmstrip(filmstrip),
      m_reset(reset),
      m_lesson(new PresentedLesson),
      m_strip(new SentenceStrip(document)),
      m_asked(new QWidget),
      m_views(new QStackedWidget),
      m_where(new QLabel),
      m_curtain(new QWidget(this)),
      m_light(new PointerLight(m_views)),
      m_stages(new PresentedStages(document, filmstrip)),
      m_formula(new FormulaField(document)) {
    setObjectName("presentation");
    setWindowTitle(tr("Headlight: presentation"));
    setAccessibleName(tr("Presentation"));
    setFocusPolicy(Qt::StrongFocus);
    setAutoFillBackground(true);
    // Set the size immediately, because a sentence laid out in a narrow window would make the
    // window taller than the screen.
    setGeometry(screen()->geometry());
    m_scale = std::clamp(QSettings().value(kScaleKey, kUsualScale).toDouble(), kSmallest, kLargest);
    addViews(views, mechanism);
    m_strip->leaveFocusAlone(); // keys step through the lesson
    connect(m_strip, &SentenceStrip::heightChanged, this, &Presentation::placeStrip);
    connect(m_strip, &SentenceStrip::failed, this, &Presentation::failed);
    m_top = makeTop();
    m_formulaRoom = makeFormulaRoom(formula);
    m_footer = makeFooter();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_top);
    column->addWidget(m_strip);
    auto *picture = new QHBoxLayout;
    picture->setSpacing(0);
    picture->addWidget(m_asked);
    picture->addWidget(m_views, 1);
    column->addLayout(picture, 1);
    column->addWidget(m_formulaRoom);
    column->addWidget(m_stages);
    column->addWidget(m_footer);
    m_text = new PresentedText(this);
    m_question = new QuestionCard(document, *m_views);
    m_question->leaveFocusAlone(); // Space steps forward
    m_question->standIn(*m_asked);
    m_curtain->setObjectName("curtain");
    m_curtain->setAutoFillBackground(true);
    m_curtain->setPalette(QPalette(Qt::black));
    m_curtain->hide();
    m_light->raise();
    connect(&document, &Document::changed, this, &Presentation::documentChanged);
    applyStyle();
}

/// Creates the widget for the step's sentence and the offer to reset.
QWidget *Presentation::makeTop() {
    auto *top = new QWidget;
    auto *column = new QVBoxLayout(top);
    column->addWidget(m_lesson);
    column->addWidget(makeResetOffer());
    connect(m_lesson, &PresentedLesson::clicked, this, [this] { showText(!m_text->isVisible()); });
    return top;
}

/// Creates the space below the picture for the formula. It is visible if the step or the user shows
/// the formula.
QWidget *Presentation::makeFormulaRoom(QAction &shown) {
    auto *holder = new QWidget(this);
    holder->setObjectName("presentedFormula");
    auto *line = new QHBoxLayout(holder);
    line->addWidget(m_formula);
    m_formula->leaveFocusAlone(); // Space steps forward
    m_formula->installEventFilter(this);
    holder->setVisible(shown.isChecked());
    connect(&shown, &QAction::toggled, holder, &QWidget::setVisible);
    return holder;
}

void Presentation::addViews(const QList<FigureView *> &views, MechanismActions &mechanism) {
    for (const FigureView *like : views) {
        FigureView *view = presentedLike(*like, m_views);
        if (!view)
            continue;
        m_views->addWidget(view);
        view->installEventFilter(this);
        connect(&m_filmstrip, &Filmstrip::granularityChanged, view, &FigureView::setGranularity);
        connect(&m_filmstrip, &Filmstrip::wentOn, view, &FigureView::showStep);
        connect(view, &FigureView::failed, this, &Presentation::failed);
        if (auto *closeUp = qobject_cast<CloseUpView *>(view))
            closeUp->setMechanism(mechanism);
        if (auto *whole = qobject_cast<WholeView *>(view))
            connect(whole, &WholeView::closeUpRequested, this,
                    [this] { showView(idOf(infoOf(core::View::CloseUp))); });
        if (auto *model = qobject_cast<ModelView *>(view))
            connect(model, &ModelView::closeUpRequested, this,
                    [this] { showView(idOf(infoOf(core::View::CloseUp))); });
        connect(view, &FigureView::hovered, m_light, [this, view](const QString &words) {
            m_light->light(view->cellRectAt(m_pointer), m_pointer, words);
        });
    }
}

QWidget *Presentation::makeResetOffer() {
    auto *offer = new ResetOffer(m_document, m_reset);
    offer->showKey(QKeySequence(Qt::Key_R).toString(QKeySequence::NativeText));
    for (QPushButton *button : offer->findChildren<QPushButton *>())
        button->setFocusPolicy(Qt::NoFocus); // Space steps forward
    return offer;
}

/// Creates the footer in muted colours: names of the views, current step, and keys.
QWidget *Presentation::makeFooter() {
    auto *footer = new QWidget;
    footer->setObjectName("presentedFooter");
    QList<FigureView *> views;
    for (int index = 0; index < m_views->count(); ++index)
        views << static_cast<FigureView *>(m_views->widget(index));
    m_names = new PresentedNames(views);
    connect(m_names, &PresentedNames::chosen, this, &Presentation::showView);
    m_where->setObjectName("presentedStep");
    m_where->setTextFormat(Qt::PlainText);
    auto *line = new QHBoxLayout(footer);
    line->addWidget(m_names, 1);
    line->addWidget(m_where);
    return footer;
}

FigureView *Presentation::currentView() const {
    return static_cast<FigureView *>(m_views->currentWidget());
}

void Presentation::showView(const QString &name) {
    const ViewInfo *asked = findView(name); // may be a former id
    for (int index = 0; index < m_views->count(); ++index) {
        if (&static_cast<FigureView *>(m_views->widget(index))->info() == asked)
            m_views->setCurrentIndex(index);
    }
    m_names->setCurrent(currentView()->info().view);
    showStep();
    m_light->raise();
    m_light->light({}, {}, {});
    placeStrip();
    fitPicture();
}

/// Hides the names of Output, Training, Being born and Model if these views have no content,
/// because the line is short.
void Presentation::showNames() {
    m_names->setThere(core::View::Output, m_document.state().model.predicts());
    const core::TrainingRunPointer &run = m_document.state().training;
    m_names->setThere(core::View::Training, run != nullptr);
    const core::TracePointer &trace = m_document.trace();
    m_names->setThere(core::View::Model, trace && core::attentionsWithWeights(*trace).size() > 1);
    m_names->setThere(core::View::Birth, run && core::findWatchableTask(run->recipe.task));
}

void Presentation::setTheme(bool dark) {
    m_dark = dark;
    applyStyle();
}

void Presentation::setTextScale(double scale) {
    m_scale = std::clamp(scale, kSmallest, kLargest);
    QSettings().setValue(kScaleKey, m_scale);
    applyStyle();
}

FigureStyle Presentation::styleAt(double scale) const {
    return FigureStyle::presented(m_dark, scale);
}

void Presentation::fitPicture() {
    FigureView *view = currentView();
    if (!view || !m_document.trace() || !view->isVisible())
        return;
    // The Output picture has the same size for texts of any length.
    const bool growsWithText =
        showsText(view->info().view) && view->info().view != core::View::Output;
    if (growsWithText && m_document.trace()->batch().length() > kFittedRows)
        return;
    // Text only becomes smaller while the user steps, because alternating sizes would distract.
    double scale = m_fitted.value(view, m_scale);
    while (view->figure() && !isReadable(*view) && scale - kPictureStep >= kSmallestPicture) {
        scale -= kPictureStep;
        view->setStyle(styleAt(scale));
    }
    m_fitted[view] = scale;
    if (!view->figure() || isReadable(*view) || !m_strip->isVisible() ||
        m_showsWords.contains(view))
        return;
    // Try to hide the words, so that the picture gets their space. Show them again if that does not
    // help.
    for (const bool showsWords : {false, true}) {
        m_showsWords[view] = showsWords;
        placeStrip();
        layout()->activate(); // the view has its new size now
        m_fitted.remove(view);
        view->setStyle(styleAt(m_scale));
        fitPicture();
        if (view->figure() && isReadable(*view))
            return;
    }
}

/// Places the names of the views and the keys. Keys are left out if there is no space for them.
void Presentation::styleFooter() {
    const FigureStyle style = styleAt(m_scale);
    const int quiet = style.typeSize(kFooterType);
    QFont font = m_where->font();
    font.setPixelSize(quiet);
    const QFontMetrics metrics(font);
    const int room = width() - 2 * qRound(style.scaled(kMargin));
    const QString between = QStringLiteral("   ");
    QStringList words = m_places + m_keys;
    // A replay is controlled by its keys, so prefer two lines of names to leaving out a key.
    const int lines = currentView()->replayKeys().isEmpty() ? 1 : 2;
    const auto isTooLong = [&] {
        return m_names->widthOf(quiet, lines) +
                   metrics.horizontalAdvance(between + words.join(between)) >
               room;
    };
    // The last key, "leave", stays.
    for (qsizetype keys = m_keys.size(); keys > 1 && isTooLong(); --keys)
        words.removeAt(words.size() - 2);
    m_where->setText(words.join(between));
    m_names->placeIn(room - metrics.horizontalAdvance(between + m_where->text()), quiet);
    // The program's style sheet sets the text sizes of some controls, so set them here again.
    const QString sheet =
        QString("QWidget { font-size: %5px; }"
                "QLabel#presentedStep { color: %1; font-size: %2px; }"
                "QToolButton#presentedView { color: %1; font-size: %2px; border: 0; "
                "border-bottom: 2px solid transparent; padding: 2px 4px; }"
                "QFrame#resetOffer QLabel, QFrame#resetOffer QPushButton { "
                "font-size: %2px; }"
                "QTextBrowser#presentedText { border: 1px solid %6; border-radius: 8px; "
                "background: %7; padding: 9px 18px; }"
                "QToolButton#presentedView:checked { color: %3; border-color: %4; }")
            .arg(style.mutedText.name())
            .arg(quiet)
            .arg(style.text.name(), style.accent.name())
            .arg(style.typeSize(kLessonType))
            .arg(style.accent.name(), style.surface.name());
    if (styleSheet() != sheet) // setting a style sheet is slow
        setStyleSheet(sheet);
}

void Presentation::placeLesson() {
    const FigureStyle style = styleAt(m_scale);
    const double line = kLessonLine * style.typeSize(kLessonType);
    const int lines = std::max(kLessonLines, static_cast<int>(kLessonShare * height() / line));
    const int needed = m_lesson->layOutFor(width() - 2 * qRound(style.scaled(kMargin)), lines);
    // Reserve at least kLessonLines, so that the picture keeps its size from step to step.
    m_lesson->setFixedHeight(std::max(needed, static_cast<int>(std::ceil(kLessonLines * line))));
}

void Presentation::showText(bool on) {
    m_text->setVisible(on && lessonSteps() > 0);
    if (!m_text->isVisible())
        return;
    m_text->setTextSize(styleAt(m_scale).typeSize(kLessonType));
    m_text->show(m_document);
    const int air = qRound(styleAt(m_scale).scaled(kMargin));
    m_text->placeIn(QRect(QPoint(air, m_top->geometry().bottom()),
                          QPoint(width() - air, m_stages->geometry().top())));
    m_text->raise();
}

/// Shrinks the formula's text until it fits in kFormulaLines.
void Presentation::fitFormula() {
    double scale = m_scale;
    m_formula->setStyle(styleAt(scale));
    while (m_formula->geometryNow().lineCount() > kFormulaLines &&
           scale - kPictureStep >= kSmallestPicture) {
        scale -= kPictureStep;
        m_formula->setStyle(styleAt(scale));
    }
}

/// Sets the height of the words. Hides the words in a view without a sentence, or if the expanded
/// arithmetic or the picture's labels need their space.
void Presentation::placeStrip() {
    const FigureView *view = currentView();
    const bool isShown = m_strip->hasWords() && view && showsText(view->info().view) &&
                         view->info().view != core::View::Words && // Words shows the sentence
                         m_showsWords.value(view, true) &&
                         !(m_document.selection().opened && view->info().has(Choice::Arithmetic));
    const int most = static_cast<int>(kMaxShareOfStrip * height());
    const int high = isShown ? m_strip->layOutFor(width(), most) : 0;
    m_strip->setVisible(high > 0);
    m_strip->setFixedHeight(high);
}

void Presentation::refitPicture() {
    m_fitted.clear();
    for (int index = 0; index < m_views->count(); ++index)
        static_cast<FigureView *>(m_views->widget(index))->setStyle(styleAt(m_scale));
    fitPicture();
}

void Presentation::applyStyle() {
    const FigureStyle style = styleAt(m_scale);
    m_light->setStyle(style);
    m_strip->setStyle(style);
    m_stages->setStyle(style);
    m_showsWords.clear();
    const int air = qRound(style.scaled(kMargin));
    m_formulaRoom->layout()->setContentsMargins(air, 0, air, air / 3);
    m_top->layout()->setContentsMargins(air, air / 3, air, 0);
    m_top->layout()->setSpacing(air / 4);
    m_footer->layout()->setContentsMargins(air, 2, air, 4);
    m_lesson->setTextSize(style.typeSize(kLessonType), style.minText);
    m_question->setTextSize(style.typeSize(kQuestionType));
    styleFooter(); // the footer's style sheet sets the palette of the sentence
    placeStrip();
    m_formulaRoom->layout()->activate(); // lays the formula out at its new width
    fitFormula();
    showStep();
    refitPicture();
}

core::Index Presentation::lessonSteps() const {
    const auto &lesson = m_document.session().lesson;
    return lesson ? static_cast<core::Index>(lesson->steps.size()) : 0;
}

/// Makes space next to the picture for a question that shows a part of the picture.
void Presentation::placeQuestion() {
    const core::Question *const question = m_document.askedQuestion();
    m_asked->setFixedWidth(qRound(kQuestionShare * width()));
    m_asked->setVisible(question && question->show);
}

void Presentation::documentChanged(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || (state && state->step))
        m_beyond = 0;
    if (is<SessionChanged>(event)) {
        m_fitted.clear();
        m_showsWords.clear();
        placeStrip();
    }
    if (is<SessionChanged>(event) || (state && state->step))
        showText(false);
    if (is<ViewRequested>(event))
        showView(m_document.requestedView());
    if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<SelectionChanged>(event) ||
        is<AnswersChanged>(event) || state) {
        placeQuestion();
        showStep();
    }
    if (is<TraceChanged>(event))
        fitFormula(); // another model's formula may be longer
    if (is<TraceChanged>(event) || is<SelectionChanged>(event)) {
        placeStrip();
        fitPicture();
    }
    if (!is<SavedChanged>(event))
        m_light->light({}, {}, {}); // the overlay's text may be out of date
}

void Presentation::showStep() {
    const core::Index steps = lessonSteps();
    showNames();
    m_top->setVisible(steps > 0);
    if (steps > 0) {
        m_lesson->show(m_document);
        placeLesson();
        if (m_text->isVisible())
            m_text->show(m_document);
    }
    m_stages->showStages();
    m_stages->setVisible(currentView()->replayKeys().isEmpty()); // a replay has its own steps
    m_places.clear();
    if (steps > 0)
        m_places << tr("%1 of %2").arg(stepNumber(m_document.state().lessonStep)).arg(steps);
    if (viewTakesKeys()) {
        m_keys = currentView()->replayKeys();
    } else {
        if ((steps == 0 || m_beyond > 0) && m_document.trace())
            m_places << titleOf(m_document.trace()->model(), m_document.selection().stage);
        m_keys = {tr("←\u00A0→\u00A0step")};
        if (steps > 0)
            m_keys << tr("T\u00A0text");
        m_keys << tr("O\u00A0arithmetic") << tr("F\u00A0formula");
    }
    m_keys << tr("Esc\u00A0leave");
    styleFooter();
}

/// True if the arithmetic is open and visible. If it is unavailable or covered by a question, Esc
/// leaves present mode.
bool Presentation::showsArithmetic() const {
    (void)currentView()->figure(); // updates the figure to the current selection
    return currentView()->showsArithmetic() && m_document.selection().opened &&
           !m_question->isVisibleTo(this);
}

void Presentation::closeArithmetic() {
    core::Selection selection = m_document.selection();
    selection.opened = false;
    m_document.select(selection);
}

void Presentation::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_showsWords.clear();
    placeQuestion();
    showText(false);
    placeLesson();
    placeStrip();
    styleFooter();
    m_curtain->setGeometry(rect());
}

void Presentation::closeEvent(QCloseEvent *event) {
    QWidget::closeEvent(event);
    emit left();
}

bool Presentation::eventFilter(QObject *object, QEvent *event) {
    if (event->type() == QEvent::MouseMove)
        m_pointer = static_cast<QMouseEvent *>(event)->position();
    if (event->type() == QEvent::Resize && object == m_formula) {
        const auto *resize = static_cast<QResizeEvent *>(event);
        // Fitting changes the height. A change of height alone must not start another fit.
        if (resize->size().width() != resize->oldSize().width())
            QTimer::singleShot(0, this, &Presentation::fitFormula);
    } else if (event->type() == QEvent::Resize) {
        placeStrip(); // the strip's lines depend on the width
        m_light->setGeometry(m_views->rect());
        QTimer::singleShot(0, this, &Presentation::refitPicture); // after the layout
    }
    if (event->type() == QEvent::ToolTip)
        return true; // the overlay shows the text in large type
    return QWidget::eventFilter(object, event);
}

} // namespace headlight::ui
