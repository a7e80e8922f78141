/** What a message offers to press: `u undo`. Each stands here once; the footer, the help and the key tables have the titles of bindings. */
export const keyHints = {
  undo: 'u undo',
  undoRest: 'u undo the rest',
  redo: 'Ctrl-Y redo',
  messages: '! more',
} as const;
