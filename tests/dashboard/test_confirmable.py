from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import pytest

from bridge.clock import SystemClock
from bridge.config import TableConfig
from bridge.contracts.author import Author
from bridge.contracts.envelopes import RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.dashboard.confirm_forms import FormKind, confirmation_of
from bridge.dashboard.confirmable import Confirmable, confirmable
from bridge.domain.awards import MAY, AwardStatus, PayoutAct
from bridge.domain.confirmations import OwnerDeclared, RoundVoided
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import PersonConfirmed
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, TableId
from bridge.domain.meters import Award, HeldContributions, MeterReading, NoLimit
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.people import PersonRole
from bridge.domain.settlements import Result, Settlement, UnpaidOdds, WagerOutcome
from bridge.domain.wagers import BettingPosition, UnknownAmount
from bridge.known_table import KnownTable
from bridge.table.disclosure import disclose_round
from bridge.table.evolve import evolve
from bridge.table.view import view
from tests.dashboard.saying import filled_in
from tests.one_process import demonstration
from tests.table.tables import ACTS, PROGRESSIVE, Play, setup
from tests.table.test_payouts import crown

CONFIG: Final[TableConfig] = replace(demonstration(), setup=setup())
NOTHING = MeterAmount(0)
READING: Final = MeterReading(
    progressive=ProgressiveId("royal-match"),
    exact=NOTHING,
    displayed=Cents(0),
    overflow=NOTHING,
    reserve=NOTHING,
    base_amount=Cents(0),
    reset_amount=Cents(0),
    limit=NoLimit.NO_LIMIT,
    in_meter=0,
    hits=0,
    wins=Cents(0),
    device_paid=Cents(0),
    attendant_paid=Cents(0),
    cumulative_paid=Cents(0),
    pending=(),
    held=HeldContributions(count=0, amount=NOTHING),
    records=0,
)


def known(play: Play) -> KnownTable:
    """Return what anybody may know of a table that is played."""
    author, found, state = Author("voice", SystemClock()), KnownTable(), play.state
    content = {"table": state.setup.table, "sequence": state.sequence}
    found.take(author.stamp(RoundEnvelope, **content, round=disclose_round(state.round)))
    if state.settled.decided:
        outcomes = tuple(
            WagerOutcome(
                position=one.position,
                kind=one.kind,
                amount=UnknownAmount.UNKNOWN,
                result=Result.WIN,
                outcome="royal_match",
                odds=UnpaidOdds.NONE,
                paid=Cents(2500),
                stake_returned=UnknownAmount.UNKNOWN,
            )
            for one in state.settled.decided
        )
        settlement = Settlement(table=state.setup.table, round_number=state.round.number, outcomes=outcomes)
        found.take(author.stamp(SettlementEnvelope, **content, settlement=settlement, awards=(), complete=False))
    found.take(author.stamp(TableEnvelope, **content, view=view(state)))
    return found


def offered(play: Play, role: PersonRole) -> Confirmable:
    return confirmable(known(play), CONFIG, role)


def ids(play: Play, role: PersonRole) -> tuple[list[str], list[str]]:
    found = offered(play, role)
    return [form.id for form in found.asked], [form.id for form in found.besides]


def award(acts_done: int) -> Play:
    """Return a Crown Treasure at position 1, with the first of its acts done."""
    play = crown(1)
    for act in ACTS[:acts_done]:
        play.sign(act, 1)
    return play


def fixed_odds() -> Play:
    return Play().dealt(1, cards="Ks 9d Qs 2c").settled(validation=[1], decided=[(1, PROGRESSIVE)])


def voided() -> Play:
    play = Play().wagers(1, 2).lock()
    return play.confirm(RoundVoided(round_number=play.state.round.number, reason="misdeal"))


MOMENTS: Mapping[str, Callable[[], Play]] = {
    "wagers are open": Play,
    "locked": lambda: Play().wagers(1, 2).lock(),
    "count differs": lambda: Play().wagers(1, 2).lock().key(DealerKey.COUNT_DIFFERS),
    "card unread": lambda: Play().dealt(2, cards="?? Kd Qs Qd"),
    "fixed odds": fixed_odds,
    "voided": voided,
    **{f"award, {done} acts done": partial(award, done) for done in range(len(ACTS) + 1)},
    **{reason.value: partial(Play().disable, reason) for reason in DisabledReason},
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("role", PersonRole)
def test_whatever_somebody_is_offered_the_table_takes(moment: str, role: PersonRole) -> None:
    play = MOMENTS[moment]()
    found = offered(play, role)
    for form in (*found.asked, *found.besides):
        said = confirmation_of(form.kind, filled_in(form), play.state.round.number)
        confirmed = PersonConfirmed(at=play.tick(), by=PersonId("ann"), role=role, confirmation=said)
        after = evolve(play.state, confirmed)

        assert after.irregularities == play.state.irregularities, form.id


def test_between_rounds_a_floorperson_says_who_plays_and_nobody_else_says_anything() -> None:
    play = Play()

    assert ids(play, PersonRole.FLOORPERSON) == ([], ["owner"])
    assert ids(play, PersonRole.PARAMETER_HOLDER) == ([], ["adjust"])
    for role in (PersonRole.DEALER, PersonRole.RESET_HOLDER, PersonRole.AUDITOR, PersonRole.NONE):
        assert ids(play, role) == ([], [])


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_auditor_is_never_offered_anything(moment: str) -> None:
    assert ids(MOMENTS[moment](), PersonRole.AUDITOR) == ([], [])


def test_633b_18_f_a_count_that_differs_is_for_a_floorperson() -> None:
    play = MOMENTS["count differs"]()

    assert ids(play, PersonRole.FLOORPERSON) == (["count"], ["amount", "owner", "void"])
    assert ids(play, PersonRole.DEALER) == ([], ["amount"])


def test_T51_an_unread_card_is_named_by_its_place() -> None:
    found = offered(MOMENTS["card unread"](), PersonRole.FLOORPERSON).asked

    assert [(form.id, form.detail) for form in found] == [("card-1", "Card 1 of the round")]
    assert [len(field.choices) for field in found[0].fields] == [13, 4]


@pytest.mark.parametrize(("place", "act"), list(enumerate(ACTS)))
def test_633b_18_h_each_act_of_an_award_is_asked_of_whoever_may_do_it(place: int, act: PayoutAct) -> None:
    play = award(place)
    for role in PersonRole:
        asked, besides = ids(play, role)
        assert (f"payout-{act}-1" in asked) is (role in MAY[act])
        may_reject = role is PersonRole.FLOORPERSON and act is not PayoutAct.RESET
        assert ("payout-rejected-1" in besides) is may_reject


def test_633b_18_h_3_a_payout_at_fixed_odds_is_validated_or_overridden_but_not_rejected() -> None:
    play = fixed_odds()
    asked, besides = ids(play, PersonRole.FLOORPERSON)

    assert asked == ["payout-validated-1"]
    assert besides == ["override", "owner", "void"]
    (override, *_) = offered(play, PersonRole.FLOORPERSON).besides
    assert override.fields[0].choices == (
        ("1:royal_match_progressive", "Position 1, Royal Match progressive: won 25.00"),
    )


def test_605a_7_a_6_a_changed_configuration_is_the_parameter_holders() -> None:
    play = Play().disable(DisabledReason.WRONG_CONFIGURATION).disable(DisabledReason.LOST_LINK)

    assert ids(play, PersonRole.PARAMETER_HOLDER)[0] == ["enable-wrong_configuration"]
    assert ids(play, PersonRole.FLOORPERSON)[0] == ["enable-lost_link"]


def test_R66_marked_vigorish_is_collected_at_each_position_that_owes_it() -> None:
    table = known(Play())
    assert table.view is not None
    table.view = replace(table.view, vigorish_owed=((BettingPosition(3), Cents(125)),))
    for role in (PersonRole.DEALER, PersonRole.FLOORPERSON):
        (form,) = confirmable(table, CONFIG, role).asked
        assert (form.id, form.title, form.detail) == ("vigorish-3", "Marked vigorish: 1.25", "Position 3")


def test_what_an_award_comes_to_is_said_beside_its_position() -> None:
    table = known(award(0))
    assert table.view is not None
    won = Award(
        progressive=ProgressiveId("royal-match"),
        table=table.view.table,
        round_number=table.view.round_number,
        position=BettingPosition(1),
        amount=Cents(5_000_375),
        among=1,
        win_number=1,
        meter_before=MeterAmount(500_037_500),
        status=AwardStatus.HIT,
    )
    reading = replace(READING, pending=(won, replace(won, table=TableId("another"))))
    table.meters[won.progressive] = reading

    assert confirmable(table, CONFIG, PersonRole.DEALER).asked[0].detail == "Position 1, 50,003.75"


def test_who_has_played_when_the_hole_card_is_up_cannot_be_changed() -> None:
    play = crown(1)
    said = OwnerDeclared(round_number=play.state.round.number, position=BettingPosition(1), owner=PersonId("ann"))
    before = Play().dealt(1, cards="Ks Qd Qs Kd").confirm(said)
    before.settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    (owner,) = (form for form in offered(before, PersonRole.FLOORPERSON).besides if form.kind is FormKind.OWNER)

    assert "1" not in dict(owner.fields[0].choices)


def test_nothing_is_offered_about_a_round_that_is_not_the_one_on_the_table() -> None:
    assert confirmable(KnownTable(), CONFIG, PersonRole.FLOORPERSON) == Confirmable()
    table = known(MOMENTS["locked"]())
    assert table.view is not None
    table.view = replace(table.view, round_number=RoundNumber(table.view.round_number + 1))

    assert confirmable(table, CONFIG, PersonRole.FLOORPERSON) == Confirmable()
