#include "ui/window/saving/recovery_bar.h"

#include "ui/document/lesson_catalogue.h"
#include "ui/widgets/elided_combo_box.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

namespace headlight::ui {

namespace {

QString nameOf(const Origin &origin) {
    if (origin.source.isEmpty())
        return RecoveryBar::tr("new session");
    return isBuiltIn(origin.source) ? RecoveryBar::tr("lesson %1").arg(origin.source)
                                    : QFileInfo(origin.source).fileName();
}

} // namespace

RecoveryBar::RecoveryBar(QWidget *parent)
    : QFrame(parent), m_words(new QLabel), m_list(new ElidedComboBox) {
    setObjectName("recoveryBar");
    setAccessibleName(tr("Unsaved work"));
    m_words->setWordWrap(true);
    m_list->setObjectName("recoverable");
    m_list->setAccessibleName(tr("Unsaved work"));
    m_list->setToolTip(tr("Choose unsaved work to recover, newest first"));
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto *recover = new QPushButton(tr("Recover"));
    recover->setObjectName("recover");
    recover->setToolTip(tr("Open the selected work, still unsaved"));
    recover->setAccessibleName(recover->text());
    auto *discard = new QPushButton(tr("Discard"));
    discard->setObjectName("discardRecovery");
    discard->setToolTip(tr("Delete the selected work for good; the saved file stays as it is"));
    discard->setAccessibleName(tr("Discard the unsaved work"));
    auto *close = new QToolButton;
    close->setObjectName("closeRecovery");
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Ask me again at the next start"));
    close->setAccessibleName(close->toolTip());
    connect(recover, &QPushButton::clicked, this, [this] { emit recoverRequested(take()); });
    connect(discard, &QPushButton::clicked, this, [this] { remove(take()); });
    connect(close, &QToolButton::clicked, this, &RecoveryBar::later);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_list, 1);
    layout->addWidget(recover);
    layout->addWidget(discard);
    layout->addWidget(close);
    hide();
}

void RecoveryBar::offer(std::vector<RecoverableSession> works) {
    m_works = std::move(works);
    show();
}

void RecoveryBar::show() {
    m_list->clear();
    for (const RecoverableSession &work : m_works)
        m_list->addItem(tr("%1, %2").arg(nameOf(work.origin),
                                         QLocale().toString(work.time, QLocale::ShortFormat)));
    m_words->setText(m_works.size() == 1
                         ? tr("Headlight closed before this work was saved.")
                         : tr("Headlight closed before these sessions were saved."));
    setVisible(!m_works.empty());
    emit offered();
}

RecoverableSession RecoveryBar::take() {
    const auto at = m_works.begin() + std::max(0, m_list->currentIndex());
    RecoverableSession work = std::move(*at);
    m_works.erase(at);
    show();
    return work;
}

} // namespace headlight::ui
