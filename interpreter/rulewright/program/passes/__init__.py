"""Optimization passes over the blocks of a program, before they are run.

    blocks ──block_merging, block_specialization──▶ few, long ones ──all other passes──▶ less work

`decision_pipeline` and `rollout_pipeline` have the order, for games that stop at decisions and for rollouts.
"""
