#include "core/lesson/step_text.h"

#include "core/lesson/slider_mark.h"
#include "core/lesson/step_condition.h"
#include "core/lesson/step_number.h"

#include <utility>

namespace headlight::core {

namespace {

/// Receives the parts of a text in order while tell() parses the text.
class Teller {
  public:
    virtual ~Teller() = default;
    virtual void say(std::string_view words) = 0;
    virtual Outcome number(std::string_view mark) = 0;
    virtual Outcome beginClaim(std::string_view condition) = 0;
    virtual void otherwise() = 0;
    virtual void endClaim() = 0;
};

/// Parses the marks of a text: numbers {…} and claims {if …}…{else}…{end}, which cannot be nested.
/// See docs/session-file.md#marks.
Outcome tell(std::string_view text, Teller &teller) {
    enum class In { Text, Claim, Otherwise } in = In::Text;
    for (;;) {
        const std::size_t open = text.find_first_of("{}");
        teller.say(text.substr(0, open));
        if (open == std::string_view::npos)
            break;
        text.remove_prefix(open);
        const std::size_t close = text.find('}');
        if (close == 0 || close == std::string_view::npos)
            return Error{"unmatched brace", std::string(text.substr(0, 40)), ""};
        const std::string_view mark = text.substr(1, close - 1);
        const auto misplaced = [&](const char *what) {
            return Error{what, "{" + std::string(mark) + "}", "{if …}…{else}…{end}"};
        };
        std::string_view rest = mark;
        const std::string_view word = nextMarkWord(rest);
        Outcome outcome = Done{};
        if (word == "if") {
            if (in != In::Text)
                return misplaced("nested claims");
            in = In::Claim;
            outcome = teller.beginClaim(rest);
        } else if (word == "else") {
            if (in != In::Claim)
                return misplaced("{else} without {if}");
            in = In::Otherwise;
            teller.otherwise();
        } else if (word == "end") {
            if (in == In::Text)
                return misplaced("{end} without {if}");
            in = In::Text;
            teller.endClaim();
        } else {
            outcome = teller.number(mark);
        }
        if (!outcome)
            return outcome.error();
        text.remove_prefix(close + 1);
    }
    if (in != In::Text)
        return Error{"{if} without {end}", "", ""};
    return Done{};
}

/// Collects the text of the claims that hold.
class Expanding : public Teller {
  public:
    Expanding(const Trace &trace, AttentionId attention) : m_trace(trace), m_attention(attention) {}
    std::string text;

    void say(std::string_view words) override {
        if (!m_isSilent)
            text += words;
    }
    Outcome number(std::string_view mark) override {
        if (m_isSilent)
            return Done{};
        const Result<StepNumber> number = numberOf(mark, m_trace, m_attention);
        if (!number)
            return number.error();
        text += number->text;
        return Done{};
    }
    Outcome beginClaim(std::string_view condition) override {
        const Result<bool> isSo = conditionHolds(condition, m_trace, m_attention);
        if (!isSo)
            return isSo.error();
        m_isSilent = !*isSo;
        return Done{};
    }
    void otherwise() override { m_isSilent = !m_isSilent; }
    void endClaim() override { m_isSilent = false; }

  private:
    const Trace &m_trace;
    AttentionId m_attention;
    bool m_isSilent = false;
};

/// Collects problems. Continues after each one.
class Checking : public Teller {
  public:
    Checking(const Trace &trace, AttentionId attention) : m_trace(trace), m_attention(attention) {}
    std::vector<Error> problems;

    void say(std::string_view) override {}
    Outcome number(std::string_view mark) override {
        if (const Result<StepNumber> number = numberOf(mark, m_trace, m_attention); !number)
            problems.push_back(number.error());
        return Done{};
    }
    Outcome beginClaim(std::string_view condition) override {
        const Result<bool> isSo = conditionHolds(condition, m_trace, m_attention);
        if (!isSo)
            problems.push_back(isSo.error());
        else if (!*isSo)
            problems.push_back({"the claim does not hold", "{if" + std::string(condition) + "}",
                                "every claim must hold in the unchanged lesson"});
        return Done{};
    }
    void otherwise() override {}
    void endClaim() override {}

  private:
    const Trace &m_trace;
    AttentionId m_attention;
};

class Showing : public Teller {
  public:
    Showing(const Trace *trace, AttentionId attention, const NumberFrame &frame)
        : m_trace(trace), m_attention(attention), m_frame(frame) {}

    std::string takeHtml() {
        flush();
        return std::move(m_html);
    }
    void say(std::string_view words) override { m_words += words; }
    Outcome number(std::string_view mark) override {
        const auto number = m_trace ? numberOf(mark, *m_trace, m_attention)
                                    : Result<StepNumber>(StepNumber{0, "…"});
        std::string_view rest = mark;
        if (number && m_trace && !m_frame.sliderBefore.empty() && nextMarkWord(rest) == "slider") {
            m_words += m_frame.sliderBefore;
            m_words += hexOf(mark);
            m_words += m_frame.sliderAfter;
        }
        m_words += m_frame.before;
        m_words += number ? number->text : "…";
        m_words += m_frame.after;
        return Done{};
    }
    Outcome beginClaim(std::string_view condition) override {
        flush();
        const auto isSo =
            m_trace ? conditionHolds(condition, *m_trace, m_attention) : Result<bool>(true);
        m_claim = !isSo ? Claim::Unknown : *isSo ? Claim::Holds : Claim::Fails;
        return Done{};
    }
    void otherwise() override {
        flush();
        m_claim = m_claim == Claim::Fails ? Claim::Holds : Claim::Unknown;
    }
    void endClaim() override {
        flush();
        m_claim = Claim::Holds;
    }

  private:
    enum class Claim { Holds, Fails, Unknown };

    void flush() {
        const std::string words = std::exchange(m_words, {});
        if (words.empty() || m_claim == Claim::Unknown)
            return;
        const std::string html = markedToHtml(words);
        m_html += m_claim == Claim::Holds ? html : "<s>" + html + "</s> ";
    }

    const Trace *m_trace;
    AttentionId m_attention;
    NumberFrame m_frame;
    Claim m_claim = Claim::Holds;
    std::string m_words, m_html;
};

} // namespace

Result<std::string> expandNumbers(std::string_view text, const Trace &trace,
                                  AttentionId attention) {
    Expanding expanding(trace, attention);
    if (Outcome told = tell(text, expanding); !told)
        return told.error();
    return std::move(expanding.text);
}

Outcome checkStepText(std::string_view text, const Trace &trace, AttentionId attention) {
    std::vector<Error> problems = stepTextProblems(text, trace, attention);
    return problems.empty() ? Outcome(Done{}) : std::move(problems.front());
}

std::vector<Error> stepTextProblems(std::string_view text, const Trace &trace,
                                    AttentionId attention) {
    Checking checking(trace, attention);
    if (const Outcome told = tell(text, checking); !told)
        checking.problems.push_back(told.error());
    return std::move(checking.problems);
}

std::string stepTextToHtml(std::string_view text, const Trace *trace, AttentionId attention,
                           const NumberFrame &frame) {
    Showing showing(trace, attention, frame);
    return tell(text, showing) ? showing.takeHtml() : markedToHtml(text);
}

} // namespace headlight::core
