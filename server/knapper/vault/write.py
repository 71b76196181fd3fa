r"""How a new link is written, in the way the vault writes its links; and where a new note goes.

Knows Obsidian's settings for it. Whatever is written is looked up again: a link that would mean another
file is written longer, so no text from here ever leads astray. Must not know the cursor or the text.
"""

from __future__ import annotations

import re

from knapper.vault.names import Names
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath, folder_of, is_note, linkable, name_of, stem_of
from knapper.vault.resolve import ignorable, is_address, path_from, resolve


def uses_markdown(obsidian: Obsidian, style: str) -> bool:
    """Whether links are written `[text](Note.md)`, by the setting `links.style` or by the vault's own."""
    return obsidian.use_markdown_links if style == "vault" else style == "markdown"


def link_to(  # noqa: PLR0913 -- The parts of a link, as it is read from left to right.
    names: Names,
    obsidian: Obsidian,
    style: str,
    source: NotePath,
    path: NotePath,
    *,
    subpath: str | None = None,
    display: str | None = None,
    embed: bool = False,
    in_table: bool = False,
) -> str:
    r"""A whole link from *source* to the file *path*: `[[Ada#Life|Ada]]` or `[Ada](Ada.md#Life)`.

    Without *display* a link shows the file's name where its path would be long: `[[a/Note|Note]]`. In a
    table the bar is `\|`. A name that a wikilink cannot hold (`C#.md`) gets a Markdown link: `C%23.md`.
    """
    bang = "!" if embed else ""
    if uses_markdown(obsidian, style) or not fits_wikilink(path):
        if display is None and not embed:
            display = subpath.lstrip("^") if subpath and path == source else stem_of(path)
        destination = markdown_destination(names, obsidian, source, path, subpath=subpath)
        return f"{bang}[{_as_text(display or '', in_table=in_table)}]({destination})"
    target = "" if path == source and subpath else wikilink_target(names, obsidian, source, path)
    if display is None and "/" in target and not embed and not subpath:
        display = stem_of(path)
    bar = "\\|" if in_table else "|"
    shown = "" if display is None else bar + _as_display(display, in_table=in_table)
    return f"{bang}[[{target}{f'#{subpath}' if subpath else ''}{shown}]]"


def wikilink_target(names: Names, obsidian: Obsidian, source: NotePath, path: NotePath) -> str:
    """What a wikilink in *source* writes for the file *path*: its name if no other file has it.

    Else, as Obsidian does, the whole path and not just as much of it as is needed: `[[a/b/Note]]`.
    """
    forms = _forms(names, obsidian, source, path)
    both = (form for whole in forms for form in (linkable(whole), whole))
    return next((form for form in both if _leads_to(names, source, form, path)), forms[-1])


def markdown_destination(
    names: Names,
    obsidian: Obsidian,
    source: NotePath,
    path: NotePath,
    *,
    subpath: str | None = None,
    angle: bool = False,
) -> str:
    """The destination of a Markdown link in *source* to the file *path*: `../a/My%20Note.md#Life`.

    With *angle* it is what stands between `<` and `>`, where blanks may stay.
    """
    target = ""
    if path != source or not subpath:
        forms = _forms(names, obsidian, source, path)
        target = next((form for form in forms if _leads_to(names, source, form, path)), forms[-1])
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", target):
            target = f"./{target}"  # `Re: x.md` would be an address.
    return encoded(target, angle=angle) + (f"#{encoded_subpath(subpath, angle=angle)}" if subpath else "")


def encoded(target: str, *, angle: bool = False) -> str:
    """*target* as the destination of a Markdown link, with only what would break it encoded.

    `My Note (v2).md` gives `My%20Note%20(v2).md`: brackets in pairs may stay, others would end the link.
    """
    unsafe = _UNSAFE_IN_ANGLES if angle else _UNSAFE if _is_balanced(target) else _UNSAFE_OR_BRACKET
    if unsafe.search(target) or _LIKE_AN_ESCAPE.search(target):
        target = target.replace("%", "%25")  # Beside an escape many tools refuse a lone `%`.
    return unsafe.sub(_percent, target)


def encoded_subpath(subpath: str, *, angle: bool = False) -> str:
    """The same for what follows the `#`, in which `#` separates nested headings."""
    return "#".join(encoded(part, angle=angle) for part in subpath.split("#"))


def fits_wikilink(path: str) -> bool:
    """Whether a wikilink can hold the path: not `C#.md`, `a|b.md`, `a]].md`."""
    name = linkable(path)
    return not _BREAKS_WIKILINK.search(name) and name == name.strip()


def new_note_path(obsidian: Obsidian, source: NotePath, target: str) -> NotePath | None:
    """Where the missing note *target*, linked in *source*, is created; None if no such note can be.

    With a folder it is a path from the root [H]: `Projects/X` gives `Projects/X.md`. A bare name goes
    where Obsidian puts new notes. A dot is no extension: `v2.1 plan` gives `v2.1 plan.md`.
    """
    if ignorable(target) or is_address(target) or _is_attachment(target):
        return None
    path = path_from(source, target)
    if path is None or any(name_problem(part) for part in linkable(path).split("/")):
        return None
    if "/" not in target:
        path = "/".join(filter(None, (new_note_folder(obsidian, source), path)))
    return NotePath(path if is_note(path) else f"{path}.md")


def new_note_folder(obsidian: Obsidian, source: NotePath) -> str:
    """The folder where Obsidian puts a new note that is created from *source*, `""` for the root."""
    folders = {"current": folder_of(source), "folder": obsidian.new_file_folder}
    return folders.get(obsidian.new_file_location, "")


def name_problem(name: str) -> str | None:
    r"""Why a note or folder cannot be called *name*, in one sentence, or None.

    Links cannot hold `# ^ [ ] |`; Obsidian refuses `\ / :` everywhere and so do other systems.
    """
    if not name.strip(" ."):
        return "A name needs at least one letter."
    if name.startswith("."):
        return "A name that begins with a dot is hidden from the vault."
    if name != name.strip():
        return "A name cannot begin or end with a blank."
    if found := _FORBIDDEN.search(name):
        shown = found[0] if found[0].isprintable() else "a control character"
        return f"A name cannot hold {shown}."
    return None


_BREAKS_WIKILINK = re.compile(r"[#|\n\r]|\[\[|\]\]|\]$")
_FORBIDDEN = re.compile(r"[#^\[\]|\\/:\x00-\x1f\x7f]")
# A `&` stays unless it would be read as an entity. Blanks of other kinds than ASCII are ordinary characters
# in a destination.
_ALWAYS = r"[<>#\\`\x00-\x1f\x7f|]|&(?=#?\w+;)"
_UNSAFE = re.compile(rf"[ ]|\[(?=\[)|{_ALWAYS}")
_UNSAFE_OR_BRACKET = re.compile(rf"[()]|{_UNSAFE.pattern}")
_LIKE_AN_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNSAFE_IN_ANGLES = re.compile(rf"\[(?=\[)|{_ALWAYS}")
# What Obsidian takes for a file of another kind; a missing one is no note to create.
_ATTACHMENTS = frozenset(
    (
        *("avif", "bmp", "gif", "jpeg", "jpg", "png", "svg", "webp"),
        *("flac", "m4a", "mp3", "ogg", "wav", "webm", "3gp", "mkv", "mov", "mp4", "ogv"),
        *("pdf", "canvas", "base"),
    )
)


def _forms(names: Names, obsidian: Obsidian, source: NotePath, path: NotePath) -> tuple[str, ...]:
    """The ways to write *path*, extension included, the preferred one first; the last always leads there."""
    rooted = f"/{path}"
    if obsidian.new_link_format == "relative":
        relative = _relative(source, path)
        return (relative, f"./{relative}", rooted)
    if obsidian.new_link_format == "absolute" or not names.is_unique(path):
        return (path, rooted)
    return (name_of(path), path, rooted)


def _leads_to(names: Names, source: NotePath, form: str, path: NotePath) -> bool:
    """Whether *form* in *source* means *path*, which need not exist yet."""
    if not names.has(path):
        names = names.with_changes([path])
    return resolve(names, source, form) == path


def _relative(source: NotePath, path: NotePath) -> str:
    """*path* from the folder of *source*: from `b/x.md` to `a/My Note.md` it is `../a/My Note.md`."""
    here, there = folder_of(source).split("/"), folder_of(path).split("/")
    here, there = [part for part in here if part], [part for part in there if part]
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:] + [name_of(path)])


def _is_attachment(target: str) -> bool:
    return name_of(target).rpartition(".")[2].lower() in _ATTACHMENTS if "." in target else False


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


def _as_display(display: str, *, in_table: bool) -> str:
    """The display of a wikilink, on one line and without the brackets that would close the link."""
    text = " ".join(display.split()).replace("]]", "] ]")
    text += " " if text.endswith("]") else ""
    return text.replace("|", "\\|") if in_table else text


def _as_text(display: str, *, in_table: bool) -> str:
    """The text of a Markdown link, on one line and with its brackets escaped."""
    text = re.sub(r"([\[\]\\])", r"\\\1", " ".join(display.split()))
    return text.replace("|", "\\|") if in_table else text
