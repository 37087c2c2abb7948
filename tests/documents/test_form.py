import pytest
from pydantic import TypeAdapter, ValidationError

from bridge.documents.form import Form, Text, TopicName


class Point(Form):
    x: int


@pytest.mark.parametrize("data", [{"x": "1"}, {"x": 1.0}, {"x": True}, {"x": 1, "y": 2}, {}])
def test_a_form_converts_nothing_and_takes_no_other_key(data: object) -> None:
    with pytest.raises(ValidationError):
        Point.model_validate(data)


@pytest.mark.parametrize("name", ["bj-demo", "floor.1", "Tisch_é", "x" * 64])
def test_a_name_may_be_a_level_of_a_topic(name: str) -> None:
    assert TypeAdapter(TopicName).validate_python(name) == name


@pytest.mark.parametrize("name", ["", "a/b", "a+", "#", "a b", "a\tb", "a\n", "a\x00", "x" * 65])
def test_a_name_that_would_change_the_topic_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(TopicName).validate_python(name)


@pytest.mark.parametrize("text", ["", "  ", "a\x00b", "\x00", " \n"])
def test_a_text_says_something_that_a_file_could_be_called(text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Text).validate_python(text)


@pytest.mark.parametrize("text", ["a", " a ", "a\nb", "§ 633b.18(i)"])
def test_any_other_text_is_one(text: str) -> None:
    assert TypeAdapter(Text).validate_python(text) == text
