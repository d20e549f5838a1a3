#include "ui/window/start/start_page.h"

#include "ui/document/lesson_catalogue.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/start/learned_models_menu.h"
#include "ui/window/start/lesson_card.h"
#include "ui/window/start/lesson_pictures.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kWantedKey[] = "start/show";
constexpr int kGap = 16;
constexpr qsizetype kMaxFiles = 4;

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
      m_grid(new QGridLayout),
      m_title(new QLabel(tr("What would you like to see?"))),
      m_pictures(new LessonPictures(this)) {
    setObjectName("startPage");
    setAccessibleName(tr("Start"));
    setAutoFillBackground(true);
    auto *content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setSpacing(kGap);
    m_title->setObjectName("startTitle");
    m_column->addStretch(1);
    m_column->addWidget(m_title, 0, Qt::AlignHCenter);
    m_grid->setSpacing(kGap);
    m_grid->setAlignment(Qt::AlignHCenter);
    m_column->addLayout(m_grid);
    addLessons();
    addFiles();
    m_column->addStretch(2);
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(m_pictures, &LessonPictures::painted, this,
            [this](const QString &id, const QImage &picture) {
                m_cards[startLessonIds().indexOf(id)]->setPicture(picture);
            });
}

void StartPage::addLessons() {
    for (const QString &shown : startLessonIds()) {
        const LessonInfo &lesson = lessonInfos()[lessonIds().indexOf(shown)];
        auto *card = new LessonCard(lesson.title, lesson.summary);
        card->setObjectName("lesson-" + lesson.id);
        connect(card, &LessonCard::clicked, this,
                [this, id = lesson.id] { emit sourceChosen(id); });
        card->installEventFilter(this);
        m_cards << card;
    }
}

void StartPage::addFiles() {
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch();
    const auto add = [row](const QString &text, const char *name, const QString &hint) {
        auto *button = new QPushButton(withAmpersands(text));
        button->setObjectName(name);
        button->setAccessibleName(text);
        button->setToolTip(hint);
        row->addWidget(button);
        return button;
    };
    connect(
        add(tr("All lessons…"), "startMap",
            tr("A map of all lessons, their prerequisites and where you left off (Ctrl+Shift+L)")),
        &QPushButton::clicked, this, &StartPage::mapWanted);
    connect(add(tr("New session…"), "startNew", tr("Your own words and model (Ctrl+N)")),
            &QPushButton::clicked, this, &StartPage::newWanted);
    connect(add(tr("Open…"), "startOpen",
                tr("A session, a capture, or a figure with a session (Ctrl+O)")),
            &QPushButton::clicked, this, &StartPage::openWanted);
    QPushButton *learned = add(tr("Trained models"), "startLearned",
                               tr("Small models that were trained in Headlight, and their tasks"));
    auto *models = new LearnedModelsMenu(learned);
    learned->setMenu(models);
    connect(models, &LearnedModelsMenu::chosen, this, &StartPage::sourceChosen);
    const QStringList files = recentFiles();
    for (const QString &path : files.first(std::min(kMaxFiles, files.size()))) {
        QPushButton *button = add(QFileInfo(path).fileName(), "startRecent", path);
        button->setAccessibleName(tr("Open again: %1").arg(QFileInfo(path).fileName()));
        connect(button, &QPushButton::clicked, this, [this, path] { emit sourceChosen(path); });
    }
    row->addStretch();
    m_column->addLayout(row);
    auto *never = new QPushButton(tr("Don't show this at the start"));
    never->setObjectName("startNever");
    never->setAccessibleName(never->text());
    never->setToolTip(tr("Help → Start page brings it back"));
    never->setFlat(true);
    connect(never, &QPushButton::clicked, this, [this] {
        setWanted(false);
        emit dismissed();
    });
    m_column->addWidget(never, 0, Qt::AlignHCenter);
}

void StartPage::setStyle(const FigureStyle &style) {
    m_style = style;
    setStyleSheet(QString("QLabel#startTitle { font-size: %1px; font-weight: 600; }"
                          "QPushButton#startNever { border: 0; color: %2; }"
                          "QPushButton#startNever:hover, QPushButton#startNever:focus { color: %3; "
                          "text-decoration: underline; }")
                      .arg(qRound(style.scaled(22)))
                      .arg(style.mutedText.name(), style.accent.name()));
    for (LessonCard *card : m_cards)
        card->setStyle(style);
    int height = 0; // common height of all cards
    for (const LessonCard *card : m_cards)
        height = std::max(height, card->sizeHint().height());
    for (LessonCard *card : m_cards)
        card->setFixedSize(card->sizeHint().width(), height);
    m_pictures->paint(m_cards.first()->pictureSize(), devicePixelRatioF(), style);
    m_columns = 0;
    arrange();
}

/// Places as many cards in a row as fit, in rows as even as possible.
void StartPage::arrange() {
    const int width = m_cards.first()->sizeHint().width() + kGap;
    const int most = std::clamp((m_scroll->width() - 3 * kGap) / width, 1,
                                static_cast<int>(std::min<qsizetype>(3, m_cards.size())));
    if (most == m_columns)
        return;
    m_columns = most;
    // Two grid columns for each card, so that shorter rows can be centred.
    for (LessonCard *card : m_cards)
        m_grid->removeWidget(card);
    const int count = static_cast<int>(m_cards.size());
    for (int index = 0; index < count; ++index) {
        const int row = index / most;
        const int inRow = std::min(most, count - row * most);
        m_grid->addWidget(m_cards[index], row, 2 * (index % most) + most - inRow, 1, 2,
                          Qt::AlignTop | Qt::AlignHCenter);
    }
}

void StartPage::focusFirst() {
    m_cards.first()->setFocus(Qt::OtherFocusReason);
}

QList<QWidget *> StartPage::controls() const {
    QList<QWidget *> all;
    for (LessonCard *card : m_cards)
        all << card;
    for (QPushButton *button : m_scroll->findChildren<QPushButton *>())
        all << button;
    return all;
}

/// Cycles the focus within the page, because the window below is covered.
bool StartPage::focusNextPrevChild(bool next) {
    const QList<QWidget *> all = controls();
    const qsizetype now = all.indexOf(m_scroll->focusWidget());
    const qsizetype count = all.size();
    QWidget *then = all[(now + (next ? 1 : -1) + count) % count];
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
    if (event->key() == Qt::Key_Escape)
        return emit dismissed();
    QWidget::keyPressEvent(event);
}

/// Handles the arrow keys of a card: a button would only move to its neighbour in tab order.
bool StartPage::eventFilter(QObject *object, QEvent *event) {
    auto *card = qobject_cast<LessonCard *>(object);
    return card && event->type() == QEvent::KeyPress
               ? handleCardKey(*card, *static_cast<QKeyEvent *>(event))
               : QWidget::eventFilter(object, event);
}

bool StartPage::handleCardKey(LessonCard &card, const QKeyEvent &event) {
    if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) {
        card.click();
        return true;
    }
    const int by = event.key() == Qt::Key_Left    ? -1
                   : event.key() == Qt::Key_Right ? 1
                   : event.key() == Qt::Key_Up    ? -m_columns
                   : event.key() == Qt::Key_Down  ? m_columns
                                                  : 0;
    const qsizetype to = m_cards.indexOf(&card) + by;
    const bool plain = !(event.modifiers() & (Qt::AltModifier | Qt::ControlModifier));
    if (by != 0 && plain && to >= 0 && to < m_cards.size()) {
        m_cards[to]->setFocus(Qt::TabFocusReason);
        m_scroll->ensureWidgetVisible(m_cards[to]);
    }
    return by != 0;
}
void StartPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_scroll->setGeometry(rect());
    arrange();
}

} // namespace headlight::ui
