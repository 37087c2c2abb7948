from collections.abc import Mapping
from http import HTTPStatus

from bridge.dashboard import confirm_words
from bridge.dashboard.confirm_panel import Answer, Verdict, mark, panel
from bridge.dashboard.sessions import Session
from bridge.domain.confirmations import CountResolved
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole
from bridge.people.credentials import Admitted
from tests.dashboard.people import tell
from tests.dashboard.test_followed import following
from tests.demo.moments import Moment
from tests.processes.table import scenario

AT = TableId("bj-demo")


def session(roles: Mapping[TableId, PersonRole]) -> Session:
    who = Admitted(person=PersonId("ann"), secret="")
    return Session(key="k", form_key="f", who=who, roles=roles, began_us=0)


def counted_wrongly() -> Moment:
    moment = Moment(scenario("crown_treasure")[0])
    moment.lock_out()
    moment.key(DealerKey.COUNT_DIFFERS)
    return moment


async def test_what_is_asked_comes_first_and_every_form_is_known_again_by_its_token() -> None:
    async with following() as follow:
        tell(follow.table, counted_wrongly().play.state)
        shown = panel(follow.table, session({AT: PersonRole.FLOORPERSON}))
        again = panel(follow.table, session({AT: PersonRole.FLOORPERSON}))

    assert [one.form.id for one in shown.asked] == ["count"]
    assert "void" in [one.form.id for one in shown.besides]
    tokens = [one.token for panel_ in (shown, again) for one in (*panel_.asked, *panel_.besides)]
    assert len(set(tokens)) == len(tokens)
    assert (shown.notice, shown.unavailable) == ("", False)


async def test_nothing_is_offered_while_nobody_vouches_for_the_table() -> None:
    async with following() as follow:
        tell(follow.table, counted_wrongly().play.state)
        follow.table.lose()
        shown = panel(follow.table, session({AT: PersonRole.FLOORPERSON}))

    assert (shown.asked, shown.besides) == ((), ())
    assert shown.unavailable


async def test_whoever_has_nothing_to_say_is_told_so() -> None:
    async with following() as follow:
        tell(follow.table, counted_wrongly().play.state)

        def notice(roles: Mapping[TableId, PersonRole]) -> str:
            return panel(follow.table, session(roles)).notice

        assert notice({AT: PersonRole.AUDITOR}) == confirm_words.NOTHING_EVER
        assert notice({AT: PersonRole.RESET_HOLDER}) == confirm_words.NOTHING
        assert notice({TableId("bj-2"): PersonRole.FLOORPERSON}) == confirm_words.NOT_HERE


async def test_a_form_that_has_to_be_corrected_keeps_what_was_filled_in() -> None:
    answer = Answer(
        verdict=Verdict.NOT_SENT,
        words=confirm_words.PLEASE,
        status=HTTPStatus.UNPROCESSABLE_ENTITY,
        form="count",
        given={"reason": ""},
        faults={"reason": confirm_words.MISSING},
    )
    async with following() as follow:
        tell(follow.table, counted_wrongly().play.state)
        shown = panel(follow.table, session({AT: PersonRole.FLOORPERSON}), answer)

    assert shown.asked[0].faults == answer.faults
    assert all(not one.faults for one in shown.besides)


async def test_a_page_is_told_when_what_may_be_confirmed_has_changed_and_only_then() -> None:
    async with following() as follow:
        silent = mark(follow.table)
        moment = counted_wrongly()
        tell(follow.table, moment.play.state)
        differs = mark(follow.table)
        tell(follow.table, moment.play.state)
        assert mark(follow.table) == differs

        number = moment.play.state.round.number
        moment.play.confirm(CountResolved(round_number=number, reason="recounted"))
        tell(follow.table, moment.play.state)

        assert len({silent, differs, mark(follow.table)}) == 3
