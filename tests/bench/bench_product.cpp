// Matrix products compared with Eigen, and how soon a stopped product returns.
#include "core/random.h"
#include "core/tensor/product.h"
#include "tests/bench/report.h"

#include <Eigen/Core>
#include <QtTest>

#include <chrono>
#include <thread>

using namespace headlight;

namespace {

using Clock = std::chrono::steady_clock;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double milliseconds(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

core::Matrix randomMatrix(core::Index rows, core::Index columns) {
    core::Random random(5);
    core::Matrix matrix(rows, columns);
    for (core::Index r = 0; r < rows; ++r)
        for (float &value : matrix.view().row(r))
            value = static_cast<float>(random.uniform() - 0.5);
    return matrix;
}

void eigenProduct(const core::Matrix &a, const core::Matrix &b, bool transposed,
                  core::Matrix &out) {
    const auto mapped = [](const core::Matrix &matrix) {
        return Eigen::Map<const RowMajor>(matrix.view().data, matrix.rows(), matrix.columns());
    };
    Eigen::Map<RowMajor> to(out.view().data, out.rows(), out.columns());
    if (transposed)
        to.noalias() = mapped(a) * mapped(b).transpose();
    else
        to.noalias() = mapped(a) * mapped(b);
}

} // namespace

class ProductBenchmark : public QObject {
    Q_OBJECT

  private slots:
    /// Alternates between Eigen and our product, so that other load on the machine affects both.
    void againstEigen_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("transposed");
        QTest::newRow("4 x 4 x 4") << 4 << 4 << 4 << false;
        QTest::newRow("16 x 16 x 16") << 16 << 16 << 16 << false;
        QTest::newRow("48 x 48 x 48") << 48 << 48 << 48 << false;
        QTest::newRow("scores of a head, 256 tokens") << 256 << 64 << 256 << false;
        QTest::newRow("one token, GPT-2's feed-forward") << 1 << 768 << 3072 << false;
        QTest::newRow("12 tokens, GPT-2's feed-forward") << 12 << 768 << 3072 << false;
        QTest::newRow("512 tokens, GPT-2's feed-forward") << 512 << 768 << 3072 << false;
        QTest::newRow("64 tokens, GPT-2's logits") << 64 << 768 << 50257 << true;
        QTest::newRow("one token, GPT-2's logits") << 1 << 768 << 50257 << true;
        QTest::newRow("one query, a head's 1,024 keys") << 1 << 64 << 1024 << true;
        QTest::newRow("two queries, 768 numbers of 256 keys") << 2 << 768 << 256 << true;
    }
    void againstEigen() {
        QFETCH(int, rows);
        QFETCH(int, depth);
        QFETCH(int, columns);
        QFETCH(bool, transposed);
        const core::Matrix a = randomMatrix(rows, depth);
        const core::Matrix b =
            transposed ? randomMatrix(columns, depth) : randomMatrix(depth, columns);
        core::Matrix out(rows, columns);
        std::vector<double> eigen, ours;
        const double operations = 2.0 * rows * depth * columns;
        // A short product is repeated, because reading the clock costs time.
        const int repeats = 1 + static_cast<int>(1e6 / operations);
        const auto gigaflops = [&](const auto &once) {
            const Clock::time_point start = Clock::now();
            for (int i = 0; i < repeats; ++i)
                once();
            return operations * repeats / milliseconds(start) / 1e6;
        };
        for (int turn = 0; turn < 31; ++turn) {
            eigen.push_back(gigaflops([&] { eigenProduct(a, b, transposed, out); }));
            ours.push_back(gigaflops([&] {
                (transposed ? core::multiplyTransposed : core::multiply)(a.view(), b.view(),
                                                                         out.view(), {});
            }));
        }
        std::ranges::sort(eigen);
        std::ranges::sort(ours);
        const std::string name = QTest::currentDataTag();
        bench::report(name + ": Eigen", eigen[15], "GFLOP/s");
        bench::report(name + ": Headlight", ours[15], "GFLOP/s");
    }

    void stopped() {
        const core::Matrix a = randomMatrix(2048, 4096), b = randomMatrix(4096, 8192);
        core::Matrix out(2048, 8192);
        std::vector<double> times;
        for (int run = 0; run < 21; ++run) {
            std::jthread product([&](const std::stop_token &stop) {
                core::multiply(a.view(), b.view(), out.view(), stop);
            });
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            const Clock::time_point start = Clock::now();
            product.request_stop();
            product.join();
            times.push_back(milliseconds(start));
        }
        bench::report("a product of 7·10¹⁰ multiply-adds, from stop to return", times);
    }
};

QTEST_GUILESS_MAIN(ProductBenchmark)
#include "bench_product.moc"
