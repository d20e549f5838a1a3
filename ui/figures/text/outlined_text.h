// Marks what is painted on as a file without text: its words are drawn as the outlines of their
// letters, which look the same whatever fonts there are.
#pragma once

namespace headlight::ui {

/// A base of a QPaintDevice.
class OutlinedText {
  public:
    virtual ~OutlinedText() = default;
};

} // namespace headlight::ui
