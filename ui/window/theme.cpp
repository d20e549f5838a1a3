#include "ui/window/theme.h"

#include "ui/window/system_scheme.h"

#include <QApplication>
#include <QPalette>
#include <QSettings>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kThemeKey[] = "window/theme";
constexpr char kTextScaleKey[] = "window/textScale";

/// Returns a dark colour for both themes, because tooltips cover everything else.
QColor tipBackground(const FigureStyle &style) {
    return style.isDark ? style.hidden : QColor(0x23, 0x27, 0x2F);
}

QPalette paletteOf(const FigureStyle &style) {
    QPalette palette;
    const QColor button = style.surface;
    palette.setColor(QPalette::Window, style.surface);
    palette.setColor(QPalette::WindowText, style.text);
    palette.setColor(QPalette::Base, style.surface);
    palette.setColor(QPalette::AlternateBase, style.background);
    palette.setColor(QPalette::Text, style.text);
    palette.setColor(QPalette::PlaceholderText, style.mutedText);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, style.text);
    palette.setColor(QPalette::ToolTipBase, tipBackground(style));
    palette.setColor(QPalette::ToolTipText, Qt::white);
    palette.setColor(QPalette::Highlight, style.accent);
    palette.setColor(QPalette::HighlightedText,
                     style.isDark ? QColor(Qt::black) : QColor(Qt::white));
    palette.setColor(QPalette::Link, style.accent);
    palette.setColor(QPalette::Light, mixed(style.border, style.surface, 0.5));
    palette.setColor(QPalette::Mid, style.border);
    palette.setColor(QPalette::Dark, mixed(style.text, style.border, 0.3));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(style.mutedText, style.surface, 0.6));
    return palette;
}

QString styleSheetOf(const FigureStyle &style) {
    const QString tint = mixed(style.accent, style.surface, 0.12).name();
    const QString hover = mixed(style.text, style.surface, 0.06).name();
    const QColor problem = style.isDark ? QColor(0xFF, 0x8A, 0x96) : QColor(0xB4, 0x23, 0x3A);
    const QFont font = style.font(FigureStyle::Text::Body);
    // No rule sets the font of every widget. It would take a seventh of the start time, and all
    // widgets already have the application's font. There is one style sheet for the application,
    // because a widget's own style sheet polishes all its children again. A focused button whose
    // border or background already has the accent gets a border of the text's colour.
    return QString(R"(
QMainWindow::separator { background: %border; width: 1px; height: 1px; }
QToolBar { border: 0; border-bottom: 1px solid %border; padding: 8px 12px; spacing: 6px; background: %surface; }
QToolBar::separator { background: %border; width: 1px; margin: 6px 4px; }
QToolBar#filmstrip, QToolBar#formulaBar { border-bottom: 0; border-top: 1px solid %border; }
QToolBar#formulaBar { padding: 3px 12px; }
QToolBar#filmstrip { padding: 3px 12px; }
QMenuBar { background: %surface; border-bottom: 1px solid %border; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: %hover; }
QStatusBar { border-top: 1px solid %border; color: %muted; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: %muted; padding: 0 8px; }
QDockWidget { border: 0; color: %muted; font-size: %smallpx; font-weight: 600; }
QDockWidget::title { background: %surface; padding: 6px 12px; border-bottom: 1px solid %border; }
QFrame#questionCard[isFramed="true"] { border: 1px solid %border; background: %surface; }
QFrame#firstHints { background: %tint; border: 0; border-bottom: 1px solid %border; }
QFrame#messageBar, QFrame#recoveryBar { background: %warning; border: 0; border-bottom: 1px solid %border; }
QLabel#problem { color: %problem; font-weight: 600; }
QLabel#problemMore { color: %text; }
QLabel[problem="true"] { color: %problem; }
QToolButton#closeProblem, QToolButton#closeRecovery { border: 0; padding: 4px 8px; border-radius: 6px; }
QToolButton#closeProblem:hover, QToolButton#closeProblem:focus, QToolButton#closeRecovery:hover, QToolButton#closeRecovery:focus { background: %hover; }
QToolBar QToolButton, QWidget#writingBar QToolButton, QWidget#trainingBar QToolButton, QWidget#softmaxBar QToolButton, QWidget#linesBar QToolButton, QWidget#tokenFinder QToolButton, QWidget#modelBar QToolButton, QWidget#sentenceBar QToolButton, QPushButton { border: 1px solid %border; border-radius: 6px; padding: 5px 9px;
  background: %surface; min-height: %lowpx; }
QToolBar QToolButton:hover, QWidget#writingBar QToolButton:hover, QWidget#trainingBar QToolButton:hover, QWidget#softmaxBar QToolButton:hover, QWidget#linesBar QToolButton:hover, QWidget#tokenFinder QToolButton:hover, QWidget#modelBar QToolButton:hover, QWidget#sentenceBar QToolButton:hover, QPushButton:hover { background: %hover; }
QToolBar QToolButton:checked, QWidget#softmaxBar QToolButton:checked, QWidget#linesBar QToolButton:checked, QWidget#tokenFinder QToolButton:checked, QWidget#modelBar QToolButton:checked { background: %tint; color: %accent; border-color: %accent; }
QToolBar QToolButton:focus, QWidget#writingBar QToolButton:focus, QWidget#trainingBar QToolButton:focus, QWidget#softmaxBar QToolButton:focus, QWidget#linesBar QToolButton:focus, QWidget#tokenFinder QToolButton:focus, QWidget#modelBar QToolButton:focus, QWidget#sentenceBar QToolButton:focus, QPushButton:focus { border-color: %accent; }
QToolBar QToolButton:disabled, QWidget#writingBar QToolButton:disabled, QWidget#trainingBar QToolButton:disabled, QWidget#softmaxBar QToolButton:disabled, QWidget#linesBar QToolButton:disabled, QWidget#tokenFinder QToolButton:disabled, QWidget#modelBar QToolButton:disabled, QWidget#sentenceBar QToolButton:disabled, QPushButton:disabled { color: %faint; }
QToolBar QToolBarExtension { border: 0; padding: 0; min-width: 12px; qproperty-icon: url(:/icons/more-%scheme.svg); }
QWidget#writingBar QToolButton, QWidget#trainingBar QToolButton, QWidget#softmaxBar QToolButton, QWidget#linesBar QToolButton, QWidget#tokenFinder QToolButton, QWidget#modelBar QToolButton, QWidget#sentenceBar QToolButton { padding: 3px 9px; }
QWidget#compareBar QToolButton { border: 1px solid %border; padding: 2px 8px; background: %surface; }
QWidget#compareBar QToolButton#show-a, QWidget#compareBar QToolButton#show-difference { border-left: 0; }
QWidget#compareBar QToolButton:hover { background: %hover; }
QWidget#compareBar QToolButton:checked { background: %tint; color: %accent; border-color: %accent; }
QWidget#compareBar QToolButton:focus { border-color: %accent; }
QWidget#compareBar QToolButton:disabled { color: %faint; }
QToolButton#frame { border-radius: 6px; padding: 0; }
QToolButton#frame:checked { background: %surface; border: 2px solid %accent; }
QToolButton#layer { border-radius: 10px; padding: 1px 10px; min-height: 0; }
QToolButton#layer:checked { background: %tint; color: %accent; border-color: %accent; }
QToolButton#moreViews { border: 0; background: transparent; color: %muted; padding: 7px 8px 1px 8px; }
QToolButton#moreViews::menu-indicator { image: none; }
QToolButton#moreViews:hover, QToolButton#moreViews:focus { color: %accent; }
QLabel#stackName { color: %muted; }
QToolButton[chip="true"] { border: 1px solid %border; border-radius: 8px; padding: 1px 7px; background: %surface; color: %text;
  font-size: %smallpx; }
QToolButton[chip="true"]::menu-indicator { image: none; }
QToolButton[chip="true"]:hover, QToolButton[chip="true"]:focus { border-color: %accent; color: %accent; }
QToolButton#sequence { border: 1px solid %border; border-radius: 6px; padding: 0; background: %surface; }
QToolButton#sequence:hover, QToolButton#sequence:focus { border-color: %accent; color: %accent; }
QToolButton#sequence:disabled { color: %faint; }
QToolButton#chipArrow { background: %surface; border: 0; border-radius: 0; padding: 0 4px; }
QToolButton#chipArrow:hover { background: %hover; }
QToolButton#saveFigure, QPushButton#lessonNext, QPushButton#birthPlay:enabled { background: %accent; color: %onAccent; border-color: %accent; }
QWidget#birthPanel, QWidget#modelPanel { background: %surface; border-right: 1px solid %border; }
QListView#modelHeads { background: %surface; border: 0; }
QFrame#modelSilencingFrame { background: %tint; border: 0; border-radius: 6px; }
QLabel#modelSilencingMore { color: %muted; }
QPushButton#birthTask { text-align: left; font-weight: 600; }
QWidget#birthPanel QPushButton:checked { background: %tint; color: %accent; border-color: %accent; }
QFrame#resetOffer, QFrame#example, QFrame#birthQuestion { background: %tint; border: 0; border-radius: 6px; }
QPushButton#lessonNext:disabled { background: %surface; color: %faint; border-color: %border; }
QToolButton#saveFigure:hover, QPushButton#lessonNext:hover:enabled, QPushButton#birthPlay:hover:enabled { background: %accentHover; }
QLineEdit, QComboBox { border: 1px solid %border; border-radius: 6px; padding: 4px 8px; min-height: %linepx;
  background: %surface; selection-background-color: %accent; }
QToolBar#filmstrip QComboBox { padding: 1px 6px; min-height: 0; }
QToolBar#filmstrip QToolButton#step { padding: 3px 8px; min-height: 0; }
QLineEdit:focus, QComboBox:focus { border-color: %accent; }
QDialog#saveFigureDialog QLineEdit#command { font-family: "%mono"; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/chevron-%scheme.svg); width: 10px; height: 10px; }
QSpinBox, QDoubleSpinBox { border: 1px solid %border; border-radius: 6px; padding: 3px 6px; min-height: %lowpx;
  background: %surface; selection-background-color: %accent; }
QSpinBox:focus, QDoubleSpinBox:focus { border-color: %accent; }
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::down-button { border: 0; width: 18px; }
QSpinBox::up-button:hover, QDoubleSpinBox::up-button:hover, QSpinBox::down-button:hover, QDoubleSpinBox::down-button:hover { background: %hover; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/chevron-up-%scheme.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/chevron-%scheme.svg); width: 9px; height: 9px; }
QSpinBox::up-arrow:disabled, QDoubleSpinBox::up-arrow:disabled, QSpinBox::down-arrow:disabled, QDoubleSpinBox::down-arrow:disabled { image: none; }
QTabWidget#editor QToolButton#pinMatrix, QTabWidget#editor QToolButton#paintMask { border: 1px solid %border; border-radius: 6px;
  padding: 3px 8px; background: %surface; min-height: %linepx; }
QTabWidget#editor QToolButton:hover { background: %hover; }
QTabWidget#editor QToolButton:checked { background: %tint; color: %accent; border-color: %accent; }
QTabWidget#editor QToolButton:focus, QTabWidget#editor QToolButton#pinMatrix:focus, QTabWidget#editor QToolButton#paintMask:focus { border-color: %accent; }
QScrollArea#inspector { border: 1px solid transparent; }
QScrollArea#inspector:focus { border-color: %accent; }
QTabWidget#editor > QStackedWidget { background: %surface; }
QTabWidget#editor QTableView, QTabWidget#editor QListView { border: 1px solid %border; background: %surface; }
QTabWidget#editor QTableView:focus, QTabWidget#editor QListView:focus { border-color: %accent; }
QTabWidget#editor QHeaderView::section { padding: 4px; }
QTabWidget#editor QTableCornerButton::section { background: %surface; border: 0; border-bottom: 1px solid %border; }
QTabWidget#editor QLabel#explanation, QTabWidget#editor QLabel#numbersSummary { color: %muted; font-size: %labelpx; }
QTabWidget#editor QTabBar { font-size: %labelpx; }
QTabWidget#editor QTabBar::tab { padding: 6px 0; margin: 4px 0 0 0; font-weight: normal; }
QTabWidget#editor QSpinBox, QTabWidget#editor QDoubleSpinBox { min-width: 48px; padding: 3px; }
QTabWidget#editor QPushButton { padding: 3px 8px; }
QWidget#startContent { background: %background; }
QLabel#startTitle { font-size: %questionpx; font-weight: 700; }
QLabel#startAbout, QLabel#startHint { font-size: %readingpx; color: %muted; }
QLabel#startChange, QLabel#startNote, QLabel#startWay { color: %muted; }
QLabel#startOr { font-size: %readingpx; font-weight: 600; }
QFrame#startCard { background: %surface; border: 1px solid %border; border-radius: 8px; }
QPushButton[startLink="true"] { border: 0; padding: 2px 0; background: transparent; color: %accent; font-weight: 600; }
QPushButton[startLink="true"]:hover, QPushButton[startLink="true"]:focus { text-decoration: underline; }
QPushButton#startWord:checked, QPushButton#startSilence:checked { border-color: %accent; color: %accent; background: %tint; }
QPushButton#startHow { font-size: %readingpx; padding: 9px 22px; font-weight: 600; background: %accent; color: %onAccent; border-color: %accent; }
QPushButton#startSilence { font-size: %readingpx; padding: 9px 16px; }
QPushButton#startNever { border: 0; background: transparent; color: %muted; }
QPushButton#startNever:hover, QPushButton#startNever:focus { color: %accent; text-decoration: underline; }
QListView#lessonStepList, QListView#lessonProblems { border: 1px solid %border; border-radius: 6px; background: %surface; outline: 0; }
QListView#lessonStepList:focus, QListView#lessonProblems:focus { border-color: %accent; }
QListView#lessonStepList::item, QListView#lessonProblems::item { border: 1px solid transparent; padding: 3px 6px; }
QListView#lessonStepList::item:selected, QListView#lessonProblems::item:selected { background: %tint; color: %accent; }
QTabWidget#lessonEditorPages > QStackedWidget { background: %surface; }
QListView#tokens, QListView#history, QListView#terms { outline: 0; }
QListView#terms { border: 1px solid %border; border-radius: 6px; padding: 4px; background: %surface; }
QListView#terms:focus { border-color: %accent; }
QListView#terms::item { padding: 4px 6px; border-radius: 4px; }
QListView#terms::item:selected { background: %tint; color: %accent; }
QListView#history::item { padding: 3px 4px; }
QListView#history { selection-background-color: %tint; selection-color: %text; }
QListView#tokens::item { border: 1px solid %border; border-radius: 6px; padding: 3px 6px; color: %text; }
QListView#tokens::item:selected { border-color: %accent; background: %tint; color: %accent; }
QComboBox QAbstractItemView { border: 1px solid %border; background: %surface; selection-background-color: %tint;
  selection-color: %text; }
QPushButton#lessonSteps { border: 0; padding: 4px 0; color: %muted; font-weight: 600; text-align: left; }
QPushButton#lessonSteps:hover, QPushButton#lessonSteps:focus { color: %accent; background: transparent; }
QPushButton#lessonSteps::menu-indicator { image: url(:/icons/chevron-%scheme.svg); width: 10px; height: 10px;
  subcontrol-origin: padding; subcontrol-position: center right; }
QLabel#eyebrow { color: %muted; font-size: %smallpx; font-weight: 600; letter-spacing: 0.5px; }
QLabel#barLabel { color: %muted; }
QScrollBar { background: transparent; border: 0; margin: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: %border; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: %muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QTabWidget::pane { border: 0; border-top: 1px solid %border; }
QTabWidget { background: %background; }
QTabBar { background: transparent; }
QTabBar::tab { padding: 7px %tabpx; border: 1px solid transparent; border-bottom: 0; margin: 6px 2px 0 2px; color: %muted;
  border-top-left-radius: 6px; border-top-right-radius: 6px; }
QMainWindow > QTabBar::tab { padding: 7px %docktabpx; }
QTabWidget[narrow="true"] > QTabBar::tab { padding: 7px 5px; margin: 6px 0 0 0; }
QTabBar::tab:selected { background: %surface; color: %text; border-color: %border; font-weight: 600; }
QTabBar::tab:focus { color: %accent; }
QTabWidget > QStackedWidget { background: %background; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }
QDialog { background: %surface; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QCheckBox::indicator { width: %smallpx; height: %smallpx; border: 1px solid %muted; border-radius: 3px; background: %surface; }
QCheckBox::indicator:checked { background: %accent; border-color: %accent; image: url(:/icons/check-%scheme.svg); }
QCheckBox::indicator:focus { border-color: %accent; }
QPlainTextEdit, QTreeView { border: 1px solid %border; border-radius: 6px; padding: 3px 6px;
  background: %surface; selection-background-color: %accent; }
QPlainTextEdit:focus, QTreeView:focus { border-color: %accent; }
QHeaderView::section { background: %surface; color: %muted; border: 0; border-bottom: 1px solid %border; padding: 4px 6px; }
QPushButton:default:enabled { background: %accent; color: %onAccent; border-color: %accent; }
QSlider { border: 1px solid transparent; border-radius: 4px; }
QSlider:focus { border-color: %accent; }
QToolBar QToolButton:checked:focus, QWidget#softmaxBar QToolButton:checked:focus, QWidget#linesBar QToolButton:checked:focus, QWidget#tokenFinder QToolButton:checked:focus, QWidget#modelBar QToolButton:checked:focus, QWidget#compareBar QToolButton:checked:focus, QTabWidget#editor QToolButton:checked:focus, QWidget#birthPanel QPushButton:checked:focus,
QToolButton#frame:checked:focus, QToolButton#layer:checked:focus, QPushButton#startWord:checked:focus, QPushButton#startSilence:checked:focus { border-color: %text; }
QToolButton#saveFigure:focus, QPushButton#lessonNext:focus, QPushButton#birthPlay:focus, QPushButton#startHow:focus, QPushButton:default:enabled:focus { background: %focusedAccent; border-color: %text; }
QToolTip { border: 0; padding: 4px 6px; background: %tip; color: #FFFFFF; }
)")
        .replace("%warning", mixed(problem, style.surface, 0.08).name())
        .replace("%problem", problem.name())
        // Shell commands are not in Inter, which renders the x of 800x600 as a multiplication sign.
        .replace("%mono", style.monospace().family())
        .replace("%label", QString::number(style.font(FigureStyle::Text::Label).pixelSize()))
        .replace("%question", QString::number(qRound(style.scaled(28))))
        .replace("%reading", QString::number(qRound(style.scaled(15))))
        // minimum heights, which replace the widgets' own if space is scarce
        .replace("%line", QString::number(std::max(20, QFontMetrics(font).height())))
        .replace("%low", QString::number(std::max(18, QFontMetrics(font).height())))
        .replace("%docktab", style.textScale > 1.5 ? "6" : "12") // narrow, so that names fit
        .replace("%tab", style.textScale > 1.5 ? "6" : "16")
        .replace("%border", style.border.name())
        .replace("%surface", style.surface.name())
        .replace("%background", style.background.name())
        .replace("%hover", hover)
        .replace("%muted", style.mutedText.name())
        .replace("%faint", mixed(style.mutedText, style.surface, 0.55).name())
        .replace("%passed", mixed(style.text, style.surface, 0.07).name())
        .replace("%tint", tint)
        .replace("%tip", tipBackground(style).name())
        // The outline in the text's colour needs a contrast of 3:1 with the button. The button's
        // text still needs 4.5:1.
        .replace("%focusedAccent",
                 mixed(style.accent, style.background, style.isDark ? 0.74 : 0.9).name())
        .replace("%accentHover", mixed(style.accent, style.text, 0.85).name())
        .replace("%accent", style.accent.name())
        .replace("%onAccent", style.isDark ? "#10131A" : "#FFFFFF")
        .replace("%text", style.text.name())
        .replace("%small", QString::number(qRound(11 * style.textScale)))
        .replace("%scheme", style.isDark ? "dark" : "light");
}

} // namespace

QString nameOf(Theme theme) {
    switch (theme) {
    case Theme::System:
        return QStringLiteral("system");
    case Theme::Light:
        return QStringLiteral("light");
    case Theme::Dark:
        return QStringLiteral("dark");
    }
    return {};
}

Theme themeOf(const QString &name) {
    for (const Theme theme : {Theme::Light, Theme::Dark})
        if (name == nameOf(theme))
            return theme;
    return Theme::System;
}

Theme savedTheme() {
    return themeOf(QSettings().value(kThemeKey).toString());
}

void saveTheme(Theme theme) {
    QSettings().setValue(kThemeKey, nameOf(theme));
}

double savedTextScale() {
    return inTextScales(QSettings().value(kTextScaleKey, 1.0).toDouble());
}

void saveTextScale(double scale) {
    QSettings().setValue(kTextScaleKey, scale);
}

double inTextScales(double scale) {
    return std::clamp(scale, 0.75, 3.0);
}

void applyFont(double textScale) {
    const QFont font = FigureStyle::light(textScale).font(FigureStyle::Text::Body);
    if (QApplication::font() == font)
        return;
    QApplication::setFont(font);
    // Send the event, because Qt itself only does so while its event loop runs.
    for (QWidget *widget : QApplication::allWidgets()) {
        QEvent changed(QEvent::ApplicationFontChange);
        QApplication::sendEvent(widget, &changed);
    }
}

FigureStyle applyTheme(Theme theme, double textScale) {
    // Create this before the palette is set; see SystemScheme.
    SystemScheme &system = SystemScheme::instance();
    const bool dark = theme == Theme::Dark || (theme == Theme::System && system.isDark());
    const FigureStyle style = dark ? FigureStyle::dark(textScale) : FigureStyle::light(textScale);
    if (QApplication::style()->name() != "fusion")
        QApplication::setStyle(QStyleFactory::create("fusion"));
    applyFont(textScale);
    const QPalette palette = paletteOf(style);
    system.setProgramPalette(palette);
    QToolTip::setPalette(palette);
    // Setting the same style sheet again would restyle every widget of every window.
    if (const QString sheet = styleSheetOf(style); qApp->styleSheet() != sheet)
        qApp->setStyleSheet(sheet);
    return style;
}

} // namespace headlight::ui
