#include "ui/widgets/titled_form.h"

#include "ui/widgets/eyebrow.h"

#include <QFormLayout>
#include <QVBoxLayout>
#include <QWidget>

namespace headlight::ui {

std::pair<QWidget *, QFormLayout *> titledForm(const QString &title, const QString &name) {
    auto *widget = new QWidget;
    widget->setAccessibleName(name.isEmpty() ? title : name);
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(eyebrow(title));
    auto *form = new QFormLayout;
    form->setSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    layout->addLayout(form);
    layout->addStretch();
    return {widget, form};
}

} // namespace headlight::ui
