"""The perft files of `tests/perft`: the counts hold in the core, and in the oracle as deep as it gets."""

from __future__ import annotations

import pytest

from tests.kit.amounts import COMPILED
from tests.perft.make import FOLDER, MOST, POSITIONS, path, read, written

EVERY_POSITION = pytest.mark.parametrize("name", POSITIONS)
DEEP = MOST if COMPILED else 3000


def test_the_files_are_the_positions_of_the_list() -> None:
    assert {file.stem for file in FOLDER.glob("*.toml")} == set(POSITIONS)


@EVERY_POSITION
def test_the_core_counts_as_many_sequences(name: str) -> None:
    position = read(path(name))
    counts = position.core_counts(DEEP)
    assert counts == [count for count in position.counts if count <= DEEP]
    assert counts


@pytest.mark.once  # the core has no part in it
@EVERY_POSITION
def test_the_oracle_counts_as_many_sequences(name: str) -> None:
    position = read(path(name))
    counts = position.oracle_counts()
    assert counts == list(position.counts[: len(counts)])


@EVERY_POSITION
def test_a_file_is_as_it_is_written(name: str) -> None:
    assert written(POSITIONS[name][0], read(path(name))) == path(name).read_text("utf-8")
