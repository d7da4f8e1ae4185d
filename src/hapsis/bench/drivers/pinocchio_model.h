// Reads a tree of joints as Pinocchio's model: shared by the drivers of Pinocchio.
#include <fstream>
#include <string>

#include <pinocchio/multibody.hpp>
#include <pinocchio/multibody/joint.hpp>

namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using Vector3 = Eigen::Vector3d;

static pin::SE3 read_place(std::istream &file) {
  Eigen::Matrix3d turn;
  Vector3 offset;
  for (int i = 0; i < 9; ++i) file >> turn(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) file >> offset[i];
  return pin::SE3(turn, offset);
}

// One line per joint: parent, kind, axis, placement (rotation by rows, offset), mass, centre,
// inertia about the centre (xx xy yy xz yz zz).
static pin::Model read_model(std::istream &file) {
  pin::Model model;
  int count;
  file >> count;
  for (int k = 1; k <= count; ++k) {
    pin::JointIndex parent;
    std::string kind;
    Vector3 axis, centre;
    double mass, s[6];
    file >> parent >> kind;
    for (int i = 0; i < 3; ++i) file >> axis[i];
    pin::SE3 place = read_place(file);
    file >> mass;
    for (int i = 0; i < 3; ++i) file >> centre[i];
    for (double &x : s) file >> x;
    pin::JointModel joint;
    if (kind == "RX") joint = pin::JointModelRX();
    else if (kind == "RY") joint = pin::JointModelRY();
    else if (kind == "RZ") joint = pin::JointModelRZ();
    else if (kind == "RU") joint = pin::JointModelRevoluteUnaligned(axis);
    else if (kind == "PX") joint = pin::JointModelPX();
    else if (kind == "PY") joint = pin::JointModelPY();
    else if (kind == "PZ") joint = pin::JointModelPZ();
    else if (kind == "PU") joint = pin::JointModelPrismaticUnaligned(axis);
    else if (kind == "FF") joint = pin::JointModelFreeFlyer();
    else throw std::runtime_error("unknown joint " + kind);
    pin::JointIndex id = model.addJoint(parent, joint, place, "j" + std::to_string(k));
    pin::Symmetric3 inertia(s[0], s[1], s[2], s[3], s[4], s[5]);
    model.appendBodyToJoint(id, pin::Inertia(mass, centre, inertia), pin::SE3::Identity());
  }
  if (!file) throw std::runtime_error("the model file ends too early");
  return model;
}
