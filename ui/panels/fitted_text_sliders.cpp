// FittedText: sliders in the text. A slider is an inline picture with a link, so that Tab reaches
// it.
#include "ui/panels/fitted_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextFragment>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kTrackWidth = 108, kTrackHeight = 16, kKnob = 12; // px
constexpr double kSliderPixels = 2;   // picture pixels per px, so that it is sharp on dense screens
constexpr double kShareUnits = 10000; // integer for share 1 in a picture's address
constexpr double kKeyStep = 0.02, kPageStep = 0.1;

const QString &sliderScheme() {
    static const QString scheme = QStringLiteral("slider");
    return scheme;
}

QImage sliderImage(double share, const QColor &track, const QColor &knob) {
    QImage image(QSize(kTrackWidth, kTrackHeight) * kSliderPixels,
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(kSliderPixels, kSliderPixels);
    painter.setPen(Qt::NoPen);
    painter.setBrush(track);
    const QRectF line(kKnob / 2.0, kTrackHeight / 2.0 - 1.5, kTrackWidth - kKnob, 3);
    painter.drawRoundedRect(line, 1.5, 1.5);
    painter.setPen(QPen(Qt::white, 1.5)); // visible on the focus colour
    painter.setBrush(knob);
    painter.drawEllipse(QPointF(line.left() + share * line.width(), kTrackHeight / 2.0),
                        kKnob / 2.0, kKnob / 2.0);
    return image;
}

/// Returns the slider position that a picture's address contains.
double shareOf(const QUrl &picture) {
    return picture.query().section('-', 0, 0).toInt() / kShareUnits;
}

/// Calls `visit` with each fragment that is a slider, until it returns true.
template <typename Visit>
void forEachSlider(const QTextDocument &document, const Visit &visit) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto each = block.begin(); !each.atEnd(); ++each) {
            const QTextFragment fragment = each.fragment();
            const QUrl link(fragment.charFormat().anchorHref());
            if (fragment.charFormat().isImageFormat() && link.scheme() == sliderScheme() &&
                visit(fragment, link.path()))
                return;
        }
}

} // namespace

QString sliderHtml(const QString &mark, double share, const QPalette &palette) {
    return QStringLiteral("<a href='slider:%1'><img src='slider:%1?%2-%3-%4' "
                          "width='%5' height='%6'></a>&nbsp;")
        .arg(mark)
        .arg(qRound(share * kShareUnits))
        .arg(palette.color(QPalette::Mid).name().mid(1),
             palette.color(QPalette::Highlight).name().mid(1))
        .arg(kTrackWidth)
        .arg(kTrackHeight);
}

QVariant FittedText::loadResource(int type, const QUrl &name) {
    if (type != QTextDocument::ImageResource || name.scheme() != sliderScheme())
        return {};
    const QStringList parts = name.query().split('-'); // as written by sliderHtml()
    return sliderImage(shareOf(name), QColor('#' + parts.value(1)), QColor('#' + parts.value(2)));
}

void FittedText::mousePressEvent(QMouseEvent *event) {
    const QUrl link(anchorAt(event->pos()));
    if (event->button() != Qt::LeftButton || link.scheme() != sliderScheme())
        return QTextBrowser::mousePressEvent(event);
    forEachSlider(*document(), [&](const QTextFragment &fragment, const QString &mark) {
        QTextCursor cursor(document());
        cursor.setPosition(fragment.position());
        const double left = cursorRect(cursor).left();
        if (mark != link.path() || event->pos().x() < left - 2 ||
            event->pos().x() > left + kTrackWidth + 2)
            return false;
        m_dragged = {mark, left + kKnob / 2.0, kTrackWidth - kKnob};
        return true;
    });
    if (!m_dragged)
        return;
    setFocus(Qt::MouseFocusReason);
    focusSlider(m_dragged->mark);
    moveTo(event->pos().x(), true);
}

void FittedText::mouseMoveEvent(QMouseEvent *event) {
    if (!m_dragged)
        return QTextBrowser::mouseMoveEvent(event);
    moveTo(event->pos().x(), false);
}

void FittedText::mouseReleaseEvent(QMouseEvent *event) {
    if (!std::exchange(m_dragged, std::nullopt))
        QTextBrowser::mouseReleaseEvent(event);
}

void FittedText::moveTo(double x, bool begins) {
    const double share = std::clamp((x - m_dragged->left) / m_dragged->width, 0.0, 1.0);
    const QString mark = m_dragged->mark; // copied, because the signal replaces the text
    emit sliderMoved(mark, share, begins);
}

/// Moves the focused slider. Left and Right move it by the smallest step.
void FittedText::keyPressEvent(QKeyEvent *event) {
    const QString mark = focusedSlider();
    double share = -1;
    if (!mark.isEmpty())
        forEachSlider(*document(), [&](const QTextFragment &fragment, const QString &each) {
            if (each == mark)
                share = shareOf(QUrl(fragment.charFormat().toImageFormat().name()));
            return each == mark;
        });
    double moved = share;
    switch (share < 0 ? 0 : event->key()) {
    case Qt::Key_Left:
        moved -= kKeyStep;
        break;
    case Qt::Key_Right:
        moved += kKeyStep;
        break;
    case Qt::Key_PageUp:
        moved += kPageStep;
        break;
    case Qt::Key_PageDown:
        moved -= kPageStep;
        break;
    case Qt::Key_Home:
        moved = 0;
        break;
    case Qt::Key_End:
        moved = 1;
        break;
    default:
        return QTextBrowser::keyPressEvent(event);
    }
    event->accept();
    emit sliderMoved(mark, std::clamp(moved, 0.0, 1.0), !event->isAutoRepeat());
}

QString FittedText::focusedSlider() const {
    const QTextCursor cursor = textCursor();
    if (!cursor.hasSelection())
        return {};
    QTextCursor begin = cursor;
    // charFormat() returns the format of the character before the cursor.
    begin.setPosition(cursor.selectionStart() + 1);
    const QUrl link(begin.charFormat().anchorHref());
    return link.scheme() == sliderScheme() ? link.path() : QString();
}

void FittedText::focusSlider(const QString &mark) {
    forEachSlider(*document(), [&](const QTextFragment &fragment, const QString &each) {
        if (each != mark)
            return false;
        QTextCursor cursor(document());
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        setTextCursor(cursor);
        return true;
    });
}

} // namespace headlight::ui
