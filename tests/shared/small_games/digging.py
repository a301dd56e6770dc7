"""A game for one, whose tools but for the first come to nothing, and say why in as many ways as there are."""

DIGGING = """\
rulewright: 1
title: Digging
players: 1
pieces:
  tool: {has: {use: 1 to 6}, starts in: shed, noun: "tool {use}"}
  ball: {has: {size: 1 to 3}, copies: 3, starts in: bag, noun: "ball of {size}"}
zones:
  shed: {holds: tool, seen by: all}
  bag: {holds: ball, seen by: nobody, pile: yes}
counters:
  seat: {money: 5}
setup: {do: [shuffle bag]}
phases:
  dig:
    do:
      - each seat:
          - repeat while money is less than 9: do dig
      - end game
    steps:
      dig:
        do:
          - choose up to 1 from shed as taken: {ask: Which tool?, none: Go home.}
          - if taken is empty: end game
          - log: "{seat} dug with the {taken}."
          - if taken's use is 1: add 1 to money
          - if taken's use is 2:
              - log: "{seat} broke the {taken} after {money} days."
          - if taken's use is 3:
              - log: "{seat} heard a ball of {total size of top 1 of bag}."
          - if taken's use is 4:
              - if total size of top 1 of bag is 3:
                  - log: "{seat} met rock."
                otherwise:
                  - log: "{seat} met sand."
          - if taken's use is 5:
              - if total size of top 1 of bag is more than 5: add 1 to money
              - log: "{seat} met water."
scoring:
  money: {points: money}
ranking: highest score
"""
