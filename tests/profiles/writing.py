"""Profiles written for a test, and what is said of them."""

from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.profiles import installed_profiles, load_profile

MODULE = (Path(__file__).parent / "test_module.yaml").read_text()
READER = installed_profiles()["hid_pos_reader"].read_text()
READER = READER[READER.index("title:") :]


def profile_file(folder: Path, text: str) -> Path:
    file = folder / "test_module.yaml"
    file.write_text(text)
    return file


def faults_of(folder: Path, text: str) -> list[str]:
    """Return what loading a profile of this text says, without the folder."""
    file = profile_file(folder, text)
    with pytest.raises(DocumentError) as error:
        load_profile(file)
    return [str(fault).removeprefix(f"{folder}/") for fault in error.value.faults]
