"""Arguments of the commands that play many games."""

from __future__ import annotations

from rulewright.commands.argument_builder import Builder
from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import phrase

REWARDS = ("win", "rank", "score")
"""Repeated here from another module, so that it is loaded only where it is used; a test compares them."""


def simulations(builder: Builder) -> None:
    """Add the commands that simulate games and evaluate them."""
    help_ = phrase("usage", "play many games, keep what happens")
    description = phrase(
        "usage",
        "Play many games of an edition, with every combination of options and values, and keep what happens as "
        "tables. The same command again goes on where it was stopped; with more games it adds to what is there.",
    )
    simulate = builder.add("simulate", help_, "simulate", description)
    simulate.argument("edition", phrase("usage", "an edition's name or file"), "EDITION")
    out = phrase("usage", "where the tables go; else below '{folder}'", folder="simulations")
    simulate.argument("--out", out, "FOLDER")
    processes = phrase("usage", "how many play; else one per processor")
    simulate.argument("--processes", processes, "N", type=simulate.number)
    simulate.argument("--cluster", phrase("usage", "play on a Dask cluster, by its scheduler's address"), "ADDRESS")
    played = phrase("usage", "count games that were played instead, by their saves: all of one table")
    simulate.argument("--played", played, "FILE", nargs="+", default=[])

    insight = phrase("usage", "play for so many minutes, and tell what players that think show, without tables")
    simulate.argument("--insight", insight, "MINUTES", type=simulate.positive)

    help_ = phrase("usage", "tell a simulation's results")
    description = phrase("usage", "Tell the results of a simulation anew, in its folder's {page}.", page="report.html")
    report = builder.add("report", help_, "simulate", description)
    report.argument("folder", phrase("usage", "what '{command}' left", command="rulewright simulate"), "FOLDER")

    help_ = phrase("usage", "how simulations differ")
    description = phrase(
        "usage",
        "Tell how the games of several simulations differ, or of several values of an option, and how surely. The "
        "first is what the others are compared with. Editions are simulated for it, all with the same seeds.",
    )
    compare = builder.add("compare", help_, "simulate", description)
    names = phrase("usage", "results of simulations, or what to simulate")
    compare.argument("names", names, "FOLDER|EDITION", nargs="+")
    compare.argument("--out", phrase("usage", "a page with plots as well"), "FILE")

    tune = _tune(builder)
    for parser in (simulate, compare):
        parser.argument("--games", phrase("usage", "of each edition and setting; else 1000"), "N", type=parser.number)
        option = phrase(
            "usage",
            "an option, or a value that is a number; several are all tried; may be given several times",
        )
        parser.argument("--option", option, "NAME=VALUE,…", action="append")
    for parser in (simulate, compare, tune):
        seats = phrase(
            "usage", "clockwise: {kinds} (tries), or a virtual player's name", kinds="random, greedy, search-200"
        )
        parser.argument("--seats", seats, "LIST")
        parser.argument("--seed", phrase("usage", "the same seed plays the same games; else 1"), "N", type=parser.seed)
        parser.argument("--quiet", phrase("usage", "do not tell how far it is"))
    for parser in (simulate, report, compare, tune):
        builder.add_language_option(parser)


def _tune(builder: Builder) -> Parser:
    """Add the command 'tune'; return its parser."""
    help_ = phrase("usage", "look for values that suit")
    description = phrase(
        "usage",
        "Look for values that bring a game nearer to goals. It plays many candidates on the same shuffles, checks "
        "the best on fresh ones, and writes them as a variant, with a page that shows the trade-offs. Where there "
        "are few combinations, all are tried. The same command goes on where it was stopped.",
    )
    tune = builder.add("tune", help_, "tune", description)
    tune.argument("edition", phrase("usage", "an edition's name or file"), "EDITION")
    vary = phrase(
        "usage",
        "what to vary: {examples}. A name is that of a value or option, or says where a number stands: {place}. "
        "May be given several times",
        examples="'hand limit=6..14', 'goal=50..100 by 10', 'tokens=0,2,5', 'short game=yes,no'",
        place="'pieces.card.copies', 'tiles by seats.4'",
    )
    tune.argument("--vary", vary, "NAME=VALUES", action="append")
    toward = phrase(
        "usage",
        "a goal: {examples}. {length} counts decisions. May be given several times; without one you get the list "
        "of all that can be a goal",
        examples="'spread of seat wins', 'length=45', 'rounds=8..10', 'lead changes=high', 'shared wins=at most 5'",
        length="length",
    )
    tune.argument("--toward", toward, "GOAL", action="append")
    tune.argument("--games", phrase("usage", "of each candidate; else 2000"), "N", type=tune.number)
    tune.argument("--trials", phrase("usage", "how many candidates are tried at most; else 60"), "N", type=tune.number)
    tune.argument("--time", phrase("usage", "begin no further candidate after so long"), "SECONDS", type=tune.number)
    players = phrase("usage", "so many players, all at random; else the usual number")
    tune.argument("--players", players, "N", type=tune.number)
    tune.argument("--processes", phrase("usage", "how many play; else one per processor"), "N", type=tune.number)
    out = phrase("usage", "where the variant goes, and beside it the page; else EDITION-tuned.yaml")
    tune.argument("--out", out, "FILE")
    tune.argument("--overwrite", phrase("usage", "write over a variant that is there"))
    return tune


def train(builder: Builder) -> None:
    """Add the command 'train'."""
    help_ = phrase("usage", "train a player by playing")
    description = phrase(
        "usage",
        "Train a player of an edition by letting it play against itself, and keep what it has learned in a file. "
        "It sees what a seat sees, and nothing else.",
    )
    train = builder.add("train", help_, "train", description)
    train.argument("edition", phrase("usage", "an edition's name or file"), "EDITION")
    seats = phrase("usage", "how many learn; virtual players that must join them do so, and play at random")
    train.argument("--seats", seats, "N", type=train.number)
    train.argument("--option", phrase("usage", "a variant; may be given several times"), "NAME=VALUE", action="append")
    reward = phrase("usage", "what it plays for: to win, for its place, or for points")
    train.choice("--reward", reward, REWARDS, REWARDS[0])
    train.argument("--decisions", phrase("usage", "how many it learns from; else two million"), "N", type=train.number)
    minutes = phrase("usage", "how long it learns what positions are worth; search then plays by that, without a file")
    train.argument("--minutes", minutes, "N", type=train.number)
    train.argument("--seed", phrase("usage", "the same seed trains the same player; else 1"), "N", type=train.seed)
    out = phrase("usage", "where it goes; else a file named as the edition, here")
    train.argument("--out", out, "FILE.safetensors")
    train.argument("--resume", phrase("usage", "go on with a training that was stopped"))
    train.argument("--quiet", phrase("usage", "do not tell how far it is"))
    builder.add_language_option(train)
