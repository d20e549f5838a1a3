// Saves the figures of several heads in the background: a file for each, or the pages of one PDF.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/figures/table/views.h"
#include "ui/window/saving/figure_command.h"

#include <atomic>

namespace headlight::ui {

class FigureView;

/// The heads whose figures are saved.
enum class HeadSet { Selected, Pinned, Layer, All };

/// Returns the heads in the order of the pages. Layer and All: only heads of the selected stack and
/// kind of attention. Leaves out heads of layers that do not have the stage. Empty without a trace.
std::vector<core::HeadId> headsOf(const Document &document, HeadSet set, core::Stage stage);

/// Returns the view that shows one of several heads: the heatmap for views that show all heads of a
/// layer or a model. Null if a view's figure does not depend on the head.
const ViewInfo *viewOfOneHead(const ViewInfo &view);

/// True if the view's figures of this stage differ between the heads of a layer.
bool differsByHead(const ViewInfo &one, core::Stage stage);

struct FileOfHeads {
    QString path;
    std::vector<core::HeadId> heads; ///< at least one; several are the pages of a PDF
};

/// Returns the files. Replaces %l in the file name with the layer, %h with the head and %% with a
/// percent sign. The layer follows "encoder-" or "cross-" if there are heads of several kinds of
/// attention. Heads with equal names are pages of one PDF. Error: equal names in another format.
core::Result<std::vector<FileOfHeads>>
filesOf(const QString &path, const std::vector<core::HeadId> &heads, Format format);

class FigureSet : public QObject {
    Q_OBJECT
  public:
    /// The traces with the details of the last figure. Only the worker uses them.
    struct Prepared {
        core::TracePointer trace;
        core::TracePointer a; ///< null without a comparison
    };

    explicit FigureSet(FigureView &view, QObject *parent = nullptr);

    /// Starts saving the files, one after the other. The figures show the view's current state.
    /// Errors: a file must not be overwritten; there is no trace; the gradients belong to another
    /// trace.
    core::Outcome start(const FigureCommandLine &recipe, std::vector<FileOfHeads> files);
    /// Stops. Files that are finished stay.
    void cancel();
    bool isBusy() const { return m_job.isBusy(); }
    /// Returns how many figures are finished.
    int made() const { return *m_made; }
    /// Returns how many figures there are.
    int all() const { return m_all; }
    /// Returns how many files are saved.
    int savedFiles() const { return static_cast<int>(m_next); }

  signals:
    /// All files are saved.
    void finished();
    /// A file could not be saved, or the document has changed. The remaining files are not saved.
    void failed(const headlight::core::Error &error);

  private:
    struct Page {
        core::Selection selection;
        QString caption;
    };
    void saveNext();
    std::vector<Page> pagesOf(const FileOfHeads &file) const;

    FigureView &m_view;
    FigureCommandLine m_recipe;
    FigureInput m_input;
    std::shared_ptr<Prepared> m_prepared; // null while nothing is saved
    bool m_isCaptionSuggested = false;    // true: each figure has its own caption
    std::vector<FileOfHeads> m_files;
    std::size_t m_next = 0;
    int m_all = 0;
    std::shared_ptr<std::atomic<int>> m_made = std::make_shared<std::atomic<int>>(0);
    LatestJob m_job; // saves the next file
};

} // namespace headlight::ui
