#include "ui/window/glossary/glossary_window.h"

#include "ui/text/glossary/glossary.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

GlossaryWindow::GlossaryWindow(QWidget *parent)
    : QDialog(parent), m_search(new QLineEdit), m_terms(new QListWidget), m_text(new QTextBrowser) {
    setObjectName("glossary");
    setWindowTitle(tr("Glossary"));
    m_search->setObjectName("searchGlossary");
    m_search->setPlaceholderText(tr("Search for a term, a symbol or a word"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setToolTip(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_terms->setObjectName("terms");
    m_terms->setAccessibleName(tr("Terms"));
    m_terms->setWordWrap(true); // long terms take two lines
    m_terms->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_terms->setToolTip(tr("From the text to the answer, in the order of the computation"));
    m_text->setObjectName("meaning");
    m_text->setAccessibleName(tr("What it means"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    for (const GlossaryEntry &entry : glossary()) {
        auto *item = new QListWidgetItem(
            entry.symbols.isEmpty()
                ? entry.term
                : tr("%1  (%2)").arg(entry.term, plainSymbols(entry.symbols.first())),
            m_terms);
        item->setData(Qt::UserRole, entry.id);
    }
    connect(m_search, &QLineEdit::textChanged, this, &GlossaryWindow::find);
    connect(m_terms, &QListWidget::currentRowChanged, this, &GlossaryWindow::showCurrent);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon({}); // some desktop styles set an icon
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close (Esc)"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *both = new QHBoxLayout;
    both->setSpacing(16);
    both->addWidget(m_terms, 2);
    both->addWidget(m_text, 3);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(m_search);
    layout->addLayout(both, 1);
    layout->addWidget(buttons);
    m_terms->setCurrentRow(0);
    const int line = fontMetrics().height();
    resize(QSize(44 * line, 28 * line).boundedTo(screen()->availableSize() * 0.9));
}

void GlossaryWindow::showEntry(const QString &id) {
    m_search->clear();
    for (int row = 0; row < m_terms->count(); ++row)
        if (m_terms->item(row)->data(Qt::UserRole) == id)
            m_terms->setCurrentRow(row);
    m_terms->scrollToItem(m_terms->currentItem());
    m_terms->setFocus();
}

QString GlossaryWindow::shownEntry() const {
    const QListWidgetItem *item = m_terms->currentItem();
    return item ? item->data(Qt::UserRole).toString() : QString();
}

void GlossaryWindow::find(const QString &words) {
    const std::vector<GlossaryEntry> all = glossary();
    QListWidgetItem *first = nullptr;
    for (int row = 0; row < m_terms->count(); ++row) {
        const GlossaryEntry &entry = all[static_cast<std::size_t>(row)];
        const QString entryText =
            QStringList{entry.term, entry.symbols.join(' '), entry.text, entry.otherNames.join(' ')}
                .join(' ');
        const QString text = entryText + ' ' + plainSymbols(entryText);
        const QStringList parts = words.split(' ', Qt::SkipEmptyParts);
        const bool fits = std::ranges::all_of(
            parts, [&](const QString &part) { return text.contains(part, Qt::CaseInsensitive); });
        m_terms->item(row)->setHidden(!fits);
        // Prefer a matching term to entries whose text only mentions it.
        const bool named = fits && entry.term.startsWith(words, Qt::CaseInsensitive);
        if (fits && (!first || (named && !words.isEmpty() &&
                                !first->text().startsWith(words, Qt::CaseInsensitive))))
            first = m_terms->item(row);
    }
    if (first && (m_terms->currentItem()->isHidden() || !words.isEmpty()))
        m_terms->setCurrentItem(first);
}

void GlossaryWindow::showCurrent() {
    const auto entry = entryOfTerm(shownEntry());
    if (!entry)
        return;
    QString html = QString("<h3>%1</h3>").arg(entry->term.toHtmlEscaped());
    if (!entry->symbols.isEmpty())
        html += QString("<p><b>%1</b></p>")
                    .arg(symbolsInHtml(entry->symbols.join(", ").toHtmlEscaped()));
    html += QString("<p style='line-height:150%'>%1</p>")
                .arg(symbolsInHtml(entry->text.toHtmlEscaped()));
    if (!entry->otherNames.isEmpty())
        html += QString("<p>%1</p>")
                    .arg(tr("Also: %1").arg(enumerated(entry->otherNames)).toHtmlEscaped());
    m_text->setHtml(html);
}

} // namespace headlight::ui
