#include "ui/window/message_bar.h"
#include "ui/words/core_message.h"

#include "ui/words/sentences.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent), m_offer(new QPushButton), m_what(new QLabel), m_more(new QLabel) {
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
    m_offer->setObjectName("problemOffer");
    connect(m_offer, &QPushButton::clicked, this, [this] {
        dismiss();
        if (m_act)
            m_act();
    });
    layout->addWidget(m_offer, 0, Qt::AlignVCenter);
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
    constexpr std::size_t kMost = 4; // the views need the room
    QStringList more;
    for (std::size_t i = 0; i < std::min(warnings.size(), kMost); ++i)
        more << QString::fromStdString(warnings[i].text());
    if (warnings.size() > kMost)
        more << tr("and %n more; `headlight check` lists them", "",
                   static_cast<int>(warnings.size() - kMost));
    const QString what = ofCapture ? tr("The capture was opened, but something about it is odd")
                                   : tr("The file was opened, but parts of it have no effect");
    say(what, more, labelled(what, more.join("; ")));
}

void MessageBar::offer(const QString &words, const std::function<void()> &act) {
    m_offer->setText(words);
    m_act = act;
    m_offer->show();
}

void MessageBar::say(const QString &what, const QStringList &more, const QString &description) {
    m_offer->hide();
    m_what->setText(what);
    m_more->setText(more.join('\n'));
    m_more->setVisible(!more.isEmpty());
    setAccessibleDescription(description);
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

} // namespace headlight::ui
