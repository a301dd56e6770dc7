"""A small game whose log has headings."""

PENNIES = """\
rulewright: 1
title: Pennies
players: 2
counters: {seat: {gold: 0}}
setup: {do: [log: The market opens.]}
phases:
  market:
    title: The market
    do:
      - each seat:
          - log: "{seat}['s|r] turn"
            heading: yes
          - choose number from 1 to 3 as amount: {ask: How much?}
          - if amount is more than 1:
              - log: "{seat} took {amount}."
"""
