/**
 * The control sequences that this program writes itself, in one place (design/reliability.md, painting).
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

/** From whatever state the screen is in: plain attributes, cursor at the top left, nothing drawn. */
export const WIPE = `${SYNC_OFF}${ESC}[0m${ESC}[H${ESC}[J`;

/**
 * Gives the terminal back without knowing what was set: plain attributes, no pasting or mouse or focus marks,
 * plain keys, the primary screen, a visible cursor. For the watcher, which cannot know.
 */
export const GIVE_BACK =
  `${SYNC_OFF}${ESC}[0m${ESC}[?2004l${ESC}[?1004l${ESC}[?1000l${ESC}[?1002l${ESC}[?1003l${ESC}[?1006l` +
  `${ESC}[<u${ESC}[?1049l${ESC}[?25h`;

/** Reports presses and the wheel in numbers (mode 1006), or not. */
export const REPORT_MOUSE = `${ESC}[?1000h${ESC}[?1006h`;
export const LEAVE_MOUSE = `${ESC}[?1006l${ESC}[?1000l`;
