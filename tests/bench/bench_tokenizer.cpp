// The tokenizers in ../shared/models: the time to load each, and to tokenize 1 MB of prose.
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "report.h"

#include <QDir>
#include <QtTest>

#include <chrono>

using namespace headlight;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kTurns = 7;
constexpr qsizetype kBytes = 1'000'000;

template <typename Work>
void measure(const QString &what, const Work &work) {
    std::vector<double> times;
    for (int turn = 0; turn < kTurns; ++turn) {
        const auto start = Clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    bench::report(qPrintable(what), times);
}

/// Returns the project's own documents, repeated to about kBytes.
QByteArray prose(const QDir &docs) {
    QByteArray once, text;
    for (const QString &name : docs.entryList({"*.md"}, QDir::Files, QDir::Name)) {
        QFile file(docs.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            once += file.readAll();
    }
    while (!once.isEmpty() && text.size() + once.size() <= kBytes)
        text += once;
    return text;
}

} // namespace

class TokenizerBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void oneMegabyte_data() {
        QTest::addColumn<QString>("folder");
        for (const char *folder :
             {"tokenizers/gpt2-byte-bpe", "tokenizers/bert-wordpiece", "tokenizers/t5-unigram",
              "tokenizers/albert-sp-unigram", "stories260k"})
            QTest::newRow(folder) << folder;
    }
    void oneMegabyte() {
        QFETCH(const QString, folder);
        const QDir models(HEADLIGHT_MODELS);
        if (!models.exists(folder))
            QSKIP("there are no tokenizers in ../shared/models");
        const std::string path = models.filePath(folder).toStdString();
        const auto tokenizer = core::readTokenizer({path, {}});
        QVERIFY(tokenizer.ok());
        const QByteArray text = prose(QDir(HEADLIGHT_DOCS));
        QVERIFY(text.size() > kBytes / 2);
        measure(folder + ", reading it", [&] { QVERIFY(core::readTokenizer({path, {}}).ok()); });
        measure(QString("%1, %2 bytes").arg(folder).arg(text.size()), [&] {
            const auto fresh = core::readTokenizer({path, {}}); // with an empty cache
            const auto start = Clock::now();
            const auto tokens = (*fresh)->encode({text.data(), std::size_t(text.size())},
                                                 core::SpecialTokens::LeftOut);
            QVERIFY(tokens.ok() && tokens->size() > 100'000);
            m_encoding.push_back(
                std::chrono::duration<double, std::milli>(Clock::now() - start).count());
        });
        bench::report(qPrintable(folder + ", the text alone"), std::exchange(m_encoding, {}));
    }

  private:
    std::vector<double> m_encoding;
};

QTEST_GUILESS_MAIN(TokenizerBenchmark)
#include "bench_tokenizer.moc"
