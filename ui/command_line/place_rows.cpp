#include "ui/command_line/place_rows.h"

namespace headlight::ui {

OptionRow<ViewRequest> headRow(Option option) {
    static const QStringList summaries{"all", "mean", "max"};
    option.values = summaries;
    OptionRow<ViewRequest> row(std::move(option));
    row.read = [](const TypedValue &typed, ViewRequest &request) {
        if (const qsizetype summary = summaries.indexOf(typed.text()); summary >= 0)
            request.heads = static_cast<HeadChoice>(1 + summary);
        else {
            request.eachHead = indexListCodec().read(typed);
            request.request.head = request.eachHead.indices.front();
        }
    };
    row.write = [](const ViewRequest &request) -> std::optional<QString> {
        if (request.heads != HeadChoice::One)
            return summaries[static_cast<int>(request.heads) - 1];
        if (request.eachHead.isSet())
            return indexListCodec().write(request.eachHead);
        return request.request.head ? std::optional(QString::number(*request.request.head))
                                    : std::nullopt;
    };
    return row;
}

OptionRow<ViewRequest> layerRow(Option option) {
    static const QString all = QStringLiteral("all");
    OptionRow<ViewRequest> row(std::move(option));
    row.read = [](const TypedValue &typed, ViewRequest &request) {
        request.layers = typed.text() == all ? IndexList{true, {}} : indexListCodec().read(typed);
        if (!request.layers.all)
            request.request.layer = request.layers.indices.front();
    };
    row.write = [](const ViewRequest &request) -> std::optional<QString> {
        if (request.layers.isSet())
            return request.layers.all ? all : indexListCodec().write(request.layers);
        return request.request.layer ? std::optional(QString::number(*request.request.layer))
                                     : std::nullopt;
    };
    return row;
}

} // namespace headlight::ui
