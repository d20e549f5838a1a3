// Distributes blocks over printed pages: worksheets, and handouts for the teacher.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/worksheet/sheet_blocks.h"
#include "ui/figures/worksheet/sheet_of_paper.h"

#include <memory>
#include <vector>

namespace headlight::ui {

using SheetPages = std::vector<std::unique_ptr<Figure>>;

/// The header of a page: lines for a name and a date, or a word on the right.
enum class SheetKind { Worksheet, Answers, Handout };

class PrintedPage;

class SheetPager {
  public:
    explicit SheetPager(SheetOfPaper paper);
    ~SheetPager();

    /// Starts a new page with the title. Uses `style` for the header and the footer.
    void beginSheet(const QString &title, SheetKind kind, const FigureStyle &style);
    /// Starts a new page of the same sheet.
    void beginPage() { begin(false); }
    std::size_t count() const { return m_pages.size(); }
    /// Returns the width of the content in px, which is the same on all pages.
    double width() const;
    /// Returns the free height of the current page in px.
    double height() const;
    /// Adds blocks that belong together. If they fit on one page, but not on the current one,
    /// starts a new page.
    void add(const SheetBlocks &together);
    /// Returns the pages, numbered from 1.
    SheetPages take();

  private:
    PrintedPage &page() { return *m_pages.back(); }
    void begin(bool isFirst);
    void add(const SheetBlock &block);

    QSizeF m_size;
    QString m_title;
    SheetKind m_kind = SheetKind::Worksheet;
    FigureStyle m_style;
    std::vector<std::unique_ptr<PrintedPage>> m_pages;
    double m_used = 0; // px from the top edge of the paper
};

} // namespace headlight::ui
