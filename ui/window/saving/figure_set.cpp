#include "ui/window/saving/figure_set.h"

#include "core/cancelled.h"
#include "core/formats/files/atomic_file.h"
#include "ui/command_line/head_names.h"
#include "ui/command_line/output_pattern.h"
#include "ui/compute/trace_runner.h"
#include "ui/document/files_read.h"
#include "ui/figures/files/captioned_figure.h"
#include "ui/figures/lines/lines_figure.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/views/figure_view.h"
#include "ui/window/saving/figure_saving.h"

#include <algorithm>

namespace headlight::ui {

namespace {

using FigurePointer = std::unique_ptr<const Figure>;

/// Returns the heads pinned in the Model view that the model still has.
std::vector<core::HeadId> pinnedHeads(const Document &document) {
    const core::Model &model = document.trace()->model();
    std::vector<core::HeadId> heads;
    for (const std::string &text : document.modelView().pinned) {
        const std::optional<HeadName> name = findHeadName(QString::fromStdString(text));
        if (!name)
            continue;
        const core::Result<core::AttentionId> attention = attentionNamed(*name, model, "");
        if (!attention || name->head >= model.headsOf(*attention))
            continue;
        const core::HeadId head{*attention, name->head}; // "0.3" and "self.0.3" are the same head
        if (std::ranges::count(heads, head) == 0)
            heads.push_back(head);
    }
    return heads;
}

/// Returns the layer as %l writes it: "2", "encoder-2", "cross-2". The word is left out if the
/// heads are all of one kind of attention.
QString layerWord(core::AttentionId attention, const std::vector<core::HeadId> &heads) {
    const auto isOther = [attention](const core::HeadId &head) {
        return head.attention.stack != attention.stack || head.attention.block != attention.block;
    };
    const QString layer = QString::number(attention.layer);
    if (std::ranges::none_of(heads, isOther))
        return layer;
    const auto before = [&layer](std::string_view word) { return asWord(word) + '-' + layer; };
    if (attention.block == core::Block::CrossAttention)
        return before(core::wordOf(attention.block));
    return attention.stack == core::Stack::Encoder ? before(core::wordOf(attention.stack)) : layer;
}

/// Makes the figure of a head. Computes the details that `last` lacks and keeps them there for the
/// next figure, which is often of the same layer. Errors: the view cannot show the head; as
/// preparedFor(); "cancelled".
core::Result<FigurePointer> figureAt(FigureInput input, const ViewInfo &view,
                                     const core::Selection &at, const QString &caption,
                                     FigureSet::Prepared &last, const std::stop_token &stop) {
    if (stop.stop_requested())
        return core::cancelled();
    const core::Result<core::TracePointer> trace =
        preparedFor(DetailRequest::of(at), last.trace, stop);
    if (!trace)
        return trace.error();
    last.trace = input.trace = *trace;
    input.selection = at;
    if (core::BackwardPassPointer &pass = input.options.backwardPass;
        pass && pass->trace != input.trace) { // figures require this trace, even for equal numbers
        auto ofTrace = std::make_shared<core::BackwardPass>(*pass);
        ofTrace->trace = input.trace;
        pass = std::move(ofTrace);
    }
    Compared &compared = input.options.compared;
    if (compared.a && compared.shown != ComparisonSide::Now) {
        const core::Selection inSideA = inA(compared, at);
        if (compared.a->has(inSideA.stage, inSideA.attention())) {
            const core::Result<core::TracePointer> a =
                preparedFor(DetailRequest::of(inSideA), last.a, stop);
            if (!a)
                return a.error();
            last.a = compared.a = *a;
        }
    }
    if (const UnavailableReason why = view.comparisonUnavailableReason(input); !why.isEmpty())
        return core::Error{messageOf(why.why), "", messageOf(why.todo)};
    if (core::Outcome possible = view.canShow(input); !possible)
        return possible.error();
    std::unique_ptr<Figure> figure = view.makeFigure(input);
    if (auto *lines = dynamic_cast<LinesFigure *>(figure.get()))
        if (core::Outcome found = lines->findMissing(stop); !found)
            return found.error();
    return FigurePointer(captioned(std::move(figure), caption, input.style));
}

} // namespace

std::vector<core::HeadId> headsOf(const Document &document, HeadSet set, core::Stage stage) {
    std::vector<core::HeadId> heads;
    if (!document.trace())
        return heads;
    const core::Trace &trace = *document.trace();
    const core::Selection selection = document.selectionInTrace();
    const core::AttentionId selected = selection.attention();
    const auto addLayer = [&](core::AttentionId attention) {
        if (trace.has(stage, attention))
            for (core::Index head = 0; head < trace.model().headsOf(attention); ++head)
                heads.push_back({attention, head});
    };
    switch (set) {
    case HeadSet::Selected:
        heads.push_back({selected, selection.head});
        break;
    case HeadSet::Pinned:
        heads = pinnedHeads(document);
        std::erase_if(heads,
                      [&](const core::HeadId &head) { return !trace.has(stage, head.attention); });
        break;
    case HeadSet::Layer:
        addLayer(selected);
        break;
    case HeadSet::All:
        for (const core::AttentionId attention : trace.model().attentions())
            if (attention.stack == selected.stack && attention.block == selected.block)
                addLayer(attention);
        break;
    }
    return heads;
}

const ViewInfo *viewOfOneHead(const ViewInfo &view) {
    switch (view.view) {
    case core::View::Model:
    case core::View::Heads:
        return &infoOf(core::View::Heatmap);
    case core::View::CloseUp:
    case core::View::Whole:
    case core::View::Lines:
    case core::View::Text:
    case core::View::QueryKey:
    case core::View::Heatmap:
        return &view;
    case core::View::Similarity:
    case core::View::Geometry:
    case core::View::Output:
    case core::View::Training:
    case core::View::Softmax:
    case core::View::Words:
    case core::View::Birth:
        break;
    }
    return nullptr;
}

bool differsByHead(const ViewInfo &one, core::Stage stage) {
    const core::StageInfo &info = core::infoOf(stage);
    if (one.view == core::View::Whole) // Whole shows all stages of the attention module
        return info.inAttention();
    return info.perHead || stage == core::Stage::Concatenated; // Concatenated marks columns by head
}

core::Result<std::vector<FileOfHeads>>
filesOf(const QString &path, const std::vector<core::HeadId> &heads, Format format) {
    std::vector<FileOfHeads> files;
    for (const core::HeadId &head : heads) {
        const QString whole = pathOfFigure(
            path, PlaceWords{layerWord(head.attention, heads), QString::number(head.head)});
        auto file = std::ranges::find(files, whole, &FileOfHeads::path);
        if (file == files.end())
            file = files.insert(files.end(), {whole, {}});
        else if (format != Format::Pdf)
            return core::Error{messageOf(FigureSet::tr("several figures would have the same name")),
                               path.toStdString(),
                               messageOf(FigureSet::tr("write %l for the layer and %h for the head "
                                                       "in the name, or choose PDF"))};
        file->heads.push_back(head);
    }
    return files;
}

FigureSet::FigureSet(FigureView &view, QObject *parent) : QObject(parent), m_view(view) {
    connect(&view.document(), &Document::changed, this, [this](const ChangeEvent &event) {
        const auto *state = std::get_if<StateChanged>(&event);
        const bool isOther = is<SessionChanged>(event) || (state && state->parts.any());
        if (!isOther || !isBusy())
            return;
        cancel(); // the next file's command would describe other numbers
        emit failed({messageOf(tr("the numbers changed while the figures were being saved")), "",
                     messageOf(tr("save them again"))});
    });
}

core::Outcome FigureSet::start(const FigureCommandLine &recipe, std::vector<FileOfHeads> files) {
    cancel();
    if (!m_view.document().trace() || files.empty())
        return core::Error{messageOf(tr("there is nothing to save yet")), "", ""};
    for (const FileOfHeads &file : files)
        if (core::Outcome allowed = mayWrite(m_view.document(), file.path); !allowed)
            return allowed;
    m_recipe = recipe;
    m_recipe.heads.clear();
    m_isCaptionSuggested =
        !recipe.caption.isEmpty() &&
        recipe.caption.trimmed() == suggestedCaption(m_view.document(), m_recipe);
    m_input = m_view.inputIn(styleOf(recipe));
    m_input.options = chosenFor(*findView(recipe.view), m_input.options);
    m_input.options.headLines.heads = recipe.options.headLines.heads;
    if (const core::BackwardPassPointer &pass = m_input.options.backwardPass;
        pass && pass->trace != m_input.trace)
        return core::Error{messageOf(tr("the gradients are still being computed")), "",
                           messageOf(tr("save the figures again in a moment"))};
    m_prepared = std::make_shared<Prepared>(Prepared{m_input.trace, m_input.options.compared.a});
    m_files = std::move(files);
    m_next = 0;
    m_all = 0;
    for (const FileOfHeads &file : m_files)
        m_all += static_cast<int>(file.heads.size());
    m_made = std::make_shared<std::atomic<int>>(0);
    saveNext();
    return core::Done{};
}

void FigureSet::cancel() {
    m_job.cancel();
    m_prepared.reset();
}

std::vector<FigureSet::Page> FigureSet::pagesOf(const FileOfHeads &file) const {
    std::vector<Page> pages;
    for (const core::HeadId &head : file.heads) {
        FigureCommandLine one = m_recipe;
        one.heads = {head};
        const bool isOwnStage = findView(m_recipe.view)->showsSelectedStage;
        core::Selection at = selectionOf(m_view.document(), one);
        if (!isOwnStage)
            at.stage = m_input.selection.stage;
        pages.push_back({at, m_isCaptionSuggested ? suggestedCaption(m_view.document(), one)
                                                  : m_recipe.caption});
    }
    return pages;
}

void FigureSet::saveNext() {
    const FileOfHeads &file = m_files[m_next];
    FigureCommandLine recipe = m_recipe;
    recipe.heads = file.heads;
    const Document &document = m_view.document();
    ExportOptions options = optionsFor(recipe);
    options.title = QString::fromStdString(document.session().title);
    options.description = commandFor(document, recipe).stored;
    if (recipe.session)
        options.session = carriedBy(document, recipe);
    const ViewInfo &view = *findView(recipe.view);
    m_job.start(
        [path = file.path, pages = pagesOf(file), input = m_input, &view, options,
         format = recipe.format, made = m_made,
         last = m_prepared](const std::stop_token &stop) -> core::Outcome {
            const auto make = [&](std::size_t i) -> core::Result<FigurePointer> {
                auto figure =
                    figureAt(input, view, pages[i].selection, pages[i].caption, *last, stop);
                if (figure)
                    ++*made;
                return figure;
            };
            const auto bytes = [&]() -> core::Result<QByteArray> {
                const ScopedHashSeed seed;
                if (pages.size() > 1)
                    return renderPages(pages.size(), make, options);
                const core::Result<FigurePointer> figure = make(0);
                return figure ? render(**figure, format, options)
                              : core::Result<QByteArray>(figure.error());
            }();
            if (!bytes)
                return bytes.error();
            if (stop.stop_requested())
                return core::cancelled();
            return core::writeFile(bytesOf(path),
                                   {bytes->constData(), static_cast<std::size_t>(bytes->size())},
                                   core::OverwritePolicy::RegularFile);
        },
        [this](const core::Outcome &saved) {
            const bool isLast = saved && ++m_next == m_files.size();
            if (!saved || isLast)
                m_prepared.reset(); // the traces may be large
            if (!saved)
                return emit failed(saved.error());
            if (isLast)
                return emit finished();
            saveNext();
        });
}

} // namespace headlight::ui
