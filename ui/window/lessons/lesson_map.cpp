#include "ui/window/lessons/lesson_map.h"

#include "ui/window/lessons/lesson_node.h"
#include "ui/window/lessons/lesson_routes.h"
#include "ui/window/lessons/track_bar.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kBetweenColumns = 48, kBetweenRows = 16;

} // namespace

LessonMapArea::LessonMapArea(const FigureStyle &style, const QList<LessonInfo> &lessons,
                             QWidget *parent)
    : QWidget(parent), m_style(style), m_places(placesOf(lessons)) {
    for (const LessonMapPosition &place : std::as_const(m_places)) {
        auto *node =
            new LessonNode(place.lesson, static_cast<int>(m_nodes.size()) + 1, style, this);
        connect(node, &LessonNode::clicked, this,
                [this, node] { emit chosen(node->lesson().id, node->nextStep()); });
        m_nodes << node;
    }
    place();
}

/// Places the cards column by column, centred in the map's height. The margin equals the gap
/// between cards, to leave space for the lines.
void LessonMapArea::place() {
    int height = 0, width = 0;
    for (const LessonNode *node : std::as_const(m_nodes)) {
        height = std::max(height, node->sizeHint().height());
        width = std::max(width, node->sizeHint().width());
    }
    const int gap = qRound(m_style.scaled(kBetweenRows));
    const int rowHeight = height + gap;
    const int columnWidth = width + qRound(m_style.scaled(kBetweenColumns));
    QMap<int, int> rows;
    int most = 0;
    for (const LessonMapPosition &place : std::as_const(m_places))
        most = std::max(most, ++rows[place.cell.x()]);
    for (qsizetype at = 0; at < m_nodes.size(); ++at) {
        const QPoint cell = m_places[at].cell;
        const int above = (most - rows[cell.x()]) * rowHeight / 2;
        m_nodes[at]->setGeometry(gap + cell.x() * columnWidth, gap + above + cell.y() * rowHeight,
                                 width, height);
    }
    setFixedSize(childrenRect().united({0, 0, 1, 1}).adjusted(0, 0, gap, gap).size());
}

void LessonMapArea::showTrack(const LessonTrack *track) {
    for (LessonNode *node : std::as_const(m_nodes))
        node->setOnTrack(!track || track->lessons.contains(node->lesson().id));
}

QList<QPainterPath> LessonMapArea::lines() const {
    QList<QRect> cards;
    for (const LessonNode *node : m_nodes)
        cards << node->geometry();
    return routesOf(m_places, cards, qRound(m_style.scaled(kBetweenRows)));
}

QSize LessonMapArea::sizeHint() const {
    return size();
}

void LessonMapArea::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mixed(m_style.mutedText, m_style.background, 0.6), 1.5));
    for (const QPainterPath &line : lines())
        painter.drawPath(line);
}

void LessonMapArea::goTo(LessonNode *node) {
    node->setFocus(Qt::TabFocusReason);
    emit reached(node);
}

/// Moves the focus to the nearest card in the key's direction. Home and End move it to the first
/// and last lesson.
void LessonMapArea::keyPressEvent(QKeyEvent *event) {
    QPoint way;
    switch (event->key()) {
    case Qt::Key_Left:
        way = {-1, 0};
        break;
    case Qt::Key_Right:
        way = {1, 0};
        break;
    case Qt::Key_Up:
        way = {0, -1};
        break;
    case Qt::Key_Down:
        way = {0, 1};
        break;
    case Qt::Key_Home:
    case Qt::Key_End:
        if (!m_nodes.isEmpty())
            goTo(event->key() == Qt::Key_Home ? m_nodes.first() : m_nodes.last());
        return;
    default:
        return QWidget::keyPressEvent(event);
    }
    LessonNode *best = nullptr;
    double least = 0;
    for (LessonNode *node : std::as_const(m_nodes)) {
        QWidget *const now = focusWidget();
        if (!now || node == now)
            continue;
        const QPoint to = node->geometry().center() - now->geometry().center();
        const int along = QPoint::dotProduct(to, way);
        const int across = std::abs(to.x() * way.y()) + std::abs(to.y() * way.x());
        if (along <= 0)
            continue;
        const double far = along + 2.0 * across;
        if (!best || far < least) {
            best = node;
            least = far;
        }
    }
    if (best)
        goTo(best);
}

LessonMap::LessonMap(const FigureStyle &style, const OpenCoursePointer &course, const QString &open,
                     QWidget *parent)
    : QDialog(parent),
      m_area(new LessonMapArea(style, course ? lessonsOnMap(*course) : lessonInfos())),
      m_scroll(new QScrollArea) {
    setObjectName("lessonMap");
    setWindowTitle(course ? course->title : tr("Lessons"));
    auto *words = new QLabel(tr("A line leads from each lesson to those that build on it. Click "
                                "a lesson to continue where you left off."));
    words->setWordWrap(true);
    m_scroll->setObjectName("lessonMapScroll");
    m_scroll->setAccessibleName(tr("Map of the lessons"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidget(m_area);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(words);
    if (!course)
        addTracks();
    layout->addWidget(m_scroll, 1);
    resize(std::min(1180, m_area->width() + 64), std::min(640, m_area->height() + 96));
    connect(m_area, &LessonMapArea::reached, m_scroll,
            [this](QWidget *node) { m_scroll->ensureWidgetVisible(node); });
    connect(m_area, &LessonMapArea::chosen, this, [this](const QString &lesson, int step) {
        emit chosen(lesson, step);
        accept();
    });
    const qsizetype inCourse = course ? course->indexOf(open) : -1;
    const QString last = lastLesson();
    LessonNode *begin = nullptr; // the open lesson, else the one read last, else the first
    for (qsizetype at = 0; at < m_area->nodes().size(); ++at) {
        LessonNode *const node = m_area->nodes()[at];
        const bool isLast = node->lesson().id == last;
        node->setHere(isLast);
        if (at == inCourse || node->lesson().id == open)
            begin = node;
        else if (!begin && isLast)
            begin = node;
    }
    if (!begin && !m_area->nodes().isEmpty())
        begin = m_area->nodes().first();
    if (begin) {
        begin->setFocus();
        m_scroll->ensureWidgetVisible(begin);
    }
}

void LessonMap::addTracks() {
    auto *tracks = new TrackBar;
    layout()->addWidget(tracks);
    connect(tracks, &TrackBar::trackChanged, m_area, [this, tracks] {
        m_area->showTrack(tracks->track());
        for (LessonNode *node : m_area->nodes())
            if (node->lesson().id == tracks->nextLesson())
                m_scroll->ensureWidgetVisible(node);
    });
    connect(tracks, &TrackBar::continued, this, [this](const QString &lesson) {
        for (const LessonNode *node : m_area->nodes())
            if (node->lesson().id == lesson)
                emit chosen(lesson, node->nextStep());
        accept();
    });
    m_area->showTrack(tracks->track());
}

} // namespace headlight::ui
