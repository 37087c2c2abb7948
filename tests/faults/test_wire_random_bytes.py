"""A short selection of the campaign; ``python -m tests.wire.random_bytes`` is the whole of it."""

import pytest

from bridge.wire.protocols import PROTOCOLS
from tests.wire.random_bytes import WAYS, campaign, held
from tests.wire.subjects import PROFILES, subject

SEED = 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("profile", PROFILES)
def test_no_codec_raises_swells_lies_or_goes_deaf_over_random_bytes(profile: str, way: str) -> None:
    found = campaign(profile, way, total=8_000, seed=SEED)

    assert found.invented == 0
    assert sum(found.faults.values()) or way == "whole"


def test_every_protocol_has_a_profile_in_the_campaign() -> None:
    assert {subject(profile).family.name for profile in PROFILES} == PROTOCOLS.keys()


def test_what_a_codec_holds_is_counted_with_everything_it_is_made_of() -> None:
    codec = subject("hid_pos_reader").codec()
    before = held(codec)
    codec.receive_data(b"1" * 20, 0)
    assert held(codec) >= before + 20
