#include "ui/window/start/show/opening_show.h"

#include "core/training/tasks/head_purpose.h"
#include "ui/figures/base/style.h"
#include "ui/text/core_message.h"
#include "ui/text/sentences.h"
#include "ui/views/birth_replay.h"
#include "ui/views/motion/step_motion.h"
#include "ui/window/start/show/show_stage.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

// Lengths in px in a window of 1280 × 720.
constexpr QSizeF kUsualShow(1280, 720);
constexpr double kSideOfShow = 56, kTopOfShow = 36;
constexpr double kSentenceType = 40, kNoteType = 22, kFooterOfShow = 16;
constexpr double kGapOfShow = 24, kFootOfShow = 14;
constexpr double kVoteType = 64, kButtonType = 22;
constexpr int kLastMoment = 11;
constexpr MomentKind kRecordsFrom = MomentKind::Score; // training ends before the last moment
constexpr qsizetype kShortestLine = 14;                // letters

/// Keeps the last words together, so that a second line is not a single short word.
QString withoutShortLine(QString text) {
    qsizetype end = text.size();
    while (text.size() - end < kShortestLine) {
        const qsizetype space = text.lastIndexOf(QLatin1Char(' '), end - 1);
        if (end == 0 || space < 0)
            break;
        if (text.size() - space - 1 < kShortestLine)
            text[space] = QChar::Nbsp;
        end = space;
    }
    return text;
}

} // namespace

OpeningShow::OpeningShow(const QString &text, QWidget *parent)
    : QWidget(parent, Qt::Window),
      m_sentence(makeText("showSentence")),
      m_note(makeText("showNote")),
      m_where(makeText("showWhere")),
      m_keys(makeText("showKeys")),
      m_stage(new ShowStage(this)) {
    setObjectName("openingShow");
    setWindowTitle(tr("Headlight: a show for a class"));
    setAccessibleName(tr("A show for a class"));
    setFocusPolicy(Qt::StrongFocus);
    setAutoFillBackground(true);
    setGeometry(screen()->geometry());
    m_keys->setAlignment(Qt::AlignRight);
    m_keys->setTextFormat(Qt::PlainText);
    m_keys->setText(tr("Space or click: go on   ←: back   Esc: leave"));
    connect(m_stage, &ShowStage::voted, this, &OpeningShow::vote);
    connect(m_stage, &ShowStage::allHeadsSilenced, this, &OpeningShow::silenceAll);
    connect(m_stage, &ShowStage::watchRequested, this, &OpeningShow::watch);
    connect(m_stage, &ShowStage::wordPointed, this, &OpeningShow::showTexts);
    applyStyle();
    m_job.start([text](const std::stop_token &stop) { return openShow(text, stop); },
                [this](core::Result<OpenedShow> opened) { take(std::move(opened)); });
}

QLabel *OpeningShow::makeText(const char *name) {
    auto *label = new QLabel(this);
    label->setObjectName(name);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setAttribute(Qt::WA_TransparentForMouseEvents); // the show receives the click
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

void OpeningShow::take(core::Result<OpenedShow> opened) {
    if (!opened) {
        m_sentence->setText(translated(opened.error()).toHtmlEscaped());
        setAccessibleDescription(translated(opened.error()));
        return place();
    }
    m_moments = std::make_unique<ShowMoments>(std::move(opened->runs), opened->refusal);
    goTo(0);
}

void OpeningShow::setTheme(bool dark) {
    m_dark = dark;
    applyStyle();
}

/// Returns the text as HTML, with marked words in the accent colour and "it" in the colour of its
/// ring.
QString OpeningShow::html(const QString &marked) const {
    const FigureStyle style = FigureStyle::presented(m_dark, 1);
    QString text;
    bool isMarked = false;
    const QStringList parts = withoutShortLine(marked).split(QLatin1Char('*'));
    for (const QString &part : parts) {
        const QColor &colour = part == ReadSentence::pronoun() ? style.selection : style.accent;
        text += isMarked ? QStringLiteral("<span style=\"color:%1\">%2</span>")
                               .arg(colour.name(), part.toHtmlEscaped())
                         : part.toHtmlEscaped();
        isMarked = !isMarked;
    }
    // A percent sign must not begin a line.
    return text.replace(QStringLiteral(" %"), QStringLiteral("\u00A0%"));
}

void OpeningShow::goTo(int moment) {
    if (!m_moments)
        return;
    const int before = m_now;
    m_now = std::clamp(moment, 0, kLastMoment);
    const Moment &now = m_moments->all()[static_cast<std::size_t>(m_now)];
    m_stage->showMoment(*m_moments, now.kind, m_now > before && StepMotion::isWanted());
    showTexts();
    if (now.kind >= kRecordsFrom)
        recordAhead();
}

void OpeningShow::recordAhead() {
    const core::Recipe &recipe = m_moments->runs().recipe;
    if (!m_ahead && core::findWatchableTask(recipe.task))
        m_ahead = RunAhead::begin(recipe, core::findTask(recipe.task));
}

void OpeningShow::next() {
    if (m_moments && m_now == kLastMoment)
        return watch();
    goTo(m_now + 1);
}

void OpeningShow::back() {
    goTo(m_now - 1);
}

void OpeningShow::vote(int noun) {
    ++m_votes[static_cast<std::size_t>(noun)];
    m_stage->setVotes(m_votes);
}

void OpeningShow::silenceAll(bool on) {
    m_stage->silenceAllHeads(on);
    showTexts();
}

void OpeningShow::watch() {
    if (!m_moments)
        return;
    const core::Recipe recipe = m_moments->runs().recipe;
    close();
    emit trainingWanted(recipe);
}

void OpeningShow::showTexts() {
    if (!m_moments)
        return;
    const Moment &now = m_moments->all()[static_cast<std::size_t>(m_now)];
    QString sentence = now.sentence, note = now.note;
    if (now.kind == MomentKind::Answer && m_votes != std::array<int, 2>{})
        note = m_moments->voteNote(m_votes);
    if (now.kind == MomentKind::Lines && m_stage->pointedWord())
        note = m_moments->weightNote(*m_stage->pointedWord());
    if (now.kind == MomentKind::Silence && m_stage->silencesAllHeads()) {
        sentence = m_moments->sentenceWithoutHeads();
        note = m_moments->noteWithoutHeads();
    }
    m_sentence->setText(html(sentence));
    m_note->setText(html(note));
    m_where->setText(tr("%1 of %2").arg(m_now + 1).arg(kLastMoment + 1));
    setAccessibleDescription(sentences({ShowMoments::plain(sentence), ShowMoments::plain(note)}));
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    place();
}

void OpeningShow::applyStyle() {
    const double unit = std::min(width() / kUsualShow.width(), height() / kUsualShow.height());
    const FigureStyle style = FigureStyle::presented(m_dark, unit);
    const auto type = [&style](double pixels) { return QString::number(style.typeSize(pixels)); };
    const QString sheet =
        QString("QWidget#openingShow, QWidget#showStage { background: %1; }"
                "QLabel#showSentence { color: %2; font-size: %3px; font-weight: 700; }"
                "QLabel#showNote { color: %4; font-size: %5px; }"
                "QLabel#showWhere, QLabel#showKeys { color: %4; font-size: %6px; }"
                "QPushButton#showVote { font-size: %7px; font-weight: 600; border-radius: 8px; }"
                "QPushButton#showAllHeads, QPushButton#showWatch { font-size: %8px; "
                "font-weight: 600; border-radius: 8px; }"
                "QPushButton#showWatch { background: %9; border-color: %9; color: %1; }"
                "QPushButton#showAllHeads:checked { border-color: %9; color: %9; }")
            .arg(style.background.name(), style.text.name(), type(kSentenceType),
                 style.mutedText.name(), type(kNoteType), type(kFooterOfShow), type(kVoteType),
                 type(kButtonType), style.accent.name());
    if (styleSheet() != sheet) // setting a style sheet is slow
        setStyleSheet(sheet);
    m_stage->setStyle(m_dark, unit);
    showTexts();
    place();
}

void OpeningShow::place() {
    const double unit = std::min(width() / kUsualShow.width(), height() / kUsualShow.height());
    const auto px = [unit](double length) { return qRound(length * unit); };
    const int left = px(kSideOfShow), wide = width() - 2 * left;
    // Reserve two lines for both sentences about silencing, so that the words keep their place.
    const bool isSilence = m_moments && m_now == static_cast<int>(MomentKind::Silence);
    const int sentence = std::max(m_sentence->heightForWidth(wide),
                                  isSilence ? 2 * m_sentence->fontMetrics().lineSpacing() : 0);
    m_sentence->setGeometry(left, px(kTopOfShow), wide, sentence);
    const int foot = m_keys->fontMetrics().height();
    const int footTop = height() - px(kFootOfShow) - foot;
    m_where->setGeometry(left, footTop, wide / 4, foot);
    m_keys->setGeometry(left + wide / 4, footTop, wide - wide / 4, foot);
    // Reserve two lines for the note, so that the picture keeps its place.
    const int lines = 2 * m_note->fontMetrics().lineSpacing();
    const int note = std::max(lines, m_note->heightForWidth(wide));
    const int noteTop = footTop - px(kGapOfShow) - note;
    m_note->setGeometry(left, noteTop, wide, note);
    const int top =
        std::max(m_sentence->geometry().bottom(), px(kTopOfShow + kSentenceType)) + px(kGapOfShow);
    m_stage->setGeometry(left, top, wide, std::max(1, noteTop - px(kGapOfShow) / 2 - top));
}

void OpeningShow::keyPressEvent(QKeyEvent *event) {
    const bool isVote = m_moments && m_now == static_cast<int>(MomentKind::Vote);
    const bool isSilence = m_moments && m_now == static_cast<int>(MomentKind::Silence);
    switch (event->key()) {
    case Qt::Key_Space:
    case Qt::Key_Right:
    case Qt::Key_PageDown:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return next();
    case Qt::Key_Left:
    case Qt::Key_Backspace:
    case Qt::Key_PageUp:
        return back();
    case Qt::Key_Home:
        return goTo(0);
    case Qt::Key_End:
        return goTo(kLastMoment);
    case Qt::Key_Up:
    case Qt::Key_Down:
        return m_stage->pointBy(event->key() == Qt::Key_Up ? -1 : 1);
    case Qt::Key_1:
    case Qt::Key_2:
        return isVote ? vote(event->key() == Qt::Key_1 ? 0 : 1) : void();
    case Qt::Key_0:
        m_votes = {};
        return m_stage->setVotes(m_votes);
    case Qt::Key_S:
        return isSilence ? silenceAll(!m_stage->silencesAllHeads()) : void();
    case Qt::Key_Escape:
    case Qt::Key_F11:
        close();
        return;
    default:
        return; // other keys of a presenter remote have no effect
    }
}

void OpeningShow::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        next();
}

void OpeningShow::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    applyStyle();
}

void OpeningShow::closeEvent(QCloseEvent *event) {
    QWidget::closeEvent(event);
    emit left();
}

} // namespace headlight::ui
