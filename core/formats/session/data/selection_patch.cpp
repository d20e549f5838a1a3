#include "core/formats/session/data/selection_patch.h"

#include <tuple>
#include <utility>

namespace headlight::core {

namespace {

/// Members that always have a value.
constexpr std::tuple kPlaces{std::pair{&Selection::sequence, &SelectionPatch::sequence},
                             std::pair{&Selection::stack, &SelectionPatch::stack},
                             std::pair{&Selection::layer, &SelectionPatch::layer},
                             std::pair{&Selection::block, &SelectionPatch::block},
                             std::pair{&Selection::head, &SelectionPatch::head},
                             std::pair{&Selection::stage, &SelectionPatch::stage},
                             std::pair{&Selection::opened, &SelectionPatch::opened}};
/// Members that may be unset.
constexpr std::tuple kCell{std::pair{&Selection::query, &SelectionPatch::query},
                           std::pair{&Selection::key, &SelectionPatch::key},
                           std::pair{&Selection::dimension, &SelectionPatch::dimension},
                           std::pair{&Selection::distance, &SelectionPatch::distance}};

/// Calls visit(member of the selection, member of the patch) for each pair of the list.
template <typename List, typename Visit>
void forEach(const List &list, Visit visit) {
    std::apply([&visit](const auto &...entry) { (visit(entry.first, entry.second), ...); }, list);
}

template <typename Value>
void lay(std::optional<Value> &under, const std::optional<Value> &over) {
    if (over)
        under = over;
}

} // namespace

Selection SelectionPatch::applied(Selection before) const {
    forEach(kPlaces, [&](auto place, auto member) {
        before.*place = (this->*member).value_or(before.*place);
    });
    forEach(kCell, [&](auto place, auto member) {
        if (clearsCell)
            before.*place = std::nullopt;
        lay(before.*place, this->*member);
    });
    return before;
}

SelectionPatch merged(SelectionPatch base, const SelectionPatch &over) {
    forEach(kPlaces, [&](auto, auto member) { lay(base.*member, over.*member); });
    forEach(kCell, [&](auto, auto member) {
        if (over.clearsCell)
            base.*member = std::nullopt;
        lay(base.*member, over.*member);
    });
    base.clearsCell = base.clearsCell || over.clearsCell;
    lay(base.view, over.view);
    lay(base.softmax, over.softmax);
    return base;
}

SelectionPatch patchOf(const Selection &selection) {
    SelectionPatch patch;
    forEach(kPlaces, [&](auto place, auto member) { patch.*member = selection.*place; });
    forEach(kCell, [&](auto place, auto member) {
        patch.*member = selection.*place;
        patch.clearsCell =
            patch.clearsCell || (place != &Selection::distance && !(selection.*place));
    });
    return patch;
}

} // namespace headlight::core
