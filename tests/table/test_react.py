"""What the table asks of the world: transcripts of events in and commands out."""

from bridge.domain.commands import PublishRound, PublishTable, SetIndicator, SetLock
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import BridgeStarted, IndicatorRequested, LockReported
from bridge.domain.identity import RoundNumber
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.rounds import House
from bridge.table.evolve import evolve
from bridge.table.react import react
from bridge.table.state import initial_state
from tests.table.tables import BASE, BLACKJACK, LOCK, PROGRESSIVE, SIDE, Play, position, setup


def lamp(number: int, which: Lamp, state: LampState) -> SetIndicator:
    return SetIndicator(indicator=Indicator(position(number), which), state=state)


def kinds(play: Play) -> list[type]:
    return [type(command) for command in play.commands]


def test_T43_the_lock_comes_before_everything_else() -> None:
    play = Play().wagers(1).lock()

    assert kinds(play) == [SetLock, PublishRound, PublishTable]
    assert play.commands[0] == SetLock(engaged=True)


def test_a_start_drives_lock_and_lamps_and_publishes_all() -> None:
    before = initial_state(setup())
    play = Play()
    started = play.events[0]
    assert isinstance(started, BridgeStarted)

    commands = tuple(react(before, started, before))

    assert list(dict.fromkeys(type(c) for c in commands)) == [SetLock, SetIndicator, PublishRound, PublishTable]
    assert all(c.state is LampState.OFF for c in commands if isinstance(c, SetIndicator))


def test_a_restart_keeps_the_lamps_of_accepted_wagers_lit() -> None:
    """A device writes its outputs together: those not ordered with the lock would go out."""
    play = Play().wagers(1).lock()
    started = play.events[0]
    after = evolve(play.state, started)

    lit = [
        command.indicator
        for command in react(play.state, started, after)
        if isinstance(command, SetIndicator) and command.state is LampState.ON
    ]

    assert lit == [lamp(1, Lamp.WAGER_ACCEPTED, LampState.ON).indicator]


def test_a_device_that_answers_gets_its_lamps_again() -> None:
    play = Play().wagers(1).lose(SIDE).ready(SIDE)
    lamps = [command for command in play.commands if isinstance(command, SetIndicator)]

    assert lamps == [
        lamp(number, Lamp.WAGER_ACCEPTED, LampState.ON if number == 1 else LampState.OFF)
        for number in (1, 2, 3, 5)
    ]


def test_the_lock_is_driven_again_when_its_device_answers() -> None:
    play = Play().wagers(1).lock().ready(LOCK)

    assert play.commands == (SetLock(engaged=True),)


def test_an_event_that_changes_nothing_visible_asks_for_nothing() -> None:
    play = Play()
    play.happen(LockReported(at=play.tick(), device=LOCK, engaged=False))

    assert play.commands == ()
    assert play.ready(BASE).commands == ()


def test_633b_18_h_2_a_win_lamp_is_lit_as_asked() -> None:
    play = Play()
    won = Indicator(position(3), Lamp.CROWN_TREASURE)
    play.happen(IndicatorRequested(at=play.tick(), round_number=RoundNumber(1), indicator=won, state=LampState.ON))

    assert play.commands[0] == SetIndicator(indicator=won, state=LampState.ON)


def test_T48_the_hole_card_publishes_a_hidden_card_and_its_exposure_the_real_one() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs 7c")
    published = play.commands[0]
    assert isinstance(published, PublishRound)
    assert published.round.hand_of(House.DEALER).cards[1].card == "hidden"

    play.settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    published = play.commands[0]
    assert isinstance(published, PublishRound)
    assert str(published.round.hand_of(House.DEALER).cards[1].card) == "7c"


def test_when_a_round_closes_the_next_one_is_published_and_the_table_unlocks() -> None:
    play = Play().wagers(1).lock().key(DealerKey.COUNT_AGREED).cards("2s 9d 7h 2c").settled(complete=True)
    play.take(PROGRESSIVE, 1).take(BLACKJACK, 1).key(DealerKey.ROUND_COMPLETE)

    (opened,) = (command for command in play.commands if isinstance(command, PublishRound))
    assert opened.round.number == 2
    assert play.commands[0] == SetLock(engaged=False)
    assert lamp(1, Lamp.WAGER_ACCEPTED, LampState.OFF) in play.commands
