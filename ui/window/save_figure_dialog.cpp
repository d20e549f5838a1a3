#include "ui/window/save_figure_dialog.h"

#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/views/figure_view.h"
#include "ui/widgets/scrolling_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTimer>
#include <QVBoxLayout>
#include <QtMath>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kSmallestSide = 100; // logical pixels
constexpr double kLargestSide = 8000;
constexpr double kPointsPerPixel = 72 / kPixelsPerInch;
constexpr int kTick = 100; // ms between two polls of the progress

template <typename Widget>
Widget *named(Widget *widget, const char *objectName, const QString &name, const QString &tip) {
    widget->setObjectName(objectName);
    widget->setAccessibleName(name);
    widget->setToolTip(tip);
    return widget;
}

/// Makes the scroll area of the controls as wide as they need, so that nothing is cut at the right.
void fitWidth(QWidget &controls) {
    controls.layout()->activate();
    for (QWidget *each = controls.parentWidget(); each; each = each->parentWidget())
        if (auto *scroll = qobject_cast<QScrollArea *>(each))
            return scroll->setMinimumWidth(std::max(
                scroll->minimumWidth(),
                controls.sizeHint().width() + scroll->verticalScrollBar()->sizeHint().width()));
}

} // namespace

SaveFigureDialog::SaveFigureDialog(FigureView &view, QWidget *parent)
    : QDialog(parent),
      m_view(view),
      m_preview(named(new QWidget, "preview", tr("Preview"), tr("Preview of the figure"))),
      m_width(named(new QDoubleSpinBox, "figureWidth", tr("Width"), tr("Width of the figure"))),
      m_height(named(new QDoubleSpinBox, "figureHeight", tr("Height"), tr("Height of the figure"))),
      m_unit(named(
          new QComboBox, "figureUnit", tr("Unit"),
          tr("Unit of width and height: logical pixels (96 per inch), millimetres or inches"))),
      m_keepRatio(named(new QCheckBox(tr("&Keep proportions")), "keepRatio", tr("Keep proportions"),
                        tr("Width and height change together"))),
      m_textSize(named(new QDoubleSpinBox, "figureTextSize", tr("Text size"),
                       tr("Size of the figure's text"))),
      m_scale(named(new QDoubleSpinBox, "figureScale", tr("Pixel density"),
                    tr("Pixels of a PNG for each logical pixel: 2 is sharp on most screens"))),
      m_format(named(new QComboBox, "figureFormat", tr("Format"), tr("File type"))),
      m_theme(named(new QComboBox, "figureTheme", tr("Theme"),
                    tr("Light or dark as on screen, or Paper: light on white, without cards or the "
                       "selection"))),
      m_heads(named(new QComboBox, "figureHeads", tr("Heads"),
                    tr("Heads to save, one figure each. PNG and SVG: one file per head, with %l "
                       "for the layer and %h for the head in its name. PDF: one page per head, or "
                       "files with such names"))),
      m_transparent(named(new QCheckBox(tr("T&ransparent background")), "figureTransparent",
                          tr("Transparent background"),
                          tr("Save a figure on paper without its white background"))),
      m_textAsPaths(named(new QCheckBox(tr("Text as p&aths")), "textAsPaths", tr("Text as paths"),
                          tr("Save letters as outlines in SVG and PDF: the figure needs no font, "
                             "but its text cannot be searched"))),
      m_hasCaption(named(new QCheckBox(tr("Ca&ption")), "hasCaption", tr("Caption"),
                         tr("Write a caption below the figure"))),
      m_hasSession(named(new QCheckBox(tr("Embed the &session")), "hasSession",
                         tr("Embed the session"),
                         tr("Headlight can reopen the file as a session and render it again"))),
      m_caption(named(new QPlainTextEdit, "caption", tr("Text of the caption"),
                      tr("Text below the figure; clear it to restore the suggestion"))),
      m_pixels(new QLabel),
      m_command(named(new QLineEdit, "command", tr("Command line"),
                      tr("Command that creates this figure again; also stored in the file"))),
      m_note(new QLabel),
      m_problem(new QLabel),
      m_progress(
          named(new QProgressBar, "figureProgress", tr("Saved figures"), tr("Saved figures"))),
      m_ticks(new QTimer(this)),
      m_set(view) {
    setObjectName("saveFigureDialog");
    setWindowTitle(tr("Save figure"));
    setSizeGripEnabled(true);
    m_preview->setMinimumSize(320, 220);
    m_preview->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_preview->installEventFilter(this);
    m_command->setReadOnly(true);
    m_note->setObjectName("commandNote");
    m_problem->setObjectName("problem");
    for (QLabel *label : {m_note, m_problem}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->hide();
    }

    auto *copy = named(new QPushButton(tr("&Copy")), "copyCommand", tr("Copy the command line"),
                       tr("Copy the command line to the clipboard"));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_command->text()); });
    auto *commandLabel = new QLabel(tr("Co&mmand line"));
    commandLabel->setBuddy(m_command);
    auto *command = new QHBoxLayout;
    command->addWidget(commandLabel);
    command->addWidget(m_command, 1);
    command->addWidget(copy);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    QPushButton *save = buttons->button(QDialogButtonBox::Save);
    save->setText(tr("&Save…"));
    save->setObjectName("saveButton");
    save->setToolTip(tr("Choose a file and save"));
    for (QAbstractButton *button : buttons->buttons())
        button->setIcon({}); // some desktops' styles add an icon
    buttons->button(QDialogButtonBox::Cancel)->setObjectName("cancelButton");
    buttons->button(QDialogButtonBox::Cancel)->setToolTip(tr("Close without saving (Esc)"));
    connect(save, &QPushButton::clicked, this, &SaveFigureDialog::chooseAndSave);
    connect(buttons, &QDialogButtonBox::rejected, this, &SaveFigureDialog::reject);
    // Queued, so that the view handles the part or the trace first.
    connect(&m_view, &FigureView::partComputed, this, &SaveFigureDialog::showResult,
            Qt::QueuedConnection);
    connect(&m_view.document(), &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<TraceChanged>(event))
            QMetaObject::invokeMethod(this, &SaveFigureDialog::showResult, Qt::QueuedConnection);
    });

    auto *above = new QHBoxLayout;
    above->setSpacing(16);
    above->addWidget(m_preview, 1);
    QWidget *controls = makeControls();
    auto *scroll = new QScrollArea; // with large text, the controls are taller than a small screen
    scroll->setWidget(controls);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scrollByWheel(*controls);
    above->addWidget(scroll);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(above, 1);
    layout->addLayout(command);
    layout->addWidget(m_note);
    layout->addWidget(m_problem);
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    m_controls = controls;
    m_progress->hide();
    m_ticks->setInterval(kTick);
    connect(m_ticks, &QTimer::timeout, this, &SaveFigureDialog::showProgress);
    connect(&m_set, &FigureSet::failed, this, &SaveFigureDialog::setFailed);
    connect(&m_set, &FigureSet::finished, this, [this] {
        showProgress();
        accept();
    });
    restoreChoices();
    offerHeads();
    showResult();
    const QSize beyond(0, std::max(0, controls->sizeHint().height() - scroll->sizeHint().height()));
    resize(
        (sizeHint() + beyond).expandedTo({900, 560}).boundedTo(screen()->availableSize() * 0.95));
}

QWidget *SaveFigureDialog::makeControls() {
    for (const LengthUnit unit : kLengthUnits)
        m_unit->addItem(nameOf(unit), nameOf(unit));
    setUnit(LengthUnit::Pixel);
    for (QDoubleSpinBox *side : {m_width, m_height})
        connect(side, &QDoubleSpinBox::valueChanged, this, [this, side] { follow(side); });
    connect(m_unit, &QComboBox::currentIndexChanged, this, [this] {
        setUnit(findLengthUnit(m_unit->currentData().toString()).value_or(LengthUnit::Pixel));
        showResult();
    });
    m_textSize->setRange(50, 300);
    m_textSize->setSingleStep(10);
    m_textSize->setDecimals(0);
    m_textSize->setSuffix(tr(" %"));
    m_scale->setRange(0.5, 8);
    m_scale->setSingleStep(0.5);
    m_scale->setDecimals(2);
    m_scale->setPrefix(tr("× "));
    m_format->addItem(tr("PNG: a picture"), "png");
    m_format->addItem(tr("SVG: vectors, for the web"), "svg");
    m_format->addItem(tr("PDF: vectors, for papers"), "pdf");
    m_theme->addItem(tr("Light"), "light");
    m_theme->addItem(tr("Dark"), "dark");
    m_theme->addItem(tr("Paper"), "paper");
    m_caption->setTabChangesFocus(true);
    m_caption->setFixedHeight(5 * fontMetrics().lineSpacing());
    m_pixels->setObjectName("barLabel");
    m_pixels->setWordWrap(true); // in the width of the other controls
    m_pixels->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);

    connect(m_keepRatio, &QCheckBox::toggled, this,
            [this] { m_ratio = m_width->value() / m_height->value(); });
    connect(m_textSize, &QDoubleSpinBox::valueChanged, this, &SaveFigureDialog::showResult);
    connect(m_transparent, &QCheckBox::toggled, this, &SaveFigureDialog::showResult);
    connect(m_textAsPaths, &QCheckBox::toggled, this, &SaveFigureDialog::showResult);
    connect(m_scale, &QDoubleSpinBox::valueChanged, this, &SaveFigureDialog::showResult);
    connect(m_format, &QComboBox::currentIndexChanged, this, &SaveFigureDialog::showResult);
    connect(m_theme, &QComboBox::currentIndexChanged, this, &SaveFigureDialog::showResult);
    connect(m_hasCaption, &QCheckBox::toggled, this, &SaveFigureDialog::showResult);
    connect(m_hasSession, &QCheckBox::toggled, this, &SaveFigureDialog::showResult);
    connect(m_caption, &QPlainTextEdit::textChanged, this, &SaveFigureDialog::showResult);

    auto *controls = new QWidget;
    auto *form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(8);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->addRow(tr("H&eads"), m_heads);
    form->addRow(tr("&Format"), m_format);
    auto *width = new QHBoxLayout;
    width->setSpacing(8);
    width->addWidget(m_width, 1);
    width->addWidget(m_unit);
    auto *widthLabel = new QLabel(tr("&Width"));
    widthLabel->setBuddy(m_width);
    form->addRow(widthLabel, width);
    form->addRow(tr("&Height"), m_height);
    form->addRow(QString(), m_keepRatio);
    form->addRow(tr("Te&xt size"), m_textSize);
    form->addRow(tr("Pixel &density"), m_scale);
    form->addRow(QString(), m_pixels);
    form->addRow(tr("&Theme"), m_theme);
    form->addRow(m_transparent);
    form->addRow(m_textAsPaths);
    form->addRow(m_hasSession);
    form->addRow(m_hasCaption);
    auto *column = new QVBoxLayout(controls);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(form);
    column->addWidget(m_caption);
    column->addStretch();
    return controls;
}

/// Returns the view's size, so that the file matches the screen. If the file's figure differs from
/// the screen's, returns its natural size. Never returns less than the figure's minimum size,
/// because a small window shows the figure scaled down.
QSize SaveFigureDialog::usualSize(const Figure *figure) const {
    if (!figure)
        return m_view.size();
    const auto whole = [](const QSizeF &size) {
        return QSize(qCeil(size.width()), qCeil(size.height()));
    };
    const QSize size = m_view.differsInFile() ? whole(figure->naturalSize()) : m_view.size();
    return size.expandedTo(whole(figure->minimumSize()));
}

void SaveFigureDialog::restoreChoices() {
    const QSettings settings;
    m_unit->setCurrentIndex(std::max(0, m_unit->findData(settings.value("figures/unit", "px"))));
    m_textSize->setValue(
        settings.value("figures/textSize", 100 * m_view.figureStyle().textScale).toDouble());
    m_keepRatio->setChecked(settings.value("figures/keepRatio", true).toBool());
    m_scale->setValue(settings.value("figures/scale", 2.0).toDouble());
    m_format->setCurrentIndex(
        std::max(0, m_format->findData(settings.value("figures/format", "png"))));
    const QString theme = m_view.figureStyle().isDark ? "dark" : "light";
    m_theme->setCurrentIndex(
        std::max(0, m_theme->findData(settings.value("figures/theme", theme))));
    m_transparent->setChecked(settings.value("figures/transparent", false).toBool());
    m_textAsPaths->setChecked(settings.value("figures/textAsPaths", false).toBool());
    m_hasSession->setChecked(settings.value("figures/session", true).toBool());
    m_hasCaption->setChecked(settings.value("figures/caption", false).toBool());
    m_caption->setPlainText(
        suggestedCaption(m_view.document(), m_view.captionedStage(), m_view.viewName()));
    // Compute the size last, because text size and caption determine the minimum size.
    const std::unique_ptr<Figure> figure = figureFor(m_view, recipe());
    m_usualSize = usualSize(figure.get());
    const QSizeF size = settings.value("figures/size").toSizeF(); // size in pixels
    const bool fits = size.isValid() && (!figure || size.expandedTo(figure->minimumSize()) == size);
    setSize(fits ? size : QSizeF(m_usualSize));
    m_ratio = m_width->value() / m_height->value();
}

void SaveFigureDialog::rememberChoices() const {
    QSettings settings;
    const FigureSize size(m_width->value(), m_height->value(), m_shownUnit);
    const auto isUsual = [this](double side, int pixels) {
        const double unit = pixelsOf(m_shownUnit);
        const double step = std::pow(10, -m_width->decimals());
        return std::abs(side - pixels / unit) < step;
    };
    settings.setValue("figures/unit", nameOf(m_shownUnit));
    if (isUsual(size.width, m_usualSize.width()) && isUsual(size.height, m_usualSize.height()))
        settings.remove("figures/size"); // the next view may have a different size
    else
        settings.setValue("figures/size", size.inPixels());
    if (m_textSize->value() == std::round(100 * m_view.figureStyle().textScale))
        settings.remove("figures/textSize"); // the view's text size may change
    else
        settings.setValue("figures/textSize", m_textSize->value());
    settings.setValue("figures/keepRatio", m_keepRatio->isChecked());
    settings.setValue("figures/scale", m_scale->value());
    settings.setValue("figures/format", suffix());
    settings.setValue("figures/theme", m_theme->currentData());
    settings.setValue("figures/transparent", m_transparent->isChecked());
    settings.setValue("figures/textAsPaths", m_textAsPaths->isChecked());
    settings.setValue("figures/session", m_hasSession->isChecked());
    settings.setValue("figures/caption", m_hasCaption->isChecked());
}

/// Changes the unit and keeps the actual size.
void SaveFigureDialog::setUnit(LengthUnit unit) {
    const QSizeF before = FigureSize(m_width->value(), m_height->value(), m_shownUnit).inPixels();
    m_shownUnit = unit;
    for (QDoubleSpinBox *side : {m_width, m_height}) {
        const QSignalBlocker blocker(side);
        // The precision of a ruler: a tenth of a millimetre, a hundredth of an inch.
        side->setDecimals(unit == LengthUnit::Pixel ? 0 : unit == LengthUnit::Millimetre ? 1 : 2);
        side->setRange(kSmallestSide / pixelsOf(unit), kLargestSide / pixelsOf(unit));
        side->setSingleStep(unit == LengthUnit::Inch ? 0.1 : 1);
    }
    setSize(before);
}

void SaveFigureDialog::setSize(const QSizeF &pixels) {
    const QSignalBlocker width(m_width), height(m_height);
    m_width->setValue(pixels.width() / pixelsOf(m_shownUnit));
    m_height->setValue(pixels.height() / pixelsOf(m_shownUnit));
}

void SaveFigureDialog::follow(QDoubleSpinBox *changed) {
    if (m_keepRatio->isChecked()) {
        QDoubleSpinBox *other = changed == m_width ? m_height : m_width;
        const QSignalBlocker blocker(other);
        other->setValue(changed == m_width ? changed->value() / m_ratio
                                           : changed->value() * m_ratio);
    }
    showResult();
}

Format SaveFigureDialog::format() const {
    return formatOf('.' + suffix()).value_or(Format::Png);
}

QString SaveFigureDialog::suffix() const {
    return m_format->currentData().toString();
}

FigureCommandLine SaveFigureDialog::recipe() const {
    FigureCommandLine recipe;
    recipe.heads = heads();
    const ViewInfo &view = recipe.heads.empty() ? m_view.info() : *viewOfOneHead(m_view.info());
    recipe.view = idOf(view);
    recipe.stage = m_view.captionedStage();
    recipe.options = chosenFor(view, m_view.options());
    if (!recipe.heads.empty())
        recipe.options.headLines.heads = {}; // each figure shows only its own head
    recipe.weightsMap = m_view.figureStyle().weightsMap;
    recipe.signedMap = m_view.figureStyle().signedMap;
    if (view.view == m_view.info().view) {
        recipe.pinned = m_view.pinnedHeads();
        recipe.measure = m_view.shownMeasure();
        recipe.effects = m_view.shownEffects();
        recipe.beyondOptions = m_view.shownBeyondOptions();
    }
    recipe.size = FigureSize(m_width->value(), m_height->value(), m_shownUnit);
    recipe.format = format();
    if (recipe.format == Format::Png)
        recipe.scale = m_scale->value();
    recipe.dark = m_theme->currentData() == "dark";
    recipe.paper = m_theme->currentData() == "paper";
    recipe.transparent = recipe.paper && m_transparent->isChecked();
    recipe.textAsPaths = recipe.format != Format::Png && m_textAsPaths->isChecked();
    recipe.textScale = m_textSize->value() / 100;
    recipe.session = m_hasSession->isChecked();
    if (m_hasCaption->isChecked()) {
        recipe.caption = m_caption->toPlainText().trimmed();
        if (recipe.caption.isEmpty())
            recipe.caption = suggestedCaption(m_view.document(), recipe.stage, recipe.view);
    }
    if (recipe.heads.size() > 1 && recipe.format != Format::Pdf)
        recipe.output = QStringLiteral("figure-%l-%h.") + nameOf(recipe.format);
    return recipe;
}

/// Describes the resulting size: pixels, and for a physical size the text size on paper.
QString SaveFigureDialog::sizeText(const FigureCommandLine &recipe) const {
    const QSizeF pixels = recipe.size.inPixels() * recipe.scale;
    const auto count = static_cast<int>(recipe.heads.size());
    QString made;
    if (recipe.format != Format::Png)
        made = count > 1 ? tr("%n figures, sharp at any size", nullptr, count)
                         : tr("Sharp at any size");
    else
        made =
            (count > 1 ? tr("%n figures of %1 × %2 pixels", nullptr, count) : tr("%1 × %2 pixels"))
                .arg(qCeil(pixels.width()))
                .arg(qCeil(pixels.height()));
    if (!recipe.size.isPhysical())
        return made;
    const FigureStyle style = FigureStyle::light(recipe.textScale);
    const auto points = [&](FigureStyle::Text text) {
        return fixedText(style.font(text).pixelSize() * kPointsPerPixel, 1);
    };
    const QString density = recipe.format == Format::Png
                                ? tr("%1 per inch").arg(qRound(kPixelsPerInch * recipe.scale))
                                : QString();
    const QString text =
        tr("Text of %1 to %2 pt")
            .arg(points(FigureStyle::Text::Cell), points(FigureStyle::Text::Title));
    const QStringList size = density.isEmpty() ? QStringList{made} : QStringList{made, density};
    return QStringList{enumerated(size), text}.join('\n');
}

void SaveFigureDialog::showResult() {
    const bool isPicture = format() == Format::Png;
    m_scale->setEnabled(isPicture);
    m_textAsPaths->setEnabled(!isPicture);
    m_caption->setEnabled(m_hasCaption->isChecked());
    const FigureCommandLine wanted = recipe();
    m_transparent->setEnabled(wanted.paper);
    m_pixels->setText(sizeText(wanted));
    if (m_controls)
        fitWidth(*m_controls); // another unit may have wider numbers
    const FigureCommand command = commandFor(m_view.document(), wanted);
    m_command->setText(command.text);
    m_command->setCursorPosition(0);
    if (isSaving())
        return; // the choices cannot change until saving ends
    m_note->setText(wanted.beyondOptions.isEmpty()
                        ? tr("The command cannot express: %1. A figure with an embedded session "
                             "can still be rendered again.")
                              .arg(listed(command.lost))
                        : tr("The command cannot express: %1.").arg(listed(command.lost)));
    m_note->setVisible(!command.lost.isEmpty());
    m_problem->hide();
    m_figure = figureFor(m_view, wanted);
    const core::Outcome possible =
        m_figure ? canRender(*m_figure, wanted.format, optionsFor(wanted)) : core::Done{};
    if (!possible)
        showProblem(possible.error());
    const bool isComplete =
        wanted.heads.empty() ? m_view.isComplete() : !m_view.document().traceIsStale();
    if (auto *save = findChild<QPushButton *>("saveButton"))
        save->setEnabled(isComplete && possible.ok());
    if (!isComplete && m_problem->isHidden()) {
        m_problem->setText(tr("Parts of the figure are still being computed. It can be saved as "
                              "soon as they are ready."));
        m_problem->show();
    }
    m_preview->setAccessibleDescription(m_figure ? m_figure->description() : QString());
    m_preview->update();
}

bool SaveFigureDialog::eventFilter(QObject *object, QEvent *event) {
    if (object == m_preview && event->type() == QEvent::Paint) {
        paintPreview();
        return true;
    }
    return QDialog::eventFilter(object, event);
}

void SaveFigureDialog::paintPreview() {
    QPainter painter(m_preview);
    painter.fillRect(m_preview->rect(), palette().color(QPalette::AlternateBase));
    if (!m_figure)
        return;
    const QSizeF size = recipe().size.inPixels();
    const QSizeF available = m_preview->size() - QSizeF(2, 2);
    const double shrunk =
        std::min({1.0, available.width() / size.width(), available.height() / size.height()});
    const QSizeF shown = size * shrunk;
    painter.translate((m_preview->width() - shown.width()) / 2,
                      (m_preview->height() - shown.height()) / 2);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.scale(shrunk, shrunk);
    if (recipe().transparent) { // transparent parts have a pattern on white in every theme
        painter.fillRect(QRectF(QPointF(), size), Qt::white);
        painter.fillRect(QRectF(QPointF(), size), QBrush(Qt::lightGray, Qt::Dense6Pattern));
    }
    m_figure->paint(painter, QRectF(QPointF(), size), Device::Raster);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(QRectF(QPointF(), size));
}

void SaveFigureDialog::chooseAndSave() {
    const QString folder = QSettings().value("figures/folder").toString();
    const QString name = suggestedName();
    const QString filter = tr("%1 (*.%2)").arg(suffix().toUpper(), suffix());
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save figure"), folder.isEmpty() ? name : folder + '/' + name, filter);
    if (!path.isEmpty() && mayOverwrite(path))
        saveTo(path);
}

QString SaveFigureDialog::withSuffix(const QString &path) const {
    return QFileInfo(path).suffix().isEmpty() ? path + '.' + suffix() : path;
}

void SaveFigureDialog::saveTo(const QString &path) {
    const QString target = withSuffix(path); // add the suffix of the chosen format
    const std::optional<Format> named = formatOf(target);
    if (named != format())
        return showProblem(
            {messageOf(tr("the file name does not match the format %1").arg(suffix().toUpper())),
             target.toStdString(),
             messageOf(tr("use the extension .%1, or choose the other format").arg(suffix()))});
    if (headSet() != HeadSet::Selected)
        return saveSet(target);
    const core::Outcome written = writeFigure(m_view, recipe(), target);
    if (!written)
        return showProblem(written.error());
    rememberChoices();
    QSettings().setValue("figures/folder", QFileInfo(target).absolutePath());
    m_savedPath = target;
    accept();
}

void SaveFigureDialog::showProblem(const core::Error &error) {
    m_problem->setText(translated(error));
    m_problem->show();
}

} // namespace headlight::ui
