const named: Readonly<Record<string, string>> = {
  return: '\r',
  esc: '\x1b',
  tab: '\t',
  'shift+tab': '\x1b[Z',
  backspace: '\x7f',
  space: ' ',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  pageup: '\x1b[5~',
  pagedown: '\x1b[6~',
  delete: '\x1b[3~',
  'alt+return': '\x1b\r',
  'ctrl+space': '\0',
  'ctrl+_': '\x1f',
};

/** The bytes of a key by its name, or of a text letter by letter, one entry for each key. */
export const bytesOf = (key: string): string[] => {
  const name = named[key];
  if (name !== undefined) return [name];
  const alt = /^alt\+(.)$/.exec(key)?.[1];
  if (alt !== undefined) return [`\x1b${alt}`];
  const control = /^ctrl\+([a-z])$/.exec(key)?.[1];
  return control ? [String.fromCharCode(control.charCodeAt(0) - 96)] : [...key];
};
