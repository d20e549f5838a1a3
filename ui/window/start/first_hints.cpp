#include "ui/window/start/first_hints.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>

namespace headlight::ui {

namespace {

constexpr char kClosedKey[] = "start/hintsClosed";

} // namespace

FirstHints::FirstHints(QWidget *parent) : QFrame(parent) {
    setObjectName("firstHints");
    setAccessibleName(tr("Three things to try"));
    auto *words =
        new QLabel(tr("Three things to try:  click a cell to see where its number comes from  ·  "
                      "drag a number in the Editor (Ctrl+K)  ·  press → for the cell beside it, "
                      "Page Down for the next stage"));
    words->setObjectName("hintWords");
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    auto *close = new QPushButton(tr("Got it"));
    close->setObjectName("closeHints");
    close->setAccessibleName(tr("Close the hints for good"));
    close->setToolTip(close->accessibleName());
    connect(close, &QPushButton::clicked, this, [this] {
        QSettings().setValue(kClosedKey, true);
        hide();
    });
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 8, 8);
    row->setSpacing(12);
    row->addWidget(words, 1);
    row->addWidget(close);
    setAccessibleDescription(words->text());
    hide();
}

void FirstHints::offer() {
    setVisible(!QSettings().value(kClosedKey, false).toBool());
}

} // namespace headlight::ui
