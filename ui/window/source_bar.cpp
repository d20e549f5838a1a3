#include "ui/window/source_bar.h"

#include "core/tokenizers/word_tokenizer.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/text/attention_names.h"
#include "ui/text/file_path.h"
#include "ui/text/number_text.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"
#include "ui/widgets/elided_combo_box.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace headlight::ui {

namespace {

bool isOther(const core::MaskLayer &layer) {
    return !std::holds_alternative<core::CausalMask>(layer) &&
           !std::holds_alternative<core::PaddingMask>(layer);
}

/// True if the bar shows any part of the change.
bool concerns(const StateChanged &change) {
    using core::StatePart;
    constexpr StatePart kShown[] = {StatePart::Text, StatePart::Masks, StatePart::Positions,
                                    StatePart::Scale, StatePart::Structure};
    return std::ranges::any_of(kShown, [&](StatePart part) { return change.parts.has(part); });
}

/// Describes a lesson: its subject, duration and prerequisites. Prerequisites in its course appear
/// by title.
QString aboutLesson(const LessonInfo &lesson, const OpenCoursePointer &course) {
    QStringList lines{lesson.summary};
    if (lesson.minutes > 0)
        lines << SourceBar::tr("about %1 min").arg(lesson.minutes);
    QStringList needs;
    for (const QString &need : lesson.needs) {
        const core::CourseLesson *one = course ? course->content->find(bytesOf(need)) : nullptr;
        needs << (one ? oneLine(one->title) : need);
    }
    if (!needs.isEmpty())
        lines << SourceBar::tr("Builds on: %1").arg(enumerated(needs));
    lines.removeAll(QString());
    return lines.join('\n');
}

/// Text field that treats dropped text as typed. It leaves dropped files to the window, because
/// many file managers also provide their address as text.
class SentenceField : public QLineEdit {
  protected:
    void dragEnterEvent(QDragEnterEvent *event) override {
        if (event->mimeData()->hasUrls())
            event->ignore();
        else
            QLineEdit::dragEnterEvent(event);
    }
};

template <typename Layer>
bool hasLayer(const core::MaskLayers &layers) {
    return std::any_of(layers.begin(), layers.end(), [](const core::MaskLayer &layer) {
        return std::holds_alternative<Layer>(layer);
    });
}

} // namespace

SourceBar::SourceBar(Document &document, QWidget *parent)
    : QToolBar(tr("Source and mechanism"), parent),
      m_document(document),
      m_typing(document.newGesture()),
      m_source(new ElidedComboBox),
      m_text(new SentenceField),
      m_sourceText(new SentenceField),
      m_sequence(new QComboBox),
      m_place(new QComboBox),
      m_layer(new QComboBox),
      m_head(new QComboBox) {
    setObjectName("sourceBar");
    setMovable(false);

    m_source->setObjectName("source");
    m_source->setAccessibleName(tr("Lesson"));
    m_source->setToolTip(tr("The open lesson"));
    m_source->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_source->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    listLessons();
    addWidget(m_source);
    connect(m_source, &QComboBox::activated, this,
            [this](int index) { emit sourceChosen(m_source->itemData(index).toString()); });

    m_text->setObjectName("text");
    m_text->setAccessibleName(tr("Text"));
    m_text->setToolTip(tr("Type a sentence: attention follows as you type"));
    m_text->setPlaceholderText(tr("Type a sentence"));
    m_text->setMaxLength(static_cast<int>(core::kMaxTextBytes)); // Qt cuts silently at 32767
    m_text->setMinimumWidth(96);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    QAction *textAction = addWidget(m_text);
    connect(m_text, &QLineEdit::textEdited, this,
            [this](const QString &text) { typeText(text, InputSide::Own); });
    connect(m_text, &QLineEdit::editingFinished, this, [this] {
        m_typing = m_document.newGesture();
        showText();
    });

    m_sourceText->setObjectName("sourceText");
    m_sourceText->setAccessibleName(tr("Text of the second sequence"));
    m_sourceText->setToolTip(tr("The sequence that is attended to"));
    m_sourceText->setPlaceholderText(tr("Type the sequence to attend to"));
    m_sourceText->setMaxLength(static_cast<int>(core::kMaxTextBytes));
    m_sourceText->setMinimumWidth(96);
    m_sourceText->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_sourceTextAction = insertWidget(textAction, m_sourceText);
    connect(m_sourceText, &QLineEdit::textEdited, this,
            [this](const QString &text) { typeText(text, InputSide::Source); });
    connect(m_sourceText, &QLineEdit::editingFinished, this, [this] {
        m_typing = m_document.newGesture();
        showText();
    });

    addLabel(tr("Sequence"), m_sequence);
    m_sequence->setObjectName("sequence");
    m_sequence->setAccessibleName(tr("Sequence of the batch"));
    m_sequence->setToolTip(tr("The sequence of the batch that is shown"));
    m_sequenceAction = addWidget(m_sequence);
    connect(m_sequence, &QComboBox::activated, this, [this](int index) {
        core::Selection selection = m_document.selection();
        selection.sequence = index;
        m_document.select(selection);
    });

    addLabel(tr("Place"), m_place);
    m_place->setObjectName("place");
    m_place->setAccessibleName(tr("Attention block"));
    m_place->setToolTip(tr("Encoder, decoder or cross-attention (Ctrl+{ and Ctrl+})"));
    m_placeAction = addWidget(m_place);
    connect(m_place, &QComboBox::activated, this, &SourceBar::choosePlace);

    addLabel(tr("Layer"), m_layer);
    m_layer->setObjectName("layer");
    m_layer->setAccessibleName(tr("Layer"));
    m_layer->setToolTip(tr("The layer that is shown ({ and })"));
    m_layerAction = addWidget(m_layer);
    connect(m_layer, &QComboBox::activated, this, [this](int index) {
        core::Selection selection = m_document.selection();
        selection.layer = index;
        m_document.select(selection);
    });

    addLabel(tr("Head"), m_head);
    m_head->setObjectName("head");
    m_head->setAccessibleName(tr("Head"));
    m_head->setToolTip(tr("The head that is shown ([ and ])"));
    m_headAction = addWidget(m_head);
    connect(m_head, &QComboBox::activated, this, [this](int index) {
        core::Selection selection = m_document.selection();
        selection.head = index;
        m_document.select(selection);
    });

    addLabel(tr("Mask"), nullptr);
    m_noMask = addSwitch(tr("None"), tr("Every token sees every token"), QKeySequence());
    m_causal = addSwitch(tr("Causal"), tr("A token sees itself and earlier tokens (C)"),
                         QKeySequence(Qt::Key_C));
    m_padding = addSwitch(tr("Padding"), tr("No token sees padding (P)"), QKeySequence(Qt::Key_P));
    connect(m_noMask, &QAction::triggered, this, [this] { setMasks({}); });
    connect(m_causal, &QAction::triggered, this,
            [this](bool on) { toggleMaskLayer(core::CausalMask{}, on); });
    connect(m_padding, &QAction::triggered, this,
            [this](bool on) { toggleMaskLayer(core::PaddingMask{}, on); });

    m_otherMasks = addSwitch(tr("Other"), tr("Masks without a button here"), QKeySequence());
    m_otherMasks->setVisible(false);
    connect(m_otherMasks, &QAction::triggered, this, [this] {
        core::MaskLayers layers = shownMasks();
        std::erase_if(layers, isOther);
        setMasks(std::move(layers));
    });

    m_editMask = addSwitch(tr("Edit"), tr("Paint the mask's cells in the picture (M)"),
                           QKeySequence(Qt::Key_M));

    addSeparator();
    m_scaling = addSwitch(tr("÷√d"), tr("Divide the scores by the square root of the head size"),
                          QKeySequence());
    connect(m_scaling, &QAction::triggered, this, &SourceBar::switchScaling);
    m_positions = addSwitch(tr("Positions"), tr("Add sinusoidal positions to the embeddings"),
                            QKeySequence());
    connect(m_positions, &QAction::triggered, this, &SourceBar::switchPositions);
    connect(&document, &Document::changed, this, &SourceBar::documentChanged);
}

void SourceBar::addLabel(const QString &text, QWidget *named) {
    auto *label = new QLabel(text);
    label->setObjectName("barLabel");
    label->setBuddy(named);
    m_labels.append({addWidget(label), named});
}

QAction *SourceBar::addSwitch(const QString &text, const QString &toolTip,
                              const QKeySequence &key) {
    QAction *action = addAction(text);
    action->setCheckable(true);
    action->setToolTip(toolTip);
    action->setData(toolTip); // the usual tooltip, while another one replaces it
    action->setShortcut(key);
    if (auto *button = qobject_cast<QToolButton *>(widgetForAction(action)))
        button->setAccessibleName(text);
    return action;
}

void SourceBar::focusText() {
    m_text->setFocus();
    m_text->selectAll();
}

/// Selects an attention module, with the same layer if it exists. If the stage is not part of
/// attention, selects the attention weights.
void SourceBar::choosePlace(int index) {
    const auto places = placesOf(m_document.state().model);
    core::AttentionId attention = places[static_cast<std::size_t>(index)];
    core::Selection selection = m_document.selection();
    attention.layer =
        std::min(selection.layer, m_document.state().model.layerCount(attention.stack) - 1);
    selection.setAttention(attention);
    if (!core::infoOf(selection.stage).inAttention())
        selection.stage = core::Stage::AttentionWeights;
    m_document.select(selection);
}

void SourceBar::movePlace(core::Index by) {
    const core::Index index = m_place->currentIndex() + by;
    if (index >= 0 && index < m_place->count())
        choosePlace(static_cast<int>(index));
}

/// Fills the lists of attention modules and layers. Hides lists with a single entry.
void SourceBar::showPlaces() {
    const core::Model &model = m_document.state().model;
    const core::Selection &selection = m_document.selection();
    const auto places = placesOf(model);
    const QSignalBlocker blocked(m_place), blockedToo(m_layer);
    m_place->clear();
    for (const core::AttentionId place : places) {
        m_place->addItem(placeText(place));
        if (place.stack == selection.stack && place.block == selection.block)
            m_place->setCurrentIndex(m_place->count() - 1);
    }
    m_placeAction->setVisible(places.size() > 1);
    const auto layers = static_cast<int>(model.layerCount(selection.stack));
    if (m_layer->count() != layers) {
        m_layer->clear();
        for (int i = 0; i < layers; ++i)
            m_layer->addItem(QString::number(i));
    }
    m_layer->setCurrentIndex(static_cast<int>(selection.layer));
    m_layerAction->setVisible(layers > 1);
}

void SourceBar::typeText(const QString &text, InputSide side) {
    // Dropped text is handled like typed text: if it is invalid, it stays for correction until the
    // field loses the focus.
    QLineEdit *edit = side == InputSide::Own ? m_text : m_sourceText;
    if (!edit->hasFocus())
        edit->setFocus(Qt::OtherFocusReason);
    m_isTyping = true;
    apply(edits::setText(m_document.state(), m_document.textId(side), text), m_typing);
    m_isTyping = false;
    m_known = textOf(InputSide::Own);
    m_knownSource = textOf(InputSide::Source);
}

void SourceBar::apply(core::Result<Change> change, int gesture) {
    if (const core::Outcome outcome = m_document.apply(std::move(change), gesture))
        emit succeeded();
    else
        emit failed(outcome.error());
}

void SourceBar::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event) || is<SavedChanged>(event))
        showSource();
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || is<SelectionChanged>(event) || (state && concerns(*state)))
        showState();
    else if (state)
        showTextUnlessTyping();
}

/// Lists the open course's lessons, or the built-in ones.
void SourceBar::listLessons() {
    const OpenCoursePointer &course = m_document.course();
    if (m_course == course && m_source->count() > 0)
        return;
    m_course = course;
    m_source->clear();
    for (const LessonInfo &lesson : course ? course->lessons : lessonInfos()) {
        m_source->addItem(lesson.title, lesson.id);
        m_source->setItemData(m_source->count() - 1, aboutLesson(lesson, course), Qt::ToolTipRole);
    }
    m_listed = m_source->count();
    m_source->setAccessibleDescription(course ? tr("From the course %1").arg(course->title)
                                              : QString());
}

void SourceBar::showSource() {
    listLessons();
    int index = m_source->findData(m_document.source());
    const QString title = oneLine(m_document.session().title);
    // A session from a file gets its own entry after the lessons.
    while (m_source->count() > m_listed)
        m_source->removeItem(m_source->count() - 1);
    if (index < 0 || index >= m_source->count()) {
        m_source->addItem(title.isEmpty() ? m_document.source() : title, m_document.source());
        index = m_source->count() - 1;
    }
    m_source->setCurrentIndex(index);
    m_source->setToolTip(m_course ? tr("%1: %2").arg(m_course->title, m_source->currentText())
                                  : m_source->currentText());
    shareWidth();
}

void SourceBar::showState() {
    const DocumentState &state = m_document.state();
    if (!state.input.batch)
        return;
    const core::Selection &selection = m_document.selection();
    const auto fill = [](QComboBox *box, core::Index count, core::Index current) {
        const QSignalBlocker blocker(box);
        if (box->count() != count) {
            box->clear();
            for (core::Index i = 0; i < count; ++i)
                box->addItem(QString::number(i));
        }
        box->setCurrentIndex(static_cast<int>(current));
        box->setEnabled(count > 1);
    };
    showPlaces();
    fill(m_sequence, state.input.batch->count(), selection.sequence);
    fill(m_head, state.model.headsOf(selection.attention()), selection.head);
    const bool several = state.input.batch->count() > 1;
    m_sequenceAction->setVisible(several);
    shareWidth();

    const core::MaskLayers &masks = shownMasks();
    m_noMask->setChecked(masks.empty());
    m_causal->setChecked(hasLayer<core::CausalMask>(masks));
    m_padding->setChecked(hasLayer<core::PaddingMask>(masks));
    showOtherMasks(masks);
    const core::Scale &scale = state.model.config.scale;
    if (scale.kind != core::Scale::Kind::Off)
        m_scaling->setIconText(scale.kind == core::Scale::Kind::Number
                                   ? QStringLiteral("÷") + fullText(scale.number)
                                   : QStringLiteral("÷√d"));
    m_scaling->setChecked(state.model.config.scale.kind != core::Scale::Kind::Off);
    m_positions->setChecked(state.model.config.positions != core::Positions::None);
    showTextUnlessTyping();
    showWhatCanBeChanged();
}

void SourceBar::showTextUnlessTyping() {
    if (m_isTyping)
        return;
    const bool own = !m_text->hasFocus() || textOf(InputSide::Own) != m_known;
    const bool source = !m_sourceText->hasFocus() || textOf(InputSide::Source) != m_knownSource;
    if (own && source)
        return showText();
    if (own)
        showTextIn(m_text, InputSide::Own);
    if (source)
        showTextIn(m_sourceText, InputSide::Source);
}

void SourceBar::showText() {
    const core::Input &input = m_document.state().input;
    if (!input.batch)
        return;
    m_sourceTextAction->setVisible(input.source != nullptr);
    showTextIn(m_text, InputSide::Own);
    showTextIn(m_sourceText, InputSide::Source);
    emit succeeded(); // the error about the typed text no longer applies
}

void SourceBar::showTextIn(QLineEdit *edit, InputSide side) {
    const std::optional<QString> text = textOf(side);
    (side == InputSide::Own ? m_known : m_knownSource) = text;
    if (!text)
        return;
    if (edit->text() != *text)
        edit->setText(*text);
    if (!edit->hasFocus())
        edit->setCursorPosition(0); // show the beginning of a long sentence
}

std::optional<QString> SourceBar::textOf(InputSide side) const {
    const core::Input &input = m_document.state().input;
    const core::BatchPointer &batch = side == InputSide::Own ? input.batch : input.source;
    if (!batch)
        return {};
    const core::Sequence &sequence = (*batch)[m_document.selection().sequence];
    // For a capture, the original text if the file contains it.
    return m_document.isCapture() ? QString::fromStdString(sequence.text) : shownTextOf(sequence);
}

} // namespace headlight::ui
