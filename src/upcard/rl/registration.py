"""The environments of Gymnasium by their ids: `upcard/`, the name of the game, and `-v1`."""

from __future__ import annotations

__all__ = ["register"]

from upcard.games import GAMES

NAMESPACE = "upcard"


def register() -> None:
    """Register the environments with Gymnasium; none of them is loaded before it is needed."""
    from gymnasium.envs import registration

    for game in GAMES:
        name = f"{NAMESPACE}/{game.capitalize()}-v1"
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="upcard.rl.gym:TableEnv",
                vector_entry_point="upcard.rl.gym:TablesEnv",
                kwargs={"game": game},
                order_enforce=True,
            )
