#include "ui/views/generation_bar.h"

#include "core/result.h"
#include "ui/document/text_generation.h"
#include "ui/widgets/bar_buttons.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>

namespace headlight::ui {

namespace {

constexpr int kUsualCount = 20, kMaxCount = 1000;
constexpr double kMaxTemperature = 10;
constexpr int kMaxTopK = 1000000, kMaxSeed = 999999999;

const QString kGroup = QStringLiteral("writing/%1");

/// Sets prefix and suffix from a text around the number: "Temperature %1".
template <typename SpinBox>
void putAround(SpinBox &field, const QString &words) {
    const qsizetype number = words.indexOf(QStringLiteral("%1"));
    field.setPrefix(words.left(number));
    field.setSuffix(words.mid(number + 2));
}

} // namespace

GenerationBar::GenerationBar(TextGeneration &writer, QWidget &view)
    : QWidget(&view), m_writer(writer) {
    setObjectName("writingBar");
    setAccessibleName(tr("Text generation"));
    setAutoFillBackground(true);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 8, 3);
    row->setSpacing(4);
    makeActions();
    makeSampling();
    for (QWidget *field : findChildren<QAbstractSpinBox *>())
        field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setShort(false);
    restore();
    connect(&writer, &TextGeneration::changed, this, &GenerationBar::showState);
    connect(&writer, &TextGeneration::ended, this,
            [this] { m_status->setText(tr("The text has ended.")); });
    showState();
}

void GenerationBar::makeActions() {
    m_next = new QAction(tr("Write the next token"), this);
    m_next->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
    m_next->setIconText(tr("Next token"));
    connect(m_next, &QAction::triggered, this, [this] { start(1); });
    m_several = new QAction(this);
    m_several->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));
    connect(m_several, &QAction::triggered, this,
            [this] { m_writer.isWriting() ? m_writer.stop() : start(m_count->value()); });
    m_stop = new QAction(tr("Stop writing"), this);
    connect(m_stop, &QAction::triggered, &m_writer, &TextGeneration::stop);
    m_nextButton = actionButton(m_next, "writeNext");
    m_severalButton = actionButton(m_several, "writeOn");
    m_count = new QSpinBox;
    m_count->setObjectName("writeCount");
    m_count->setAccessibleName(tr("Number of tokens to generate"));
    m_count->setToolTip(tr("Number of tokens to generate; fewer if the model ends its text"));
    m_count->setRange(1, kMaxCount);
    for (QWidget *each : {static_cast<QWidget *>(m_nextButton),
                          static_cast<QWidget *>(m_severalButton), static_cast<QWidget *>(m_count)})
        layout()->addWidget(each);
    connect(m_count, &QSpinBox::valueChanged, this, [this] {
        showState();
        save();
    });
}

void GenerationBar::makeSampling() {
    m_temperature = new QDoubleSpinBox;
    m_temperature->setObjectName("writeTemperature");
    m_temperature->setAccessibleName(tr("Sampling temperature"));
    m_temperature->setRange(0, kMaxTemperature);
    m_temperature->setSingleStep(0.1);
    m_temperature->setDecimals(2);
    m_temperature->setToolTip(
        tr("Temperature: logits are divided by it before a token is sampled. Below 1, likely "
           "tokens become likelier; 0 always takes the most probable token"));
    m_topK = new QSpinBox;
    m_topK->setObjectName("writeTopK");
    m_topK->setAccessibleName(tr("Top-k: number of tokens to sample from"));
    m_topK->setRange(0, kMaxTopK);
    m_topK->setToolTip(tr("Top-k: sample from the k most probable tokens only; 0: from all"));
    m_seed = new QSpinBox;
    m_seed->setObjectName("writeSeed");
    m_seed->setAccessibleName(tr("Sampling seed"));
    putAround(*m_seed, tr("Seed %1"));
    m_seed->setRange(0, kMaxSeed);
    m_seed->setToolTip(tr("The same seed gives the same tokens, on every machine"));
    m_status = new ElidedLabel;
    m_status->setObjectName("writingState");
    m_status->setAccessibleName(tr("Progress of generation"));
    auto *row = static_cast<QHBoxLayout *>(layout());
    for (QWidget *each : {static_cast<QWidget *>(m_temperature), static_cast<QWidget *>(m_topK),
                          static_cast<QWidget *>(m_seed)})
        row->addWidget(each);
    row->addWidget(m_status, 1);
    row->addStretch();
    const auto changed = [this] {
        (void)heightFor(width()); // the sampling fields may be relevant now
        showState();
        save();
    };
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, changed);
    connect(m_topK, &QSpinBox::valueChanged, this, changed);
    connect(m_seed, &QSpinBox::valueChanged, this, changed);
}

void GenerationBar::restore() {
    const QSettings settings;
    const QSignalBlocker blockers[] = {QSignalBlocker(m_count), QSignalBlocker(m_temperature),
                                       QSignalBlocker(m_topK), QSignalBlocker(m_seed)};
    m_count->setValue(settings.value(kGroup.arg("count"), kUsualCount).toInt());
    m_temperature->setValue(settings.value(kGroup.arg("temperature"), 0).toDouble());
    m_topK->setValue(settings.value(kGroup.arg("topK"), 0).toInt());
    m_seed->setValue(settings.value(kGroup.arg("seed"), 1).toInt());
}

void GenerationBar::save() const {
    QSettings settings;
    settings.setValue(kGroup.arg("count"), m_count->value());
    settings.setValue(kGroup.arg("temperature"), m_temperature->value());
    settings.setValue(kGroup.arg("topK"), m_topK->value());
    settings.setValue(kGroup.arg("seed"), m_seed->value());
}

core::Sampling GenerationBar::sampling() const {
    return {static_cast<float>(m_temperature->value()), m_topK->value(),
            static_cast<std::uint64_t>(m_seed->value())};
}

void GenerationBar::start(core::Index count) {
    if (const core::Outcome outcome = m_writer.start(count, sampling()); !outcome)
        emit failed(outcome.error());
}

int GenerationBar::heightFor(int width) {
    const auto fits = [&] {
        layout()->invalidate();
        return layout()->sizeHint().width() <= width;
    };
    for (QWidget *each : {static_cast<QWidget *>(m_topK), static_cast<QWidget *>(m_seed),
                          static_cast<QWidget *>(m_count), static_cast<QWidget *>(m_nextButton)})
        each->setVisible(true);
    setShort(false);
    if (fits())
        return sizeHint().height();
    setShort(true);
    // First hide the controls without effect, then the controls that the menu also offers.
    const bool draws = m_temperature->value() > 0;
    for (QWidget *each : {draws ? nullptr : static_cast<QWidget *>(m_seed),
                          draws ? nullptr : static_cast<QWidget *>(m_topK),
                          static_cast<QWidget *>(m_nextButton), static_cast<QWidget *>(m_count)})
        if (each && !fits())
            each->setVisible(false);
    return sizeHint().height();
}

/// Switches to short labels; the tooltips have the full names.
void GenerationBar::setShort(bool isShort) {
    putAround(*m_count, isShort ? QStringLiteral("%1") : tr("%1 tokens"));
    putAround(*m_temperature, isShort ? tr("T %1") : tr("Temperature %1"));
    putAround(*m_topK, isShort ? tr("k %1") : tr("Top-k %1"));
    m_topK->setSpecialValueText(isShort ? tr("k: all") : tr("Top-k: all"));
    m_status->setVisible(!isShort);
}

void GenerationBar::showState() {
    const bool writes = m_writer.isWriting();
    const bool draws = m_temperature->value() > 0;
    m_several->setText(m_count->value() == 1 ? tr("Write 1 token")
                                             : tr("Write %n tokens", nullptr, m_count->value()));
    m_several->setIconText(writes ? tr("Stop") : tr("Write"));
    m_several->setToolTip(
        writes
            ? tr("Stop writing (%1)").arg(m_several->shortcut().toString(QKeySequence::NativeText))
            : tr("%1 after the text, each chosen from the logits of the previous token (%2)")
                  .arg(m_several->text(),
                       m_several->shortcut().toString(QKeySequence::NativeText)));
    m_next->setEnabled(!writes);
    m_next->setToolTip(
        tr("%1 (%2)").arg(m_next->text(), m_next->shortcut().toString(QKeySequence::NativeText)));
    m_stop->setEnabled(writes);
    for (QWidget *each : {static_cast<QWidget *>(m_topK), static_cast<QWidget *>(m_seed)})
        each->setEnabled(draws);
    m_status->setText(writes
                          ? tr("Token %1 of %2").arg(m_writer.written() + 1).arg(m_writer.count())
                      : draws ? QString()
                              : tr("Always the most probable token"));
}

} // namespace headlight::ui
