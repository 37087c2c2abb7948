from dataclasses import fields
from typing import get_args

from bridge.domain.confirmations import Confirmation, ControllerEnabled, MeterAdjusted


def test_T54_every_confirmation_about_a_round_names_its_round_so_that_a_late_one_is_not_taken_for_the_next() -> (
    None
):
    for confirmation in set(get_args(Confirmation)) - {ControllerEnabled, MeterAdjusted}:
        assert "round_number" in {field.name for field in fields(confirmation)}, confirmation.__name__


def test_T50_no_confirmation_says_who_its_author_is_because_the_login_does() -> None:
    for confirmation in get_args(Confirmation):
        assert not {"by", "person", "role"} & {field.name for field in fields(confirmation)}, confirmation.__name__
