#include "ui/figures/tinted_text/tinted_text_figure.h"

#include "core/analysis/attention_row.h"
#include "core/formats/picture/picture_reading.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/sentence/word_chip.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/figures/tinted_text/picture_layout.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

struct TintedText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TintedTextFigure)
};

constexpr double kPageWidth = 720;                               // px, width of a file
constexpr std::size_t kStrongestWords = 5;                       // words listed in the subtitle
constexpr double kWordSizes[] = {30, 24, kStripWord, kPageWord}; // px; short texts are large
constexpr double kFilledShare = 0.5; // largest share of the height for words above kPageWord
// A safe lower bound for the growth of word widths with the type size. Letter widths are rounded to
// whole pixels, and white space is not included.
constexpr double kSurelyNarrower = 0.8;
constexpr double kChipRadius = 4;         // px
constexpr float kMinShownWeight = 0.005F; // smaller weights would be shown as 0.00
// A picture has many patches, so their weights are small.
constexpr float kMinShownOfPatch = 0.0005F;
constexpr int kMaxShownPixels = 1024; // maximum width and height of a painted picture
constexpr double kFaintPatch = 0.2, kStrongPatch = 0.7; // opacity of the tint over the picture
constexpr double kTextGap = 18;                         // px between two texts

/// Returns the words without padding.
StripWords pageOf(const core::Sequence &sequence) {
    StripWords words = stripWordsOf(sequence);
    words.words.resize(
        static_cast<std::size_t>(std::min<core::Index>(sequence.length, std::ssize(words.words))));
    return words;
}

/// Returns the picture whose patches are the tokens. Null if the tokens are words.
QImage pictureOf(const core::Config &config, const core::Sequence &sequence) {
    const core::PicturePatches &patches = config.picture;
    if (!patches.isOn() || !sequence.embeddings || sequence.length != patches.tokens())
        return {};
    // Cached, because other heads and layers show the same picture.
    thread_local std::pair<std::weak_ptr<const core::ParameterMatrix>, QImage> last;
    if (last.first.lock() == sequence.embeddings)
        return last.second;
    const core::Picture picture = core::pictureOf(*sequence.embeddings, patches);
    const QImage whole(picture.bytes.data(), static_cast<int>(picture.width),
                       static_cast<int>(picture.height), static_cast<int>(3 * picture.width),
                       QImage::Format_RGB888);
    const bool isLarge = std::max(whole.width(), whole.height()) > kMaxShownPixels;
    last = {sequence.embeddings, isLarge
                                     ? whole.scaled(kMaxShownPixels, kMaxShownPixels,
                                                    Qt::KeepAspectRatio, Qt::SmoothTransformation)
                                     : whole.copy()};
    return last.second;
}

TintedTextContent contentOfText(const core::TracePointer &now, const core::Selection &selection,
                                const FigureOptions &options) {
    using core::Stage;
    TintedTextContent content;
    const Compared &compared = options.compared;
    const auto why = unavailableReason(*now, selection, compared, compared.shown, Sought::Head);
    const ShownRun run =
        why.isEmpty() ? shownRun(now, selection, compared) : ShownRun{now, selection};
    const core::Trace &trace = *run.trace;
    const core::AttentionId attention = run.selection.attention();
    content.title =
        options.title.isEmpty() ? TintedText::tr("The text, tinted by attention") : options.title;
    if (const QString side = captionOf(compared); !side.isEmpty())
        content.title += QStringLiteral(" · ") + side;
    content.nothing = why.sentences();
    if (content.nothing.isEmpty() && !trace.has(Stage::AttentionWeights, attention))
        content.nothing = trace.model().isCaptured()
                              ? TintedText::tr("The attention weights of this layer were not "
                                               "captured.")
                              : TintedText::tr("This layer has no attention weights.");
    if (!content.nothing.isEmpty())
        return content;
    const QString name = attentionName(trace.model(), attention);
    content.where =
        TintedText::tr("%1, head %2")
            .arg(name.isEmpty() ? TintedText::tr("layer %1").arg(attention.layer) : name)
            .arg(run.selection.head);
    content.trace = run.trace;
    content.place = run.selection;
    const core::Index sequence = run.selection.sequence;
    if (attention.block == core::Block::CrossAttention) {
        content.texts.push_back(
            {TintedText::tr("source"), pageOf(trace.keys(attention)[sequence]), false, true});
        content.texts.push_back(
            {TintedText::tr("target"), pageOf(trace.queries(attention)[sequence]), true, false});
    } else {
        const core::Sequence &own = trace.queries(attention)[sequence];
        content.texts.push_back(
            {{}, pageOf(own), true, true, pictureOf(trace.model().config, own)});
        if (content.hasPicture() && options.title.isEmpty())
            content.title = TintedText::tr("The picture, tinted by attention");
    }
    return content;
}

} // namespace

TintedTextFigure::TintedTextFigure(std::shared_ptr<const TintedTextContent> content,
                                   HeatmapContent table, FigureStyle style)
    : m_content(std::move(content)),
      m_table(std::move(table)),
      m_style(std::move(style)),
      m_layouts(std::make_shared<Layouts>()) {}

TintedTextFigure TintedTextFigure::fromTrace(const core::TracePointer &trace,
                                             const core::Selection &selection,
                                             const FigureStyle &style, const FigureOptions &given,
                                             HeatmapCache *kept) {
    FigureOptions options = given;
    if (trace->model().config.picture.isOn() && options.range == Range::Fixed)
        options.range = Range::PerRow; // with many patches, all weights are far below 1
    core::Selection place =
        atStage(selection, {core::Stage::AttentionWeights, selection.attention()});
    place.query.reset();
    place.key.reset();
    place.dimension.reset();
    place.opened = false;
    const auto make = [&] {
        auto content =
            std::make_shared<const TintedTextContent>(contentOfText(trace, place, options));
        HeatmapContent table = contentOf(trace, place, style, options, kept);
        return std::make_shared<TintedTextFigure>(
            TintedTextFigure(std::move(content), std::move(table), style));
    };
    TintedTextFigure figure = kept ? static_cast<const TintedTextFigure &>(
                                         *kept->figure(trace, place, style, options, make))
                                   : *make();
    figure.select(shownRun(trace, selection, options.compared).selection);
    return figure;
}

void TintedTextFigure::select(const core::Selection &selection) {
    m_table.select(selection.query, selection.key);
    if (!m_content->nothing.isEmpty())
        return;
    const auto within = [](std::optional<core::Index> index, const StripWords &words) {
        return index && *index < std::ssize(words.words) ? index : std::nullopt;
    };
    m_query = within(selection.query, m_content->texts[askingText()].words);
    m_key = within(selection.key, m_content->texts.front().words);
    if (!m_query)
        return;
    const core::Selection &place = m_content->place;
    const core::AttentionRowId row{place.attention(), place.sequence, place.head, *m_query};
    m_weights = core::heldWeightsOf(*m_content->trace, row);
    if (m_weights.size() < m_content->texts.front().words.words.size())
        m_weights.clear(); // the weights are not computed yet
    m_hidden = core::hiddenKeysOf(*m_content->trace, row);
}

std::size_t TintedTextFigure::askingText() const {
    return m_content->texts.size() - 1;
}

std::optional<float> TintedTextFigure::weightOf(Word word) const {
    if (!m_content->texts[word.text].isRead || m_weights.empty())
        return std::nullopt;
    return m_weights[static_cast<std::size_t>(word.index)];
}

// Layout

namespace {

StripSpace pageSpace(double width, double word) {
    return {.width = width, .hasNumbers = false, .isPage = true, .word = word};
}

} // namespace

const TintedTextFigure::TextWidths &TintedTextFigure::widthsOf(double word) const {
    TextWidths &widths = m_layouts->widths[word];
    if (widths.empty())
        for (const TintedTextContent::Text &text : m_content->texts)
            widths.push_back(stripTextWidths(text.words, m_style, pageSpace(0, word)));
    return widths;
}

bool TintedTextFigure::fits(double width, double word, double height) const {
    const auto isAtMost = [&](const TextWidths &widths) {
        double sum = 0;
        for (std::size_t i = 0; i < widths.size(); ++i)
            sum += stripHeightOf(m_content->texts[i].words, m_style, pageSpace(width, word),
                                 widths[i]) +
                   m_style.scaled(kTextGap);
        return sum <= height;
    };
    // Measuring a long text takes long, so exclude sizes that are certainly too large.
    const auto measured = m_layouts->widths.find(kPageWord);
    if (measured != m_layouts->widths.end() && !m_layouts->widths.contains(word)) {
        const auto pixels = [this](double size) {
            return static_cast<double>(stripWordFont(m_style, false, size).pixelSize());
        };
        const double larger = kSurelyNarrower * pixels(word) / pixels(kPageWord);
        TextWidths narrow = measured->second;
        for (std::vector<double> &text : narrow)
            for (double &each : text)
                each *= larger;
        if (!isAtMost(narrow))
            return false;
    }
    return isAtMost(widthsOf(word));
}

void TintedTextFigure::layOut(double width, double word) const {
    const TextWidths &widths = widthsOf(word);
    m_layouts->word = word;
    m_layouts->texts.clear();
    for (std::size_t i = 0; i < widths.size(); ++i)
        m_layouts->texts.push_back(std::make_shared<const StripLayout>(
            stripLayoutOf(m_content->texts[i].words, m_style, pageSpace(width, word), widths[i])));
}

TintedTextGeometry TintedTextFigure::geometry(const QRectF &area) const {
    TintedTextGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const double small = lineHeight(m_style.font(FigureStyle::Text::Label));
    places.title = QRectF(inner.left(), inner.top(), inner.width(),
                          lineHeight(m_style.font(FigureStyle::Text::Title, true)));
    places.subtitle = QRectF(inner.left(), places.title.bottom() + 2, inner.width(), small);
    places.bottom = places.subtitle.bottom();
    if (!m_content->nothing.isEmpty())
        return places;
    places.colourBar = QRectF(inner.left(), places.subtitle.bottom() + 6, inner.width(),
                              std::max(small, m_style.scaled(14)));
    const QSizeF room(inner.width(), inner.bottom() - places.colourBar.bottom());
    if (m_layouts->size != room && m_content->hasPicture()) {
        const double gap = m_style.scaled(12) + kFigureMargin;
        m_layouts->word = kPageWord;
        m_layouts->texts = {std::make_shared<const StripLayout>(pictureLayoutOf(
            m_content->trace->model().config.picture, m_content->texts.front().words, m_style,
            {room.width(), room.height() - gap}))};
        m_layouts->size = room;
    } else if (m_layouts->size != room) {
        const double height = kFilledShare * room.height();
        const double *word = std::begin(kWordSizes); // largest first
        while (*word > kPageWord && (height <= 0 || !fits(room.width(), *word, height)))
            ++word;
        layOut(room.width(), *word);
        m_layouts->size = room;
    }
    places.wordPixels = m_layouts->word;
    double top = places.colourBar.bottom() + m_style.scaled(12);
    for (std::size_t i = 0; i < m_content->texts.size(); ++i) {
        TintedTextGeometry::Text text;
        if (!m_content->texts[i].title.isEmpty()) {
            text.title = QRectF(inner.left(), top, inner.width(), small);
            top = text.title.bottom() + 4;
        }
        text.layout = m_layouts->texts[i];
        text.origin = {inner.left(), top};
        top += text.layout->content.height();
        places.bottom = top;
        top += m_style.scaled(kTextGap);
        places.texts.push_back(std::move(text));
    }
    return places;
}

double TintedTextFigure::heightFor(double width) const {
    return std::ceil(
        std::max(minimumSize().height(), geometry({0, 0, width, 100}).bottom + kFigureMargin));
}

QSizeF TintedTextFigure::naturalSize() const {
    const double width = std::max(kPageWidth, m_style.scaled(kPageWidth * 0.8));
    return {width, heightFor(width)};
}

QSizeF TintedTextFigure::readableSize(const QSizeF &sight) const {
    const QSizeF whole = sight.expandedTo({minimumSize().width(), 1});
    if (m_content->hasPicture())
        return whole.expandedTo(minimumSize());
    return whole.expandedTo({1, heightFor(whole.width())});
}

std::optional<TintedTextFigure::Word> TintedTextFigure::wordAt(const TintedTextGeometry &places,
                                                               QPointF point) const {
    for (std::size_t i = 0; i < places.texts.size(); ++i)
        if (const auto word = places.texts[i].layout->wordAt(point - places.texts[i].origin))
            return Word{i, *word};
    return std::nullopt;
}

std::optional<TintedTextFigure::Word>
TintedTextFigure::nearestWord(const TintedTextGeometry &places, QPointF point) const {
    const auto apart = [](double low, double high, double at) {
        return std::max({0.0, low - at, at - high});
    };
    std::optional<Word> nearest;
    std::pair<double, double> least; // the vertical distance, then the horizontal one
    for (std::size_t i = 0; i < places.texts.size(); ++i) {
        const StripLayout &layout = *places.texts[i].layout;
        const QPointF at = point - places.texts[i].origin;
        const int line = static_cast<int>(std::clamp(at.y() / std::max(1.0, layout.lineStep), 0.0,
                                                     std::max(0.0, layout.lines - 1.0)));
        const auto [first, end] = layout.wordsOf(line);
        for (core::Index word = first; word < end; ++word) {
            const QRectF &rect = layout.chips[static_cast<std::size_t>(word)].rect;
            const std::pair distance(apart(rect.top(), rect.bottom(), at.y()),
                                     apart(rect.left(), rect.right(), at.x()));
            if (!nearest || distance < least) {
                nearest = Word{i, word};
                least = distance;
            }
        }
    }
    return nearest;
}

// Painting

QString TintedTextFigure::subtitle() const {
    QStringList parts{m_content->where};
    if (!m_query) {
        parts << TintedTextFigure::tr("select a token to see which tokens it attends to");
        return parts.join(QStringLiteral(" · "));
    }
    const QString subject =
        m_content->texts[askingText()].words.words[static_cast<std::size_t>(*m_query)].text;
    if (m_weights.empty()) {
        parts << tr("%1: its weights have not been computed yet").arg(subject);
        return parts.join(QStringLiteral(" · "));
    }
    const std::vector<StripWord> &words = m_content->texts.front().words.words;
    std::vector<std::size_t> order(words.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const std::size_t count = std::min(kStrongestWords, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                              std::greater<>(),
                              [&](std::size_t word) { return std::abs(m_weights[word]); });
    QStringList strongest;
    const bool isPicture = m_content->hasPicture();
    for (std::size_t i = 0; i < count; ++i)
        if (std::abs(m_weights[order[i]]) >= (isPicture ? kMinShownOfPatch : kMinShownWeight))
            strongest << QStringLiteral("%1 %2").arg(
                words[order[i]].text,
                numberText(static_cast<double>(m_weights[order[i]]), isPicture ? 3 : 2));
    parts << (strongest.isEmpty() ? tr("%1 attends to no token").arg(subject)
                                  : tr("%1 attends to %2").arg(subject, enumerated(strongest)));
    return parts.join(QStringLiteral(" · "));
}

QString TintedTextFigure::description() const {
    return m_content->nothing.isEmpty() ? labelled(m_content->title, subtitle())
                                        : labelled(m_content->title, m_content->nothing);
}

void TintedTextFigure::paintWord(QPainter &painter, const TintedTextGeometry &places,
                                 Word word) const {
    const TintedTextContent::Text &text = m_content->texts[word.text];
    const TintedTextGeometry::Text &at = places.texts[word.text];
    const auto index = static_cast<std::size_t>(word.index);
    const StripLayout::Chip &chip = at.layout->chips[index];
    const bool isHidden = text.isRead && m_query && index < m_hidden.size() && m_hidden[index];
    WordChip painted{.rect = chip.rect.translated(at.origin),
                     .joinsLeft = chip.joinsLeft,
                     .joinsRight = chip.joinsRight,
                     .joinsNext =
                         index + 1 < text.words.words.size() && text.words.words[index + 1].joins,
                     .isHidden = isHidden,
                     .fill = m_style.hidden,
                     .text = isHidden ? m_style.mutedText : m_style.text,
                     .font = stripWordFont(m_style, false, places.wordPixels),
                     .padding = at.layout->padding,
                     .radius = m_style.scaled(kChipRadius)};
    const auto measured = m_layouts->widths.find(places.wordPixels);
    if (measured != m_layouts->widths.end())
        painted.textWidth = measured->second[word.text][index];
    const std::optional<float> weight = isHidden ? std::nullopt : weightOf(word);
    if (m_content->hasPicture() && word.index >= m_content->trace->model().config.picture.before)
        return paintPatch(painter, painted.rect, weight);
    if (weight && *weight != 0) {
        painted.fill = wordTint(static_cast<double>(*weight), m_table.scale, m_style, *m_query);
        painted.text = wantsDarkText(painted.fill.rgb()) ? Qt::black : Qt::white;
    }
    paintWordChip(painter, text.words.words[index], painted, m_style);
}

void TintedTextFigure::paintPatch(QPainter &painter, const QRectF &rect,
                                  std::optional<float> weight) const {
    if (!weight)
        return;
    const auto value = static_cast<double>(*weight);
    QColor tint(m_table.scale.colour(*m_query, value));
    const double share = std::clamp(m_table.scale.position(*m_query, std::abs(value)), 0.0, 1.0);
    tint.setAlphaF(static_cast<float>(kFaintPatch + (kStrongPatch - kFaintPatch) * share));
    painter.setRenderHint(QPainter::Antialiasing, false); // avoids seams between patches
    painter.fillRect(rect, tint);
    painter.setRenderHint(QPainter::Antialiasing, true);
}

void TintedTextFigure::paint(QPainter &painter, const QRectF &area, Device) const {
    paintIn(painter, area, area, std::nullopt);
}

void TintedTextFigure::paintIn(QPainter &painter, const QRectF &area, const QRectF &sight,
                               std::optional<Word> hovered) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, sight, m_style.background, m_style);
    const TintedTextGeometry places = geometry(area);
    const QFont label = m_style.font(FigureStyle::Text::Label);
    drawLine(painter, places.title, Qt::AlignLeft, m_content->title,
             m_style.font(FigureStyle::Text::Title, true), m_style.text);
    if (!m_content->nothing.isEmpty()) {
        drawWrapped(painter,
                    QRectF(places.subtitle.left(), places.subtitle.top() + 8,
                           places.subtitle.width(), area.bottom() - places.subtitle.top()),
                    Qt::AlignLeft, m_content->nothing, m_style.font(FigureStyle::Text::Body),
                    m_style.mutedText);
        painter.restore();
        return;
    }
    drawLine(painter, places.subtitle, Qt::AlignLeft, subtitle(), label, m_style.mutedText);
    paintColourBar(painter, places.colourBar, m_table.scale, m_style);
    bool isCut = false;
    for (std::size_t text = 0; text < places.texts.size(); ++text) {
        const TintedTextGeometry::Text &at = places.texts[text];
        const TintedTextContent::Text &of = m_content->texts[text];
        if (!at.title.isEmpty() && at.title.bottom() <= area.bottom())
            drawLine(painter, at.title, Qt::AlignLeft, of.title,
                     m_style.font(FigureStyle::Text::Label, true),
                     of.isAsking ? m_style.query : m_style.key);
        if (m_content->hasPicture()) {
            const auto first =
                static_cast<core::Index>(m_content->trace->model().config.picture.before);
            painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
            const QRectF whole = places.word(text, first)
                                     .united(places.word(text, std::ssize(at.layout->chips) - 1));
            painter.drawImage(whole, of.picture);
            const QRectF beside = whole.translated(whole.width() + m_style.scaled(kTextGap), 0);
            if (beside.right() <= area.right() - kFigureMargin)
                painter.drawImage(beside, of.picture); // the picture without the tint
        }
        const double step = std::max(1.0, at.layout->lineStep);
        const auto lineAt = [&](double y) {
            return static_cast<int>(std::floor((y - at.origin.y()) / step));
        };
        const int first = std::max(0, lineAt(sight.top()));
        const int last = std::min(at.layout->lines - 1, lineAt(sight.bottom()));
        for (int line = first; line <= last; ++line) {
            const auto [begin, end] = at.layout->wordsOf(line);
            if (begin < end && places.word(text, begin).bottom() > area.bottom()) {
                isCut = true; // the file is not tall enough for this line
                break;
            }
            for (core::Index word = begin; word < end; ++word)
                if (places.word(text, word).intersects(sight)) // zoomed lines are wider
                    paintWord(painter, places, {text, word});
        }
    }
    // Paint outlines last, because they extend over adjacent words.
    const auto outline = [&](std::optional<Word> word, const QPen &pen, double grow) {
        if (!word || m_style.isPaper || word->text >= places.texts.size() ||
            word->index >= std::ssize(places.texts[word->text].layout->chips))
            return;
        const QRectF rect = places.word(word->text, word->index);
        if (!rect.intersects(sight) || rect.bottom() > area.bottom())
            return;
        painter.setBrush(Qt::NoBrush);
        const QRectF around = rect.adjusted(-grow, -grow, grow, grow);
        // Paint a rim, so that the outline is visible on all tints.
        for (const QPen &each : {QPen(m_style.background, pen.widthF() + 2), pen}) {
            painter.setPen(each);
            painter.drawRoundedRect(around, 5, 5);
        }
    };
    const auto wordOf = [](std::size_t text, std::optional<core::Index> index) {
        return index ? std::optional(Word{text, *index}) : std::nullopt;
    };
    outline(hovered, QPen(m_style.mutedText, 1), -0.5);
    if (m_key != m_query || m_content->texts.size() > 1)
        outline(wordOf(0, m_key), QPen(m_style.key, 2, Qt::DashLine), 1);
    outline(wordOf(askingText(), m_query), QPen(m_style.selection, 2), 1);
    if (isCut)
        drawLine(painter,
                 QRectF(places.title.left(), area.bottom() - kFigureMargin, places.title.width(),
                        kFigureMargin),
                 Qt::AlignRight, tr("the text continues"), label, m_style.mutedText);
    painter.restore();
}

} // namespace headlight::ui
