#include "ui/window/strip_above_views.h"

#include "ui/strip/answer_bars.h"
#include "ui/strip/pairs_strip.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"
#include "ui/views/figure_view.h"

#include <QEvent>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>

namespace headlight::ui {

namespace {

constexpr double kMaxShareOfPage = 0.4; // largest share of the page's height for the words
constexpr int kMinPicture = 200;        // px that the view keeps if the words must shrink

} // namespace

StripAboveViews::StripAboveViews(SentenceStrip &strip, QTabWidget &tabs)
    : QObject(&tabs),
      m_strip(strip),
      m_tabs(tabs),
      m_pages(tabs.findChild<QStackedWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
    strip.setParent(&tabs); // screen readers see only the pages of a QStackedWidget
    m_pages->installEventFilter(this);
    QWidget *before = tabs.tabBar();
    for (QWidget *next :
         {static_cast<QWidget *>(&strip.words(InputSide::Source)),
          static_cast<QWidget *>(&strip.words(InputSide::Own)),
          static_cast<QWidget *>(&strip.pairs()), static_cast<QWidget *>(&strip.answer())}) {
        QWidget::setTabOrder(before, next);
        before = next;
    }
    connect(&strip, &SentenceStrip::heightChanged, this, &StripAboveViews::place);
    connect(&tabs, &QTabWidget::currentChanged, this, [this] {
        showColours();
        place();
    });
    for (int index = 0; index < tabs.count(); ++index)
        connect(static_cast<FigureView *>(tabs.widget(index)), &FigureView::optionsChanged, this,
                &StripAboveViews::showColours);
    place();
}

/// Uses the current view's colours. For a view without colours, keeps those of the previous view.
void StripAboveViews::showColours() {
    const auto *view = static_cast<FigureView *>(m_tabs.currentWidget());
    if (!view)
        return;
    FigureStyle style = view->figureStyle();
    if (!view->info().has(Choice::Colours)) {
        style.weightsMap = m_strip.figureStyle().weightsMap;
        style.signedMap = m_strip.figureStyle().signedMap;
    }
    m_strip.setStyle(style);
}

void StripAboveViews::keepFree(int width) {
    if (width == m_free)
        return;
    m_free = width;
    place();
}

void StripAboveViews::place() {
    const auto *view = static_cast<FigureView *>(m_tabs.currentWidget());
    const bool isShown = m_strip.hasWords() && view && showsText(view->info().view);
    const int page = m_pages->height(), most = static_cast<int>(kMaxShareOfPage * page);
    const int width = m_pages->width() - m_free;
    const int height = isShown ? m_strip.layOutFor(width, most, page - kMinPicture) : 0;
    m_strip.setVisible(height > 0);
    m_strip.setGeometry(m_pages->x(), m_pages->y(), width, height);
    // Neither the words nor a panel may enlarge the window. In a short window, the words are
    // hidden.
    const QMargins now = m_pages->contentsMargins();
    const QSize hint = m_tabs.minimumSizeHint() - QSize(now.right(), now.top());
    const QSize least(m_free > 0 ? hint.width() : 0, hint.height()); // 0: Qt uses its hint
    if (m_tabs.minimumSize() != least)
        m_tabs.setMinimumSize(least);
    if (const QMargins margins(0, height, m_free, 0); m_pages->contentsMargins() != margins)
        m_pages->setContentsMargins(margins);
    m_pages->stackUnder(&m_strip); // a panel over the right edge stays above both pages and strip
}

bool StripAboveViews::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        place();
    return QObject::eventFilter(watched, event);
}

} // namespace headlight::ui
