// Parts of a lesson besides its text: questions, exercises, computed numbers, and the model it
// uses.
#include "core/checks/session_check.h"
#include "core/lesson/question.h"
#include "core/lesson/step_condition.h"
#include "core/lesson/step_text.h"
#include "core_test.h"
#include "support.h"

namespace {

/// Returns the first lesson with `parts` merged into its first step.
Json withParts(const Json &parts) {
    Json document = Json::parse(lessonFile("bank"));
    for (const auto &[name, value] : parts.items())
        document["lesson"]["steps"][0][name] = value;
    return document;
}

Json question() {
    return Json::parse(R"({"text": "Which word?", "answers": [
        {"text": "*money*", "if": "weights 0 0 bank money > weights 0 0 bank bank"},
        {"text": "*bank*", "if": "weights 0 0 bank money < weights 0 0 bank bank"}]})");
}

Json exercise() {
    return Json::parse(R"({"text": "Let *bank* look at itself.", "hints": ["Try W_Q."],
        "goals": [{"text": "more than half", "if": "weights 0 0 bank bank > 0.5"}],
        "solution": {"parameters": [{"parameter": "layers.0.self_attention.query",
                                     "cells": [[0, 0, -1]]}]}})");
}

std::string problems(const Json &document) {
    std::string all;
    for (const Error &error : checkSession(document.dump()))
        all += error.text() + "\n";
    return all;
}

double number(const char *mark, const Trace &trace) {
    const auto found = valueOf(numberOf(mark, trace));
    return static_cast<double>(found.value);
}

} // namespace

TEST_CASE("a vector without a direction has no cosine, not a cosine of 0") {
    Json document = Json::parse(lessonFile("bank"));
    document["model"]["embeddings"]["words"]["money"] = {0, 0};
    const TracePointer trace = traceOf(read(document.dump()));
    const char *mark = "cosine embeddings 0 money with embeddings 0 bank";
    CHECK(std::isnan(number(mark, *trace)));
    CHECK(*expandNumbers("{" + std::string(mark) + "}", *trace) == "—");
    CHECK_FALSE(*conditionHolds(std::string(mark) + " < 0.5", *trace));
    CHECK_FALSE(*conditionHolds(std::string(mark) + " = 0", *trace));
    CHECK(number("length embeddings 0 money", *trace) == 0); // a zero vector has length 0
}

TEST_CASE("numbers of whole rows") {
    const TracePointer trace = traceOf(lesson("bank"));
    const SharedMatrix weights = trace->stage(Stage::AttentionWeights).matrix(0, 0);
    const auto p = static_cast<double>(weights(1, 0)), q = static_cast<double>(weights(1, 1));
    CHECK(number("sum weights 0 0 bank", *trace) == doctest::Approx(1));
    CHECK(number("entropy weights 0 0 bank", *trace) ==
          doctest::Approx(-p * std::log2(p) - q * std::log2(q)));
    CHECK(number("length embeddings 0 money", *trace) == doctest::Approx(std::hypot(3, 0.3)));
    CHECK(number("cosine embeddings 0 bank with embeddings 1 bank", *trace) == doctest::Approx(1));
    CHECK(number("cosine context 0 0 bank with context 1 0 bank", *trace) < 0.5);
    CHECK(number("distance embeddings 0 bank with embeddings 1 bank", *trace) == 0);
    CHECK(number("ratio weights 0 0 bank money to weights 0 0 bank bank", *trace) ==
          doctest::Approx(p / q));
    CHECK(number("difference weights 0 0 bank money to weights 0 0 bank bank", *trace) ==
          doctest::Approx(p - q));
    CHECK(number("probability scaled_scores 0 0 bank money", *trace) == doctest::Approx(p));
    CHECK(
        number("parameter layers.0.self_attention.query 0 0", *trace) ==
        static_cast<double>((*trace->model().parameters.main.layers[0].selfAttention.query)(0, 0)));
    CHECK(numberOf("most weights 0 0 bank", *trace)->text == "money");
    CHECK(numberOf("most embeddings 0 money", *trace)->text ==
          "0"); // its columns are dimensions, so no token is named
    CHECK(*expandNumbers("{ratio weights 0 0 bank money to weights 0 0 bank money : 1}", *trace) ==
          "1.0");
    for (const char *wrong :
         {"sum", "sum weights 0 0", "sum weights 0 0 bank money", "cosine weights 0 0 bank",
          "cosine weights 0 0 bank weights 0 0 money", "entropy scores 0 0 bank",
          "cosine embeddings 0 bank with scaled_scores 9 0 0", "most weights 0 0 bank : 2",
          "ratio weights 0 0 bank money", "ratio ratio 1 to 2 to 3", "probability weights 0 0 bank",
          "probability weights 0 0 bank river", "parameter layers.0.self_attention.query 0",
          "parameter layers.0.self_attention.query 2 0", "parameter layers.7.nothing 0 0",
          "parameter layers.0.self_attention.output_bias 0 0"}) {
        CAPTURE(wrong);
        CHECK_FALSE(numberOf(wrong, *trace));
    }
    const TracePointer mixed = traceOf(lesson("sentence"));
    CHECK_FALSE(numberOf("distance embeddings 0 bank with weights 0 0 bank", *mixed));
}

TEST_CASE("the largest of a row, as a condition") {
    const TracePointer trace = traceOf(lesson("bank"));
    CHECK(*conditionHolds("most weights 0 0 bank money", *trace));
    CHECK_FALSE(*conditionHolds("most weights 0 0 bank bank", *trace));
    CHECK(*conditionHolds("most weights 1 0 bank river & weights 1 0 bank river > 0.5", *trace));
    CHECK_FALSE(conditionHolds("most weights 0 0 bank river", *trace));
    CHECK_FALSE(conditionHolds("most weights 0 0 bank", *trace));
}

TEST_CASE("one answer is right, by the trace") {
    const Session session = read(withParts({{"question", question()}}).dump());
    const Question &asked = *session.lesson->steps[0].question;
    CHECK(*rightAnswer(asked, *traceAt(session, 0)) == 0);
    Session turned = session;
    turned.model.config.softmax = true;
    turned.model.parameters.main.layers[0].selfAttention.query =
        makeParameter(Matrix(2, 2, {-1, 0, 0, 0}));
    CHECK(*rightAnswer(asked, *traceOf(turned)) == 1); // the answer follows the model

    CHECK(problems(withParts({{"question", question()}})) == "");
    Json two = question();
    two["answers"][1]["if"] = "weights 0 0 bank money > 0";
    CHECK(problems(withParts({{"question", two}})).find("two answers are right") !=
          std::string::npos);
    Json none = question();
    none["answers"][0]["if"] = "weights 0 0 bank money > 1";
    CHECK(problems(withParts({{"question", none}})).find("no answer is right") !=
          std::string::npos);
    Json unsaid = question();
    unsaid["answers"][0]["if"] = "weights 0 0 bank river > 1";
    CHECK(problems(withParts({{"question", unsaid}})).find("river") != std::string::npos);
    Json alone = question();
    alone["answers"].erase(1);
    CHECK(problems(withParts({{"question", alone}})).find("lesson.steps[0].question.answers") !=
          std::string::npos);
}

TEST_CASE("empty fields are reported, each with its place") {
    Json asked = question();
    asked["text"] = "";
    asked["answers"][0]["text"] = " ";
    asked["answers"][1]["if"] = "";
    const std::string of = problems(withParts({{"title", ""}, {"question", asked}}));
    CHECK(of.find("lesson.steps[0].title: it is empty") != std::string::npos);
    CHECK(of.find("lesson.steps[0].question.text: it is empty") != std::string::npos);
    CHECK(of.find("lesson.steps[0].question.answers[0].text: it is empty") != std::string::npos);
    CHECK(of.find("lesson.steps[0].question.answers[1].if: a condition is missing") !=
          std::string::npos);
    CHECK(of.find("no answer is right") ==
          std::string::npos); // unknown as long as a condition is broken

    Json task = exercise();
    task["goals"].push_back({{"text", "x"}, {"if", "weights 0 0 bank bank"}});
    const std::string goals = problems(withParts({{"exercise", task}}));
    CHECK(goals.find("exercise.goals[1].if: expected two numbers with <, > or = between them: "
                     "\"{if weights 0 0 bank bank}\"") != std::string::npos);
}

TEST_CASE("the error for a wrong mark lists what is possible there") {
    const TracePointer trace = traceOf(lesson("bank"));
    CHECK(numberOf("weigts 0 0 bank money", *trace).error().remedy == "did you mean \"weights\"?");
    CHECK(numberOf("frobnicate 0", *trace).error().remedy.empty());
    CHECK(numberOf("weights 0 0 bank river", *trace)
              .error()
              .remedy.text()
              .find("its words are \"money\", \"bank\"") == 0);
}

TEST_CASE("an exercise is solved by its solution, and not before") {
    const Session session = read(withParts({{"exercise", exercise()}}).dump());
    const Exercise &asked = *session.lesson->steps[0].exercise;
    const TracePointer before = traceAt(session, 0);
    CHECK_FALSE(solvingOf(asked, *before, {}).isSolved());
    const auto state = valueOf(solved(session, 0));
    const TracePointer after = traceOf(state);
    CHECK(solvingOf(asked, *after, {}).isSolved());
    CHECK_FALSE(solved(session, 1));
    CHECK_FALSE(solved(session, 99));

    // An overridden score does not count as a solution unless the exercise allows it.
    Session byHand = session;
    byHand.input.interventions.scores.push_back({});
    byHand.input.interventions.scores.back().query = 1;
    byHand.input.interventions.scores.back().key = 1;
    byHand.input.interventions.scores.back().score = 50;
    const TracePointer cheating = traceOf(byHand);
    const ExerciseProgress solving = solvingOf(asked, *cheating, {});
    CHECK(solving.reached == std::vector<bool>{true});
    CHECK(solving.isByHand);
    CHECK_FALSE(solving.isSolved());
    Exercise allowed = asked;
    allowed.byHand = true;
    CHECK(solvingOf(allowed, *cheating, {}).isSolved());

    CHECK(problems(withParts({{"exercise", exercise()}})) == "");
    Json easy = exercise();
    easy["goals"][0]["if"] = "weights 0 0 bank bank < 0.5";
    const std::string said = problems(withParts({{"exercise", easy}}));
    CHECK(said.find("already solved at the start") != std::string::npos);
    CHECK(said.find("the solution does not reach it") != std::string::npos);
    Json unsolved = exercise();
    unsolved["solution"] = Json::object();
    const std::string missing = problems(withParts({{"exercise", unsolved}}));
    CHECK(missing.find("it has no solution yet") != std::string::npos);
    CHECK(missing.find("does not reach it") == std::string::npos);
    Json wrong = exercise();
    wrong["solution"]["parameters"][0]["cells"][0][0] = 7;
    CHECK(problems(withParts({{"exercise", wrong}})).find("exercise.solution") !=
          std::string::npos);
}

TEST_CASE("the run of a step can be started") {
    const auto run = [](const char *json) {
        return problems(withParts({{"run", Json::parse(json)}}));
    };
    CHECK(run(R"({"recipe": {"task": "previous-token"}, "race": "no-scale"})") == "");
    CHECK(run(R"({"recipe": {"task": "no such"}})").find("no task") != std::string::npos);
    CHECK(run(R"({"recipe": {"task": "sort", "architecture": {"norm": "none"}},
                  "race": "no-norm"})") != "");
    CHECK(run(R"({"recipe": {"task": "sort", "architecture": {"heads": 3}}})") != "");
    CHECK(run(R"({"recipe": {"task": "sort"}, "race": "no-thing"})") != "");
}

TEST_CASE("a lesson about a model that was trained here") {
    const std::string model = contentOf(std::string(HEADLIGHT_LESSONS) + "/../models/it.headlight");
    const std::string said = R"({"model_of": "it", "title": "Depth", "lesson": {"summary": "s",
        "steps": [{"title": "t", "text": ["a"]}]}})";
    CHECK(modelOf(said) == "it");
    CHECK(modelOf(model).empty());
    CHECK(modelOf("[\"model_of\"]").empty());
    CHECK(modelOf("model_of").empty());
    const auto whole = valueOf(onModel(said, model));
    CHECK(modelOf(whole).empty());
    const Session session = read(whole);
    CHECK(session.title == "Depth");
    CHECK(session.lesson->steps.size() == 1);
    CHECK(session.model.parameters.main.layers.size() == 2);
    CHECK(traceOf(session)->stage(Stage::AttentionWeights).values() ==
          traceOf(read(model))->stage(Stage::AttentionWeights).values());
    CHECK_FALSE(onModel("[]", model));
    CHECK_FALSE(onModel(said, "x"));
    // readSession() treats the field as unknown.
    CHECK_FALSE(readSession(said));
}
