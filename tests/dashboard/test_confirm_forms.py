from typing import get_args

import pytest

from bridge.dashboard import confirm_words
from bridge.dashboard.confirm_forms import Form, FormFault, FormKind, confirmation_of
from bridge.domain.confirmations import AmountDeclared, Confirmation, MeterAdjusted, ResultOverridden
from bridge.domain.money import Cents, MeterAmount
from tests.dashboard.saying import SAID, SEVEN

GIVEN = {kind: said for kind, said, _ in SAID}


@pytest.mark.parametrize(("kind", "said", "expected"), SAID)
def test_a_form_that_is_filled_in_says_one_thing(
    kind: FormKind, said: dict[str, str], expected: Confirmation
) -> None:
    assert confirmation_of(kind, said, SEVEN) == expected


def test_everything_that_can_be_confirmed_has_a_form() -> None:
    assert {type(said) for _, _, said in SAID} == set(get_args(Confirmation))
    assert {kind for kind, _, _ in SAID} == set(FormKind)


@pytest.mark.parametrize("kind", FormKind)
def test_a_form_that_is_empty_says_nothing_and_what_to_fill_in(kind: FormKind) -> None:
    with pytest.raises(FormFault) as empty:
        confirmation_of(kind, {}, SEVEN)

    assert set(empty.value.faults.values()) == {confirm_words.MISSING}
    assert set(empty.value.faults) <= set(GIVEN[kind]) | {"reason"}


@pytest.mark.parametrize("amount", ["12.345", "1e3", "-1", "ten", "1,25", "1.", "٣", "9" * 10, "12 50"])
def test_what_is_no_amount_is_not_guessed(amount: str) -> None:
    with pytest.raises(FormFault) as wrong:
        confirmation_of(FormKind.AMOUNT, {**GIVEN[FormKind.AMOUNT], "amount": amount}, SEVEN)

    assert wrong.value.faults == {"amount": confirm_words.NOT_AN_AMOUNT}


@pytest.mark.parametrize(
    ("amount", "cents"), [("1", 100), ("0.05", 5), ("1.5", 150), ("12,345.67", 1_234_567), (" $2.00 ", 200)]
)
def test_an_amount_is_read_as_people_write_it(amount: str, cents: int) -> None:
    said = confirmation_of(FormKind.AMOUNT, {**GIVEN[FormKind.AMOUNT], "amount": amount}, SEVEN)

    assert isinstance(said, AmountDeclared)
    assert said.amount == Cents(cents)


@pytest.mark.parametrize(("amount", "units"), [("-0.0001", -1), ("5", 50_000), ("-1,000.25", -10_002_500)])
def test_a_meter_is_changed_to_a_hundredth_of_a_cent(amount: str, units: int) -> None:
    said = confirmation_of(FormKind.ADJUST, {**GIVEN[FormKind.ADJUST], "amount": amount}, SEVEN)

    assert isinstance(said, MeterAdjusted)
    assert said.amount == MeterAmount(units)


def test_a_change_of_a_meter_that_is_too_fine_is_refused() -> None:
    with pytest.raises(FormFault, match="at most four decimals"):
        confirmation_of(FormKind.ADJUST, {**GIVEN[FormKind.ADJUST], "amount": "0.00001"}, SEVEN)


def test_T50_what_a_lost_wager_is_paid_need_not_be_filled_in() -> None:
    said = {**GIVEN[FormKind.OVERRIDE], "result": "lose", "paid": "", "stake": ""}
    override = confirmation_of(FormKind.OVERRIDE, said, SEVEN)

    assert isinstance(override, ResultOverridden)
    assert (override.paid, override.stake_returned) == (0, 0)


@pytest.mark.parametrize("wager", ["blackjack", "3:", "3:poker", "x:blackjack", "-1:blackjack", "3:blackjack:1"])
def test_a_choice_that_was_not_offered_is_refused(wager: str) -> None:
    with pytest.raises(FormFault) as wrong:
        confirmation_of(FormKind.AMOUNT, {**GIVEN[FormKind.AMOUNT], "wager": wager}, SEVEN)

    assert wrong.value.faults == {"wager": confirm_words.NOT_OFFERED}


def test_T52_only_a_rejection_needs_a_reason() -> None:
    assert (
        confirmation_of(FormKind.PAYOUT, {"act": "validated", "position": "3"}, SEVEN).kind == "payout_signed_off"
    )
    with pytest.raises(FormFault) as rejected:
        confirmation_of(FormKind.PAYOUT, {"act": "rejected", "position": "3", "reason": "  "}, SEVEN)

    assert rejected.value.faults == {"reason": confirm_words.MISSING}


def test_a_name_is_no_longer_than_a_topic_takes_it() -> None:
    with pytest.raises(FormFault, match="at most 64 characters"):
        confirmation_of(FormKind.OWNER, {"position": "3", "owner": "x" * 65}, SEVEN)


def test_forms_of_one_kind_are_told_apart_by_what_they_are_about() -> None:
    fixed = (("act", "paid"), ("position", "3"))

    assert Form(kind=FormKind.PAYOUT, title="", button="", fixed=fixed).id == "payout-paid-3"
