/**
 * The control sequences that this program writes itself, in one place (docs/design/reliability.md#painting).
 * Everything else that reaches the terminal is text.
 */
export const ESC = '\u001B';
export const BEL = '\u0007';

/** Private modes that this program may set and that must be off again when it leaves, in the order of undoing. */
export const MODES = [2026, 2004, 1006, 1000, 1049, 25] as const;

/** Pasted text comes between marks, so that it presses no keys. */
export const MARK_PASTES = `${ESC}[?2004h`;
export const LEAVE_PASTES = `${ESC}[?2004l`;

export const SYNC_ON = `${ESC}[?2026h`;
export const SYNC_OFF = `${ESC}[?2026l`;

/** The whole screen scrolls; the cursor goes home. A frame that was cut may have left margins. */
export const NO_MARGINS = `${ESC}[r`;

/** The alternate screen with a hidden cursor, and back. */
export const ENTER_SCREEN = `${ESC}[?1049h${ESC}[?25l`;
export const LEAVE_SCREEN = `${ESC}[0m${ESC}[?1049l${ESC}[?25h`;

/**
 * Gives the terminal back without knowing what was set: plain attributes, no margins, no pasting or mouse or focus
 * marks, plain keys, the primary screen, a visible cursor. For the watcher, which cannot know.
 */
export const GIVE_BACK =
  `${SYNC_OFF}${ESC}[0m${NO_MARGINS}${ESC}[?2004l${ESC}[?1004l${ESC}[?1000l${ESC}[?1002l${ESC}[?1003l${ESC}[?1006l` +
  `${ESC}[<u${ESC}[?1049l${ESC}[?25h`;

/**
 * The kitty keyboard protocol: whether the terminal has it, its flags 1 and 4 (Esc, Ctrl and Alt keys as codes, so that a lone Esc
 * needs no wait, and what they are with Shift and on a Latin keyboard) and back, and the flags again where they may have been lost.
 * Each screen of a terminal has a stack of its own.
 */
export const ASK_KEY_CODES = `${ESC}[?u`;
export const SEND_KEY_CODES = `${ESC}[>5u`;
export const LEAVE_KEY_CODES = `${ESC}[<u`;
export const KEEP_KEY_CODES = `${ESC}[=5u`;

/** Reports presses and the wheel in numbers (mode 1006), or not. */
export const REPORT_MOUSE = `${ESC}[?1000h${ESC}[?1006h`;
export const LEAVE_MOUSE = `${ESC}[?1006l${ESC}[?1000l`;
