#include "ui/window/worksheet/sheet_dialog.h"

#include "core/formats/files/atomic_file.h"
#include "core/formats/files/inputs.h"
#include "ui/figures/files/export.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/window/saving/figure_printing.h"
#include "ui/window/saving/figure_saving.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPrintDialog>
#include <QPrinter>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr int kPreviewHeight = 480; // px: about half the size of a page
constexpr int kMoment = 1000;       // ms before progress is shown

} // namespace

SheetDialog::SheetDialog(Names names, std::vector<std::string> inputs, QWidget *parent)
    : QDialog(parent),
      m_names(std::move(names)),
      m_inputs(std::move(inputs)),
      m_form(new QFormLayout),
      m_paper(new QComboBox),
      m_page(new QSpinBox),
      m_preview(new QLabel),
      m_problem(new QLabel),
      m_progress(new QProgressBar),
      m_save(new QPushButton(tr("&Save PDF…"))),
      m_print(new QPushButton(tr("&Print…"))) {
    const QString &prefix = m_names.prefix;
    setObjectName(prefix);
    setWindowTitle(m_names.title);
    m_preview->setObjectName(prefix + "Preview");
    m_preview->setAccessibleName(tr("Preview of the page"));
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(qRound(kPreviewHeight / 1.29), kPreviewHeight);
    m_problem->setObjectName(prefix + "Problem");
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_progress->setObjectName(prefix + "Progress");
    m_progress->setAccessibleName(tr("Computed steps"));
    m_progress->hide();
    auto *side = new QVBoxLayout;
    side->addWidget(makeControls());
    side->addWidget(m_problem);
    side->addStretch(1);
    side->addWidget(m_progress);
    auto *columns = new QHBoxLayout;
    columns->addWidget(m_preview, 1);
    columns->addLayout(side);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(columns, 1);
    layout->addWidget(makeButtons());
    for (QPushButton *button : {m_save, m_print})
        button->setEnabled(false);
    QTimer::singleShot(kMoment, this,
                       [this] { m_progress->setVisible(!m_isMade && m_problem->isHidden()); });
}

SheetDialog::~SheetDialog() = default;

std::optional<QByteArray> SheetDialog::bytesFor(const QString &) const {
    return std::nullopt;
}

std::function<void(int, int)> SheetDialog::progress() {
    return [this](int done, int all) {
        QMetaObject::invokeMethod(
            this,
            [this, done, all] {
                m_progress->setRange(0, all);
                m_progress->setValue(done);
            },
            Qt::QueuedConnection);
    };
}

QCheckBox *SheetDialog::addTick(const QString &name, const QString &text, const QString &toolTip) {
    auto *tick = new QCheckBox(text);
    tick->setObjectName(m_names.prefix + name);
    tick->setToolTip(toolTip);
    m_form->insertRow(m_ticks++, tick);
    connect(tick, &QCheckBox::toggled, this, &SheetDialog::layOut);
    return tick;
}

QWidget *SheetDialog::makeControls() {
    auto *controls = new QWidget;
    controls->setLayout(m_form);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_paper->setObjectName(m_names.prefix + "Paper");
    m_paper->setAccessibleName(tr("Paper"));
    m_paper->setToolTip(tr("Paper size"));
    m_paper->addItem(tr("A4"), nameOf(SheetOfPaper::A4));
    m_paper->addItem(tr("Letter"), nameOf(SheetOfPaper::Letter));
    const QString last = QSettings().value("worksheet/paper", nameOf(usualPaper())).toString();
    m_paper->setCurrentIndex(std::max(0, m_paper->findData(last)));
    m_page->setObjectName(m_names.prefix + "Page");
    m_page->setAccessibleName(tr("Current page"));
    m_page->setToolTip(tr("The page that is shown here; all pages are saved and printed"));
    m_page->setRange(1, 1);
    m_form->addRow(tr("Pa&per:"), m_paper);
    m_form->addRow(tr("Pa&ge:"), m_page);
    connect(m_paper, &QComboBox::currentIndexChanged, this, &SheetDialog::layOut);
    connect(m_page, &QSpinBox::valueChanged, this, &SheetDialog::showPage);
    return controls;
}

QWidget *SheetDialog::makeButtons() {
    auto *buttons = new QWidget;
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    auto *close = new QPushButton(tr("Cancel"));
    close->setToolTip(tr("Close without printing (Esc)"));
    m_save->setObjectName(m_names.prefix + "Save");
    m_save->setToolTip(tr("Save all pages in one file"));
    m_print->setObjectName(m_names.prefix + "Print");
    m_print->setToolTip(tr("Print all pages"));
    for (QPushButton *other : {close, m_print})
        other->setAutoDefault(false); // Enter saves
    row->addStretch(1);
    row->addWidget(close);
    row->addWidget(m_print);
    row->addWidget(m_save);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &SheetDialog::choosePath);
    connect(m_print, &QPushButton::clicked, this, &SheetDialog::choosePrinter);
    return buttons;
}

SheetOfPaper SheetDialog::paper() const {
    return findSheetOfPaper(m_paper->currentData().toString()).value_or(SheetOfPaper::A4);
}

void SheetDialog::take(const core::Outcome &made) {
    m_progress->hide();
    if (!made) {
        showProblem(made.error());
    } else {
        m_isMade = true;
        for (QPushButton *button : {m_save, m_print})
            button->setEnabled(true);
        m_save->setDefault(true);
        layOut();
    }
    emit this->made();
}

void SheetDialog::layOut() {
    if (!m_isMade)
        return;
    QSettings().setValue("worksheet/paper", m_paper->currentData()); // shared by all kinds of pages
    m_pages = pages(paper());
    m_page->setRange(1, static_cast<int>(m_pages.size()));
    m_page->setSuffix(tr(" / %1").arg(m_pages.size()));
    showPage();
}

void SheetDialog::showPage() {
    if (m_pages.empty())
        return;
    const Figure &page = *m_pages[static_cast<std::size_t>(m_page->value() - 1)];
    ExportOptions options;
    options.scale = kPreviewHeight / page.naturalSize().height() * devicePixelRatioF();
    const core::Result<QImage> image = renderImage(page, options);
    if (!image)
        return showProblem(image.error());
    QPixmap pixmap = QPixmap::fromImage(*image);
    // Paint the sheet's edge, which is invisible on a white window.
    QPainter painter(&pixmap);
    painter.setPen(QPen(palette().color(QPalette::PlaceholderText), devicePixelRatioF()));
    painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1));
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(pixmap);
    m_preview->setAccessibleDescription(page.description());
}

std::vector<const Figure *> SheetDialog::figures() const {
    std::vector<const Figure *> all;
    for (const auto &page : m_pages)
        all.push_back(page.get());
    return all;
}

void SheetDialog::choosePath() {
    QSettings settings;
    const QString folder =
        settings.value("figures/folder", QDir::homePath()).toString(); // shared with figures
    QString chosen;
    QString path = QFileDialog::getSaveFileName(
        this, m_save->toolTip(), QDir(folder).filePath(proposedName()), m_names.filter, &chosen);
    if (path.isEmpty())
        return;
    settings.setValue("figures/folder", QFileInfo(path).absolutePath());
    // "HTML (*.html)" → ".html"; without a native filter, the first one.
    const QString extension =
        (chosen.isEmpty() ? m_names.filter : chosen).section("(*", 1).section(')', 0, 0);
    const bool isPlain = bytesFor(path).has_value();
    if (!isPlain && !path.endsWith(extension, Qt::CaseInsensitive))
        path += extension;
    saveTo(path);
}

void SheetDialog::saveTo(const QString &path) {
    const core::Outcome saved = [&]() -> core::Outcome {
        if (core::Outcome allowed = core::notAnInput(bytesOf(path), m_inputs); !allowed)
            return allowed;
        core::Result<QByteArray> bytes = QByteArray();
        if (const std::optional<QByteArray> plain = bytesFor(path)) {
            bytes = *plain;
        } else {
            const ScopedHashSeed seed; // so that the bytes equal those of the command
            ExportOptions options;
            options.size = sizeOf(paper());
            options.title = contentTitle();
            options.namesFallbacks = true;
            bytes = renderPages(figures(), options);
        }
        if (!bytes)
            return bytes.error();
        return core::writeFile(bytesOf(path),
                               {bytes->constData(), static_cast<std::size_t>(bytes->size())},
                               core::OverwritePolicy::RegularFile);
    }();
    if (!saved)
        return showProblem(saved.error());
    m_done = tr("Saved %1").arg(path);
    accept();
}

core::Outcome SheetDialog::print(QPrinter &printer) const {
    if (core::Outcome allowed = core::notAnInput(bytesOf(printer.outputFileName()), m_inputs);
        !allowed)
        return allowed;
    printer.setDocName(contentTitle());
    return printPages(figures(), printer);
}

void SheetDialog::choosePrinter() {
    QPrinter printer(QPrinter::HighResolution);
    printer.setPageSize(QPageSize(paper() == SheetOfPaper::A4 ? QPageSize::A4 : QPageSize::Letter));
    printer.setPageOrientation(QPageLayout::Portrait);
    QPrintDialog dialog(&printer, this);
    dialog.setWindowTitle(m_names.title);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (const core::Outcome printed = print(printer); !printed)
        return showProblem(printed.error());
    m_done = printedText(printer, m_names.sent);
    accept();
}

void SheetDialog::showProblem(const core::Error &error) {
    m_problem->setText(translated(error));
    m_problem->show();
}

} // namespace headlight::ui
