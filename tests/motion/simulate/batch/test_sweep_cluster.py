"""Sweeps on a Dask cluster of several processes: the bits of one process, also where a worker is killed."""

import os
import signal
import warnings

import numpy as np
import pytest
from many_models import case
from samples import sample

import hapsis as hs

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, dashboard_address=None, silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


def swept(one, measure, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        return hs.sweep(one.model, 0.3, one.over, measure, grid=False, every=0.02, **one.options, **more)


def equal(a, b):
    assert a.names == b.names and a.units == b.units
    assert (a.status, a.message) == (b.status, b.message)
    for name in a.names:
        assert a[name].tobytes() == b[name].tobytes(), name


@pytest.mark.parametrize("seed", range(sample(4, 18)))
def test_bits_are_those_of_one_process(client, seed):
    one = case(seed, 9)
    measure = [*one.signals, *(f"mean({name})" for name in one.signals)]
    equal(swept(one, measure), swept(one, measure, cluster=client, batch=2))


def test_a_killed_worker_s_batches_are_made_again(client, tmp_path):
    one, mark = case(3, 24), str(tmp_path / "killed")
    workers = set(client.scheduler_info()["workers"])

    def deadly(result):
        """The last height; the first process that gets to the highest start is killed there."""
        if result["z"][0] == highest:
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return result["z"][-1]

    highest = float(one.over["z"].max())
    table = swept(
        one, {"z last": deadly, "most": "max(floor.force)"}, cluster=client, batch=2, keep=tmp_path / "k"
    )
    assert os.path.exists(mark) and table.success
    assert set(client.scheduler_info()["workers"]) != workers  # one of them is gone
    equal(swept(one, {"z last": deadly, "most": "max(floor.force)"}), table)
    parts = sorted((tmp_path / "k").glob("part-*.parquet"))
    assert len(parts) == 12
    frame = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "k").to_pydict()
    assert sorted(frame["run"]) == list(range(24))
    assert np.array_equal(np.array(frame["most"])[np.argsort(frame["run"])], table["most"])


def test_a_sweep_goes_on_here_that_was_begun_on_a_cluster(client, tmp_path):
    one = case(0, 9)
    table = swept(one, "energy", cluster=client, batch=2, keep=tmp_path / "k")
    for path in sorted((tmp_path / "k").glob("part-*"))[::2]:
        path.unlink()
    equal(table, swept(one, "energy", keep=tmp_path / "k"))


def test_runs_that_kill_every_worker_are_lost_and_tried_again_later(client, tmp_path):
    one, mark = case(3, 6), str(tmp_path / "safe")
    highest = float(one.over["z"].max())

    def deadly(result):
        if result["z"][0] == highest and not os.path.exists(mark):
            os.kill(os.getpid(), signal.SIGKILL)
        return result["z"][-1]

    table = swept(one, deadly, cluster=client, batch=1, keep=tmp_path / "k")
    assert set(table.status) == {"lost", "done"}  # Dask may blame runs beside it in the same worker too
    assert table.status[np.argmax(table["z"])] == "lost"
    assert np.array_equal(np.isnan(table["deadly"]), np.array(table.status) == "lost")
    open(mark, "w").close()
    again = swept(one, deadly, cluster=client, keep=tmp_path / "k")
    assert again.success
    equal(again, swept(one, deadly))


def test_mistakes_are_told_as_here(client):
    one = case(0, 3)
    with pytest.raises(hs.ModelError, match='no signal "nothing"'):
        swept(one, "nothing", cluster=client)
    with pytest.raises(hs.Error, match=r"cluster is a LocalCluster; expected a distributed\.Client"):
        swept(one, "energy", cluster=client.cluster)
