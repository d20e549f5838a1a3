// Text generation controls below the output: one token or several, sampling, and stop.
#pragma once

#include "core/generation/choose_token.h"

#include <QList>
#include <QWidget>

class QAction;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace headlight::ui {

class TextGeneration;

class GenerationBar : public QWidget {
    Q_OBJECT
  public:
    GenerationBar(TextGeneration &writer, QWidget &view);

    /// Next token, several tokens, stop. The window adds these actions to its menu.
    QList<QAction *> actions() const { return {m_next, m_several, m_stop}; }
    int heightFor(int width);
    core::Sampling sampling() const;

  signals:
    void failed(const headlight::core::Error &error);

  private:
    void makeActions();
    void makeSampling();
    void restore();
    void save() const;
    void start(core::Index count);
    void showState();
    void setShort(bool isShort);

    TextGeneration &m_writer;
    QAction *m_next = nullptr, *m_several = nullptr, *m_stop = nullptr;
    QToolButton *m_nextButton = nullptr, *m_severalButton = nullptr;
    QSpinBox *m_count = nullptr;
    QDoubleSpinBox *m_temperature = nullptr;
    QSpinBox *m_topK = nullptr;
    QSpinBox *m_seed = nullptr;
    QLabel *m_status = nullptr;
};

} // namespace headlight::ui
