const names: Readonly<Record<string, string>> = {
  return: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  'shift+tab': 'Shift-Tab',
  space: 'Space',
  backspace: 'Backspace',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  delete: 'Del',
};

/** A key's name on the screen: `Enter`, `Ctrl-R`, `j`. */
export function keyLabel(key: string): string {
  const named = names[key];
  if (named) return named;
  const control = /^ctrl\+(.+)$/.exec(key)?.[1];
  if (control) return `Ctrl-${control.length === 1 ? control.toUpperCase() : keyLabel(control)}`;
  const alt = /^alt\+(.+)$/.exec(key)?.[1];
  return alt ? `Alt-${keyLabel(alt)}` : key;
}
