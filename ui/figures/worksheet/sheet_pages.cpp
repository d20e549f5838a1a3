#include "ui/figures/worksheet/sheet_pages.h"

#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/worksheet/sheet_matrix.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

constexpr double kSide = 68, kTop = 62, kBottom = 62; // px: 18 mm, 16 mm
constexpr double kFooter = 34;                        // px from the paper's edge
constexpr double kGapToHeader = 14;

QFont titleFont(const FigureStyle &style) {
    QFont font = style.font(FigureStyle::Text::Title, true);
    font.setPixelSize(19);
    return font;
}

} // namespace

class PrintedPage : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Worksheet)

  public:
    PrintedPage(QString title, SheetKind kind, FigureStyle style, QSizeF size)
        : m_title(std::move(title)), m_kind(kind), m_style(std::move(style)), m_size(size) {}

    /// A block with its position on the page.
    struct PlacedBlock {
        SheetBlock block;
        double top = 0;
    };
    std::vector<PlacedBlock> blocks;
    bool isFirst = false; ///< true for the first page of its sheet
    int number = 1, count = 1;

    QSizeF naturalSize() const override { return m_size; }
    QSizeF minimumSize() const override { return m_size; }
    qint64 cellCount() const override { return 0; }
    QString description() const override {
        QStringList words{m_title};
        for (const PlacedBlock &placed : blocks)
            words << placed.block.words;
        return words.join(". ");
    }
    double bottom() const { return m_size.height() - kBottom; }
    double width() const { return m_size.width() - 2 * kSide; }
    /// Returns the top of the content. The header of a first page has lines for a name and a date.
    double top() const {
        const double line = lineHeight(m_style.font(FigureStyle::Text::Body));
        if (!isFirst)
            return kTop + line + kGapToHeader;
        return kTop + lineHeight(titleFont(m_style)) + (hasNameLines() ? line + 22 : 0) +
               kGapToHeader;
    }

    void paint(QPainter &painter, const QRectF &area, Device) const override {
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(area.width() / m_size.width(), area.height() / m_size.height());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(QRectF(QPointF(), m_size), Qt::white);
        paintHeader(painter);
        for (const PlacedBlock &placed : blocks)
            placed.block.paint(painter, {kSide, placed.top});
        const QFont font = m_style.font(FigureStyle::Text::Label);
        drawLine(painter,
                 {kSide, m_size.height() - kFooter - lineHeight(font), width(), lineHeight(font)},
                 Qt::AlignHCenter, tr("Page %1 of %2").arg(number).arg(count), font,
                 m_style.mutedText);
        painter.restore();
    }

  private:
    bool hasNameLines() const { return m_kind != SheetKind::Handout; }
    void paintHeader(QPainter &painter) const {
        const QFont body = m_style.font(FigureStyle::Text::Body);
        const QFont font = isFirst ? titleFont(m_style) : body;
        const double line = lineHeight(font);
        const QString word = m_kind == SheetKind::Answers   ? tr("Answers")
                             : m_kind == SheetKind::Handout ? tr("For the teacher")
                                                            : QString();
        const QFont bold = m_style.font(FigureStyle::Text::Body, true);
        const double taken = word.isEmpty() ? 0 : textWidth(word, bold) + 12;
        drawHeading(painter, {kSide, kTop, width() - taken, line}, m_title, font, m_style.text);
        drawLine(painter, {kSide, kTop, width(), line}, Qt::AlignRight, word, bold,
                 m_kind == SheetKind::Answers ? answerColour() : m_style.mutedText);
        if (!isFirst || !hasNameLines())
            return;
        const QRectF lines(kSide, kTop + line + 14, width(), lineHeight(body));
        const double date = lines.left() + lines.width() * 0.66;
        paintLine(painter, lines.left(), date - 24, lines, tr("Name"));
        paintLine(painter, date, lines.right(), lines, tr("Date"));
    }
    void paintLine(QPainter &painter, double from, double to, const QRectF &line,
                   const QString &name) const {
        const QFont body = m_style.font(FigureStyle::Text::Body);
        drawLine(painter, {from, line.top(), to - from, line.height()}, Qt::AlignLeft, name, body,
                 m_style.text);
        painter.setPen(QPen(m_style.mutedText, 0.8));
        painter.drawLine(QPointF(from + textWidth(name, body) + 8, line.bottom() + 2),
                         QPointF(to, line.bottom() + 2));
    }

    QString m_title;
    SheetKind m_kind;
    FigureStyle m_style;
    QSizeF m_size;
};

SheetPager::SheetPager(SheetOfPaper paper)
    : m_size(sizeOf(paper).inPixels()), m_style(FigureStyle::paper()) {}

SheetPager::~SheetPager() = default;

void SheetPager::beginSheet(const QString &title, SheetKind kind, const FigureStyle &style) {
    m_title = title;
    m_kind = kind;
    m_style = style;
    begin(true);
}

double SheetPager::width() const {
    return m_size.width() - 2 * kSide;
}

double SheetPager::height() const {
    return m_pages.back()->bottom() - m_used;
}

void SheetPager::add(const SheetBlocks &together) {
    double needed = 0;
    for (const SheetBlock &block : together)
        needed += block.gap + block.height;
    const PrintedPage next(m_title, m_kind, m_style, m_size); // a later page of the sheet
    const bool isEmpty = page().blocks.empty();
    if (!isEmpty && needed > height() && needed <= next.bottom() - next.top())
        begin(false);
    for (const SheetBlock &block : together)
        add(block);
}

SheetPages SheetPager::take() {
    SheetPages pages;
    for (std::unique_ptr<PrintedPage> &each : m_pages) {
        each->count = static_cast<int>(m_pages.size());
        pages.push_back(std::move(each));
    }
    m_pages.clear();
    return pages;
}

void SheetPager::begin(bool isFirst) {
    m_pages.push_back(std::make_unique<PrintedPage>(m_title, m_kind, m_style, m_size));
    page().isFirst = isFirst;
    page().number = static_cast<int>(m_pages.size());
    m_used = page().top();
}

void SheetPager::add(const SheetBlock &block) {
    if (!page().blocks.empty() && m_used + block.gap + block.height > page().bottom())
        begin(false);
    if (!page().blocks.empty())
        m_used += block.gap;
    page().blocks.push_back({block, m_used});
    m_used += block.height;
}

} // namespace headlight::ui
