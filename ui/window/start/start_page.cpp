#include "ui/window/start/start_page.h"

#include "ui/document/lesson_catalogue.h"
#include "ui/text/file_path.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/start/learned_models_menu.h"
#include "ui/window/start/opening_scene.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kWantedKey[] = "start/show";
constexpr int kGap = 16;
constexpr int kMargin = 56;
constexpr qsizetype kMaxFiles = 3;

/// Returns the newest recent files that still exist. A file that was moved or deleted would not
/// open.
QStringList offeredFiles() {
    QStringList offered;
    for (const QString &path : recentFiles())
        if (offered.size() < kMaxFiles && pathExists(path))
            offered << path;
    return offered;
}

} // namespace

bool StartPage::isWanted() {
    return QSettings().value(kWantedKey, true).toBool();
}

void StartPage::setWanted(bool wanted) {
    QSettings().setValue(kWantedKey, wanted);
}

StartPage::StartPage(QWidget *parent)
    : QWidget(parent),
      m_style(FigureStyle::light()),
      m_scroll(new QScrollArea(this)),
      m_scene(new OpeningScene(makeOtherWays())) {
    setObjectName("startPage");
    setAccessibleName(tr("Start"));
    setAutoFillBackground(true);
    auto *content = new QWidget;
    content->setObjectName("startContent");
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(kMargin, kGap, kMargin, kGap);
    column->setSpacing(kGap);
    column->addStretch(1);
    column->addWidget(m_scene);
    column->addStretch(2);
    auto *files = new QHBoxLayout;
    files->setSpacing(8);
    addFiles(*files);
    column->addLayout(files);
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    setFocusPolicy(Qt::ClickFocus);
    // The page becomes longer when the model has been read, and with larger text.
    connect(m_scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
        if (m_hasFirstFocus && (hasFocus() || m_scene->mainButton()->hasFocus()))
            focusFirst();
    });
    connect(m_scene, &OpeningScene::otherWaysPlaced, this, [this](bool isBeside) {
        m_ways->setDirection(isBeside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
        m_ways->setSpacing(isBeside ? 2 : 16);
        // A label that may wrap reserves two lines. Descriptions next to the answer need only one.
        for (QLabel *label : m_scroll->findChildren<QLabel *>("startWay"))
            label->setWordWrap(!isBeside);
    });
    connect(m_scene, &OpeningScene::explanationRequested, this, [this] {
        // Pass no text for an unchanged sentence, because the lesson has the same one and would
        // offer to undo a change.
        emit explanationWanted(m_scene->explanation(),
                               m_scene->isChanged() ? m_scene->sentence() : QString());
    });
}

/// Adds a link and, below it, a description of its target.
QPushButton *StartPage::addWay(const QString &text, const QString &about, const char *name,
                               const QString &hint) {
    auto *way = new QVBoxLayout;
    way->setSpacing(0);
    auto *button = new QPushButton(withAmpersands(text));
    button->setObjectName(name);
    button->setProperty("startLink", true);
    button->setAccessibleName(text);
    button->setAccessibleDescription(about);
    button->setToolTip(hint);
    auto *label = new QLabel(about);
    label->setObjectName("startWay");
    way->addWidget(button, 0, Qt::AlignLeft);
    way->addWidget(label);
    m_ways->addLayout(way, 1);
    return button;
}

/// Creates the card with the other ways to begin.
QWidget *StartPage::makeOtherWays() {
    auto *card = new QFrame;
    card->setObjectName("startCard");
    auto *rows = new QVBoxLayout(card);
    rows->setContentsMargins(16, 10, 16, 10);
    rows->setSpacing(2);
    auto *title = new QLabel(tr("Or begin with"));
    title->setObjectName("startOr");
    rows->addWidget(title);
    m_ways = new QBoxLayout(QBoxLayout::TopToBottom);
    rows->addLayout(m_ways);
    connect(addWay(tr("A lesson"),
                   tr("%n lessons, up to a model that writes", nullptr,
                      static_cast<int>(lessonIds().size())),
                   "startMap",
                   tr("A map of all lessons, their prerequisites and where you left off "
                      "(Ctrl+Shift+L)")),
            &QPushButton::clicked, this, &StartPage::mapWanted);
    connect(addWay(tr("Watch a head being born"), tr("a small model learns as you watch"),
                   "startBirth",
                   tr("A small model learns from its first step, and its heads form")),
            &QPushButton::clicked, this, &StartPage::birthWanted);
    QPushButton *learned =
        addWay(tr("A trained model"), tr("small ones that learned one task each"), "startLearned",
               tr("Small models that were trained in Headlight, and their tasks"));
    auto *models = new LearnedModelsMenu(learned);
    learned->setMenu(models);
    connect(models, &LearnedModelsMenu::chosen, this, &StartPage::sourceChosen);
    connect(addWay(tr("Your own words"), tr("a new model of a size you choose"), "startNew",
                   tr("Your own words and model (Ctrl+N)")),
            &QPushButton::clicked, this, &StartPage::newWanted);
    connect(addWay(tr("A file"), tr("a session, a model, or captured attention"), "startOpen",
                   tr("A session, a capture, or a figure with a session (Ctrl+O)")),
            &QPushButton::clicked, this, &StartPage::openWanted);
    return card;
}

void StartPage::requestShow() {
    emit showWanted(m_scene->typedSentence());
}

void StartPage::addFiles(QBoxLayout &row) {
    const QStringList files = offeredFiles();
    if (!files.isEmpty()) {
        auto *recent = new QLabel(tr("Recent"));
        recent->setObjectName("startOr");
        row.addWidget(recent);
    }
    for (const QString &path : files) {
        auto *button = new QPushButton(withAmpersands(QFileInfo(path).fileName()));
        button->setObjectName("startRecent");
        button->setAccessibleName(tr("Open again: %1").arg(QFileInfo(path).fileName()));
        button->setToolTip(path);
        connect(button, &QPushButton::clicked, this, [this, path] { emit sourceChosen(path); });
        row.addWidget(button);
    }
    row.addStretch();
    auto *show = new QPushButton(tr("Show it to a class (F11)"));
    show->setObjectName("startShow");
    show->setAccessibleName(show->text());
    show->setToolTip(tr("The question in twelve moments, in large type on the whole screen"));
    connect(show, &QPushButton::clicked, this, &StartPage::requestShow);
    row.addWidget(show);
    auto *never = new QPushButton(tr("Don't show this at startup"));
    never->setObjectName("startNever");
    never->setAccessibleName(never->text());
    never->setToolTip(tr("File → Start page brings this page back"));
    never->setFlat(true);
    connect(never, &QPushButton::clicked, this, [this] {
        setWanted(false);
        emit dismissed();
    });
    row.addWidget(never);
}

void StartPage::setStyle(const FigureStyle &style) {
    m_style = style;
    m_scene->setStyle(style);
}

void StartPage::focusFirst() {
    m_hasFirstFocus = true;
    const bool isWhole = m_scroll->verticalScrollBar()->maximum() == 0;
    QWidget *first = isWhole ? static_cast<QWidget *>(m_scene->mainButton()) : this;
    first->setFocus(Qt::OtherFocusReason);
    if (!isWhole)
        m_scroll->verticalScrollBar()->setValue(0);
}

/// Returns everything that takes the focus, in reading order.
QList<QWidget *> StartPage::controls() const {
    QList<QWidget *> all;
    for (QWidget *each : m_scroll->widget()->findChildren<QWidget *>())
        if (each->isVisible() && each->isEnabled() && (each->focusPolicy() & Qt::TabFocus))
            all << each;
    std::ranges::stable_sort(all, {}, [this](const QWidget *each) {
        const QPoint place = each->mapTo(m_scroll->widget(), QPoint());
        return std::pair(place.y() + each->height() / 2, place.x());
    });
    return all;
}

/// Cycles the focus within the page, because the window below is covered.
bool StartPage::focusNextPrevChild(bool next) {
    const QList<QWidget *> all = controls();
    if (all.isEmpty()) // the page is about to close
        return false;
    m_hasFirstFocus = false;
    const qsizetype now = all.indexOf(window()->focusWidget());
    const qsizetype count = all.size();
    // From the page itself, move to the first or the last control.
    QWidget *then = all[now < 0 ? (next ? 0 : count - 1) : (now + (next ? 1 : -1) + count) % count];
    then->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    m_scroll->ensureWidgetVisible(then);
    return true;
}

bool StartPage::event(QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Block keys that would change the covered window.
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool plain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
        const bool steps = key->modifiers() == Qt::AltModifier &&
                           (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right);
        if ((plain && key->key() != Qt::Key_F1) || steps) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void StartPage::keyPressEvent(QKeyEvent *event) {
    const auto scroll = [this](QAbstractSlider::SliderAction action) {
        m_scroll->verticalScrollBar()->triggerAction(action);
    };
    switch (event->key()) {
    case Qt::Key_Escape:
        return emit dismissed();
    case Qt::Key_F11:
        return requestShow();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return hasFocus() ? m_scene->mainButton()->click() : QWidget::keyPressEvent(event);
    case Qt::Key_Up:
        return scroll(QAbstractSlider::SliderSingleStepSub);
    case Qt::Key_Down:
        return scroll(QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_PageUp:
        return scroll(QAbstractSlider::SliderPageStepSub);
    case Qt::Key_PageDown:
        return scroll(QAbstractSlider::SliderPageStepAdd);
    default:
        if (!event->text().isEmpty() && event->text().front().isLetterOrNumber() &&
            !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
            return m_scene->type(*event);
        QWidget::keyPressEvent(event);
    }
}

void StartPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_scroll->setGeometry(rect());
}

} // namespace headlight::ui
