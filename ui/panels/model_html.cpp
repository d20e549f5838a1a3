#include "ui/panels/model_html.h"

#include "core/formats/pretrained/pretrained_folder.h"
#include "core/transformer/model/parameter_summary.h"
#include "core/transformer/plan/trace_bytes.h"
#include "ui/panels/facts_html.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/mechanism_text.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace headlight::ui {

namespace {

struct ModelHtmlText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ModelPage)
};

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Formats a count as in the rest of the window: "124,439,808".
QString countOf(core::Index count) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
}

QString bytesText(core::Index bytes) {
    return QLocale(QLocale::English).formattedDataSize(static_cast<qint64>(bytes));
}

/// Returns "12", or "12, sharing the parameters of 1" if the layers share their parameters.
QString layersOf(const core::Model &model, core::Stack stack) {
    const core::Index count = model.layerCount(stack);
    const auto own = static_cast<core::Index>(model.stack(stack).layers.size());
    return own == count ? QString::number(count)
                        : ModelHtmlText::tr("%1, sharing the parameters of %2").arg(count).arg(own);
}

QString headsOf(const core::Config &config) {
    return config.groups() == config.heads
               ? ModelHtmlText::tr("%1 of size %2").arg(config.heads).arg(config.headSize)
               : ModelHtmlText::tr("%1 of size %2, with %3 key and value heads")
                     .arg(config.heads)
                     .arg(config.headSize)
                     .arg(config.groups());
}

QString sizes(const core::Model &model) {
    const core::Config &config = model.config;
    QString rows;
    if (model.hasEncoder()) {
        rows += factRow(ModelHtmlText::tr("Layers of the encoder"),
                        layersOf(model, core::Stack::Encoder));
        rows += factRow(ModelHtmlText::tr("Layers of the decoder"),
                        layersOf(model, core::Stack::Decoder));
    } else {
        rows += factRow(ModelHtmlText::tr("Layers"), layersOf(model, model.mainStack()));
    }
    rows += factRow(ModelHtmlText::tr("Heads"), headsOf(config));
    rows += factRow(ModelHtmlText::tr("Width"), QString::number(config.width));
    if (config.feedForward.width > 0)
        rows +=
            factRow(ModelHtmlText::tr("Feed-forward"), QString::number(config.feedForward.width));
    if (const core::FeedForward &network = config.feedForward; network.hasExperts())
        rows += factRow(ModelHtmlText::tr("Experts"),
                        ModelHtmlText::tr("%1, of which each token chooses %2")
                            .arg(network.experts)
                            .arg(network.chosen));
    if (config.feedForward.hasShared())
        rows += factRow(ModelHtmlText::tr("Shared network"),
                        QString::number(config.feedForward.sharedWidth));
    if (const core::LatentAttention &latent = config.latent; latent.isOn())
        rows += factRow(
            ModelHtmlText::tr("Short vectors"),
            latent.compressesQueries()
                ? ModelHtmlText::tr("%1 numbers for queries, %2 for keys and values")
                      .arg(latent.querySize)
                      .arg(latent.keyValueSize)
                : ModelHtmlText::tr("%1 numbers for keys and values").arg(latent.keyValueSize));
    if (config.disentangled.isOn())
        rows += factRow(ModelHtmlText::tr("Distances"),
                        QString::number(config.disentangled.table.rows()));
    rows += factRow(ModelHtmlText::tr("Positions"), positionsName(config.positions));
    if (model.vocabulary)
        rows += factRow(ModelHtmlText::tr("Vocabulary"), countOf(model.vocabulary->size()));
    rows +=
        factRow(ModelHtmlText::tr("Parameters"), countOf(core::parameterCount(model.parameters)));
    return rows;
}

/// Lists the memory needed for texts of several lengths, up to the longest possible.
QString memory(const core::Model &model) {
    const core::Index most = core::maxTokens(model);
    QString rows;
    const auto add = [&](core::Index tokens) {
        const core::Extent extent(1, tokens, model.hasCrossAttention() ? tokens : 0);
        rows += factRow(ModelHtmlText::tr("%1 tokens").arg(countOf(tokens)),
                        bytesText(core::heldBytes(model, extent)));
    };
    for (core::Index tokens = 16; tokens < most; tokens *= 8)
        add(tokens);
    if (most > 0)
        add(most);
    return rows;
}

} // namespace

QString modelHtml(const core::Session &session, const core::Model &model) {
    const core::PretrainedFolder *folder = session.pretrained.get();
    QString html = factTitle(oneLine(session.title));
    QString rows;
    if (folder) {
        html += factParagraph(
            isFolder(pathOf(folder->path))
                ? ModelHtmlText::tr("A trained model, read from its folder. The folder is never "
                                    "changed: your edits are kept in your session.")
                : ModelHtmlText::tr("A trained model, read from its GGUF file. The file is never "
                                    "changed: your edits are kept in your session."));
        rows += factRow(ModelHtmlText::tr("Family"), textOf(folder->family->name));
    }
    rows += sizes(model);
    if (folder) {
        QStringList types;
        for (const std::string &type : folder->numberTypes)
            types << textOf(type);
        rows +=
            factRow(ModelHtmlText::tr("Numbers"),
                    ModelHtmlText::tr("%1, %2 on disk")
                        .arg(listed(types), bytesText(static_cast<core::Index>(folder->bytes))));
        if (!model.reader)
            rows += factRow(ModelHtmlText::tr("Tokenizer"),
                            ModelHtmlText::tr("none: texts are lists of ids"));
    }
    html += factTable(rows);
    if (folder)
        html +=
            factParagraph(ModelHtmlText::tr("Described in %1.").arg(textOf(folder->family->paper)));
    // A picture always has the same number of tokens.
    if (const QString needed = model.config.picture.isOn() ? QString() : memory(model);
        !needed.isEmpty()) {
        html += factParagraph(ModelHtmlText::tr("Memory for a text:"));
        html += factTable(needed);
    }
    if (folder)
        for (const core::Warning &warning : folder->warnings)
            html += factParagraph(QStringLiteral("⚠ ") + translated(warning));
    return html;
}

} // namespace headlight::ui
