// Marks a paint device that outputs glyph outlines instead of text. They look the same whichever
// fonts are installed.
#pragma once

namespace headlight::ui {

/// A second base class for a QPaintDevice.
class OutlinedText {
  public:
    virtual ~OutlinedText() = default;
};

} // namespace headlight::ui
