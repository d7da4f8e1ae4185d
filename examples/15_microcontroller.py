"""The equations of an arm as C for a microcontroller: single precision, no allocation, no double.

A loop in C holds the arm against gravity. It is compiled with the flags of a small machine, by the
compiler of this one if there is any; with arm-none-eabi-gcc the same files run on a Cortex-M4.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import hapsis as hs

LOOP = """
#include "arm.h"

int main(void)
{
    const float q[2] = {0.3f, -0.5f}, rest[2] = {0.0f, 0.0f};
    float p[arm_p_count], tau[2];
    int i;
    for (i = 0; i < arm_p_count; i++) p[i] = arm_p_stored[i];
    p[arm_p_lower_mass] = 1.5f; /* the hand holds something */
    for (i = 0; i < 1000; i++) arm_inverse_dynamics(q, rest, rest, p, tau);
    return tau[0] < -9.0f && tau[0] > -13.0f ? 0 : 1;
}
"""
FLAGS = (
    "-std=c99 -Os -ffreestanding -ffp-contract=off -fno-math-errno -Wall -Wextra -Wdouble-promotion -Werror"
)

arm = hs.Model(
    hs.Rod("upper", length=0.4, mass=2.0),
    hs.Rod("lower", length=0.3, mass=1.0),
    hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
    hs.Revolute("elbow", "upper.end", "lower", axis="y"),
)
with tempfile.TemporaryDirectory() as folder:
    for file in hs.export(Path(folder) / "arm", hs.inverse_dynamics(arm), precision="f32"):
        print(f"{file.name}: {file.stat().st_size} bytes")
    (Path(folder) / "loop.c").write_text(LOOP)
    if compiler := shutil.which("gcc"):
        build = [compiler, *FLAGS.split(), "arm.c", "loop.c", "-o", "loop", "-lm"]
        subprocess.run(build, cwd=folder, check=True, timeout=60)
        subprocess.run([str(Path(folder) / "loop")], check=True, timeout=60)
        print("the loop holds the arm")
    else:
        print("gcc is not installed: the files are written, and not compiled")
tau = hs.compile(hs.inverse_dynamics(arm))([0.3, -0.5], [0.0, 0.0], [0.0, 0.0], p={"lower.mass": 1.5})
print(f"torques {tau} N m")
