#include "ui/views/token_finder.h"

#include "core/analysis/head_aggregation.h"
#include "core/analysis/special_tokens.h"
#include "ui/text/token_names.h"
#include "ui/views/figure_view.h"
#include "ui/widgets/bar_buttons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kTextWidth = 160; // px

/// Returns the tokens that contain the text. For a match across several pieces of a word, returns
/// the piece where the match begins.
std::vector<core::Index> tokensWith(const QString &text, const core::Sequence &sequence) {
    std::vector<core::Index> found;
    if (text.isEmpty())
        return found;
    for (const core::TokenRange &word : core::wordsOf(sequence.tokens, sequence.length)) {
        QString read;
        std::vector<qsizetype> ends; // ends of the pieces in `read`
        for (core::Index piece = word.begin; piece < word.end; ++piece) {
            const std::string &token = sequence[piece].text;
            read += tokenText(std::string(core::withoutWordMarks(token)));
            ends.push_back(read.size());
            if (tokenText(token).contains(text, Qt::CaseInsensitive))
                found.push_back(piece);
        }
        for (qsizetype at = read.indexOf(text, 0, Qt::CaseInsensitive); at >= 0;
             at = read.indexOf(text, at + 1, Qt::CaseInsensitive))
            found.push_back(word.begin + (std::ranges::upper_bound(ends, at) - ends.begin()));
    }
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

} // namespace

TokenFinder::TokenFinder(FigureView &view)
    : QWidget(&view), m_view(view), m_text(new QLineEdit), m_count(new QLabel) {
    setObjectName("tokenFinder");
    setAccessibleName(tr("Find tokens"));
    setAutoFillBackground(true);
    setCursor(Qt::ArrowCursor);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    m_text->setObjectName("tokenFinderText");
    m_text->setPlaceholderText(tr("token"));
    m_text->setAccessibleName(tr("Text to find in tokens"));
    m_text->setToolTip(
        tr("Find tokens and words that contain this text; Enter goes to the next one"));
    m_text->setMinimumWidth(kTextWidth);
    m_text->setClearButtonEnabled(true);
    m_count->setObjectName("tokenFinderCount");
    const auto button = [this](const char *name, const QString &text, const QString &tip) {
        QToolButton *made = barButton(QLatin1String(name));
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        return made;
    };
    m_side = button("tokenFinderSide", tr("as key"), tr("Select the token as a key or as a query"));
    m_side->setCheckable(true);
    m_side->setChecked(true);
    QToolButton *before =
        button("tokenFinderBefore", QStringLiteral("‹"), tr("Previous match (Shift+Enter)"));
    QToolButton *next = button("tokenFinderNext", QStringLiteral("›"), tr("Next match (Enter)"));
    QToolButton *close = button("tokenFinderClose", QStringLiteral("×"), tr("Close (Esc)"));
    for (QWidget *each : {static_cast<QWidget *>(m_text), static_cast<QWidget *>(m_count),
                          static_cast<QWidget *>(m_side), static_cast<QWidget *>(before),
                          static_cast<QWidget *>(next), static_cast<QWidget *>(close)}) {
        layout->addWidget(each);
        each->installEventFilter(this); // Esc closes the bar, whichever control has the focus
    }
    connect(m_text, &QLineEdit::textEdited, this, &TokenFinder::search);
    connect(before, &QToolButton::clicked, this, [this] { go(-1); });
    connect(next, &QToolButton::clicked, this, [this] { go(1); });
    connect(close, &QToolButton::clicked, this, &TokenFinder::close);
    connect(m_side, &QToolButton::toggled, this, [this](bool isKey) {
        m_side->setText(isKey ? tr("as key") : tr("as query"));
        m_side->setAccessibleName(isKey ? tr("Select the token as a key")
                                        : tr("Select the token as a query"));
        search();
    });
    m_side->setAccessibleName(tr("Select the token as a key"));
    connect(&view.document(), &Document::changed, this, [this](const ChangeEvent &event) {
        if (!isHidden() && (is<TraceChanged>(event) || is<SessionChanged>(event))) {
            match(m_text->text()); // without selecting, because the user has not searched again
            showCount();
        } else if (!isHidden() && is<SelectionChanged>(event)) {
            showCount();
        }
    });
    view.installEventFilter(this);
    hide();
}

void TokenFinder::open() {
    show();
    place();
    raise();
    m_text->setFocus();
    m_text->selectAll();
    showCount();
}

void TokenFinder::close() {
    hide();
    m_view.setFocus();
}

std::optional<core::Index> TokenFinder::selected() const {
    const core::Selection &selection = m_view.document().selection();
    return m_side->isChecked() ? selection.key : selection.query;
}

void TokenFinder::match(const QString &text) {
    m_matches.clear();
    const core::TracePointer &trace = m_view.document().trace();
    if (!trace)
        return;
    const core::Selection selection = m_view.document().selectionInTrace();
    const core::AttentionId attention = selection.attention();
    const core::Batch &batch =
        m_side->isChecked() ? trace->keys(attention) : trace->queries(attention);
    if (selection.sequence < batch.count()) // the selection may belong to a newer state
        m_matches = tokensWith(text, batch[selection.sequence]);
}

void TokenFinder::find(const QString &text) {
    match(text);
    if (!m_matches.empty()) {
        const auto from = std::ranges::lower_bound(m_matches, selected().value_or(0));
        select(from == m_matches.end() ? m_matches.front() : *from);
    }
    showCount();
}

void TokenFinder::search() {
    find(m_text->text());
}

void TokenFinder::go(int by) {
    if (m_matches.empty())
        return search();
    const auto at = std::ranges::lower_bound(m_matches, selected().value_or(-1));
    auto index = at - m_matches.begin();
    const bool isOnMatch = at != m_matches.end() && *at == selected();
    if (by < 0 || isOnMatch)
        index += by;
    const auto count = std::ssize(m_matches);
    select(m_matches[static_cast<std::size_t>((index + count) % count)]);
}

void TokenFinder::select(core::Index token) {
    core::Selection selection = m_view.document().selection();
    (m_side->isChecked() ? selection.key : selection.query) = token;
    m_view.document().select(selection);
    showCount();
}

void TokenFinder::showCount() {
    const auto at = selected() ? std::ranges::find(m_matches, *selected()) : m_matches.end();
    m_count->setText(m_text->text().isEmpty() ? QString()
                     : m_matches.empty()      ? tr("none found")
                     : at == m_matches.end()
                         ? tr("%n found", nullptr, static_cast<int>(m_matches.size()))
                         : tr("%1 of %2").arg(at - m_matches.begin() + 1).arg(m_matches.size()));
    m_text->setAccessibleDescription(m_count->text()); // screen readers read changes
    place();
}

void TokenFinder::place() {
    adjustSize();
    const int width = std::min(sizeHint().width(), m_view.width());
    setGeometry(m_view.width() - width, 0, width, sizeHint().height());
}

bool TokenFinder::eventFilter(QObject *object, QEvent *event) {
    if (object == &m_view) {
        if (event->type() == QEvent::Resize && !isHidden())
            place();
        return false;
    }
    const bool isShortcut = event->type() == QEvent::ShortcutOverride;
    if (event->type() != QEvent::KeyPress && !isShortcut)
        return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!(isEnter && object == m_text) && key->key() != Qt::Key_Escape)
        return false;
    event->accept();
    if (isShortcut)
        return true;
    if (isEnter)
        go(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
    else
        close();
    return true;
}

} // namespace headlight::ui
