import pytest

from bridge.wire.alpha_frames import Acknowledge, LayOutMemory, WriteString, WriteText
from bridge.wire.alpha_sign_unit import BANNER_MAX, LABEL_MAX, AlphaSign, Part
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import ClearBanner, Order, SetOutput, ShowBanner, ShowMeter
from bridge.wire.spec import Unit
from tests.wire.cables import sign_spec


def sign(**parameters: int | bool | str) -> AlphaSign:
    return AlphaSign(Unit(address=1, spec=sign_spec(**parameters)))


def taken(one: AlphaSign) -> list[Part]:
    parts = []
    while one.due:
        parts.append(one.next_part())
    return parts


def idle(**parameters: int | bool | str) -> AlphaSign:
    one = sign(**parameters)
    taken(one)
    return one


def meter(one: AlphaSign) -> bytes:
    command = one.command(Part.METER)
    assert isinstance(command, WriteString)
    return command.content


def test_a_new_sign_is_laid_out_first_and_then_told_everything() -> None:
    one = sign()
    assert taken(one) == [Part.MEMORY, Part.BANNER, Part.TEXT, Part.METER]
    memory = one.command(Part.MEMORY)
    assert isinstance(memory, LayOutMemory)
    assert [(file.label, file.is_string, file.size) for file in memory.files] == [
        ("A", False, 64),
        ("M", True, 32),
    ]


SHOWN = [Part.BANNER, Part.TEXT, Part.METER]


def test_memory_is_laid_out_anew_when_the_line_is_which_may_have_another_sign_now() -> None:
    one = idle()
    one.connected()
    assert taken(one) == [Part.MEMORY, *SHOWN]


def test_memory_is_laid_out_anew_now_and_then_since_an_exchanged_sign_does_not_say_so() -> None:
    one = idle(lay_out_every=3)
    sent = []
    for _ in range(6):
        one.refresh()
        sent.append(taken(one))
    dark, still = [Part.MEMORY, *SHOWN], SHOWN
    assert sent == [still, dark, still, still, dark, still]


def test_memory_is_laid_out_only_once_where_that_is_wanted() -> None:
    one = idle(lay_out_every=0)
    for _ in range(5):
        one.refresh()
        assert taken(one) == SHOWN


def test_a_sign_that_takes_nothing_is_set_up_anew_with_the_next_refresh() -> None:
    one = idle(acknowledges=True)
    one.postpone()
    assert not one.due
    one.refresh()
    assert taken(one) == [Part.ACKNOWLEDGE, Part.MEMORY, *SHOWN]


def test_a_sign_that_is_laid_out_already_is_left_as_it_is() -> None:
    one = sign(configure_memory=False, lay_out_every=1)
    assert taken(one) == SHOWN
    one.refresh()
    assert taken(one) == SHOWN


def test_a_sign_is_made_to_acknowledge_whenever_it_is_connected() -> None:
    one = idle(acknowledges=True)
    one.connected()
    assert taken(one)[0] is Part.ACKNOWLEDGE
    assert one.command(Part.ACKNOWLEDGE) == Acknowledge(wanted=True)


def test_a_priority_text_that_somebody_left_is_cleared() -> None:
    assert sign().command(Part.BANNER) == WriteText("0")


def test_until_the_meter_is_known_the_sign_shows_no_amount() -> None:
    assert meter(sign()) == b"----"


@pytest.mark.parametrize(
    ("cents", "shown"),
    [(0, b"$0.00"), (7, b"$0.07"), (1_234_567, b"$12,345.67"), (100_000_000_000, b"$1,000,000,000.00")],
)
def test_an_amount_is_shown_to_the_cent(cents: int, shown: bytes) -> None:
    one = idle()
    one.order(ShowMeter(address=1, cents=cents))
    assert taken(one) == [Part.METER], "the string alone, or the sign would blank"
    assert meter(one) == shown


def test_cents_are_cut_off_and_never_rounded_up_where_they_are_not_shown() -> None:
    one = idle(show_cents=False, currency="EUR ")
    one.order(ShowMeter(address=1, cents=199))
    assert meter(one) == b"EUR 1"


def test_an_amount_that_is_shown_already_is_not_sent_again() -> None:
    one = idle()
    one.order(ShowMeter(address=1, cents=5))
    taken(one)
    one.order(ShowMeter(address=1, cents=5))
    assert not one.due


def test_a_banner_goes_up_and_comes_down() -> None:
    one = idle(colour="red", banner_mode="hold", position="30")
    one.order(ShowBanner(address=1, text="POSITION 3"))
    assert taken(one) == [Part.BANNER]
    assert one.command(Part.BANNER) == WriteText("0", 0x30, "b", b"\x1c1POSITION 3")
    one.order(ShowBanner(address=1, text="POSITION 3"))
    assert not one.due
    one.order(ClearBanner(address=1))
    assert taken(one) == [Part.BANNER]
    assert one.command(Part.BANNER) == WriteText("0")


def test_a_banner_that_stands_is_put_up_again_with_every_refresh() -> None:
    one = idle()
    one.order(ShowBanner(address=1, text="POSITION 3"))
    taken(one)
    one.connected()
    assert Part.BANNER in taken(one)
    command = one.command(Part.BANNER)
    assert isinstance(command, WriteText)
    assert command.content.endswith(b"POSITION 3")


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (ShowMeter(address=1, cents=-1), "cannot show an amount of -1 cents"),
        (ShowMeter(address=1, cents=10**32), "cannot show an amount"),
        (ShowBanner(address=1, text=""), f"1 to {BANNER_MAX} characters"),
        (ShowBanner(address=1, text="X" * (BANNER_MAX + 1)), f"1 to {BANNER_MAX} characters"),
        (ShowBanner(address=1, text="GRÜN"), "letters without accents"),
        (ShowBanner(address=1, text="A\x04"), "letters without accents"),
        (SetOutput(address=1, channel=1, active=True), "a sign has no output 1"),
    ],
)
def test_what_a_sign_cannot_show_is_refused_and_nothing_changes(order: Order, reason: str) -> None:
    one = idle()
    with pytest.raises(OrderError, match=reason):
        one.order(order)
    assert not one.due


@pytest.mark.parametrize(
    "parameters", [{"label": "Ü"}, {"label": "X" * (LABEL_MAX + 1)}, {"label": "A\x10M"}, {"currency": "€"}]
)
def test_a_label_that_a_sign_cannot_show_is_refused_at_setup(parameters: dict[str, str]) -> None:
    with pytest.raises(LineSetupError, match="ASCII"):
        sign(**parameters)


def test_a_label_may_be_left_out() -> None:
    one = sign(label="")
    command = one.command(Part.TEXT)
    assert isinstance(command, WriteText)
    assert command.content == b"\x1cC\x10M"
