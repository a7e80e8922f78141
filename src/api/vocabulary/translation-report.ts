import type { Endpoint } from '../endpoint.ts';
import { managedRoles } from '../envelope.ts';
import { type Contract, collectShapes, contract, knownWordsAt, walk } from './contract.ts';
import { identifierParts, type Vocabulary } from './dictionary.ts';
import type { KnownWords, SchemaShape } from './schema-shape.ts';
import { createTranslator, type Translator } from './translator.ts';

/** The neutral word, and the deployment's. */
interface Pair {
  readonly from: string;
  readonly to: string;
}

/** An identifier that changes, with where it stands. */
export interface TranslatedWord extends Pair {
  /** `query`, `body`, `answer`, or `included`. */
  readonly part: string;
  /** Way to the object or the text within the part; empty at its top. */
  readonly at: string;
  readonly what: 'name' | 'value';
}

/** All operations of the contract in the words of a vocabulary. */
export type TranslationReport = ReturnType<typeof translationReport>;

/** Says what each operation becomes. */
export function translationReport(vocabulary: Vocabulary, over: Contract = contract) {
  const translator = createTranslator(vocabulary, over);
  const theirs = outward(translator);
  const permissions = (names: readonly string[]) => changed(names, translator.permission);
  const operations = over.endpoints.map((endpoint) => ({
    id: endpoint.id,
    method: endpoint.method,
    path: { from: endpoint.path, to: translator.path(endpoint) },
    // Permissions that it asks for, as far as they change.
    permission: permissions(endpoint.permission),
    changes: partsIn(endpoint).flatMap(([part, shape]) => changesIn(part, shape, theirs, over)),
  }));
  const met = new Set(over.endpoints.flatMap(partsIn).flatMap(([, shape]) => kindsIn(shape)));
  // Resource objects that only come along with answers.
  const included = [...over.kinds]
    .filter(([kind]) => !met.has(kind))
    .map(([kind, shape]) => ({ kind, changes: changesIn('included', shape, theirs, over) }))
    .filter((resource) => resource.changes.length > 0);
  return {
    headers: translator.headers,
    // Wherever one is named: asked for, as a scope, or in the catalog.
    permissions: permissions(over.permissions),
    roles: changed(managedRoles, translator.role),
    operations,
    included,
    // With any, the vocabulary cannot be used.
    collisions: collisions(vocabulary, over),
  };
}

/**
 * Identifiers of one position that would become the same word: fields of an object, words of a place, permissions,
 * operations. Each is one sentence, whatever the number of operations that it concerns.
 */
export function collisions(vocabulary: Vocabulary, over: Contract = contract): string[] {
  const parts = identifierParts(vocabulary);
  const theirs = outward(createTranslator(vocabulary, over));
  const found = new Map<string, string>();
  const look = (known: readonly string[], become: (word: string) => string, where: string) => {
    const first = new Map<string, string>();
    for (const word of known) {
      const to = become(word);
      const other = first.get(to);
      const says = `${other} and ${word} would both be ${to}`;
      if (other !== undefined && !found.has(says)) found.set(says, `${says}: ${where}`);
      first.set(to, other ?? word);
    }
  };
  for (const endpoint of over.endpoints)
    for (const [part, shape] of partsIn(endpoint))
      walk(shape, ({ fields, text }, way) => {
        const where = `${endpoint.id}, ${part}${way === '' ? '' : ` ${way}`}`;
        if (fields) look([...fields.keys()], parts.replace, where);
        if (text)
          look(knownWordsAt(text, over), theirs(text), text.place === undefined ? where : `values of ${text.place}`);
      });
  for (const [kind, shape] of over.kinds)
    walk(shape, ({ fields }, way) => fields && look([...fields.keys()], parts.replace, `included ${kind}, ${way}`));
  look([...over.kinds.keys()], parts.replace, 'kinds of resource objects');
  look(over.permissions, parts.replace, 'permissions');
  const lines = over.endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`);
  look(lines, (line) => parts.replace(line).replace(/\{[^}]*\}/g, '{}'), 'operations');
  return [...found.values()];
}

/** Translates the known words of a position. */
const outward =
  (translator: Translator): ((words: KnownWords) => (word: string) => string) =>
  (words) =>
  (word) =>
    translator.deployment.out.word(words, word);

const changed = (names: readonly string[], become: (name: string) => string): Pair[] =>
  names.map((from) => ({ from, to: become(from) })).filter(({ from, to }) => from !== to);

const partsIn = (endpoint: Endpoint): [string, SchemaShape][] => Object.entries(collectShapes(endpoint));

/** Names of permissions are listed once for the whole contract, not at each position. */
function changesIn(
  part: string,
  shape: SchemaShape,
  theirs: ReturnType<typeof outward>,
  over: Contract,
): TranslatedWord[] {
  const changes: TranslatedWord[] = [];
  walk(shape, ({ fields, text }, at) => {
    const names = changed([...(fields?.keys() ?? [])], theirs(aName));
    const values = text?.sort === 'word' ? changed(knownWordsAt(text, over), theirs(text)) : [];
    changes.push(...names.map((pair) => ({ part, at, what: 'name' as const, ...pair })));
    changes.push(...values.map((pair) => ({ part, at, what: 'value' as const, ...pair })));
  });
  return changes;
}

const aName: KnownWords = { sort: 'word', known: [] };

function kindsIn(shape: SchemaShape): string[] {
  const kinds: string[] = [];
  walk(shape, ({ kind }) => {
    if (kind !== undefined) kinds.push(kind);
  });
  return kinds;
}
