#include "app/sheet_output.h"

#include "ui/figures/files/export.h"

namespace headlight::app {

core::Result<QByteArray> sheetBytes(const Arguments &arguments, const ui::SheetPages &pages,
                                    const QString &title) {
    std::vector<const ui::Figure *> shown;
    for (const auto &page : pages)
        shown.push_back(page.get());
    const ui::Format format = *ui::formatOf("." + arguments.format);
    if (arguments.page || format != ui::Format::Pdf) {
        const core::Index page = arguments.page.value_or(1);
        if (page < 1 || page > std::ssize(shown))
            return core::Error{{"there is no page %1", page},
                               "--page",
                               shown.size() == 1 ? core::Message("there is only one page")
                                                 : core::Message("use 1 to %1", shown.size())};
        shown = {shown[static_cast<std::size_t>(page - 1)]};
    }
    ui::ExportOptions options;
    options.size = ui::sizeOf(arguments.sheet);
    options.scale = 2;
    options.title = title;
    options.namesFallbacks = true;
    return format == ui::Format::Pdf ? ui::renderPages(shown, options)
                                     : ui::render(*shown.front(), format, options);
}

} // namespace headlight::app
