"""Batches of a sweep on the workers of a Dask cluster; a lost worker's batches are made again by others.

What travels: the model, the options and the functions that measure, once to each worker; then numbers.
Dask sends them by `pickle`, so the cluster must be one that you trust.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from hapsis.compiler.backends.code_version import code_version
from hapsis.errors import Error, SolveError, install_command
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.simulate.batch.sweep_batch import BatchRows, SweepTask, batch_rows
from hapsis.motion.simulate.batch.sweep_plan import SweepPlan

LOST = "lost"  # the status of runs whose workers have died again and again
BATCH = 256  # runs in a batch at most
PER_WORKER = 4  # batches for each thread of the cluster, so that all end at about the same time


def check_cluster(cluster: Any) -> None:
    """Raises an error unless it is a client of Dask."""
    try:
        client = import_module("distributed").Client
    except ImportError:
        raise Error("cluster needs Dask", remedy=install_command("distributed", "pyarrow")) from None
    if not isinstance(cluster, client):
        raise Error(f"cluster is {described(cluster)}", expected="a distributed.Client")


def cluster_batches(
    client: Any, task: SweepTask, plan: SweepPlan, missing: Any, batch: int | None
) -> Iterator[BatchRows]:
    """The rows of the missing runs, batch by batch as workers finish them.

    Rows of runs whose workers have died more often than Dask allows have the status "lost".
    """
    distributed = import_module("distributed")
    if batch is None:
        threads = max(1, sum(client.nthreads().values()))
        batch = int(np.clip(-(-len(missing) // (PER_WORKER * threads)), 1, BATCH))
    # a task of its own, which Dask makes again where its result is lost; workers share it among batches
    shared = client.submit(_itself, task, pure=False)
    pieces = [missing[k : k + batch] for k in range(0, len(missing), batch)]
    futures = {
        client.submit(_cluster_rows, shared, numbers, plan.part(numbers), pure=False): numbers
        for numbers in pieces
    }
    try:
        for future in distributed.as_completed(futures):
            yield _rows_of(future, task, futures[future], distributed.KilledWorker)
            futures[future] = None
            future.release()
    finally:
        client.cancel([shared, *(future for future, numbers in futures.items() if numbers is not None)])


def _itself(task: SweepTask) -> SweepTask:
    return task


def _cluster_rows(task: SweepTask, numbers: Any, values: Any) -> tuple[bytes, BatchRows]:
    """The version of the worker's code, and the rows: Dask fills the cores, so one thread for each batch."""
    return code_version(), batch_rows(task, numbers, values, threads=1)


def _rows_of(future: Any, task: SweepTask, numbers: Any, killed: type[BaseException]) -> BatchRows:
    try:
        version, rows = future.result()
    except killed as death:
        return BatchRows(
            np.asarray(numbers),
            {name: np.full(len(numbers), np.nan) for name in task.measures.names},
            np.zeros(len(numbers), np.int64),
            [LOST] * len(numbers),
            [f"workers of the cluster died while they made this run: {str(death)[:200]}"] * len(numbers),
            {},
        )
    if version != code_version():
        raise SolveError(
            "a worker of the cluster has another version of hapsis", remedy="install the same everywhere"
        )
    return rows
