"""A program whose loop runs until the process is ended; its device writes to a file.

python ended.py FILE run|start|raise
"""

import sys
import time

import numpy as np
from hand import KEPT, Hand, crank_loop

file = np.memmap(sys.argv[1], np.float64, "w+", shape=(1 + 2 * KEPT,))
hand = Hand(written=np.frombuffer(file, np.float64))
loop = crank_loop(500.0).connect(hand)
if sys.argv[2] != "run":
    loop.start()
    loop.wait(50)
    print("ready", flush=True)
    if sys.argv[2] == "raise":
        raise RuntimeError("somewhere else in the program")
    time.sleep(60)
else:
    print("ready", flush=True)
    loop.run(60.0)
    print("came back", flush=True)
