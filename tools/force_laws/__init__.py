"""What must hold for every command of every scenario, and scenarios of random faults.

recorder      a device that keeps every command, whoever wrote it, and fails as it is told
laws          what is wrong with a log of commands
turns         threads that run one at a time, in simulated time
simulated     the loop and its supervisor in simulated time: stalls, stops, starved threads
unpaced       whole loops as fast as they run: bad samples, models and requests, second runs
paced         whole loops on the clock: stalls, stops from any thread, signals to processes
"""
