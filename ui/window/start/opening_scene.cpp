#include "ui/window/start/opening_scene.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/edits/text_edits.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"
#include "ui/text/token_names.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kBeginning[] = "the animal didn't cross the street because it was too";
constexpr const char *kLastWords[] = {"tired", "crowded", "wide"}; // the model knows them
constexpr double kLargestWords = 1.5; // scale of the sentence relative to other text
constexpr double kSmallestWords = 1.1;
constexpr int kBars = 3; // number of answers shown

QLabel *makeLabel(const char *name, const QString &text) {
    auto *label = new QLabel(text);
    label->setObjectName(name);
    label->setWordWrap(true);
    return label;
}

} // namespace

QString OpeningScene::modelId() {
    return QStringLiteral("it");
}

OpeningScene::OpeningScene(QWidget *parent)
    : QWidget(parent),
      m_title(makeLabel("startTitle", QString())),
      m_about(makeLabel("startAbout", tr("A small model read the sentence. It learned from "
                                         "examples where to look:"))),
      m_hint(makeLabel("startHint", tr("Click a word to see where it looks. Press Enter to type "
                                       "your own sentence."))),
      m_note(makeLabel("startNote", tr("step by step; every number is this sentence's"))),
      m_strip(new SentenceStrip(m_document)),
      m_how(new QPushButton(tr("How does it know? ›"))),
      m_silence(new QPushButton(tr("Silence this head"))) {
    m_strip->arcsAction()->setChecked(true); // without saving
    m_strip->setAnswerBelow(kBars);
    m_title->setTextFormat(Qt::RichText);
    connect(m_strip, &SentenceStrip::heightChanged, this, &OpeningScene::placeStrip);
    m_how->setObjectName("startHow");
    m_how->setAccessibleName(m_how->text());
    m_how->setToolTip(tr("Show how the model computes it, stage by stage"));
    m_how->setDefault(true);
    connect(m_how, &QPushButton::clicked, this, &OpeningScene::explanationRequested);
    m_silence->setObjectName("startSilence");
    m_silence->setAccessibleName(m_silence->text());
    m_silence->setToolTip(tr("Compute the answer without this head"));
    m_silence->setCheckable(true);
    connect(m_silence, &QPushButton::toggled, this, &OpeningScene::silence);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_about);
    column->addSpacing(8);
    column->addWidget(m_strip);
    auto *words = new QHBoxLayout;
    words->setSpacing(8);
    addWords(*words);
    column->addLayout(words);
    column->addSpacing(16);
    column->addWidget(m_hint);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(12);
    buttons->addWidget(m_how);
    buttons->addWidget(m_silence);
    buttons->addWidget(m_note, 1);
    column->addLayout(buttons);
    connect(&m_document, &Document::changed, this, &OpeningScene::documentChanged);
    SourceRequest request;
    request.source = modelId();
    request.text = QStringLiteral("%1 %2").arg(kBeginning, kLastWords[0]).toStdString();
    m_reader.read(request, [this](core::Result<OpenedSource> opened) {
        if (opened)
            m_document.open(*std::move(opened));
    });
}

/// Adds the words that may end the sentence.
void OpeningScene::addWords(QHBoxLayout &row) {
    row.addWidget(makeLabel("startChange", tr("change one word:")));
    for (const char *word : kLastWords) {
        auto *button = new QPushButton(QString::fromLatin1(word));
        button->setObjectName("startWord");
        button->setAccessibleName(tr("Last word: %1").arg(button->text()));
        button->setToolTip(tr("End the sentence with this word"));
        button->setCheckable(true);
        connect(button, &QPushButton::clicked, this,
                [this, text = button->text()] { changeLastWord(text); });
        row.addWidget(button);
        m_words << button;
    }
    row.addStretch(1);
}

void OpeningScene::changeLastWord(const QString &word) {
    if (!m_document.state().input.batch)
        return;
    QString text = sentence();
    const qsizetype end = text.lastIndexOf(QLatin1Char(' '));
    text = (end < 0 ? QString::fromLatin1(kBeginning) : text.first(end)) + QLatin1Char(' ') + word;
    (void)m_document.apply(edits::setText(m_document.state(), m_document.textId(), text));
    documentChanged(SavedChanged{}); // the button that is checked, also after an error
}

void OpeningScene::silence(bool isSilent) {
    if (!m_document.trace())
        return;
    const core::Selection &at = m_document.selection();
    (void)m_document.apply(edits::setHead(m_document.state(), at.attention(), at.head,
                                          isSilent ? core::HeadState::Zero : core::HeadState::On));
}

QString OpeningScene::sentence() const {
    const core::BatchPointer &batch = m_document.state().input.batch;
    return batch ? shownTextOf((*batch)[m_document.selection().sequence]) : QString();
}

void OpeningScene::documentChanged(const ChangeEvent &) {
    const QString last = sentence().section(QLatin1Char(' '), -1);
    for (QPushButton *button : std::as_const(m_words))
        button->setChecked(button->text() == last);
    const core::Selection &at = m_document.selection();
    const bool isSilent = m_document.state().input.interventions.stateOf(at.attention(), at.head) !=
                          core::HeadState::On;
    const QSignalBlocker blocker(m_silence);
    m_silence->setChecked(isSilent);
}

void OpeningScene::setStyle(const FigureStyle &style) {
    m_style = style;
    m_title->setText(tr("Who is <span style=\"color:%1\">it</span>?").arg(style.selection.name()));
    placeStrip();
}

void OpeningScene::placeStrip() {
    if (m_isPlacing)
        return;
    m_isPlacing = true; // another size or style asks again
    double words = kLargestWords;
    int height = 0;
    const auto isOneLine = [&] {
        m_strip->setStyle(m_style.isDark ? FigureStyle::dark(m_style.textScale * words)
                                         : FigureStyle::light(m_style.textScale * words));
        height = m_strip->layOutFor(width());
        const StripLayout &layout = m_strip->words().layoutNow();
        return layout.lines <= 1 &&
               layout.content.width() + 2 * WordsStrip::kOutline <= m_strip->words().width();
    };
    while (!isOneLine() && words > kSmallestWords)
        words -= 0.1;
    m_strip->setFixedHeight(height);
    m_isPlacing = false;
}

void OpeningScene::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    placeStrip();
}

} // namespace headlight::ui
