from bridge.bus.outbox import Outbox, Outgoing


def _taken(outbox: Outbox) -> list[bytes]:
    return [message.payload for message in iter(outbox.take, None)]


def _filled(*messages: tuple[str, bytes, bool], unretained_max: int = 10) -> Outbox:
    outbox = Outbox(unretained_max=unretained_max)
    for topic, payload, retained in messages:
        outbox.put(topic, payload, retained=retained)
    return outbox


def test_messages_are_taken_in_the_order_of_publishing() -> None:
    outbox = _filled(("events", b"1", False), ("round", b"2", True), ("events", b"3", False))
    assert not outbox.empty
    assert _taken(outbox) == [b"1", b"2", b"3"]
    assert outbox.in_flight == 3
    assert not outbox.empty


def test_a_superseded_message_is_not_sent_and_the_newest_has_the_newest_place() -> None:
    outbox = _filled(("round", b"old", True), ("events", b"1", False), ("round", b"new", True))
    assert _taken(outbox) == [b"1", b"new"]


def test_a_full_outbox_drops_the_oldest_that_waits_and_nothing_of_the_tree() -> None:
    outbox = _filled(("round", b"tree", True), ("events", b"1", False), ("events", b"2", False), unretained_max=2)
    assert outbox.put("events", b"3", retained=False) == 1
    assert outbox.put("state", b"tree", retained=True) == 0
    assert _taken(outbox) == [b"tree", b"2", b"3", b"tree"]


def test_what_is_in_flight_counts_and_is_not_dropped() -> None:
    outbox = _filled(("events", b"1", False), ("events", b"2", False), unretained_max=2)
    first, second = outbox.take(), outbox.take()
    assert first is not None
    assert second is not None
    assert outbox.put("events", b"3", retained=False) == 1
    assert _taken(outbox) == []
    outbox.start_over()
    assert _taken(outbox) == [b"1", b"2"]
    assert outbox.put("events", b"4", retained=False) == 1
    assert outbox.confirm(first)
    assert outbox.put("events", b"5", retained=False) == 0
    assert _taken(outbox) == [b"5"]


def test_a_confirmation_counts_once() -> None:
    outbox = _filled(("events", b"1", False))
    message = outbox.take()
    assert message is not None
    assert outbox.confirm(message)
    assert not outbox.confirm(message)
    assert outbox.empty


def test_starting_over_sends_the_tree_and_the_unconfirmed_in_the_order_of_publishing() -> None:
    outbox = _filled(
        ("events", b"1", False), ("round", b"r1", True), ("events", b"2", False), ("meter", b"m1", True)
    )
    taken: list[Outgoing] = list(iter(outbox.take, None))
    outbox.confirm(taken[0])
    outbox.confirm(taken[1])
    outbox.put("meter", b"m2", retained=True)
    outbox.put("events", b"3", retained=False)
    outbox.start_over()
    assert outbox.in_flight == 0
    assert _taken(outbox) == [b"r1", b"2", b"m2", b"3"]


def test_a_late_confirmation_does_not_strike_out_what_is_to_be_sent_again() -> None:
    outbox = _filled(("events", b"1", False))
    message = outbox.take()
    assert message is not None
    outbox.start_over()
    assert not outbox.confirm(message)
    assert _taken(outbox) == [b"1"]


def test_the_newest_of_a_topic_is_repeated_on_request() -> None:
    outbox = _filled(("health", b"online", True), ("events", b"1", False))
    assert _taken(outbox) == [b"online", b"1"]
    assert outbox.repeat("health")
    assert not outbox.repeat("unheard-of")
    assert _taken(outbox) == [b"online"]


def test_the_whole_tree_is_repeated_in_its_order_and_nothing_else() -> None:
    outbox = _filled(("health", b"online", True), ("events", b"1", False), ("round", b"old", True))
    outbox.put("round", b"new", retained=True)
    assert _taken(outbox) == [b"online", b"1", b"new"]
    outbox.repeat_all()
    assert _taken(outbox) == [b"online", b"new"]
