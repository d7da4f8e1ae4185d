"""C export: the torques of an arm as C99 with a test program, compiled and run."""

import shutil
import subprocess
from pathlib import Path

import hapsis as hs

arm = hs.load(Path(__file__).parents[1] / "models" / "arm.urdf")
files = hs.export("build/arm", hs.inverse_dynamics(arm), language="c")
print([file.name for file in files])
if shutil.which("gcc"):
    flags = "-std=c99 -O2 -Wall -Wextra -pedantic -Werror -ffp-contract=off -o arm_test arm.c arm_test.c -lm"
    subprocess.run(["gcc", *flags.split()], cwd="build", check=True)
    print(subprocess.run(["./arm_test"], cwd="build", check=True, capture_output=True, text=True).stdout)
