"""What a page of rules holds, and which of its numbers sources cite."""

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
NUMBER = r"\d+(?:\.\d+)?(?: ?[a-d]\b(?! [a-z]))?"  # 8, 8.3, 8.3 a; not that of "8.3 a link"
ENTRY = re.compile(r"^\*\*(\d+(?:\.\d+)?(?: [a-d])?)\*\* ", re.MULTILINE)
CHAPTER = re.compile(r"^## (\d+) ", re.MULTILINE)
CITED = re.compile(rf"\b[Rr]ules? ({NUMBER}(?:(?:, and |, | and | or | to ){NUMBER})*)")
LINE_BREAK = re.compile(r"\s*\n[\s#]*")


def read_page(page: str) -> str:
    """The text of a page at the root of the checkout."""
    return (ROOT / page).read_text(encoding="utf-8")


def join_lines(text: str) -> str:
    """The text in one line, so that what is looked for may run over two."""
    return LINE_BREAK.sub(" ", text)


def list_rules(page: str) -> list[str]:
    """The numbers of the rules of a page, as they stand there: ``8.3``, ``8.3 a``."""
    return ENTRY.findall(read_page(page))


def list_chapters(page: str) -> list[str]:
    """The numbers of the chapters of a page, as they stand there."""
    return CHAPTER.findall(read_page(page))


def sort_rules(rules: Iterable[str]) -> list[str]:
    """Each number once, in the order of a page."""
    return sorted(set(rules), key=lambda rule: [part.zfill(2) for part in re.split(r"[. ]", rule)])


def spell_rule(number: str) -> str:
    """A number as pages write it: ``8.3a`` is ``8.3 a``."""
    return re.sub(r"(?<=\d)(?=[a-d])", " ", number)


def find_cited(paths: Iterable[Path]) -> set[str]:
    """The numbers that follow the word *rule* or *rules* in some files; of a range both ends."""
    lists = [listed for path in paths for listed in CITED.findall(join_lines(path.read_text(encoding="utf-8")))]
    return {spell_rule(number) for listed in lists for number in re.findall(NUMBER, listed)}
