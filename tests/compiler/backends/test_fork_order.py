"""A fork while good code is being compiled, whatever was imported first."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, threading, time
{imports}
from hapsis.compiler.backends.llvm import background, llvm_gate

class Job:
    began = threading.Event()
    def keep(self): pass
    def step(self):
        self.began.set()
        time.sleep(0.3)  # the fork begins
        with llvm_gate.GATE.passed(background=True):
            return False

background.submit(Job())
Job.began.wait()
child = os.fork()
if not child:
    os._exit(0)
os.waitpid(child, 0)
background.settled()
print("done")
"""
FIRST = ("background", "llvm_gate", "llvm_jit", "code")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("first", FIRST)
def test_a_fork_waits_for_the_step_under_way_before_it_closes_the_gate(first):
    program = PROGRAM.format(imports=f"import hapsis.compiler.backends.llvm.{first}")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "done\n", done.stderr
