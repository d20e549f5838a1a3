#include "ui/window/message_bar.h"

#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/sentences.h"

#include <QAccessible>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

MessageBar::MessageBar(QWidget *parent) : QFrame(parent), m_what(new QLabel), m_more(new QLabel) {
    setObjectName("messageBar");
    setAccessibleName(tr("Problem"));
    m_what->setObjectName("problem");
    m_more->setObjectName("problemMore");
    for (QLabel *label : {m_what, m_more}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *close = new QToolButton;
    close->setObjectName("closeProblem");
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_what);
    texts->addWidget(m_more);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->addLayout(texts, 1);
    for (Offer &offer : m_offers) {
        offer.button = new QPushButton;
        offer.button->setObjectName(&offer == &m_offers[0] ? "problemOffer" : "problemSecondOffer");
        connect(offer.button, &QPushButton::clicked, this, [this, &offer] {
            dismiss();
            // Copy it, because act() may change m_offers.
            if (const std::function<void()> act = offer.act)
                act();
        });
        layout->addWidget(offer.button, 0, Qt::AlignVCenter);
    }
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::showProblem(const core::Error &error) {
    QString what = translated(error.what);
    if (!what.isEmpty())
        what.front() = what.front().toUpper();
    QStringList more;
    if (!error.where.empty())
        more << tr("Where: %1").arg(QString::fromStdString(error.where));
    if (!error.remedy.empty())
        more << tr("What to do: %1").arg(translated(error.remedy));
    say(what, more, translated(error));
}

void MessageBar::showWarnings(const std::vector<core::Warning> &warnings, bool ofCapture) {
    constexpr std::size_t kMax = 4; // warnings; more would take space from the views
    QStringList more;
    for (std::size_t i = 0; i < std::min(warnings.size(), kMax); ++i)
        more << QString::fromStdString(warnings[i].text());
    if (warnings.size() > kMax)
        more << tr("and %n more; `headlight check` lists them", "",
                   static_cast<int>(warnings.size() - kMax));
    const QString what = ofCapture ? tr("The capture was opened, but some of its values look wrong")
                                   : tr("The file was opened, but parts of it have no effect");
    say(what, more, labelled(what, more.join("; ")));
}

void MessageBar::showChangedFile(const core::Error &change) {
    const QString path = pathOf(change.where);
    const QString what = tr("“%1” changed on disk").arg(QFileInfo(path).fileName());
    QString more = translated(change.what);
    if (!more.isEmpty())
        more.front() = more.front().toUpper();
    say(what, {more, tr("Where: %1").arg(path)}, labelled(what, translated(change)));
    m_isOfChangedFile = true;
}

void MessageBar::offer(const QString &words, const std::function<void()> &act) {
    const auto free =
        std::ranges::find_if(m_offers, [](const Offer &each) { return each.button->isHidden(); });
    if (free == m_offers.end())
        return;
    free->button->setText(words);
    free->button->setAccessibleName(words);
    free->act = act;
    free->button->show();
}

void MessageBar::say(const QString &what, const QStringList &more, const QString &description) {
    m_isOfChangedFile = false;
    for (const Offer &offer : m_offers)
        offer.button->hide();
    m_what->setText(what);
    m_more->setText(more.join('\n'));
    m_more->setVisible(!more.isEmpty());
    setAccessibleDescription(description);
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

} // namespace headlight::ui
