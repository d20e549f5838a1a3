#include "core/formats/session/step_text.h"
#include "support.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("marks become numbers of the trace") {
    const TracePointer trace = traceOf(lesson("bank"));
    const auto expanded = [&](const char *text) {
        const auto result = expandNumbers(text, *trace);
        REQUIRE_MESSAGE(result, (result ? "" : result.error().text()));
        return *result;
    };
    CHECK(expanded("no mark") == "no mark");
    CHECK(expanded("{embeddings 0 0 0} and {embeddings 0 0 1}") == "3.00 and 0.30");
    CHECK(expanded("{ embeddings  0 0 1 :1 }") == "0.3");
    CHECK(expanded("{layers.0.self_attention.scores 0 0 1 0 : 4}") == "4.9500");
    CHECK(expanded("{scores 0 0 1 0:0}") == "5");

    for (const char *wrong :
         {"{", "}", "{}", "{logits 0 0 0}", "{weights 0 0 1}", "{weights 0 0 1 0 0}",
          "{weights 0 0 1 2}", "{weights 2 0 1 0}", "{weights 0 0 1 -1}", "{weights 0 0 1 x}",
          "{weights 0 0 1 99999999999999999999}", "{weights 0 0 1 0 :}", "{weights 0 0 1 0 : 10}",
          "{weights 0 0 1 0 : 2 2}", "{weights 0 0 1 0 : x}", "{output 0 0 0}", "a { b",
          "{weights 0 0 1 0", "}{"}) {
        CAPTURE(wrong);
        CHECK_FALSE(expandNumbers(wrong, *trace));
    }
}

TEST_CASE("minus and infinity are written as people write them") {
    Session session = lesson("bank");
    session.input.masks = {CausalMask{}};
    auto weights = session.model.weights.main.layers;
    weights[0].selfAttention.query = makeParameter(Matrix(2, 2, {-1, 0, 0, -0.0001f}));
    session.model.weights.main.layers = weights;
    const TracePointer trace = traceOf(session);
    CHECK(*expandNumbers("{masked_scores 0 0 0 1}", *trace) == "−∞");
    CHECK(*expandNumbers("{query 0 0 0 0}", *trace) == "−3.00");
    CHECK(*expandNumbers("{query 0 0 0 1}", *trace) == "0.00"); // no minus before nothing
}

TEST_CASE("marks become minimal HTML") {
    CHECK(markedToHtml("a *b* c **d** e") == "a <em>b</em> c <strong>d</strong> e");
    CHECK(markedToHtml("<b> & \"x\"") == "&lt;b&gt; &amp; &quot;x&quot;");
    CHECK(markedToHtml("2 * 3 * 4") == "2 * 3 * 4");
    CHECK(markedToHtml("*open") == "*open");
    CHECK(markedToHtml("**open") == "**open");
    CHECK(markedToHtml("**a *b* c**") == "<strong>a <em>b</em> c</strong>");
    CHECK(markedToHtml("***") == "***");
    CHECK(markedToHtml("****") == "****");
    CHECK(markedToHtml("*<script>*") == "<em>&lt;script&gt;</em>");
    CHECK(markedToHtml("*bank*'s") == "<em>bank</em>'s");
    CHECK(markedToHtml("").empty());
    // Nothing that grows with the square of the text, nothing deep.
    CHECK(markedToHtml(std::string(20000, '*')).size() == 20000);
}

TEST_CASE("the window's text has something to say without a trace, too") {
    const TracePointer trace = traceOf(lesson("bank"));
    CHECK(stepTextToHtml("*a* {embeddings 0 0 0}", trace.get()) == "<em>a</em> 3.00");
    CHECK(stepTextToHtml("*a* {embeddings 0 0 0}", nullptr) == "<em>a</em> …");
    CHECK(stepTextToHtml("{embeddings 0 9 0} < 1", trace.get()) == "… &lt; 1");
    CHECK(stepTextToHtml("a { b", trace.get()) == "a { b");
}
