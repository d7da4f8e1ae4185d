// Times Pinocchio's C++ algorithms: the model and the states come from two files, commands from
// standard input, answers go to standard output.
//   time NAME SECONDS   the shortest nanoseconds per call among passes over all states
//   write NAME PATH     the results for all states, as raw doubles
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <vector>

#include "pinocchio_model.h"
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

static void append(std::vector<double> &out, const Eigen::MatrixXd &m) {
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j) out.push_back(m(i, j));
}

int main(int, char **argv) {
  std::ifstream file(argv[1]);
  pin::Model model = read_model(file);
  pin::Data data(model);
  // each state: q, v and a third vector: acceleration or effort
  std::vector<Vector> q, v, a;
  std::ifstream states(argv[2], std::ios::binary);
  auto take = [&](std::vector<Vector> &into, int size) {
    Vector x(size);
    states.read(reinterpret_cast<char *>(x.data()), size * sizeof(double));
    if (states) into.push_back(x);
  };
  while (states) take(q, model.nq), take(v, model.nv), take(a, model.nv);
  const std::size_t n = a.size();

  using Clock = std::chrono::steady_clock;
  using Call = std::function<double(std::size_t, std::size_t, long)>;
  auto pass = [&](auto &&f) -> Call {  // seconds of a piece; no indirect call per state
    return [f](std::size_t first, std::size_t number, long passes) {
      auto start = Clock::now();
      for (long p = 0; p < passes; ++p)
        for (std::size_t i = first; i < first + number; ++i) f(i);
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
  };
  std::map<std::string, Call> calls;
  calls["rnea"] = pass([&](std::size_t i) { pin::rnea(model, data, q[i], v[i], a[i]); });
  calls["crba_local"] =
      pass([&](std::size_t i) { pin::crba(model, data, q[i], pin::Convention::LOCAL); });
  calls["crba_world"] =
      pass([&](std::size_t i) { pin::crba(model, data, q[i], pin::Convention::WORLD); });
  calls["aba_local"] =
      pass([&](std::size_t i) { pin::aba(model, data, q[i], v[i], a[i], pin::Convention::LOCAL); });
  calls["aba_world"] =
      pass([&](std::size_t i) { pin::aba(model, data, q[i], v[i], a[i], pin::Convention::WORLD); });
  calls["rnea_derivatives"] =
      pass([&](std::size_t i) { pin::computeRNEADerivatives(model, data, q[i], v[i], a[i]); });
  calls["aba_derivatives"] =
      pass([&](std::size_t i) { pin::computeABADerivatives(model, data, q[i], v[i], a[i]); });

  auto result = [&](const std::string &name, std::vector<double> &out) {
    Eigen::MatrixXd m = data.M;
    m.triangularView<Eigen::StrictlyLower>() = m.transpose();
    if (name == "rnea") append(out, data.tau);
    else if (name[0] == 'c') append(out, m);
    else if (name == "rnea_derivatives") append(out, data.dtau_dq), append(out, data.dtau_dv);
    else if (name == "aba_derivatives") append(out, data.ddq_dq), append(out, data.ddq_dv);
    else append(out, data.ddq);
  };

  std::string verb, name, rest;
  std::cout << n << std::endl;
  while (std::cin >> verb >> name >> rest) {
    if (!calls.count(name)) return 2;
    const Call &call = calls[name];
    if (verb == "write") {
      std::vector<double> out;
      data = pin::Data(model);
      for (std::size_t i = 0; i < n; ++i) call(i, 1, 1), result(name, out);
      std::ofstream(rest, std::ios::binary)
          .write(reinterpret_cast<char *>(out.data()), out.size() * sizeof(double));
      std::cout << "0" << std::endl;
      continue;
    }
    double sum = 0, guess = std::min(call(0, n, 1), call(0, n, 1)) / double(n);
    const long wanted = std::max(1L, long(2e-4 / std::max(guess, 1e-9)));  // see stopwatch.py
    const std::size_t size = std::min<std::size_t>(n, wanted);
    const long passes = std::max(1L, wanted / long(n));
    std::vector<double> best((n + size - 1) / size, 1e300);
    const auto start = Clock::now();
    const std::chrono::duration<double> budget(std::stod(rest));
    for (int round = 0; round < 3 || Clock::now() - start < budget; ++round)
      for (std::size_t k = 0; k < best.size(); ++k)
        best[k] = std::min(best[k], call(k * size, std::min(size, n - k * size), passes));
    for (double x : best) sum += x;
    std::printf("%.6g\n", 1e9 * sum / double(n) / double(passes));
    std::fflush(stdout);
  }
}
