#include "ui/panels/editor/preset_menu.h"

#include "core/parse_number.h"
#include "core/tensor/presets.h"
#include "ui/panels/editor/number_table.h"
#include "ui/text/number_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidgetAction>

namespace headlight::ui {

namespace {

QWidgetAction *labelled(QMenu *menu, const QString &text, QWidget *control) {
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(24, 2, 8, 2);
    auto *label = new QLabel(text);
    label->setBuddy(control);
    layout->addWidget(label);
    layout->addWidget(control, 1);
    auto *action = new QWidgetAction(menu);
    action->setDefaultWidget(row);
    return action;
}

} // namespace

PresetMenu::PresetMenu(NumberTable &table, QWidget *parent)
    : QMenu(tr("Presets"), parent),
      m_table(table),
      m_seed(new QSpinBox),
      m_factor(new QLineEdit(QStringLiteral("2"))) {
    using core::MatrixView;
    m_seed->setObjectName("presetSeed");
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setValue(1);
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("The same seed gives the same numbers"));
    m_factor->setObjectName("presetFactor");
    m_factor->setAccessibleName(tr("Factor"));
    m_factor->setToolTip(tr("Factor for every number"));
    add(
        tr("Identity"),
        [](const MatrixView &m, quint64) { return core::identityMatrix(m.rows, m.columns); },
        false);
    add(
        tr("Zero"), [](const MatrixView &m, quint64) { return core::Matrix(m.rows, m.columns); },
        false);
    addSeparator();
    addAction(labelled(this, tr("Seed"), m_seed));
    add(
        tr("Random, normal"),
        [](const MatrixView &m, quint64 seed) {
            return core::randomMatrix(m.rows, m.columns, seed);
        },
        true);
    add(
        tr("Random, uniform"),
        [](const MatrixView &m, quint64 seed) {
            return core::randomMatrix(m.rows, m.columns, seed, core::RandomKind::Uniform);
        },
        true);
    add(
        tr("Orthogonal"),
        [](const MatrixView &m, quint64 seed) {
            return core::orthogonalMatrix(m.rows, m.columns, seed);
        },
        true);
    add(
        tr("Shuffled rows"),
        [](const MatrixView &m, quint64 seed) { return core::withRowsPermuted(m, seed); }, true);
    add(
        tr("Shuffled columns"),
        [](const MatrixView &m, quint64 seed) { return core::withColumnsPermuted(m, seed); }, true);
    addSeparator();
    m_transpose = addAction(tr("Transpose"), this, &PresetMenu::transpose);
    addAction(labelled(this, tr("Factor"), m_factor));
    addAction(tr("Multiply by the factor"), this, &PresetMenu::multiply);
    connect(m_factor, &QLineEdit::returnPressed, this, [this] {
        multiply();
        close();
    });
    addSeparator();
    m_removeBias = addAction(tr("Remove the bias"), this, &PresetMenu::removeBias);
    connect(this, &QMenu::aboutToShow, this, &PresetMenu::updateActions);
}

QAction *PresetMenu::add(const QString &text, const Make &make, bool seeded) {
    return addAction(text, this, [this, text, make, seeded] {
        if (!m_table.exists())
            return;
        const auto seed = static_cast<quint64>(m_seed->value());
        const QString words =
            seeded ? tr("%1, seed %2").arg(text.toLower()).arg(seed) : text.toLower();
        const core::Result<core::SharedMatrix> numbers = m_table.view().read();
        m_table.apply(numbers ? setMatrix(m_table.document().state(), m_table.target(),
                                          make(*numbers, seed), words)
                              : core::Result<Change>(numbers.error()));
    });
}

void PresetMenu::transpose() {
    const core::Result<core::SharedMatrix> numbers = m_table.view().read();
    core::Result<core::Matrix> made =
        numbers ? core::transposed(*numbers) : core::Result<core::Matrix>(numbers.error());
    m_table.apply(
        made ? setMatrix(m_table.document().state(), m_table.target(), *made, tr("transposed"))
             : core::Result<Change>(made.error()));
}

void PresetMenu::multiply() {
    const core::Result<float> factor = core::parseNumber(m_factor->text().toStdString());
    if (!factor) {
        m_table.apply(core::Result<Change>(factor.error()));
        return;
    }
    const core::Result<core::SharedMatrix> numbers = m_table.view().read();
    core::Result<core::Matrix> made = numbers ? core::multipliedBy(*numbers, *factor)
                                              : core::Result<core::Matrix>(numbers.error());
    m_table.apply(made ? setMatrix(m_table.document().state(), m_table.target(), *made,
                                   tr("multiplied by %1").arg(fullText(*factor)))
                       : core::Result<Change>(made.error()));
}

void PresetMenu::removeBias() {
    const auto *matrix = std::get_if<MatrixId>(&m_table.target());
    if (matrix)
        m_table.apply(edits::removeBias(m_table.document().state(), matrix->parameter));
}

void PresetMenu::updateActions() {
    const auto *matrix = std::get_if<MatrixId>(&m_table.target());
    for (QAction *action : actions())
        action->setEnabled(m_table.exists());
    m_transpose->setEnabled(m_table.exists() && m_table.view().rows == m_table.view().columns);
    m_transpose->setText(m_transpose->isEnabled() ? tr("Transpose")
                                                  : tr("Transpose (square matrices only)"));
    m_removeBias->setVisible(m_table.exists() && matrix &&
                             matrix->kind == MatrixId::Kind::Parameter &&
                             core::isRow(matrix->parameter.which));
}

} // namespace headlight::ui
