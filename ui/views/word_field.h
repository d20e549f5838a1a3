// A field for a word of the model's vocabulary, which completes what the user types.
#pragma once

#include "core/transformer/model/model.h"

#include <QLineEdit>

#include <optional>

class QStandardItemModel;

namespace headlight::ui {

class WordField : public QLineEdit {
    Q_OBJECT
  public:
    explicit WordField(QWidget *parent = nullptr);

    /// Completes words of this model. Clears the field if its vocabulary is another one.
    void setModel(const core::Model &model);
    /// Returns the id of the chosen word; none if the field is empty or the word is unknown.
    std::optional<core::Index> word() const { return m_word; }
    /// True if the user entered a word that the vocabulary does not have.
    bool isUnknown() const { return m_isUnknown; }
    void choose(std::optional<core::Index> word);

  signals:
    /// The user chose another word, cleared the field or entered an unknown word.
    void chosen();

  protected:
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void suggest(const QString &typed);
    void readText();
    QString textOf(core::Index word) const;

    core::VocabularyPointer m_vocabulary;
    std::optional<core::Index> m_word;
    bool m_isUnknown = false;
    QStandardItemModel *m_suggestions;
};

} // namespace headlight::ui
