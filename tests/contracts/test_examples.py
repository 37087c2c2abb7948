from bridge.contracts.codec import decode, encode
from bridge.contracts.examples import examples
from bridge.contracts.topics import TOPIC_RULES, topic_of
from tests.contracts.samples import AUTHOR, FOR_EVER


def test_there_is_one_message_of_each_class_and_each_can_be_read() -> None:
    said = examples(AUTHOR, FOR_EVER)

    assert sorted(type(one).__name__ for one in said) == sorted(rule.envelope.__name__ for rule in TOPIC_RULES)
    assert [decode(topic_of(one), encode(one)) for one in said] == list(said)
