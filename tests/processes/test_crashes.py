"""SIGKILL in the middle of the Crown Treasure: nothing is lost, nothing is paid twice, locked stays locked.

Every boundary of the scenario takes minutes: ``python -m tests.processes.campaign`` does that. Here one run has
many deaths, each at another kind of event, in the order in which a round brings them.
"""

import asyncio
from pathlib import Path

import pytest

from bridge.domain.meters import PostingReason
from bridge.domain.money import MeterAmount
from tests.brokers import running_mosquitto
from tests.processes.books import faces
from tests.processes.crashes import Death, Played, Victim, check, play
from tests.processes.mortal import Moment
from tests.processes.table import scenario

WRITTEN, PERFORMED = Moment.WRITTEN, Moment.PERFORMED
RECEIVED, POSTED, ANSWERED = Moment.RECEIVED, Moment.POSTED, Moment.ANSWERED
SCRIPTS = scenario("crown_treasure")

DEATHS: dict[str, tuple[Victim, tuple[Death, ...]]] = {
    "daemon, nothing done about the last record": (
        "daemon",
        (
            (WRITTEN, "wager_placed"),
            (WRITTEN, "lock_out_pressed"),
            (WRITTEN, "card_drawn"),
            (WRITTEN, "round_settled"),
            (WRITTEN, "person_confirmed"),
            (WRITTEN, "dealer_key_pressed"),
        ),
    ),
    "daemon, all done about the last record": (
        "daemon",
        (
            (PERFORMED, "bridge_started"),
            (PERFORMED, "lock_out_pressed"),
            (PERFORMED, "dealer_key_pressed"),
            (PERFORMED, "card_drawn"),
            (PERFORMED, "indicator_requested"),
            (PERFORMED, "person_confirmed"),
        ),
    ),
    "worker": (
        "rules-worker",
        (
            (POSTED, "2"),
            (RECEIVED, "3"),
            (POSTED, "3"),
            (ANSWERED, "4"),
            (POSTED, "2"),
            (POSTED, "2"),
            (ANSWERED, "2"),
        ),
    ),
}


async def played(directory: Path, victim: Victim = "daemon", deaths: tuple[Death, ...] = ()) -> Played:
    async with running_mosquitto() as broker:
        return await play(directory, broker, SCRIPTS, victim=victim, deaths=deaths)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """What the scenario comes to when nobody dies."""
    return asyncio.run(played(tmp_path_factory.mktemp("reference")))


def test_633b_18_i_the_crown_treasure_is_paid_once_and_the_meter_reseeded_once(reference: Played) -> None:
    run = reference

    assert [(posting.reason, posting.amount) for posting in run.books.postings] == [
        (PostingReason.SEED, MeterAmount.of_cents(50_000_00)),
        (PostingReason.CONTRIBUTION, MeterAmount.of_cents(75)),
        (PostingReason.AWARD, -MeterAmount.of_cents(50_000_75)),
        (PostingReason.RESEED, MeterAmount.of_cents(50_000_00)),
        (PostingReason.CONTRIBUTION, MeterAmount.of_cents(75)),
    ]
    assert [faces(round_) for round_ in run.books.closed] == [
        list(script.initial_deal((script.blackjack[0],))) for script in SCRIPTS
    ]
    assert run.published > 20


@pytest.mark.parametrize("which", DEATHS)
async def test_T53_T54_killed_again_and_again_it_comes_to_the_same(
    tmp_path: Path, reference: Played, which: str
) -> None:
    victim, deaths = DEATHS[which]

    run = await played(tmp_path, victim, deaths)

    assert [(crash.moment, crash.when) for crash in run.crashes] == list(deaths)
    check(run, reference)
