"""What makes the blocks of a program shorter, and what it does less often, before they are run.

    blocks ──joining, foreseeing──▶ few, long ones ──pruning, unrolling, registers, sinking, beginning──▶ less to do

`asking` and `rollout` say what comes after what, for games that stop at decisions and for those that are played out.
"""
