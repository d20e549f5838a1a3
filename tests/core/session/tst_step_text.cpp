#include "core/lesson/step_text.h"
#include "core_test.h"
#include "support.h"

namespace {

/// Checks that none of the texts can be expanded.
void checkRefused(const Trace &trace, std::initializer_list<const char *> texts) {
    for (const char *wrong : texts) {
        CAPTURE(wrong);
        CHECK_FALSE(expandNumbers(wrong, trace));
    }
}

} // namespace

TEST_CASE("marks become numbers of the trace") {
    const TracePointer trace = traceOf(lesson("bank"));
    const auto expanded = [&](const char *text) { return valueOf(expandNumbers(text, *trace)); };
    CHECK(expanded("no mark") == "no mark");
    CHECK(expanded("{embeddings 0 0 0} and {embeddings 0 0 1}") == "3.00 and 0.30");
    CHECK(expanded("{ embeddings  0 0 1 :1 }") == "0.3");
    CHECK(expanded("{layers.0.self_attention.scores 0 0 1 0 : 4}") == "4.9500");
    CHECK(expanded("{scores 0 0 1 0:0}") == "5");
    CHECK(expanded("{size scores 2} of {shape scores}") == "2 of (2, 1, 2, 2)");
    CHECK(expanded("{if size scores 2 = 2}two{else}others{end}") == "two");
    CHECK(expanded("{if size scores 2 > 2}many{else}two{end}") == "two");

    checkRefused(*trace, {"{",
                          "}",
                          "{}",
                          "{logits 0 0 0}",
                          "{weights 0 0 1}",
                          "{weights 0 0 1 0 0}",
                          "{weights 0 0 1 2}",
                          "{weights 2 0 1 0}",
                          "{weights 0 0 1 -1}",
                          "{weights 0 0 1 x}",
                          "{weights 0 0 1 99999999999999999999}",
                          "{weights 0 0 1 0 :}",
                          "{weights 0 0 1 0 : 10}",
                          "{weights 0 0 1 0 : 2 2}",
                          "{weights 0 0 1 0 : x}",
                          "{output 0 0 0}",
                          "a { b",
                          "{size}",
                          "{size scores}",
                          "{size scores 4}",
                          "{size scores -1}",
                          "{size scores 1 1}",
                          "{size scores money}",
                          "{shape}",
                          "{shape scores 1}",
                          "{shape output}",
                          "{weights 0 0 1 0",
                          "}{"});
}

TEST_CASE("minus and infinity are written as people write them") {
    Session session = lesson("bank");
    session.input.masks = {CausalMask{}};
    auto weights = session.model.parameters.main.layers;
    weights[0].selfAttention.query = makeParameter(Matrix(2, 2, {-1, 0, 0, -0.0001f}));
    session.model.parameters.main.layers = weights;
    const TracePointer trace = traceOf(session);
    CHECK(*expandNumbers("{masked_scores 0 0 0 1}", *trace) == "−∞");
    CHECK(*expandNumbers("{query 0 0 0 0}", *trace) == "−3.00");
    CHECK(*expandNumbers("{query 0 0 0 1}", *trace) == "0.00"); // no minus before zero
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
    // Takes neither quadratic time nor deep recursion.
    CHECK(markedToHtml(std::string(20000, '*')).size() == 20000);
}

TEST_CASE("the window's text can be shown without a trace, too") {
    const TracePointer trace = traceOf(lesson("bank"));
    CHECK(stepTextToHtml("*a* {embeddings 0 0 0}", trace.get()) == "<em>a</em> 3.00");
    CHECK(stepTextToHtml("*a* {embeddings 0 0 0}", nullptr) == "<em>a</em> …");
    CHECK(stepTextToHtml("{embeddings 0 9 0} < 1", trace.get()) == "… &lt; 1");
    CHECK(stepTextToHtml("a { b", trace.get()) == "a { b");
}

TEST_CASE("a word means its position") {
    const TracePointer trace = traceOf(lesson("bank"));
    CHECK(*expandNumbers("{scores 0 0 bank money}", *trace) ==
          *expandNumbers("{scores 0 0 1 0}", *trace));
    CHECK(*expandNumbers("{scores 1 0 river bank}", *trace) ==
          *expandNumbers("{scores 1 0 0 1}", *trace));
    CHECK(*expandNumbers("{value 0 0 bank 1}", *trace) ==
          *expandNumbers("{value 0 0 1 1}", *trace));
    CHECK(*expandNumbers("{embeddings 0 bank 1}", *trace) ==
          *expandNumbers("{embeddings 0 1 1}", *trace));
    const TracePointer twice = traceOf(lesson("sentence"));
    CHECK(*expandNumbers("{weights 0 0 bank#2 money}", *twice) ==
          *expandNumbers("{weights 0 0 9 3}", *twice));
    checkRefused(*trace, {"{scores 0 0 bank river}", "{scores bank 0 1 0}", "{value 0 0 1 bank}",
                          "{scores 0 0 bank#2 money}", "{scores 0 0 bank#0 money}",
                          "{scores 0 0 Bank money}"});
}

TEST_CASE("the last token and the largest number have no fixed place") {
    const TracePointer trace = traceOf(lesson("bank"));
    const auto expanded = [&](const char *text) { return valueOf(expandNumbers(text, *trace)); };
    CHECK(expanded("{weights 0 0 bank @last : 4}") == expanded("{weights 0 0 bank bank : 4}"));
    CHECK(expanded("{embeddings 0 @last 0}") == expanded("{embeddings 0 bank 0}"));
    const std::string most = expanded("{most weights 0 0 bank}");
    CHECK(expanded("{weights 0 0 bank @most : 4}") ==
          expanded(("{weights 0 0 bank " + most + " : 4}").c_str()));
    CHECK(expanded("{if most weights 0 0 bank = most scores 0 0 bank}same{else}other{end}") ==
          "same");
    // Both largest numbers are in column 0, but the columns have different names.
    CHECK(expanded("{if most weights 0 0 money = most embeddings 0 0}same{else}other{end}") ==
          "other");
    checkRefused(*trace, {"{weights 0 0 @most 0}", "{weights @last 0 0 0}",
                          "{embeddings 0 0 @last}", "{weights 0 0 bank @first}"});
}

TEST_CASE("a condition shows the text that applies") {
    const TracePointer trace = traceOf(lesson("bank"));
    const std::string holds =
        "a {if scores 0 0 bank money > scores 0 0 bank bank}*yes*{else}no{end} b";
    const std::string fails =
        "a {if scores 0 0 bank money < scores 0 0 bank bank}*no*{else}{scores 0 0 1 0}{end} b";
    CHECK(*expandNumbers(holds, *trace) == "a *yes* b");
    CHECK(*expandNumbers(fails, *trace) == "a 4.95 b");
    CHECK(stepTextToHtml(holds, trace.get()) == "a <em>yes</em> b");
    CHECK(stepTextToHtml(fails, trace.get()) == "a <s><em>no</em></s> 4.95 b");
    CHECK(stepTextToHtml(fails, trace.get(), {}, {"[", "]"}) == "a <s><em>no</em></s> [4.95] b");
    CHECK(stepTextToHtml(holds, nullptr) == "a <em>yes</em> b");
    CHECK(checkStepText(holds, *trace));
    CHECK_FALSE(checkStepText(fails, *trace));
    // Conditions with other notations of numbers.
    CHECK(*expandNumbers("{if scores 0 0 1 0 = 4.95}x{end}", *trace) == "x");
    CHECK(*expandNumbers("{if scores 0 0 1 0 > −5e0}x{end}", *trace) == "x");
    CHECK(expandNumbers("{if scores 0 0 1 0 = 4.9}x{end}", *trace)->empty());
    // A condition that cannot be evaluated is left out, and is an error when a lesson is checked.
    for (const char *unknown :
         {"a {if words 0 bank river}x{else}y{end} b", "a {if words 7 bank}x{else}y{end} b",
          "a {if scores 0 0 bank river > 1}x{else}y{end} b",
          "a {if nothing 0 0 > 1}x{else}y{end} b", "a {if}x{end} b", "a {if 1}x{end} b"}) {
        CAPTURE(unknown);
        CHECK(stepTextToHtml(unknown, trace.get()) == "a  b");
        CHECK_FALSE(expandNumbers(unknown, *trace));
        CHECK_FALSE(checkStepText(unknown, *trace));
    }
    CHECK(*expandNumbers("{if words 0 money bank}x{end}", *trace) == "x");
    for (const char *wrong :
         {"{if 1 < 2}x", "x{end}", "x{else}y{end}", "{if 1 < 2}x{else}y{else}z{end}",
          "{if 1 < 2}{if 1 < 2}x{end}{end}"}) {
        CAPTURE(wrong);
        CHECK_FALSE(expandNumbers(wrong, *trace));
        CHECK_FALSE(checkStepText(wrong, *trace));
        CHECK(stepTextToHtml(wrong, trace.get()) == markedToHtml(wrong));
    }
    // Several conditions joined by &.
    CHECK(*expandNumbers("{if 1 < 2 & 2 < 3}x{else}y{end}", *trace) == "x");
    CHECK(*expandNumbers("{if 1 < 2 & 3 < 2}x{else}y{end}", *trace) == "y");
    CHECK(*expandNumbers("{if words 0 money & scores 0 0 bank money > 4}x{end}", *trace) == "x");
    CHECK(stepTextToHtml("{if 3 < 2 & words 0 river}x{else}y{end}", trace.get()).empty());
    checkRefused(*trace, {"{if & 1 < 2}x{end}", "{if 1 < 2 & 3}x{end}"});
    // "not" reverses the condition that it precedes, and no other.
    CHECK(*expandNumbers("{if not 2 < 1}x{else}y{end}", *trace) == "x");
    CHECK(*expandNumbers("{if not 1 < 2}x{else}y{end}", *trace) == "y");
    CHECK(*expandNumbers("{if not 2 < 1 & 3 < 2}x{else}y{end}", *trace) == "y");
    CHECK(*expandNumbers("{if not not 1 < 2}x{else}y{end}", *trace) == "x");
    CHECK(*expandNumbers("{if not most weights 0 0 bank money}x{else}y{end}", *trace) == "y");
    CHECK(*expandNumbers("{if not most weights 0 0 bank = most scores 0 0 bank}x{else}y{end}",
                         *trace) == "y");
    // A word that is missing makes "not words" true.
    CHECK(*expandNumbers("{if not words 0 river}x{else}y{end}", *trace) == "x");
    CHECK(*expandNumbers("{if not words 0 money bank}x{else}y{end}", *trace) == "y");
    checkRefused(*trace, {"{if not}x{end}", "{if not words 7 bank}x{end}",
                          "{if not scores 0 0 bank river > 1}x{end}"});
    // The text after {else} is checked too.
    CHECK_FALSE(checkStepText("{if 1 < 2}x{else}{scores 0 0 river 0}{end}", *trace));
}
