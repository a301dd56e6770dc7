"""The recipes for clusters say what the packages that they use understand."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
import yaml

from project_folders import SPEC

RECIPES = SPEC / "clusters"


def test_dask_has_the_commands_and_options_of_the_recipe_for_kubernetes() -> None:
    pytest.importorskip("distributed")
    from distributed.cli import dask_scheduler, dask_worker  # noqa: PLC0415 - an extra

    commands = {"worker": dask_worker.main, "scheduler": dask_scheduler.main}
    result = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text(encoding="utf-8"))
    for name, command in commands.items():
        (container,) = result["spec"][name]["spec"]["containers"]
        dask, call, *arguments = container["args"]
        assert (dask, call) == ("dask", name)
        known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
        assert {argument for argument in arguments if argument.startswith("--")} <= known


def test_kubernetes_recipe_has_the_shape_that_dask_makes() -> None:
    operator = pytest.importorskip("dask_kubernetes.operator")
    result = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text(encoding="utf-8"))
    outcome = operator.make_cluster_spec(name=result["metadata"]["name"], n_workers=1)
    assert _keys(result) <= _keys(outcome)
    assert result["spec"]["scheduler"]["service"] == outcome["spec"]["scheduler"]["service"]
    assert (result["apiVersion"], result["kind"]) == (outcome["apiVersion"], outcome["kind"])


def _keys(node: Any, path: str = "") -> set[str]:
    """Return the places of a name, except those that Kubernetes itself defines."""
    if isinstance(node, list):
        return set().union(*(_keys(inner, path) for inner in node))
    if not isinstance(node, dict) or path.endswith(("resources", "Probe")):
        return {path}
    return set().union(*(_keys(inner, f"{path}.{key}") for key, inner in node.items()))


def test_slurm_recipe_asks_for_what_it_says() -> None:
    jobqueue = pytest.importorskip("dask_jobqueue")
    job = runpy.run_path(str(RECIPES / "slurm.py"), run_name="recipe")["JOB"]
    with jobqueue.SLURMCluster(**job, scheduler_options={"host": "127.0.0.1", "dashboard": False}) as cluster:
        script = cluster.job_script()
        assert cluster.scheduler_address.startswith("tcp://127.0.0.1:")
    for line in ("#SBATCH -p short", "#SBATCH --cpus-per-task=16", "#SBATCH -t 04:00:00", "#SBATCH --nice=100"):
        assert line in script
    assert "--nthreads 1 " in script and "--nworkers 16 " in script
