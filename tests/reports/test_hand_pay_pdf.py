"""The slip on paper: one sheet, with everything the cage and an auditor ask for."""

from dataclasses import replace

import pytest

from bridge.domain.awards import AwardStatus, PayoutAct
from bridge.domain.hand_pay import HandPaySlip
from bridge.domain.identity import PersonId
from bridge.domain.rounds import SignOff
from bridge.reports.formats import Paper
from bridge.reports.hand_pay_pdf import hand_pay_pdf
from tests.reports.days import PlayedDays
from tests.reports.sheets import sheets
from tests.reports.test_hand_pay import CROWN_TREASURE, TWO_CROWN_TREASURES, slip


def signed(of: HandPaySlip, status: AwardStatus, *acts: PayoutAct, reason: str = "") -> HandPaySlip:
    made = (
        SignOff(position=of.position, act=act, by=PersonId("floor-1"), at=of.hit.at, reason=reason) for act in acts
    )
    return replace(of, status=status, acts=tuple(made))


@pytest.mark.parametrize("paper", Paper)
def test_465a_26_the_slip_is_one_sheet_with_every_figure(blackjack: PlayedDays, paper: Paper) -> None:
    of = slip(blackjack, TWO_CROWN_TREASURES, 1)
    (told,) = sheets(hand_pay_pdf(of, paper))

    for figure in (
        "Not paid from the table inventory",
        "$25,001.87",
        "Twenty-five thousand one and 87/100 dollars",
        f"round {of.round_number}",
        "K♥ Q♥",
        "K♦ Q♦",
        "2 winners, positions 1, 4",
        "No. 2 of royal-match-demo",
        "$50,003.7500 $50,003.74 $0.0100 $50,000.00 $50,000.0000",
        "Winning hand verified dealer-1 2026-11-29 12:00:00 UTC",
        "Meter reset reset-1",
        of.hit.digest,
        of.read_to.digest,
        of.rules_digest,
        "DEMONSTRATION-LAYOUT-1",
        of.document,
        "Received by",
        "Page 1 of 1",
    ):
        assert figure in told, figure


def test_acts_that_are_still_due_have_a_line_to_be_filled_in(blackjack: PlayedDays) -> None:
    of = signed(slip(blackjack, CROWN_TREASURE, 4), AwardStatus.HAND_VERIFIED, PayoutAct.HAND_VERIFIED)
    (told,) = sheets(hand_pay_pdf(of, Paper.A4))
    acts = told[told.index("Act By Time Reason") :]

    assert "Winning hand verified floor-1" in acts
    for due in ("Win lamp verified Payout validated", "Documents complete Paid Meter reset"):
        assert due in acts, due
    assert "Claim rejected" not in acts


def test_t52_a_rejected_award_prints_as_rejected(blackjack: PlayedDays) -> None:
    of = signed(
        slip(blackjack, CROWN_TREASURE, 4),
        AwardStatus.REJECTED,
        PayoutAct.REJECTED,
        reason="hole card exposed too early",
    )
    (told,) = sheets(hand_pay_pdf(of, Paper.A4))

    assert "REJECTED: nothing is paid" in told
    assert "claimed and not awarded" in told
    assert "hole card exposed too early" in told
    for gone in ("Not paid from", "Fifty thousand", "Received by", "Put back"):
        assert gone not in told, gone


def test_long_names_leave_nothing_out_and_one_sheet_enough(blackjack: PlayedDays) -> None:
    name = PersonId("floorperson-with-a-long-login-name@" + "x" * 12)
    of = slip(blackjack, TWO_CROWN_TREASURES, 1)
    long = replace(of, player=name, acts=tuple(replace(act, by=name) for act in of.acts))
    (told,) = sheets(hand_pay_pdf(long, Paper.LETTER))

    assert told.replace(" ", "").count("x" * 12) == 7


def test_the_same_slip_gives_the_same_bytes(blackjack: PlayedDays) -> None:
    of = slip(blackjack, CROWN_TREASURE, 4)

    assert hand_pay_pdf(of, Paper.A4) == hand_pay_pdf(of, Paper.A4)


def test_r37_a_slip_that_is_not_validated_or_paid_already_is_not_paid_on(blackjack: PlayedDays) -> None:
    paid = slip(blackjack, CROWN_TREASURE, 4)
    validated = signed(paid, AwardStatus.VALIDATED, PayoutAct.VALIDATED)
    told = [
        sheets(hand_pay_pdf(of, Paper.A4))[0]
        for of in (signed(paid, AwardStatus.LAMP_VERIFIED, PayoutAct.LAMP_VERIFIED), validated, paid)
    ]

    assert ["NOT VALIDATED YET: not to be paid" in one for one in told] == [True, False, False]
    assert ["nothing more is to be paid" in one for one in told] == [False, False, True]
    assert "PAID 2026-11-29 12:00:00 UTC" in told[2]


def test_t52_a_rejected_slip_names_who_else_has_claimed(blackjack: PlayedDays) -> None:
    of = slip(blackjack, TWO_CROWN_TREASURES, 1)
    rejected = signed(of, AwardStatus.REJECTED, PayoutAct.REJECTED, reason="misdeal")
    alone = replace(rejected, shared_by=(of.position,))

    assert "Also claimed by position 4" in sheets(hand_pay_pdf(rejected, Paper.A4))[0]
    assert "Also claimed by nobody" in sheets(hand_pay_pdf(alone, Paper.A4))[0]
