#include "ui/document/edits/matrix_text.h"

#include "core/transformer/model/parameter_table.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

using core::Index;
using core::ParameterKind;

struct MatrixText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MatrixName)
};

} // namespace

QString nameOf(const MatrixId &id, const DocumentState &state) {
    if (id.kind == MatrixId::Kind::Embeddings) {
        const QString name =
            id.stack == core::Stack::Encoder || id.stack == core::Stack::SourceEmbeddings
                ? MatrixText::tr("embeddings of the second sequence")
                : symbolOf(id);
        if (state.input.batch->count() == 1)
            return name;
        return name == symbolOf(id)
                   ? MatrixText::tr("embeddings of %1").arg(sentenceName(id.sequence))
                   : MatrixText::tr("%1, %2").arg(name, sentenceName(id.sequence));
    }
    QString name = symbolOf(id);
    const core::Config config = state.model.configOf(id.parameter.stack);
    const ParameterKind which = id.parameter.which;
    if (id.head && isOfHeads(which)) {
        const bool ofGroups = core::infoOf(which).blocks == core::HeadBlocks::GroupColumns;
        const Index each = config.heads / config.groups();
        const Index first = config.groupOf(*id.head) * each;
        name = ofGroups && each > 1
                   ? MatrixText::tr("%1 heads %2–%3").arg(name).arg(first).arg(first + each - 1)
                   : MatrixText::tr("%1 head %2").arg(name).arg(*id.head);
    }
    const QString where = whereOf(id.parameter, state.model);
    return where.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, where);
}

bool isPartOf(const core::Model &model, const core::ParameterId &id) {
    if (!hasPlaceFor(model.parameters, id))
        return false;
    if (parameterOf(model.parameters, id))
        return true;
    // W_O is listed even if the model lacks it; the editor then shows that it is missing.
    const bool mayBeAsked = core::isRow(id.which) || id.which == ParameterKind::Output;
    return mayBeAsked && hasPlaceFor(model.config, id) && hasWhatItIsBeside(model.parameters, id);
}

} // namespace headlight::ui
