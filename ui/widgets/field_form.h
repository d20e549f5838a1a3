// Forms made from field tables. A field's limits, its choices and its parser come from its row in
// the table, so a form only adds the texts.
#pragma once

#include "core/formats/fields/field_table.h"
#include "core/formats/fields/words.h"

#include <QString>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QWidget;

namespace headlight::ui {

struct FieldText {
    QString label; ///< may contain a mnemonic
    QString toolTip{};
    QString none{};           ///< shown for the smallest number, and in an empty line
    QString accessibleName{}; ///< if empty, the label without its mnemonic
};

/// An item of a field with choices.
struct FieldChoice {
    template <typename Choice>
    FieldChoice(Choice choice, const QString &itsName, const QString &itsMeaning = {})
        : word(QString::fromStdString(std::string(core::wordFor(choice)))),
          name(itsName),
          meaning(itsMeaning) {}

    QString word; ///< word used in files
    QString name, meaning;
};

/// Returns the positional encodings.
std::vector<FieldChoice> positionsChoices();

/// The widgets of a form. The object name of a field is a prefix with the field's name: "newHeads".
class FieldWidgets {
  public:
    /// `changed` is called after each change that the user makes.
    FieldWidgets(const QString &prefix, std::function<void()> changed)
        : m_prefix(prefix), m_changed(std::move(changed)) {}
    FieldWidgets(const FieldWidgets &) = delete;
    FieldWidgets &operator=(const FieldWidgets &) = delete;
    virtual ~FieldWidgets() = default;

    /// Adds later fields to this layout.
    void setLayout(QFormLayout *layout) { m_layout = layout; }
    /// Adds a whole number. `most` may lower the field's limit. Showing a larger value raises it
    /// again.
    QSpinBox *addWhole(const char *field, const FieldText &text,
                       int most = std::numeric_limits<int>::max());
    /// Adds a number with two decimals, unless the caller sets more.
    QDoubleSpinBox *addNumber(const char *field, const FieldText &text);
    /// Adds a choice. A value that is not among the choices is added to the list when the form
    /// shows it.
    QComboBox *addChoice(const char *field, const FieldText &text,
                         const std::vector<FieldChoice> &choices);
    /// Adds a check box in the column of the fields or of the labels.
    QCheckBox *addFlag(const char *field, const FieldText &text, bool isAmongLabels = false);
    QLineEdit *addLine(const char *field, const FieldText &text);
    /// Adds a widget that is not bound to a field of the table.
    void add(const char *name, const FieldText &text, QWidget *widget);
    void setEnabled(const char *field, bool isEnabled);

  protected:
    struct Bound {
        const char *field;
        QWidget *widget;
        std::function<QString()> word;
        std::function<void(const QString &word)> show;
        QString shown{}; ///< the word after the last show()
    };

    virtual const core::FieldInfo &infoOf(const char *field) const = 0;
    void tell() const {
        if (!m_isShowing)
            m_changed();
    }

    std::vector<Bound> m_bound;
    bool m_isShowing = true; ///< true even before the first show()

  private:
    void setNames(const char *name, const FieldText &text, QWidget *widget) const;
    template <typename Widget, typename Signal>
    void bind(const char *field, Widget *widget, Signal changed, std::function<QString()> word,
              std::function<void(const QString &)> show);

    QString m_prefix;
    std::function<void()> m_changed;
    QFormLayout *m_layout = nullptr;
};

/// A form for some fields of a T.
template <typename T>
class FieldForm : public FieldWidgets {
  public:
    using FieldWidgets::FieldWidgets;

    /// Shows the value without calling `changed`.
    void show(const T &value) {
        m_isShowing = true;
        m_value = value;
        for (Bound &each : m_bound) {
            each.show(QString::fromStdString(core::wordOf(table().row(each.field), value)));
            each.shown = each.word();
        }
        m_isShowing = false;
    }

    /// Returns the value shown last, with the user's changes. A field that the user has not changed
    /// keeps its value, even if its widget cannot show all of it.
    T value() const {
        T value = m_value;
        for (const Bound &each : m_bound)
            if (const QString word = each.word(); word != each.shown)
                (void)core::readWord(table().row(each.field), word.toStdString(), value);
        return value;
    }

  private:
    static const core::FieldTable<T> &table() { return core::Fields<T>::table(); }
    const core::FieldInfo &infoOf(const char *field) const override { return table().row(field); }

    T m_value{};
};

/// Makes a group of fields under a small title. Returns the group and its form layout. `name` is
/// the accessible name; if empty, the title is used.
std::pair<QWidget *, QFormLayout *> titledForm(const QString &title, const QString &name = {});

} // namespace headlight::ui
