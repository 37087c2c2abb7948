from bridge.dashboard.followed import Unavailable
from bridge.dashboard.seen import Seen, seen
from bridge.domain.identity import RoundNumber
from tests.dashboard.moments import tell, two_crown_treasures
from tests.dashboard.test_followed import Follow, following


async def told() -> Follow:
    follow = Follow()
    tell(follow.table, (await two_crown_treasures()).said)
    return follow


async def test_a_table_that_nobody_vouches_for_shows_why() -> None:
    assert seen((await told()).table) is Unavailable.NO_BROKER


async def test_before_the_table_has_said_anything_there_is_nothing_to_show() -> None:
    async with following() as follow:
        follow.say_health("daemon", online=True)

        assert seen(follow.table) is Unavailable.NOTHING_SAID


async def test_a_table_that_speaks_is_shown_with_its_round_and_its_settlement() -> None:
    async with following() as follow:
        tell(follow.table, (await two_crown_treasures()).said)
        now = seen(follow.table)

        assert isinstance(now, Seen)
        assert now.round is not None
        assert now.settlement is not None
        assert [award.position for award in now.awards] == [4, 1]
        assert now.unanswered is None


async def test_without_a_rules_worker_nothing_is_shown_as_settled() -> None:
    async with following() as follow:
        tell(follow.table, (await two_crown_treasures()).said)
        follow.say_health("rules-worker", online=False)
        now = seen(follow.table)

        assert isinstance(now, Seen)
        assert (now.settlement, now.awards) == (None, ())
        assert now.unanswered is Unavailable.WORKER_GONE


async def test_cards_of_another_round_than_that_of_the_table_are_not_shown() -> None:
    async with following() as follow:
        tell(follow.table, (await two_crown_treasures()).said)
        view = follow.table.known.view
        assert view is not None
        follow.table.known.view = type(view)(
            **{name: getattr(view, name) for name in view.__slots__} | {"round_number": RoundNumber(2)}
        )
        now = seen(follow.table)

        assert isinstance(now, Seen)
        assert (now.round, now.settlement) == (None, None)
