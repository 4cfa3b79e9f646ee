"""The keyboard and the screen of a person at the table: full screen on a terminal, lines everywhere else."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, Float, FloatContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth

from steam_env.playing.screen import Screen
from steam_env.playing.session import Session

PROMPT = "> "
MENU_LINES = 12
ESCAPE_DELAY = 0.1  # seconds to wait for the rest of a key's code before Esc is taken for Esc
PLAIN_WIDTH = 80


def run_full_screen(session: Session, color: bool) -> None:
    """Let a person play on the whole terminal until the session ends.

    Raises:
        KeyboardInterrupt: at Ctrl-C.
        EOFError: at Ctrl-D in an empty line, and when the terminal is gone.
    """
    screen = Screen(session, color)

    def accept(buffer: Buffer) -> bool:
        if buffer.text.strip() or not screen.leaf():
            session.handle(buffer.text)
        if session.ended:
            app.exit()
        return False

    buffer = Buffer(
        completer=_Completer(session), history=InMemoryHistory(), accept_handler=accept, multiline=False, name="line"
    )
    board = Window(FormattedTextControl(lambda: ANSI(_draw(screen))), always_hide_cursor=True)
    line = Window(BufferControl(buffer, input_processors=[BeforeInput(PROMPT)]), height=1)
    menu = Float(CompletionsMenu(max_height=MENU_LINES, scroll_offset=1), xcursor=True, ycursor=True)
    app: Application[None] = Application(
        Layout(FloatContainer(HSplit([board, line]), [menu]), focused_element=line),
        key_bindings=_bind_keys(session, screen),
        full_screen=True,
        color_depth=None if color else ColorDepth.DEPTH_1_BIT,
    )
    app.ttimeoutlen = ESCAPE_DELAY
    app.run()


def run_lines(session: Session, color: bool) -> None:
    """Let a person, or a pipe, play line by line until the session ends.

    Raises:
        KeyboardInterrupt: at Ctrl-C.
        EOFError: at the end of the input.
    """
    screen = Screen(session, color)
    drawn = None
    while not session.ended:
        game = session.played.game
        state = (id(session.played), game.num_steps, session.person, session.is_waiting)
        if session.page is not None or state != drawn:
            print(screen.draw(PLAIN_WIDTH), flush=True)
        elif session.reply:
            print(session.reply, flush=True)
        drawn = drawn if session.page is not None else state
        session.handle(input(PROMPT))


def _draw(screen: Screen) -> str:
    size = get_app().output.get_size()
    return screen.draw(size.columns, max(size.rows - 1, 1))


def _bind_keys(session: Session, screen: Screen) -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def interrupt(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt())

    @keys.add("c-d")
    def close(event: KeyPressEvent) -> None:
        if not event.current_buffer.text:
            event.app.exit(exception=EOFError())

    @keys.add("pageup")
    def scroll_up(_: KeyPressEvent) -> None:
        screen.scroll(-1)

    @keys.add("pagedown")
    def scroll_down(_: KeyPressEvent) -> None:
        screen.scroll(1)

    @keys.add("escape")
    def leave_page(event: KeyPressEvent) -> None:
        event.current_buffer.cancel_completion()
        session.page = None

    return keys


class _Completer(Completer):
    """Completes actions and commands word by word."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """What may stand in place of the text before the cursor."""
        text = document.text_before_cursor.lstrip()
        for option in self.session.completions(text):
            yield Completion(option, start_position=-len(text))
