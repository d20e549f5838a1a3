// The rows of --layer and --head, which take one index or several.
#pragma once

#include "ui/command_line/option.h"
#include "ui/command_line/view_request.h"

namespace headlight::ui {

/// The first of several layers is also the selected one. Only `figure` takes several; the other
/// commands reject them after reading.
OptionRow<ViewRequest> layerRow(Option option);

/// As layerRow(), for a head; also takes a combination of all heads of the layer.
OptionRow<ViewRequest> headRow(Option option);

} // namespace headlight::ui
