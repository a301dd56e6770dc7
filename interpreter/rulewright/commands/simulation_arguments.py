"""Arguments of the commands that play many games."""

from __future__ import annotations

from rulewright.commands.argument_builder import Builder
from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import phrase

REWARDS = ("win", "rank", "score")
"""Repeated here from another module, so that it is loaded only where it is used; a test compares them."""


def simulations(builder: Builder) -> None:
    help_ = phrase("usage", "play many games, keep what happens")
    told = phrase(
        "usage",
        "Play many games of an edition, with every combination of options and values, and keep what happens as "
        "tables. The same command again goes on where it was stopped; with more games it adds to what is there.",
    )
    simulate = builder.add("simulate", help_, "simulate", told)
    of_edition = builder.text(phrase("usage", "an edition's name or file"))
    simulate.add_argument("edition", metavar=builder.typed("EDITION"), help=of_edition)
    out = phrase("usage", "where the tables go; else below '{folder}'", folder="simulations")
    simulate.add_argument("--out", metavar=builder.typed("FOLDER"), help=builder.text(out))
    processes = phrase("usage", "how many play; else one per processor")
    simulate.add_argument("--processes", metavar="N", type=simulate.number, help=builder.text(processes))
    cluster = phrase("usage", "play on a Dask cluster, by its scheduler's address")
    simulate.add_argument("--cluster", metavar=builder.typed("ADDRESS"), help=builder.text(cluster))

    played = phrase("usage", "count games that were played instead, by their saves: all of one table")
    simulate.add_argument("--played", metavar=builder.typed("FILE"), nargs="+", default=[], help=builder.text(played))

    help_ = phrase("usage", "tell a simulation's results")
    told = phrase("usage", "Tell the results of a simulation anew, in its folder's {page}.", page="report.html")
    report = builder.add("report", help_, "simulate", told)
    left = phrase("usage", "what '{command}' left", command="rulewright simulate")
    report.add_argument("folder", metavar=builder.typed("FOLDER"), help=builder.text(left))

    help_ = phrase("usage", "how simulations differ")
    told = phrase(
        "usage",
        "Tell how the games of several simulations differ, or of several values of an option, and how surely. The "
        "first is what the others are compared with. Editions are simulated for it, all with the same seeds.",
    )
    compare = builder.add("compare", help_, "simulate", told)
    names = phrase("usage", "results of simulations, or what to simulate")
    compare.add_argument("names", metavar=builder.typed("FOLDER|EDITION"), nargs="+", help=builder.text(names))
    page = phrase("usage", "a page with plots as well")
    compare.add_argument("--out", metavar=builder.typed("FILE"), help=builder.text(page))

    tune = _tune(builder)
    for parser in (simulate, compare):
        games = phrase("usage", "of each edition and setting; else 1000")
        parser.add_argument("--games", metavar="N", type=parser.number, help=builder.text(games))
        option = phrase(
            "usage",
            "an option, or a value that is a number; several are all tried; may be given several times",
        )
        several = builder.typed("NAME=VALUE,…")
        parser.add_argument("--option", metavar=several, action="append", default=[], help=builder.text(option))
    for parser in (simulate, compare, tune):
        seats = phrase(
            "usage", "clockwise: {kinds} (tries), or a virtual player's name", kinds="random, greedy, search-200"
        )
        parser.add_argument("--seats", metavar=builder.typed("LIST"), help=builder.text(seats))
        seed = phrase("usage", "the same seed plays the same games; else 1")
        parser.add_argument("--seed", metavar="N", type=parser.seed, help=builder.text(seed))
        quiet = phrase("usage", "do not tell how far it is")
        parser.add_argument("--quiet", action="store_true", help=builder.text(quiet))
    for parser in (simulate, report, compare, tune):
        builder.language(parser)


def _tune(builder: Builder) -> Parser:
    help_ = phrase("usage", "look for values that suit")
    told = phrase(
        "usage",
        "Look for values that bring a game nearer to goals. It plays many candidates on the same shuffles, checks "
        "the best on fresh ones, and writes them as a variant, with a page that shows the trade-offs. Where there "
        "are few combinations, all are tried. The same command goes on where it was stopped.",
    )
    tune = builder.add("tune", help_, "tune", told)
    tune.add_argument(
        "edition", metavar=builder.typed("EDITION"), help=builder.text(phrase("usage", "an edition's name or file"))
    )
    vary = phrase(
        "usage",
        "what to vary: {examples}. A name is that of a value or option, or says where a number stands: {place}. "
        "May be given several times",
        examples="'hand limit=6..14', 'goal=50..100 by 10', 'tokens=0,2,5', 'short game=yes,no'",
        place="'pieces.card.copies', 'tiles by seats.4'",
    )
    tune.add_argument(
        "--vary", metavar=builder.typed("NAME=VALUES"), action="append", default=[], help=builder.text(vary)
    )
    toward = phrase(
        "usage",
        "a goal: {examples}. {length} counts decisions. May be given several times; without one you get the list "
        "of all that can be a goal",
        examples="'spread of seat wins', 'length=45', 'rounds=8..10', 'lead changes=high', 'shared wins=at most 5'",
        length="length",
    )
    goal = builder.typed("GOAL")
    tune.add_argument("--toward", metavar=goal, action="append", default=[], help=builder.text(toward))
    games = phrase("usage", "of each candidate; else 2000")
    tune.add_argument("--games", metavar="N", type=tune.number, help=builder.text(games))
    trials = phrase("usage", "how many candidates are tried at most; else 60")
    tune.add_argument("--trials", metavar="N", type=tune.number, help=builder.text(trials))
    time = phrase("usage", "begin no further candidate after so long")
    tune.add_argument("--time", metavar=builder.typed("SECONDS"), type=tune.number, help=builder.text(time))
    players = phrase("usage", "so many players, all at random; else the usual number")
    tune.add_argument("--players", metavar="N", type=tune.number, help=builder.text(players))
    processes = phrase("usage", "how many play; else one per processor")
    tune.add_argument("--processes", metavar="N", type=tune.number, help=builder.text(processes))
    out = phrase("usage", "where the variant goes, and beside it the page; else EDITION-tuned.yaml")
    tune.add_argument("--out", metavar=builder.typed("FILE"), help=builder.text(out))
    over = phrase("usage", "write over a variant that is there")
    tune.add_argument("--overwrite", action="store_true", help=builder.text(over))
    return tune


def train(builder: Builder) -> None:
    help_ = phrase("usage", "train a player by playing")
    told = phrase(
        "usage",
        "Train a player of an edition by letting it play against itself, and keep what it has learned in a file. "
        "It sees what a seat sees, and nothing else.",
    )
    train = builder.add("train", help_, "train", told)
    of_edition = builder.text(phrase("usage", "an edition's name or file"))
    train.add_argument("edition", metavar=builder.typed("EDITION"), help=of_edition)
    seats = phrase("usage", "how many learn; virtual players that must join them do so, and play at random")
    train.add_argument("--seats", metavar="N", type=train.number, help=builder.text(seats))
    option = phrase("usage", "a variant; may be given several times")
    several = builder.typed("NAME=VALUE")
    train.add_argument("--option", metavar=several, action="append", default=[], help=builder.text(option))
    reward = phrase("usage", "what it plays for: to win, for its place, or for points")
    among = "{" + ",".join(REWARDS) + "}"
    kind = train.one_of("--reward", REWARDS)
    train.add_argument("--reward", metavar=among, type=kind, default=REWARDS[0], help=builder.text(reward))
    decisions = phrase("usage", "how many it learns from; else two million")
    train.add_argument("--decisions", metavar="N", type=train.number, help=builder.text(decisions))
    seed = phrase("usage", "the same seed trains the same player; else 1")
    train.add_argument("--seed", metavar="N", type=train.seed, help=builder.text(seed))
    out = phrase("usage", "where it goes; else a file named as the edition, here")
    train.add_argument("--out", metavar=builder.typed("FILE.safetensors"), help=builder.text(out))
    resume = phrase("usage", "go on with a training that was stopped")
    train.add_argument("--resume", action="store_true", help=builder.text(resume))
    quiet = phrase("usage", "do not tell how far it is")
    train.add_argument("--quiet", action="store_true", help=builder.text(quiet))
    builder.language(train)
