"""What belongs to a vault, and one look at a part of it gives what a whole scan gives."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from knapper.index.glance import Glance
from knapper.index.plan import UNKNOWN, Plan, compare, is_loss
from knapper.index.scan import Scan, TooMany, is_online_only
from knapper.store.rows import FileState, KnownFile
from knapper.vault.paths import NotePath
from tests.index.workshop import Workshop


def _found(root: Path) -> list[str]:
    return sorted(Scan(root).run().files)


def _known(root: Path) -> dict[NotePath, KnownFile]:
    return {path: KnownFile(state, "digest") for path, state in Scan(root).run().files.items()}


def test_hidden_files_and_folders_are_no_part_of_a_vault(workshop: Workshop) -> None:
    for path in ("A.md", "b/C.MD", "pic.png", ".hidden.md", ".trash/D.md", "b/.#lock.md"):
        workshop.write(path)
    assert _found(workshop.root) == ["A.md", "b/C.MD", "pic.png"]


def test_a_vault_in_a_vault_is_left_out(workshop: Workshop) -> None:
    for path in ("A.md", "inner/.obsidian/app.json", "inner/B.md", "other/.knapper.toml", "other/C.md"):
        workshop.write(path)
    assert _found(workshop.root) == ["A.md"]


def test_one_real_file_has_one_entry_and_loops_end(workshop: Workshop) -> None:
    workshop.write("folder/A.md")
    (workshop.root / "loop").symlink_to(workshop.root)
    (workshop.root / "folder" / "up").symlink_to("..")
    (workshop.root / "Alias.md").symlink_to("folder/A.md")
    (workshop.root / "again").symlink_to("folder")
    scan = Scan(workshop.root).run()
    assert (sorted(scan.files), scan.problems) == (["folder/A.md"], {})


def test_a_link_to_a_hidden_folder_of_the_vault_is_followed_once(workshop: Workshop) -> None:
    workshop.write(".shared/A.md")
    (workshop.root / "one").symlink_to(".shared")
    (workshop.root / "two").symlink_to(".shared")
    assert _found(workshop.root) == ["one/A.md"]


def test_a_link_out_of_the_vault_is_refused_and_named(workshop: Workshop, tmp_path: Path) -> None:
    outside = tmp_path / "vault2"  # Its name begins like the vault's.
    outside.mkdir()
    (outside / "Secret.md").write_text("secret")
    (workshop.root / "Secret.md").symlink_to(outside / "Secret.md")
    (workshop.root / "dead.md").symlink_to(outside / "Missing.md")
    scan = Scan(workshop.root).run()
    assert (sorted(scan.files), list(scan.problems)) == ([], ["Secret.md"])


def test_git_ignored_folders_are_left_out_of_a_folder_that_is_no_vault_by_its_own_word(
    tmp_path: Path,
) -> None:
    repository = tmp_path / "repository"
    shop = Workshop(repository / "docs")
    for path in (
        "A.md",
        "build/B.md",
        "node_modules/x/C.md",
        "sub/dist/D.md",
        "sub/keep/E.md",
        "deep/build/F.md",
    ):
        shop.write(path)
    (repository / ".git").mkdir()
    (repository / ".gitignore").write_text("build/\n")
    shop.write("sub/.gitignore", "dist\n!keep\n")
    shop.write("deep/.gitignore", "!build\n")
    assert _found(shop.root) == ["A.md", "deep/build/F.md", "sub/keep/E.md"]
    (shop.root / ".obsidian").mkdir()
    assert len(_found(shop.root)) == 6


def test_cloud_placeholders_are_named_and_never_fetched(workshop: Workshop) -> None:
    workshop.write(".Note.md.icloud")
    workshop.write("sub/Other.md.icloud")
    scan = Scan(workshop.root).run()
    assert scan.online_only == {"Note.md", "sub/Other.md"}
    known = {NotePath("Note.md"): KnownFile(FileState(1, 1, 1), "digest")}
    assert compare(known, scan) == Plan()


def test_files_that_the_cloud_keeps_are_recognised_by_their_flags() -> None:
    class Found:
        st_flags = 0x40000020

    class Recalled:
        st_file_attributes = 0x00400020

    assert is_online_only(Found())  # type: ignore[arg-type]
    assert is_online_only(Recalled())  # type: ignore[arg-type]
    assert not is_online_only(Path(__file__).stat())


@pytest.mark.parametrize("name", [b"caf\xe9.md"])
def test_a_name_that_is_no_text_is_named_as_a_problem(workshop: Workshop, name: bytes) -> None:
    path = os.fsencode(workshop.root) + b"/" + name
    try:
        os.close(os.open(path, os.O_CREAT))
    except OSError:
        assert sys.platform != "linux"  # Other file systems refuse such a name themselves.
        return
    scan = Scan(workshop.root).run()
    assert (list(scan.files), list(scan.problems)) == ([], ["caf\\xe9.md"])


def test_special_files_are_not_opened(workshop: Workshop) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(workshop.root / "pipe.md")
    (workshop.root / "folder.md").mkdir()
    assert _found(workshop.root) == []


def test_too_many_files_end_the_walk(workshop: Workshop) -> None:
    for number in range(5):
        workshop.write(f"{number}.md")
    with pytest.raises(TooMany):
        Scan(workshop.root, most=4).run()


def test_an_unreadable_root_says_so(workshop: Workshop) -> None:
    scan = Scan(workshop.root / "missing").run()
    assert (scan.unread, list(scan.problems)) == ([""], ["."])
    known = {NotePath("A.md"): KnownFile(FileState(1, 1, 1), "digest")}
    assert compare(known, scan).gone == ()


def test_only_notes_that_look_different_are_read(workshop: Workshop) -> None:
    for path in ("Same.md", "Changed.md", "Gone.md", "pic.png"):
        workshop.write(path, "1")
    known = _known(workshop.root)
    workshop.write("Changed.md", "22")
    workshop.write("pic.png", "22")
    workshop.write("New.md", "1")
    workshop.write("Board.canvas", "{}")
    (workshop.root / "Gone.md").unlink()
    scan = Scan(workshop.root).run()
    assert compare(known, scan) == Plan(
        {
            NotePath("Board.canvas"): UNKNOWN,
            NotePath("New.md"): UNKNOWN,
            NotePath("pic.png"): scan.files[NotePath("pic.png")],
        },
        (NotePath("Gone.md"),),
        (NotePath("Board.canvas"), NotePath("Changed.md"), NotePath("New.md")),
    )


@pytest.mark.parametrize(
    ("gone", "known", "found", "loss"),
    [(51, 100, 49, True), (50, 100, 50, False), (51, 1000, 949, False), (3, 3, 0, True), (0, 0, 0, False)],
)
def test_much_at_once_or_everything_is_a_loss(gone: int, known: int, found: int, *, loss: bool) -> None:
    assert is_loss(gone, known, found) is loss


def test_a_look_at_touched_paths_finds_what_a_scan_finds(workshop: Workshop) -> None:
    for path in ("A.md", "sub/B.md", "sub/deep/C.md", "gone/D.md", "pic.png"):
        workshop.write(path, "1")
    known = _known(workshop.root)
    workshop.write("A.md", "22")
    workshop.write("new/E.md", "1")
    (workshop.root / "sub").rename(workshop.root / "sub2")
    (workshop.root / "gone" / "D.md").unlink()
    (workshop.root / "pic.png").unlink()
    looked = Glance(workshop.root, known).look(
        ["A.md", "new", "sub", "sub2", "gone/D.md", "pic.png", "none.md"]
    )
    scanned = compare(known, Scan(workshop.root).run())
    assert (looked.listed, sorted(looked.gone), sorted(looked.read)) == (
        scanned.listed,
        sorted(scanned.gone),
        sorted(scanned.read),
    )


def test_a_look_follows_the_rules_of_a_scan(workshop: Workshop, tmp_path: Path) -> None:
    for path in ("inner/.obsidian/app.json", "inner/B.md", ".hidden/C.md", "pipe/x.txt"):
        workshop.write(path)
    (tmp_path / "Out.md").write_text("out")
    paths = ["inner/B.md", "inner", ".hidden/C.md", ".obsidian/app.json", "../Out.md", "a/../../Out.md", ""]
    assert Glance(workshop.root, {}).look(paths) == Plan()


def test_a_look_leaves_symbolic_links_to_a_scan(workshop: Workshop) -> None:
    workshop.write("folder/A.md")
    (workshop.root / "link").symlink_to("folder")
    glance = Glance(workshop.root, {})
    assert (glance.look(["link/A.md"]), glance.links) == (Plan(), True)


def test_a_folder_that_becomes_a_file_takes_its_notes_with_it(workshop: Workshop) -> None:
    workshop.write("x.md/A.md")
    known = _known(workshop.root)
    (workshop.root / "x.md" / "A.md").unlink()
    (workshop.root / "x.md").rmdir()
    workshop.write("x.md", "now a note")
    plan = Glance(workshop.root, known).look(["x.md"])
    assert plan == Plan({NotePath("x.md"): UNKNOWN}, (NotePath("x.md/A.md"),), (NotePath("x.md"),))
