#include "ui/figures/worksheet/worksheet_pages.h"

#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/worksheet/sheet_blocks.h"
#include "ui/figures/worksheet/sheet_matrix.h"
#include "ui/text/one_line.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

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

/// A block with its position on the page.
struct PlacedBlock {
    SheetBlock block;
    double top = 0;
};

class WorksheetPage : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Worksheet)

  public:
    WorksheetPage(QString title, bool answers, FigureStyle style, QSizeF size)
        : m_title(std::move(title)), m_answers(answers), m_style(std::move(style)), m_size(size) {}

    std::vector<PlacedBlock> blocks;
    bool isFirst = false; ///< first page of its worksheet
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
        return kTop + (isFirst ? lineHeight(titleFont(m_style)) + line + 22 : line) + kGapToHeader;
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
    void paintHeader(QPainter &painter) const {
        const QFont body = m_style.font(FigureStyle::Text::Body);
        const QFont font = isFirst ? titleFont(m_style) : body;
        const double line = lineHeight(font);
        const QString answers = m_answers ? tr("Answers") : QString();
        const QFont bold = m_style.font(FigureStyle::Text::Body, true);
        const double available = m_answers ? textWidth(answers, bold) + 12 : 0;
        drawHeading(painter, {kSide, kTop, width() - available, line}, m_title, font, m_style.text);
        drawLine(painter, {kSide, kTop, width(), line}, Qt::AlignRight, answers, bold,
                 answerColour());
        if (!isFirst)
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
    bool m_answers;
    FigureStyle m_style;
    QSizeF m_size;
};

/// Distributes blocks over pages. Blocks that belong together start a new page if they fit on one
/// page but not on the current one.
class Pages {
  public:
    Pages(bool answers, const FigureStyle &style, QSizeF size)
        : m_answers(answers), m_style(style), m_size(size) {}

    /// Starts a new page with lines for a name and a date.
    void beginSheet(const QString &title) {
        m_title = title;
        begin(true);
    }

    double width() const { return m_pages.back()->width(); }
    void add(const SheetBlocks &together) {
        double height = 0;
        for (const SheetBlock &block : together)
            height += block.gap + block.height;
        const bool isEmpty = m_pages.back()->blocks.empty();
        if (!isEmpty && m_used + height > page().bottom() && height <= available())
            begin();
        for (const SheetBlock &block : together)
            add(block);
    }
    SheetPages take() {
        SheetPages pages;
        for (std::unique_ptr<WorksheetPage> &each : m_pages) {
            each->count = static_cast<int>(m_pages.size());
            pages.push_back(std::move(each));
        }
        return pages;
    }

  private:
    WorksheetPage &page() { return *m_pages.back(); }
    /// Returns the content height of a page that is not the first.
    double available() const {
        const WorksheetPage next(m_title, m_answers, m_style, m_size);
        return next.bottom() - next.top();
    }
    void begin(bool isFirst = false) {
        m_pages.push_back(std::make_unique<WorksheetPage>(m_title, m_answers, m_style, m_size));
        page().isFirst = isFirst;
        page().number = static_cast<int>(m_pages.size());
        m_used = page().top();
    }
    void add(const SheetBlock &block) {
        if (!page().blocks.empty() && m_used + block.gap + block.height > page().bottom())
            begin();
        if (!page().blocks.empty())
            m_used += block.gap;
        page().blocks.push_back({block, m_used});
        m_used += block.height;
    }

    QString m_title;
    bool m_answers;
    FigureStyle m_style;
    QSizeF m_size;
    std::vector<std::unique_ptr<WorksheetPage>> m_pages;
    double m_used = 0; // px from the top edge of the paper
};

} // namespace

SheetPages worksheetPages(const std::vector<core::Worksheet> &sheets, bool answers,
                          SheetOfPaper paper) {
    const FigureStyle style = FigureStyle::paper();
    Pages pages(answers, style, sizeOf(paper).inPixels());
    for (const core::Worksheet &sheet : sheets) {
        pages.beginSheet(oneLine(sheet.title));
        pages.add(instructionBlocks(style, pages.width()));
        for (const core::WorksheetStep &step : sheet.steps)
            pages.add(stepBlocks(step, answers, style, pages.width()));
        pages.add(leftOutBlocks(sheet, style, pages.width()));
    }
    return pages.take();
}

} // namespace headlight::ui
