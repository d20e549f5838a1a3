#include "ui/views/make_view.h"

#include "ui/views/birth_view.h"
#include "ui/views/close_up_view.h"
#include "ui/views/geometry_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/lines_view.h"
#include "ui/views/model_view.h"
#include "ui/views/output_view.h"
#include "ui/views/query_key_view.h"
#include "ui/views/similarity_view.h"
#include "ui/views/softmax_view.h"
#include "ui/views/text_view.h"
#include "ui/views/training_view.h"
#include "ui/views/whole_view.h"
#include "ui/views/words_view.h"

namespace headlight::ui {

FigureView *makeView(core::View view, Document &document) {
    switch (view) {
    case core::View::CloseUp:
        return new CloseUpView(document);
    case core::View::Whole:
        return new WholeView(document);
    case core::View::Heads:
        return new HeadsView(document);
    case core::View::Similarity:
        return new SimilarityView(document);
    case core::View::Geometry:
        return new GeometryView(document);
    case core::View::Output:
        return new OutputView(document);
    case core::View::Training:
        return new TrainingView(document);
    case core::View::Softmax:
        return new SoftmaxView(document);
    case core::View::Words:
        return new WordsView(document);
    case core::View::Birth:
        return new BirthView(document);
    case core::View::Lines:
        return new LinesView(document);
    case core::View::Text:
        return new TextView(document);
    case core::View::QueryKey:
        return new QueryKeyView(document);
    case core::View::Model:
        return new ModelView(document);
    case core::View::Heatmap:
        break;
    }
    return nullptr;
}

QKeySequence keyOfTab(int index) {
    return index < 10 ? QKeySequence(Qt::ALT | (Qt::Key_0 + (index + 1) % 10)) : QKeySequence();
}

} // namespace headlight::ui
