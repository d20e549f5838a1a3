#include "ui/window/saving/new_session_dialog.h"

#include "ui/document/lesson_catalogue.h"
#include "ui/text/core_message.h"
#include "ui/widgets/scrolling_page.h"
#include "ui/window/saving/new_session_fields.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QShowEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Maximum share of the screen for the dialog and its frame.
constexpr double kMaxScreenShare = 0.92;

core::Index numbersOf(const core::ModelParameters &weights) {
    core::Index count = 0;
    for (const core::ParameterId &id : core::allParameters(weights))
        if (const core::Parameter &parameter = core::parameterOf(weights, id))
            count += parameter->rows() * parameter->columns();
    return count;
}

constexpr const auto &kWords = core::Words<NewKind>::all;

QString wordOf(NewKind kind) {
    return QString::fromStdString(std::string(core::wordFor(kind)));
}

} // namespace

NewSessionDialog::NewSessionDialog(QWidget *parent)
    : QDialog(parent),
      m_fields(new NewSessionFields),
      m_area(new QScrollArea),
      m_summary(new QLabel) {
    setObjectName("newSession");
    setWindowTitle(tr("New session"));
    setSizeGripEnabled(true);
    m_area->setObjectName("newFields");
    m_area->setWidget(m_fields);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    scrollByWheel(*m_fields);
    m_summary->setObjectName("newSummary");
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setIcon({}); // some desktop styles set an icon
    m_create = buttons->addButton(tr("Cr&eate"), QDialogButtonBox::AcceptRole);
    m_create->setObjectName("create");
    m_create->setToolTip(tr("Open the new session"));
    m_create->setDefault(true);
    QPushButton *usual = buttons->addButton(tr("Defa&ults"), QDialogButtonBox::ResetRole);
    usual->setObjectName("usualValues");
    usual->setToolTip(
        tr("Use the default values for this kind of model instead of your last choices"));
    usual->setAutoDefault(false);
    connect(usual, &QPushButton::clicked, this,
            [this] { m_fields->setValue(usualSession(m_fields->value().kind)); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    // With large text, a field reached by a key may be outside the visible area.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        if (now && m_fields->isAncestorOf(now))
            m_area->ensureWidgetVisible(now);
    });
    connect(m_fields, &NewSessionFields::kindChosen, this, &NewSessionDialog::choose);
    connect(m_fields, &NewSessionFields::changed, this, &NewSessionDialog::check);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(m_area, 1);
    layout->addWidget(makeExample());
    layout->addWidget(m_summary);
    layout->addWidget(buttons);
    choose(rememberedKind());
}

/// Creates the offer of an example that translates, because a new transformer only has random
/// parameters.
QWidget *NewSessionDialog::makeExample() {
    auto *line = new QFrame;
    line->setObjectName("example");
    auto *words = new QLabel(
        tr("Or open an example: a hand-made encoder and decoder that translate “the red house”."));
    words->setObjectName("exampleWords");
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    auto *open = new QPushButton(tr("Open the e&xample"));
    open->setObjectName("openExample");
    open->setAccessibleName(tr("Open the example"));
    open->setToolTip(tr("“the red house” becomes “la maison rouge” by cross-attention"));
    open->setAutoDefault(false);
    connect(open, &QPushButton::clicked, this, &NewSessionDialog::openExample);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(12);
    layout->addWidget(words, 1);
    layout->addWidget(open);
    return line;
}

void NewSessionDialog::openExample() {
    SourceRequest request;
    request.source = translationExample();
    core::Result<OpenedSource> example = openSource(request);
    if (!example)
        return m_summary->setText(QString::fromStdString(example.error().text()));
    m_session = *std::move(example);
    QDialog::accept(); // the choices are not saved, because no new session was made
}

/// Sizes the dialog when it is shown, because the style sheet does not set its fonts earlier.
void NewSessionDialog::showEvent(QShowEvent *event) {
    if (!event->spontaneous()) {
        grow();
        layout()->activate();
        // The text is the first thing to type. If it is not visible, start at the top instead.
        if (m_fields->sizeHint().height() > m_area->viewport()->height())
            m_fields->focusKind();
        else
            m_fields->focusText();
    }
    QDialog::showEvent(event); // called last, because the dialog's position depends on its size
}

/// Makes the dialog large enough for all fields and their messages, within the screen.
void NewSessionDialog::grow() {
    const QSize most =
        (parentWidget() ? parentWidget()->screen() : screen())->availableSize() * kMaxScreenShare;
    const QMargins around = layout()->contentsMargins();
    const int aside =
        around.left() + around.right() + m_area->verticalScrollBar()->sizeHint().width();
    m_fields->arrange(most.width() - aside);
    const QSize fields = m_fields->sizeHint();
    const int beneath = layout()->minimumSize().height() - m_area->minimumSizeHint().height();
    const QSize wanted(fields.width() + aside, fields.height() + beneath);
    resize(wanted.boundedTo(most).expandedTo(size()));
    m_fields->arrange(m_area->viewport()->width());
    const QRect available = screen()->availableGeometry(), frame = frameGeometry();
    if (isVisible() && !available.contains(frame))
        move(std::max(available.left(), std::min(frame.left(), available.right() - frame.width())),
             std::max(available.top(), std::min(frame.top(), available.bottom() - frame.height())));
}

void NewSessionDialog::resizeEvent(QResizeEvent *event) {
    QDialog::resizeEvent(event);
    m_fields->arrange(m_area->viewport()->width());
}

void NewSessionDialog::choose(NewKind kind) {
    const auto known = m_chosen.find(kind);
    m_fields->setValue(known == m_chosen.end() ? rememberedSession(kind) : known->second);
    if (isVisible())
        grow();
}

void NewSessionDialog::accept() {
    if (!m_session)
        return;
    rememberSession(m_fields->value());
    QDialog::accept();
}

void NewSessionDialog::check() {
    const NewSession wanted = m_fields->value();
    m_chosen[wanted.kind] = wanted;
    core::Result<OpenedSource> made = makeSession(wanted);
    m_create->setEnabled(made.ok());
    m_fields->clearProblem();
    m_session.reset();
    if (made) {
        m_session = *std::move(made);
        m_summary->setText(
            tr("%L1 random parameters, drawn from the seed. All of them can be changed.")
                .arg(numbersOf(m_session->session.model.parameters)));
        return;
    }
    const bool isShown = m_fields->showProblem(made.error());
    m_summary->setText(
        isShown ? tr("Random parameters, drawn from the seed. All of them can be changed.")
                : translated(made.error()));
    if (isVisible())
        grow();
}

NewKind rememberedKind() {
    const std::string word = QSettings().value("newSession/kind").toString().toStdString();
    const auto found = std::ranges::find(kWords, word);
    return found == std::end(kWords) ? NewKind() : static_cast<NewKind>(found - std::begin(kWords));
}

NewSession rememberedSession(NewKind kind) {
    NewSession session = usualSession(kind);
    QSettings settings;
    settings.beginGroup("newSession/" + wordOf(kind));
    for (const auto &row : core::Fields<NewSession>::table().rows)
        if (const QVariant word = settings.value(row.name.c_str()); word.isValid())
            (void)core::readWord(row, word.toString().toStdString(), session);
    return session;
}

void rememberSession(const NewSession &made) {
    QSettings settings;
    settings.setValue("newSession/kind", wordOf(made.kind));
    settings.beginGroup("newSession/" + wordOf(made.kind));
    for (const auto &row : core::Fields<NewSession>::table().rows)
        settings.setValue(row.name.c_str(), QString::fromStdString(core::wordOf(row, made)));
}

} // namespace headlight::ui
