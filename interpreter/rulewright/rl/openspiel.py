"""OpenSpiel games: every edition as one.

    from rulewright.rl import openspiel
    game = openspiel.game("my-game.yaml", reward="score", zero_sum=True)

Where chance has few outcomes, OpenSpiel gets all of them with their probabilities; else a sample of them with equal
probabilities. A seat's information state is all that it has observed and done.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyspiel

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.rl.chance import MAX_LISTED, has_chance
from rulewright.rl.environment_spec import Arena
from rulewright.rl.game_tree import GameNode, can_list_chance

NAME = "rulewright"
"""Short name under which OpenSpiel loads the game."""
CHANCES = ("auto", "listed", "sampled")
"""Values of the parameter `chance`: `listed` has chance nodes with all outcomes, `sampled` with a number of samples;
`auto` lists them where it can."""
PARAMETERS: dict[str, Any] = {
    "edition": "",
    "players": 0,
    "options": "",
    "reward": "win",
    "chance": "auto",
    "zero_sum": False,
    "least": -1000.0,
    "most": 1000.0,
    "recall": 16,
    "samples": 1000,
    "seed": 0,
}
"""Parameters of the game, with their defaults, from which OpenSpiel takes their types."""

_ENDING_PARAMETERS = re.compile(r"[%,=()\s]")
"""Characters that would end a parameter in OpenSpiel's own text form."""
_Mode = pyspiel.GameType.ChanceMode


def _game_type(mode: Any, information: Any, utility: Any, players: tuple[int, int]) -> Any:
    """Return the description of a game for OpenSpiel."""
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Rulewright",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=mode,
        information=information,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


@lru_cache(maxsize=64)
def _cached_arena(edition: str, players: int, options: str, reward: str) -> Arena:
    return Arena(edition, players or None, _options(options), reward)


def _options(text: str) -> dict[str, str]:
    """Return choices of options written as 'board: large; clock: no'. Raises RulewrightError."""
    choices: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, colon, choice = (word.strip() for word in part.partition(":"))
        if not colon or name in choices:
            message = phrase("errors", "Options are written 'name: choice; name: choice', not '{given}'.", given=part)
            raise RulewrightError(message)
        choices[name] = choice
    return choices


@lru_cache(maxsize=64)
def _is_listed(arena: Arena, chance: str) -> bool:
    """Return whether OpenSpiel gets all chance outcomes. Raises RulewrightError for an unknown kind of chance."""
    if chance not in CHANCES:
        slots = {"name": chance, "known": ", ".join(CHANCES)}
        raise RulewrightError(phrase("errors", "There is no kind of chance '{name}'. Kinds: {known}.", **slots))
    return can_list_chance(arena) if chance == "auto" else chance == "listed"


class EditionGame(pyspiel.Game):
    """An edition, as OpenSpiel loads it by the name `rulewright` with its parameters; see `game`. certain: without
    chance; recall: number of observations that a seat remembers; listed: chance nodes have all outcomes; samples:
    number of outcomes that they have else; seed: of these."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = {**PARAMETERS, **(params or {})}
        edition, options = unquote(parameters["edition"]), unquote(parameters["options"])
        self.arena = _cached_arena(edition, parameters["players"], options, parameters["reward"])
        self.certain, self.recall = not has_chance(self.arena), max(1, parameters["recall"])
        self.listed = self.certain or _is_listed(self.arena, parameters["chance"])
        self.samples, self.seed = max(1, parameters["samples"]), parameters["seed"]
        program, players = self.arena.program, len(self.arena.agents)
        scored, whole = parameters["reward"] == "score", players == len(self.arena.names)
        zero_sum = parameters["zero_sum"] if scored else whole and not program.unscored_roles
        utility = pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM
        open_ = all(space.seen_by == "all" for space in program.layout.zones) and not program.sealed
        kinds = pyspiel.GameType.Information
        information = kinds.PERFECT_INFORMATION if open_ else kinds.IMPERFECT_INFORMATION
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.arena.actions),
            max_chance_outcomes=0 if self.certain else MAX_LISTED if self.listed else self.samples,
            num_players=players,
            min_utility=parameters["least"] if scored else -1.0,
            max_utility=parameters["most"] if scored else 1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=program.limit.answers,
        )
        mode = _Mode.DETERMINISTIC if self.certain else _Mode.EXPLICIT_STOCHASTIC
        super().__init__(_game_type(mode, information, utility, (players, players)), info, params or {})

    def new_initial_state(self) -> EditionState:
        return EditionState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> EditionObserver:
        """Return an observer of states; with perfect recall, of the whole history."""
        recalling = iig_obs_type is not None and iig_obs_type.perfect_recall
        return EditionObserver(self.arena, self.recall if recalling else 0)

    @cached_property
    def root(self) -> GameNode:
        """First node of all games; if the outcomes of its chance are listed and there is but one, the node after
        that. Raises TooManyOutcomes."""
        first = GameNode(self.arena, self.listed)
        return first if not self.listed or len(first.outcomes) > 1 else first.after_outcome(0)


class EditionState(pyspiel.State):
    """State of an OpenSpiel game: a node of the game tree."""

    def __init__(self, game: EditionGame, node: GameNode | None = None) -> None:
        super().__init__(game)
        self.node = node or game.root

    def current_player(self) -> int:
        """Return the agent that acts, of several the one in the lowest seat; or OpenSpiel's numbers for chance and for
        the end."""
        node = self.node
        if node.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        assert node.position is not None
        decisions = node.position.decisions
        return node.arena.agents.index(min(decisions)) if decisions else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        assert self.node.position is not None
        return self.node.position.possible(self.node.arena.agents[player])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if not self.node.listed:
            samples = self.get_game().samples
            return [(number, 1 / samples) for number in range(samples)]
        return [(number, float(found.odds)) for number, found in enumerate(self.node.outcomes)]

    def _apply_action(self, action: int) -> None:
        node = self.node
        if not node.is_chance:
            self.node = node.act(action)
        elif node.listed:
            self.node = node.after_outcome(action)
        else:
            self.node = node.after_sample(action, self.get_game().seed)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return self.node.arena.actions.names[action]

    def returns(self) -> list[float]:
        position = self.node.position
        return list(position.rewards()) if position is not None else [0.0] * len(self.node.arena.agents)

    def resample_from_infostate(self, player: int, sampler: Any) -> EditionState:
        """Return a state that the player to move cannot tell from this one. sampler: returns numbers from 0 to 1."""
        other: EditionState = self.clone()
        other.node = self.node.resample(self.node.arena.agents[player], sampler)
        return other

    def __str__(self) -> str:
        return " ; ".join(f"{seat}: {'  '.join(self.node.history(seat))}" for seat in self.node.arena.agents)


class EditionObserver:
    """Observer of a player's states. recall: number of observations in the tensor, 0 for the last alone.

    tensor: of the state last given to `set_from`; dict: the same by name.
    """

    def __init__(self, arena: Arena, recall: int) -> None:
        self._arena, self._recall = arena, recall
        self._size = len(arena.observations)
        self.tensor = np.zeros(self._size * max(1, recall), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: EditionState, player: int) -> None:
        self.tensor.fill(0)
        node, seat = state.node, self._arena.agents[player]
        if self._recall:
            for place, vector in enumerate(node.vectors(seat, self._recall)):
                self.tensor[place * self._size : (place + 1) * self._size] = vector
        elif node.position is not None:
            self.tensor[:] = node.position.vector(seat)

    def string_from(self, state: EditionState, player: int) -> str:
        history = state.node.history(self._arena.agents[player])
        if self._recall:
            return f"player {player}: " + "  ".join(history)
        now = next((one for one in reversed(history) if one.startswith("#")), "")
        return f"player {player}: {now}"


def game(edition: str, players: int = 0, **parameters: Any) -> EditionGame:
    """Load an edition as a game of OpenSpiel.

    edition: its name or path; players: their number, 0 for the usual one; options: choices of the edition's options, as
    in 'board: large; clock: no'; reward: 'win', 'rank' or 'score'; zero_sum: whether the points of a game always sum to
    0; least, most: bounds of points; chance: 'listed' with all outcomes, 'sampled', or 'auto'; recall: number of last
    observations in an information state's tensor; samples: number of sampled chance outcomes, where not all are listed;
    seed: of these. Raises what Arena raises.
    """
    texts = {"edition": edition, "options": str(parameters.pop("options", ""))}
    escaped = {name: _escaped(text) for name, text in texts.items()}
    edition_game: EditionGame = pyspiel.load_game(NAME, {"players": players, **parameters, **escaped})
    return edition_game


def _escaped(text: str) -> str:
    """Escape a text for a parameter in a game's name: percent codes stand for what ends a parameter there.

    A text that OpenSpiel would take for a number or a bool has its first letter escaped.
    """
    escaped = _ENDING_PARAMETERS.sub(lambda sign: f"%{ord(sign[0]):02X}", text)
    if escaped and pyspiel.game_parameters_from_string(f"{NAME}(text={escaped})").get("text") != escaped:
        return f"%{ord(escaped[0]):02X}{escaped[1:]}"
    return escaped


pyspiel.register_game(
    _game_type(
        _Mode.EXPLICIT_STOCHASTIC,
        pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        pyspiel.GameType.Utility.GENERAL_SUM,
        (1, 20),
    ),
    EditionGame,
)
