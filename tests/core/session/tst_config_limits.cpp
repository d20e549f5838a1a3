// The limits of a config are defined twice, and both definitions must agree. Files are read by
// field tables. Models from elsewhere are checked by validate(), which is in a layer below the
// tables.
#include "core/formats/json/reader.h"
#include "core/formats/session/data/fields.h"
#include "core_test.h"

namespace {

/// A number of a config, by its row.
struct Limited {
    std::string row;
    /// Sets the number, and other numbers so that only the limits of this one matter.
    std::function<void(Config &, double)> set;
    /// The limits of validate() if other numbers make it stricter than the row.
    std::optional<double> least{}, most{};
};

Index whole(double value) {
    return static_cast<Index>(value);
}

float single(double value) {
    return static_cast<float>(value);
}

/// Returns the smallest valid config.
Config smallest() {
    Config config;
    config.width = 2;
    config.headSize = 2;
    return config;
}

bool isValid(const Limited &number, double value) {
    Config config = smallest();
    number.set(config, value);
    return validate(config).ok();
}

template <typename T>
bool isRead(const FieldRow<T> &row, const std::string &json) {
    const auto document = valueOf(readJson(json));
    Reading reading;
    T into;
    return row.read(Field(&document, row.name, reading), into);
}

/// Checks one limit: the value at the limit is valid, and the next one outside is not.
template <typename T>
void checkLimit(const FieldRow<T> &row, const Limited &number, double limit, int outwards) {
    const nlohmann::json schema = nlohmann::json::parse(row.schema);
    const bool isWhole = schema["type"] == "integer";
    const bool isExcluded = schema.contains(outwards < 0 ? "exclusiveMinimum" : "exclusiveMaximum");
    const std::optional<double> stricter = outwards < 0 ? number.least : number.most;
    const auto text = [&](double value) {
        return isWhole ? std::to_string(whole(value)) : jsonNumber(single(value));
    };
    const auto next = [&](double from, int towards) {
        return isWhole
                   ? from + towards
                   : static_cast<double>(std::nextafter(single(from), single(towards) * INFINITY));
    };
    const double outside = isExcluded ? limit : next(limit, outwards);
    CAPTURE(limit);
    CAPTURE(outside);
    if (std::isfinite(single(outside)))
        CHECK_FALSE(isRead(row, text(outside)));
    // If 0 is the default, it means that the number is not set.
    const bool isUnset = outside == 0 && !row.isRequired && row.write(T(), {}) == "0";
    CHECK(isValid(number, outside) == isUnset);
    if (isUnset)
        CHECK_FALSE(isValid(number, outside - 1));
    const double inside = isExcluded ? 1e-30 * -outwards : limit;
    CHECK(isRead(row, text(inside)));
    CHECK(isValid(number, stricter.value_or(inside)));
    if (stricter)
        CHECK_FALSE(isValid(number, next(*stricter, outwards)));
}

/// Every number of the table must be in `numbers`.
template <typename T>
void check(const std::vector<Limited> &numbers) {
    std::size_t found = 0;
    for (const FieldRow<T> &row : Fields<T>::table().rows) {
        const nlohmann::json type =
            nlohmann::json::parse(row.schema).value("type", nlohmann::json());
        if (type != "integer" && type != "number")
            continue;
        CAPTURE(row.name);
        const auto number = std::ranges::find(numbers, row.name, &Limited::row);
        REQUIRE(number != numbers.end());
        ++found;
        checkLimit(row, *number, row.valid.least, -1);
        checkLimit(row, *number, row.valid.most, 1);
        if (type == "number")
            for (const double invalid : {double(NAN), double(INFINITY), -double(INFINITY)})
                CHECK_FALSE(isValid(*number, invalid));
    }
    CHECK(found == numbers.size());
}

/// Makes the feed-forward networks experts, which all fields of experts require.
FeedForward &experts(Config &config) {
    FeedForward &network = config.feedForward;
    network.width = network.experts = network.chosen = 1;
    network.gated = true;
    return network;
}

RotaryConfig &rotary(Config &config) {
    config.positions = Positions::Rotary;
    return config.rotary;
}

LatentAttention &latent(Config &config) {
    config.latent.keyValueSize = config.latent.sharedKeySize = 1;
    return config.latent;
}

PicturePatches &picture(Config &config) {
    config.picture = {1, 1, 1, 0, {0, 0, 0}, {1, 1, 1}};
    config.embeddingWidth = 3;
    return config.picture;
}

} // namespace

TEST_CASE("sizes and numbers of a config") {
    using C = Config;
    check<Config>({
        {"width", [](C &c, double v) { c.width = whole(v); }},
        {"heads", [](C &c, double v) { c.heads = whole(v); }},
        {"head_size", [](C &c, double v) { c.headSize = whole(v); }},
        {"key_value_heads",
         [](C &c, double v) {
             c.heads = kMaxHeads;
             c.keyValueHeads = whole(v);
         }},
        {"value_size", [](C &c, double v) { c.valueSize = whole(v); }},
        {"embedding_width", [](C &c, double v) { c.embeddingWidth = whole(v); }},
        {"sound_bands", [](C &c, double v) { c.soundBands = whole(v); }},
        {"layer_count", [](C &c, double v) { c.layerCount = whole(v); }},
        {"position_offset", [](C &c, double v) { c.positionOffset = whole(v); }},
        {"temperature", [](C &c, double v) { c.temperature = single(v); }},
        {"residual_factor", [](C &c, double v) { c.residualFactor = single(v); }},
        {"embedding_factor", [](C &c, double v) { c.embeddingFactor = single(v); }},
        {"logit_divisor", [](C &c, double v) { c.logitDivisor = single(v); }},
        {"query_tuning", [](C &c, double v) { c.queryTuning.strength = single(v); }},
        {"query_tuning_length", [](C &c, double v) { c.queryTuning.length = whole(v); }},
        {"local_rotary_base", [](C &c, double v) { c.localRotaryBase = single(v); }},
    });
    check<Norm>({{"epsilon", [](C &c, double v) { c.norm.epsilon = single(v); }}});
    check<OutputLayer>({{"classes", [](C &c, double v) {
                             c.outputLayer.kind =
                                 v == 0 ? OutputLayerKind::None : OutputLayerKind::Classifier;
                             c.outputLayer.classes = whole(v);
                         }}});
}

TEST_CASE("numbers of feed-forward networks") {
    using C = Config;
    check<FeedForward>({
        {"width", [](C &c, double v) { c.feedForward.width = whole(v); }},
        {"experts",
         [](C &c, double v) {
             c.feedForward.experts = whole(v);
             c.feedForward.chosen = v == 0 ? 0 : 1;
         }},
        {"experts_per_token",
         [](C &c, double v) {
             c.feedForward.experts = v == 0 ? 0 : kMaxExperts;
             c.feedForward.chosen = whole(v);
         }},
        {"limit", [](C &c, double v) { experts(c).limit = single(v); }},
        {"hidden_offset", [](C &c, double v) { experts(c).hiddenOffset = single(v); }},
        // A group has two experts or more.
        {"expert_groups",
         [](C &c, double v) {
             experts(c).experts = v == 1 ? 1 : 2 * whole(v);
             c.feedForward.expertGroups = whole(v);
         },
         {},
         static_cast<double>(kMaxExperts) / 2},
        {"groups_per_token",
         [](C &c, double v) {
             experts(c).experts = kMaxExperts;
             c.feedForward.expertGroups = kMaxExperts / 2;
             c.feedForward.chosenGroups = whole(v);
         },
         {},
         static_cast<double>(kMaxExperts) / 2},
        {"expert_factor", [](C &c, double v) { experts(c).expertFactor = single(v); }},
        {"shared_width", [](C &c, double v) { experts(c).sharedWidth = whole(v); }},
        {"dense_layers",
         [](C &c, double v) {
             experts(c).denseLayers = whole(v);
             c.feedForward.denseWidth = v == 0 ? 0 : 1;
         }},
        {"dense_width",
         [](C &c, double v) {
             experts(c).denseWidth = whole(v);
             c.feedForward.denseLayers = v == 0 ? 0 : 1;
         }},
    });
}

TEST_CASE("numbers of positions") {
    using C = Config;
    check<RotaryConfig>({
        {"base", [](C &c, double v) { rotary(c).base = single(v); },
         static_cast<double>(std::nextafter(1.0f, 2.0f))},
        {"width",
         [](C &c, double v) {
             c.headSize = kMaxWidth;
             rotary(c).width = whole(v);
         }},
        {"factor", [](C &c, double v) { rotary(c).factor = single(v); }},
        {"original_length",
         [](C &c, double v) {
             rotary(c).originalLength = whole(v);
             c.rotary.scaling = v == 0 ? RotaryScaling::None : RotaryScaling::Dynamic;
         }},
        {"low_frequency_factor", [](C &c, double v) { rotary(c).lowFrequencyFactor = single(v); }},
        {"high_frequency_factor",
         [](C &c, double v) { rotary(c).highFrequencyFactor = single(v); }},
        {"beta_fast", [](C &c, double v) { rotary(c).betaFast = single(v); }},
        {"beta_slow", [](C &c, double v) { rotary(c).betaSlow = single(v); }},
        {"attention_factor", [](C &c, double v) { rotary(c).attentionFactor = single(v); }},
    });
    // Each direction has half of the buckets, and half of these are for one distance each.
    check<RelativeConfig>({
        {"buckets",
         [](C &c, double v) {
             c.positions = Positions::Relative;
             c.relative = {whole(v), kMaxPositions};
         },
         4},
        {"maximum_distance",
         [](C &c, double v) {
             c.positions = Positions::Relative;
             c.relative = {4, whole(v)};
         },
         3},
    });
    check<Disentangled>({
        {"span", [](C &c, double v) { c.disentangled.table.span = whole(v); }},
        {"maximum_distance",
         [](C &c, double v) {
             c.disentangled.table = {4, whole(v)};
         }},
    });
}

TEST_CASE("sizes of short vectors, of an encoder and of a picture") {
    using C = Config;
    check<LatentAttention>({
        {"key_value_size",
         [](C &c, double v) {
             latent(c).keyValueSize = whole(v);
             c.latent.sharedKeySize = v == 0 ? 0 : 1;
         }},
        {"query_size", [](C &c, double v) { latent(c).querySize = whole(v); }},
        // Must be below the head size, and not 0 with short vectors.
        {"shared_key_size",
         [](C &c, double v) {
             c.headSize = kMaxWidth;
             latent(c).sharedKeySize = whole(v);
         },
         1, static_cast<double>(kMaxWidth) - 1},
        {"epsilon", [](C &c, double v) { latent(c).epsilon = single(v); }},
    });
    check<EncoderSizes>({
        {"heads", [](C &c, double v) { c.encoder.heads = whole(v); }},
        {"head_size", [](C &c, double v) { c.encoder.headSize = whole(v); }},
        {"value_size", [](C &c, double v) { c.encoder.valueSize = whole(v); }},
        {"key_value_heads",
         [](C &c, double v) {
             c.heads = kMaxHeads;
             c.encoder.keyValueHeads = whole(v);
         }},
        {"feed_forward_width",
         [](C &c, double v) {
             c.feedForward.width = 1;
             c.encoder.feedForwardWidth = whole(v);
         }},
    });
    check<PicturePatches>({
        {"rows",
         [](C &c, double v) {
             picture(c).rows = whole(v);
             if (v == 0)
                 c.picture = {};
         }},
        {"columns", [](C &c, double v) { picture(c).columns = whole(v); }, 1},
        {"side",
         [](C &c, double v) {
             picture(c).side = whole(v);
             c.embeddingWidth = c.picture.width();
         },
         1},
        {"before", [](C &c, double v) { picture(c).before = whole(v); }},
    });
}

TEST_CASE("lengths of lists and their elements") {
    const auto checkList = [](const auto &row, const char *element, auto set, double most) {
        const auto list = [](std::size_t count, const std::string &text) {
            return jsonArray(std::vector<std::string>(count, text));
        };
        CAPTURE(row.name);
        const auto isSetValid = [&](std::size_t count, double value) {
            Config config = smallest();
            set(config, std::vector<Index>(count, whole(value)));
            return validate(config).ok();
        };
        CHECK(isRead(row, list(kMaxLayers, element)));
        CHECK(isSetValid(kMaxLayers, 1));
        CHECK_FALSE(isRead(row, list(kMaxLayers + 1, element)));
        CHECK_FALSE(isSetValid(kMaxLayers + 1, 1));
        for (const double valid : {0.0, most}) {
            CHECK(isRead(row, list(1, std::to_string(whole(valid)))));
            CHECK(isSetValid(1, valid));
        }
        for (const double invalid : {-1.0, most + 1}) {
            CHECK_FALSE(isRead(row, list(1, std::to_string(whole(invalid)))));
            CHECK_FALSE(isSetValid(1, invalid));
        }
    };
    const FieldTable<Config> &table = Fields<Config>::table();
    using List = std::vector<Index>;
    checkList(
        table.row("rotary_layers"), "1", [](Config &c, const List &list) { c.rotaryLayers = list; },
        1);
    checkList(
        table.row("windows"), "1", [](Config &c, const List &list) { c.windows = list; },
        kMaxPositions);
    checkList(
        Fields<FeedForward>::table().row("expert_layers"), "1",
        [](Config &c, const List &list) {
            experts(c).expertLayers = list;
            c.feedForward.denseWidth = c.feedForward.hasDense() ? 1 : 0;
        },
        1);
}
