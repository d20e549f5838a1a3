#include "ui/window/keeping/new_session_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace headlight::ui {

namespace {

constexpr int kWidest = 1024; // random numbers of more teach nothing more
constexpr int kMostHeads = 64;

QSpinBox *spinBox(const char *name, int least, int most, int value, const QString &toolTip) {
    auto *box = new QSpinBox;
    box->setObjectName(name);
    box->setRange(least, most);
    box->setValue(value);
    box->setToolTip(toolTip);
    return box;
}

} // namespace

NewSessionDialog::NewSessionDialog(QWidget *parent)
    : QDialog(parent), m_text(new QLineEdit), m_problem(new QLabel) {
    setObjectName("newSession");
    setWindowTitle(tr("New session"));
    const NewSession usual;
    m_text->setObjectName("newText");
    m_text->setPlaceholderText(tr("Type a sentence"));
    m_text->setToolTip(tr("The text that is read; it can be changed later"));
    m_text->setMinimumWidth(24 * fontMetrics().height());
    m_width =
        spinBox("newWidth", 1, kWidest, usual.width, tr("How many numbers stand for a token"));
    m_heads = spinBox("newHeads", 1, kMostHeads, usual.heads, tr("How many heads share the width"));
    m_seed = spinBox("newSeed", 0, std::numeric_limits<int>::max(), static_cast<int>(usual.seed),
                     tr("The same seed gives the same random numbers"));
    auto *form = new QFormLayout;
    form->addRow(tr("&Text"), m_text);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Heads"), m_heads);
    form->addRow(tr("&Seed"), m_seed);
    for (const auto &[widget, name] : {std::pair<QWidget *, QString>{m_text, tr("Text")},
                                       {m_width, tr("Width")},
                                       {m_heads, tr("Heads")},
                                       {m_seed, tr("Seed")}})
        widget->setAccessibleName(name);
    m_problem->setObjectName("newProblem");
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setIcon({});
    m_create = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
    m_create->setObjectName("create");
    m_create->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_text, &QLineEdit::textChanged, this, &NewSessionDialog::check);
    for (QSpinBox *box : {m_width, m_heads, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &NewSessionDialog::check);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    check();
}

NewSession NewSessionDialog::wanted() const {
    return {m_text->text(), m_width->value(), m_heads->value(),
            static_cast<quint64>(m_seed->value())};
}

void NewSessionDialog::check() {
    core::Result<OpenedSource> made = makeSession(wanted());
    m_create->setEnabled(made.ok());
    QString problem;
    if (!made && !m_text->text().isEmpty())
        problem = QString::fromStdString(made.error().text());
    m_problem->setText(problem.isEmpty()
                           ? tr("One layer of attention with random numbers, drawn from the seed.")
                           : problem);
    m_session.reset();
    if (made)
        m_session = *std::move(made);
}

} // namespace headlight::ui
