"""The page on trust tells what its result files hold."""

from tests.verification.trust import BLOCK, PAGE, PARTS, renew


def test_the_page_has_every_block_once() -> None:
    blocks = [block[1] for block in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
    assert sorted(blocks) == sorted(PARTS)


def test_the_page_is_what_its_command_prints() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renew(page) == page, "run: python -m tests.verification.trust"
