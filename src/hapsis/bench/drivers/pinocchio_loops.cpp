// Moves a mechanism with loops by Pinocchio's constraintDynamics and the classic Runge-Kutta
// method: the model and one state (q, v) come from two files, commands from standard input, answers
// go to standard output.
//   run STEP:STEPS:EVERY:RATE PATH   that many steps from the state; writes the state after each
//                                    EVERY of them to PATH as raw doubles (q, v) and answers the
//                                    processor's seconds of the steps
// RATE is that of Baumgarte's stabilisation, 1/s: gaps decay as a critically damped oscillator.
#include <cstdio>
#include <ctime>
#include <iostream>
#include <vector>

#include "pinocchio_model.h"
#include <pinocchio/constraints.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/jacobian.hpp>

struct End {
  pin::JointIndex joint;
  pin::SE3 place;
};

struct Pull {
  End first, second;
  double stiffness, length;
};

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static End read_end(std::istream &file) {
  End end;
  file >> end.joint;
  end.place = read_place(file);
  return end;
}

// After the joints: gravity; stiffness, rest and constant effort of each speed; the number of ties
// and their two ends (joint and placement); the number of springs, their ends, stiffness, length;
// accuracy, weight and number of the proximal steps.
struct Mechanism {
  pin::Model model;
  Vector stiffness, rest, effort, tau;
  std::vector<Pull> pulls;
  std::vector<pin::RigidConstraintModel> ties;
  std::vector<pin::RigidConstraintData> tied;
  pin::ProximalSettings settings;
  pin::Data data;

  explicit Mechanism(std::istream &file) : model(read_model(file)) {
    Vector3 gravity;
    for (int i = 0; i < 3; ++i) file >> gravity[i];
    model.gravity.linear(gravity);
    for (Vector *x : {&stiffness, &rest, &effort}) {
      x->resize(model.nv);
      for (int i = 0; i < model.nv; ++i) file >> (*x)[i];
    }
    int count;
    file >> count;
    for (int k = 0; k < count; ++k) {
      End a = read_end(file), b = read_end(file);
      ties.emplace_back(pin::CONTACT_3D, model, a.joint, a.place, b.joint, b.place, pin::LOCAL);
    }
    file >> count;
    for (int k = 0; k < count; ++k) {
      Pull pull;
      pull.first = read_end(file), pull.second = read_end(file);
      file >> pull.stiffness >> pull.length;
      pulls.push_back(pull);
    }
    double accuracy, weight;
    int most;
    file >> accuracy >> weight >> most;
    if (!file) throw std::runtime_error("the model file ends too early");
    settings = pin::ProximalSettings(accuracy, weight, most);
    data = pin::Data(model);
    for (auto &tie : ties) tied.emplace_back(tie);
    pin::initConstraintDynamics(model, data, ties, tied);
  }

  void stabilise(double rate) {
    for (auto &tie : ties) {
      tie.m_baumgarte_parameters.Kp = rate * rate;
      tie.m_baumgarte_parameters.Kd = 2 * rate;
    }
  }

  // a force on a point, as efforts of the joints that carry it
  void push(const End &end, const Vector3 &point, const Vector3 &force) {
    pin::Force wrench(force, point.cross(force));
    for (pin::JointIndex k : model.supports[end.joint])
      if (k) tau[model.joints[k].idx_v()] += data.J.col(model.joints[k].idx_v()).dot(wrench.toVector());
  }

  const Vector &acceleration(const Vector &q, const Vector &v) {
    tau = effort - stiffness.cwiseProduct(q - rest);
    if (!pulls.empty()) pin::computeJointJacobians(model, data, q);
    for (const Pull &pull : pulls) {
      Vector3 p = data.oMi[pull.first.joint].act(pull.first.place.translation());
      Vector3 r = data.oMi[pull.second.joint].act(pull.second.place.translation());
      double length = (r - p).norm();
      Vector3 force = pull.stiffness * (length - pull.length) / length * (r - p);
      push(pull.first, p, force), push(pull.second, r, -force);
    }
    return pin::constraintDynamics(model, data, q, v, tau, ties, tied, settings);
  }
};

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  std::ifstream file(argv[1]), states(argv[2], std::ios::binary);
  Mechanism it(file);
  const int n = it.model.nv;
  Vector q0(n), v0(n), q(n), v(n), a1(n), a2(n), a3(n), a4(n), v2(n), v3(n), v4(n), x(n);
  for (Vector *y : {&q0, &v0})
    states.read(reinterpret_cast<char *>(y->data()), n * sizeof(double));
  if (!states) return 2;
  std::cout << 1 << std::endl;
  std::string verb, what, path;
  while (std::cin >> verb >> what >> path) {
    double h, rate, took = 0;
    long steps, every;
    if (std::sscanf(what.c_str(), "%lf:%ld:%ld:%lf", &h, &steps, &every, &rate) != 4) return 2;
    it.stabilise(rate);
    q = q0, v = v0;
    std::ofstream out(path, std::ios::binary);
    for (long done = 0; done < steps;) {
      const long part = std::min(every, steps - done);
      const double start = now();
      for (long k = 0; k < part; ++k) {
        a1 = it.acceleration(q, v);
        v2.noalias() = v + h / 2 * a1, x.noalias() = q + h / 2 * v;
        a2 = it.acceleration(x, v2);
        v3.noalias() = v + h / 2 * a2, x.noalias() = q + h / 2 * v2;
        a3 = it.acceleration(x, v3);
        v4.noalias() = v + h * a3, x.noalias() = q + h * v3;
        a4 = it.acceleration(x, v4);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      }
      took += now() - start;
      done += part;
      out.write(reinterpret_cast<char *>(q.data()), n * sizeof(double));
      out.write(reinterpret_cast<char *>(v.data()), n * sizeof(double));
    }
    out.close();
    std::printf("%.9g\n", took);
    std::fflush(stdout);
  }
}
