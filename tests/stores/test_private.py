from pathlib import Path

import pytest

from bridge.stores.private import make_folder, sync_folder


def test_every_folder_that_is_missing_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    folder = tmp_path / "site" / "pit-3" / "var"
    make_folder(folder)
    make_folder(folder)
    assert [made.stat().st_mode & 0o777 for made in (folder, *folder.parents[:2])] == [0o700] * 3
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_only_a_folder_can_be_put_on_the_disk(tmp_path: Path) -> None:
    sync_folder(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        sync_folder(tmp_path / "file")
