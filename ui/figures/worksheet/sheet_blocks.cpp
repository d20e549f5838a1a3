#include "ui/figures/worksheet/sheet_blocks.h"

#include "core/explain/formula.h"
#include "core/lesson/step_text.h"
#include "ui/figures/text/line_spans.h"
#include "ui/figures/text/marked_lines.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/figures/worksheet/sheet_matrix.h"
#include "ui/figures/worksheet/solution_text.h"
#include "ui/text/attention_names.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"
#include "ui/text/step_number.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>
#include <QPainterPath>
#include <QRegularExpression>

#include <algorithm>
#include <memory>

namespace headlight::ui {

namespace {

constexpr double kBetweenMatrices = 26, kBetweenColumns = 30, kBox = 12;
constexpr double kWidestNote = 260;
constexpr int kWrittenLines = 3; // lines for the student to write on
// Control characters around each number of a text.
constexpr const char *kNumberBegin = "\x02", *kNumberEnd = "\x03";

struct SheetText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Worksheet)
};

/// Replaces each number of a text with a blank.
std::string withBlanks(const std::string &html) {
    static const QRegularExpression number("\x02[^\x03]*\x03");
    return QString::fromStdString(html).replace(number, QStringLiteral("_____")).toStdString();
}

QString nameOfStep(const core::WorksheetStep &step) {
    if (step.step < 0)
        return titleOf(step.trace->model(), step.task->selection.stage);
    return SheetText::tr("Step %1: %2").arg(stepNumber(step.step)).arg(oneLine(step.title));
}

/// Names the sequence, layer and head. Omits each of them if there is only one.
QString placeOf(const core::WorksheetTask &task) {
    const core::Trace &trace = *task.trace;
    const core::Selection &at = task.selection;
    const core::StageInfo &info = core::infoOf(at.stage);
    QStringList parts;
    if (trace.batch().count() > 1 && info.rowsAreTokens())
        parts << SheetText::tr("“%1”").arg(rowNames(trace, at).join(' '));
    if (info.part != core::Part::OutputLayer)
        parts << attentionName(trace.model(), at.attention());
    if (info.perHead && trace.model().headsOf(at.attention()) > 1)
        parts << SheetText::tr("head %1").arg(at.head);
    parts.removeAll(QString());
    return enumerated(parts);
}

/// A column of lines and matrices.
class SheetColumn {
  public:
    double width = 0, height = 0;

    void addText(const QString &words, const FigureStyle &style) {
        addLine({{words, style.text, true}}, style.font(FigureStyle::Text::Label), 1e6);
    }
    /// Adds a line that is at most `most` px wide.
    void addLine(const Spans &spans, const QFont &font, double most) {
        const double line = lineHeight(font) + 3;
        width = std::max(width, std::min(most, spansWidth(spans, font) + 1));
        m_parts.push_back({height, plainText(spans), [=](QPainter &painter, const QPointF &at) {
                               drawSpans(painter, {at.x(), at.y(), most, line}, spans, font);
                           }});
        height += line + 3;
    }
    void add(const std::vector<SheetMatrix> &line) {
        double wide = 0, high = 0;
        QStringList names;
        for (const SheetMatrix &matrix : line) {
            wide += matrix.size().width() + (wide > 0 ? kBetweenMatrices : 0);
            high = std::max(high, matrix.size().height());
            names << matrix.description();
        }
        width = std::max(width, wide);
        m_parts.push_back(
            {height, names.join(QStringLiteral(", ")), [line](QPainter &painter, QPointF at) {
                 for (const SheetMatrix &matrix : line) {
                     matrix.paint(painter, at);
                     at += QPointF(matrix.size().width() + kBetweenMatrices, 0);
                 }
             }});
        height += high + 6;
    }
    void paint(QPainter &painter, const QPointF &at) const {
        for (const Part &part : m_parts)
            part.paint(painter, at + QPointF(0, part.top));
    }
    QString words() const {
        QStringList all;
        for (const Part &part : m_parts)
            all << part.words;
        return all.join(QStringLiteral(". "));
    }

  private:
    struct Part {
        double top;
        QString words;
        std::function<void(QPainter &, const QPointF &)> paint;
    };
    std::vector<Part> m_parts;
};

class StepWriter {
  public:
    StepWriter(const core::WorksheetStep &step, bool answers, const FigureStyle &style,
               double width)
        : m_step(step), m_answers(answers), m_style(style), m_width(width) {}

    SheetBlocks write() {
        heading(nameOfStep(m_step), m_step.task ? placeOf(*m_step.task) : QString());
        if (m_step.question)
            question(*m_step.question);
        else
            paragraphs();
        if (m_step.task)
            task(*m_step.task);
        if (m_step.exercise)
            exercise(*m_step.exercise);
        return std::move(m_blocks);
    }

    /// Returns the complete text of a step that has a question, for the sheet with the answers.
    SheetBlocks writeTextAfterwards() {
        label(nameOfStep(m_step), 14);
        for (const std::string &paragraph : m_step.text)
            text(paragraph, 0, false, 4);
        return std::move(m_blocks);
    }

  private:
    QFont body(bool bold = false) const { return m_style.font(FigureStyle::Text::Body, bold); }
    QFont small() const { return m_style.font(FigureStyle::Text::Label); }

    void heading(const QString &title, const QString &place) {
        QFont font = m_style.font(FigureStyle::Text::Title, true);
        font.setPixelSize(15);
        const QFont small = m_style.font(FigureStyle::Text::Label);
        const double line = lineHeight(font);
        m_blocks.push_back(
            {line + (place.isEmpty() ? 0 : lineHeight(small)), 30,
             [=, this, style = m_style, width = m_width](QPainter &painter, const QPointF &at) {
                 painter.setPen(QPen(style.border, 1));
                 painter.drawLine(at + QPointF(0, -10), at + QPointF(width, -10));
                 drawHeading(painter, {at.x(), at.y(), width, line}, title, font, style.text);
                 drawLine(painter, {at.x(), at.y() + line, width, lineHeight(small)}, Qt::AlignLeft,
                          place, small, style.mutedText);
             },
             title});
    }

    /// Adds the text of the step. If the step has a task, the numbers in the text are blanks to
    /// fill in.
    void paragraphs() {
        for (std::size_t i = 0; i < m_step.text.size(); ++i) {
            const double gap = i == 0 ? 8 : 5;
            const std::string html = htmlWithNumbers(m_step.text[i]);
            if (!m_step.task) {
                add(linesOf(html, body(), m_width), body(), 0, gap, 0);
                continue;
            }
            // Text with blanks may break into a different number of lines. Use the larger height,
            // so that it is the same with and without answers.
            const QList<Spans> blanks = linesOf(withBlanks(html), body(), m_width);
            const QList<Spans> numbers = linesOf(html, body(), m_width);
            add(m_answers ? numbers : blanks, body(), 0, gap,
                std::max(blanks.size(), numbers.size()));
        }
    }
    /// Returns HTML with control characters around the numbers.
    std::string htmlWithNumbers(const std::string &marked) const {
        return core::stepTextToHtml(marked, m_step.trace.get(), {}, {kNumberBegin, kNumberEnd});
    }
    QList<Spans> linesOf(const std::string &html, const QFont &font, double width) const {
        QString text = QString::fromStdString(html);
        text.replace(kNumberBegin, QLatin1String("<strong>"));
        text.replace(kNumberEnd, QLatin1String("</strong>"));
        return markedLines(text.toStdString(), font, width, m_style.text);
    }

    /// Adds lines of a lesson's text, indented by `left`.
    void text(const std::string &marked, double left, bool bold, double gap,
              const std::function<void(QPainter &, const QPointF &)> &before = {}) {
        const QFont font = body(bold);
        add(markedLines(core::stepTextToHtml(marked, m_step.trace.get()), font, m_width - left,
                        m_style.text),
            font, left, gap, 0, before);
    }
    /// Adds lines, with space for at least `least` lines.
    void add(const QList<Spans> &lines, const QFont &font, double left, double gap, qsizetype least,
             const std::function<void(QPainter &, const QPointF &)> &before = {}) {
        const double line = lineHeight(font);
        QStringList words;
        for (const Spans &spans : lines)
            words << plainText(spans);
        m_blocks.push_back(
            {line * static_cast<double>(std::max(lines.size(), least)), gap,
             [=, width = m_width](QPainter &painter, const QPointF &at) {
                 if (before)
                     before(painter, at);
                 double top = at.y();
                 for (const Spans &spans : lines) {
                     drawSpans(painter, {at.x() + left, top, width - left, line}, spans, font);
                     top += line;
                 }
             },
             words.join(' ')});
    }

    /// Adds a text after a checkbox.
    void choice(const std::string &marked, bool isTicked) {
        text(marked, kBox + 10, false, 5,
             [isTicked, colour = m_style.text, line = lineHeight(body())](QPainter &painter,
                                                                          const QPointF &at) {
                 const QRectF box(at.x() + 1, at.y() + (line - kBox) / 2, kBox, kBox);
                 painter.setPen(QPen(colour, 1));
                 painter.setBrush(Qt::NoBrush);
                 painter.drawRect(box);
                 if (!isTicked)
                     return;
                 painter.setPen(QPen(answerColour(), 2.2));
                 painter.drawPolyline(QPolygonF{box.topLeft() + QPointF(2, 6),
                                                box.topLeft() + QPointF(5, 10),
                                                box.topLeft() + QPointF(13, -2)});
             });
    }

    void question(const core::Question &question) {
        text(question.text, 0, true, 8);
        if (m_step.picture)
            picture(*m_step.picture, *m_step.pictured);
        for (std::size_t i = 0; i < question.answers.size(); ++i)
            choice(question.answers[i].text, m_answers && m_step.right == i);
    }

    /// Adds the matrix that the window shows with the question.
    void picture(const core::WorksheetMatrix &matrix, const core::Selection &place) {
        const core::WorksheetTask shown{m_step.trace, place, {}, {}, {}};
        SheetColumn column;
        column.addText(SheetText::tr("In the picture"), m_style);
        column.add({SheetMatrix(shown, matrix, m_style, m_width)});
        add(column, {});
    }

    /// Adds the goals of an exercise and blank lines. The teacher's sheet shows a solution.
    void exercise(const core::Exercise &exercise) {
        label(SheetText::tr("Your turn"), 10);
        text(exercise.text, 0, false, 2);
        for (const core::Goal &goal : exercise.goals)
            choice(goal.text, false);
        label(SheetText::tr("What I would change, and why"), 8);
        QStringList answerLines;
        if (m_answers)
            for (const QString &line : solutionLines(exercise.solution, m_step.trace->model()))
                answerLines += wrapped(line, body(true), m_width);
        // Use the same number of lines with and without answers. A longer solution ends in an
        // ellipsis.
        if (answerLines.size() > kWrittenLines)
            answerLines = answerLines.mid(0, kWrittenLines - 1) << QStringLiteral("…");
        const double line = lineHeight(body()) + 10;
        m_blocks.push_back(
            {kWrittenLines * line, 0,
             [=, style = m_style, width = m_width, font = body(true)](QPainter &painter,
                                                                      const QPointF &at) {
                 for (int row = 0; row < kWrittenLines; ++row) {
                     const double bottom = at.y() + (row + 1) * line;
                     painter.setPen(QPen(style.border, 1));
                     painter.drawLine(QPointF(at.x(), bottom), QPointF(at.x() + width, bottom));
                     drawSpans(painter, {at.x(), bottom - line + 6, width, line - 8},
                               symbolSpans(answerLines.value(row), answerColour(), true), font);
                 }
             },
             answerLines.join(' ')});
    }

    void label(const QString &words, double gap) {
        const QFont font = m_style.font(FigureStyle::Text::Label, true);
        m_blocks.push_back(
            {lineHeight(font) + 2, gap,
             [=, width = m_width, colour = m_style.text](QPainter &painter, const QPointF &at) {
                 drawLine(painter, {at.x(), at.y(), width, lineHeight(font)}, Qt::AlignLeft, words,
                          font, colour);
             },
             words});
    }

    /// Adds the given matrices on the left and the matrix to fill in on the right, or below if the
    /// width is too small.
    void task(const core::WorksheetTask &task) {
        const SheetColumn given = givenColumn(task), asked = askedColumn(task);
        if (task.given.empty() || given.width + kBetweenColumns + asked.width > m_width) {
            if (!task.given.empty())
                add(given, {});
            add(asked, {});
        } else {
            add(given, asked);
        }
    }
    void add(const SheetColumn &left, const SheetColumn &right) {
        m_blocks.push_back({std::max(left.height, right.height), 10,
                            [left, right](QPainter &painter, const QPointF &at) {
                                left.paint(painter, at);
                                right.paint(painter, at + QPointF(left.width + kBetweenColumns, 0));
                            },
                            left.words() + ' ' + right.words()});
    }

    /// Places the given matrices side by side, as many per line as fit.
    SheetColumn givenColumn(const core::WorksheetTask &task) const {
        SheetColumn column;
        column.addText(SheetText::tr("Given"), m_style);
        std::vector<SheetMatrix> line;
        double used = 0;
        for (const core::WorksheetMatrix &matrix : task.given) {
            SheetMatrix grid(task, matrix, m_style, m_width);
            if (!line.empty() && used + grid.size().width() > m_width) {
                column.add(std::exchange(line, {}));
                used = 0;
            }
            used += grid.size().width() + kBetweenMatrices;
            line.push_back(std::move(grid));
        }
        column.add(std::move(line));
        return column;
    }

    SheetColumn askedColumn(const core::WorksheetTask &task) const {
        const bool all = std::ranges::find(task.blank, false) == task.blank.end();
        SheetColumn column;
        column.addText(all ? SheetText::tr("Work out") : SheetText::tr("Fill in the blanks"),
                       m_style);
        const QStringList rows = rowNames(*task.trace, task.selection);
        const QStringList columns = columnNames(*task.trace, task.selection, task.asked.allColumns);
        const LineNames names{[rows](core::Index row) { return rows.value(row); },
                              [columns](core::Index each) { return columns.value(each); },
                              QStringLiteral("%1")};
        // Put the formula first and its notes below it.
        core::Line formula = core::formulaOf(*task.trace, task.selection), notes;
        std::ranges::copy_if(formula, std::back_inserter(notes), &core::Piece::isAside);
        std::erase_if(formula, [](const core::Piece &piece) { return piece.isAside; });
        column.addLine(spansOf(formula, names, m_style), body(), m_width);
        for (const core::Piece &note : notes)
            for (const QString &line : wrapped(plainText(spansOf({note}, names, m_style)), small(),
                                               std::max(column.width, kWidestNote)))
                column.addLine({{line, m_style.mutedText}}, small(), m_width);
        column.add({SheetMatrix(task, m_answers, m_style, m_width)});
        return column;
    }

    const core::WorksheetStep &m_step;
    bool m_answers;
    FigureStyle m_style;
    double m_width;
    SheetBlocks m_blocks;
};

SheetBlocks paragraph(const QString &words, double gap, const FigureStyle &style, double width) {
    const QFont font = style.font(FigureStyle::Text::Label);
    return {{wrappedHeight(words, font, width), gap,
             [=](QPainter &painter, const QPointF &at) {
                 drawWrapped(painter, {at.x(), at.y(), width, 1}, Qt::AlignLeft, words, font,
                             style.mutedText);
             },
             words}};
}

} // namespace

SheetBlocks instructionBlocks(const FigureStyle &style, double width) {
    return paragraph(
        SheetText::tr(
            "Fill in the empty cells and round to two decimals. Printed numbers are rounded too; 0 "
            "is exactly zero. The answers were computed from numbers that are not rounded, so your "
            "last digit may differ. Answer each question before you compute anything; its "
            "explanation is with the answers."),
        10, style, width);
}

SheetBlocks stepBlocks(const core::WorksheetStep &step, bool answers, const FigureStyle &style,
                       double width) {
    return StepWriter(step, answers, style, width).write();
}

std::vector<SheetBlocks> textBlocks(const core::Worksheet &sheet, const FigureStyle &style,
                                    double width) {
    std::vector<SheetBlocks> all;
    for (const core::WorksheetStep &step : sheet.steps)
        if (step.question && !step.text.empty())
            all.push_back(StepWriter(step, false, style, width).writeTextAfterwards());
    if (all.empty())
        return all;
    QFont font = style.font(FigureStyle::Text::Title, true);
    font.setPixelSize(15);
    const QString title = SheetText::tr("Explanations of the steps with a question");
    all.front().insert(all.front().begin(),
                       {lineHeight(font), 30,
                        [=, colour = style.text](QPainter &painter, const QPointF &at) {
                            drawLine(painter, {at.x(), at.y(), width, lineHeight(font)},
                                     Qt::AlignLeft, title, font, colour);
                        },
                        title});
    return all;
}

SheetBlocks leftOutBlocks(const core::Worksheet &sheet, const FigureStyle &style, double width) {
    if (sheet.leftOut.empty())
        return {};
    QStringList names;
    for (const core::WorksheetStep &step : sheet.leftOut)
        names << nameOfStep(step);
    return paragraph(
        SheetText::tr("Left out, because their matrices have rows of more than %1 numbers: %2")
            .arg(core::kMaxGiven)
            .arg(ended(names.join(QStringLiteral("; ")))),
        26, style, width);
}

} // namespace headlight::ui
