"""Plays a simulation on a SLURM cluster: `python slurm.py wild-cards/2022 --games 10000000 --out run`.

Run it where jobs can be submitted; it waits for the first workers, and ends them all afterwards. Set below what your
cluster calls its queue, and how much of a node a job gets.
"""

from __future__ import annotations

import subprocess
import sys

from dask_jobqueue import SLURMCluster

JOBS = 8
JOB = {
    "queue": "short",
    "cores": 16,  # of each job, with one process for each
    "processes": 16,
    "memory": "16GB",
    "walltime": "04:00:00",
    "log_directory": "logs",
    "job_extra_directives": ["--nice=100"],
}


def main() -> None:
    with SLURMCluster(**JOB) as cluster:
        cluster.scale(jobs=JOBS)
        cluster.wait_for_workers(1)
        command = [sys.executable, "-m", "rulewright", "simulate", *sys.argv[1:]]
        sys.exit(subprocess.run([*command, "--cluster", cluster.scheduler_address], check=False).returncode)


if __name__ == "__main__":
    main()
