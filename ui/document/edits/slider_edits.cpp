#include "ui/document/edits/slider_edits.h"

#include "core/lesson/mark_words.h"
#include "core/lesson/slider_mark.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/mechanism_edits.h"

namespace headlight::ui::edits {

core::Result<Change> moveSlider(const DocumentState &state, const core::Trace &trace,
                                const QString &mark, double share) {
    const std::string text = core::textOfHex(mark.toStdString());
    std::string_view rest = text;
    (void)core::nextMarkWord(rest); // skips the word "slider"
    const core::Result<core::SliderMark> slider = core::takeSlider(rest, trace);
    if (!slider)
        return core::Error{slider.error().what, "{" + text + "}", slider.error().remedy};
    const float value = slider->at(share);
    if (!slider->parameter)
        return setTemperature(state, value);
    MatrixId id;
    id.parameter = *slider->parameter;
    return setCells(state, id, {{slider->row, slider->column, value}});
}

} // namespace headlight::ui::edits
