/** A kind of key press, measured in pairs that end where they began. */
export interface Kind {
  readonly what: string;
  /** Keys before the first round and after the last one, each pressed alone. */
  readonly first?: readonly string[];
  readonly last?: readonly string[];
  readonly there: readonly string[];
  readonly back: readonly string[];
  /** False where `back` is a key of another kind. */
  readonly countsBack?: false;
  /**
   * The keys show lists that are read again when they are older than three seconds, and the answer is a frame of its own: no key is
   * pressed then but `first`, uncounted.
   */
  readonly readsAgain?: true;
  /** Most bytes, as a multiple of the fewest possible. */
  readonly budget: number;
}

/** The list of monitors is on the screen, polling is paused. */
export const kinds: readonly Kind[] = [
  { what: 'move one row', first: ['j', 'j', 'j'], there: ['j'], back: ['k'], budget: 1.1 },
  // Of three half pages there and back, two shift the window.
  { what: 'half a page', there: ['\u0004', '\u0004', '\u0004'], back: ['\u0015', '\u0015', '\u0015'], budget: 1.15 },
  { what: 'mark', there: [' '], back: ['k'], countsBack: false, budget: 1.1 },
  { what: 'open, close', first: ['\r', 'q'], there: ['\r'], back: ['q'], budget: 1.1 },
  { what: 'another screen', first: ['1', '2'], there: ['1'], back: ['2'], readsAgain: true, budget: 1.15 },
  {
    what: 'a filter letter',
    first: ['/'],
    there: ['c', 'h', 'e', 'c'],
    back: ['\u007f', '\u007f', '\u007f', '\u007f'],
    last: ['\u001b'],
    budget: 1.1,
  },
  {
    what: 'a palette letter',
    first: [':'],
    there: ['m', 'u', 't', 'e'],
    back: ['\u007f', '\u007f', '\u007f', '\u007f'],
    last: ['\u001b'],
    budget: 1.1,
  },
];

/** About 2,000 characters of a valid metric query. */
const longQuery = `avg(last_5m):${Array.from({ length: 22 }, (_, at) => `sum:checkout.requests.errors{env:prod,service:checkout-${at},host:web-${at}} by {host}.as_rate()`).join(' + ')} > 0.9`;

/** A letter in the query of the form of a new monitor, the cursor some rows above its end. */
export const queryLetter: Kind = {
  what: 'a letter of 2,000',
  first: ['n', '\r', '\t\u0015', `\u001b[200~${longQuery}\u001b[201~`, '\u001b[A\u001b[A\u001b[A\u001b[A'],
  there: ['x'],
  back: ['\u007f'],
  budget: 1.1,
};
