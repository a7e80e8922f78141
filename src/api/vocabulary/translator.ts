import { oncePer } from '../../lib/function-results.ts';
import { isObject, type JsonObject } from '../../lib/values.ts';
import type { AnySchema, Endpoint } from '../endpoint.ts';
import { type KeyHeaders, nameKeyHeaders } from '../secrets.ts';
import { type Contract, collectShapes, contract, knownWordsAt } from './contract.ts';
import {
  createDictionary,
  type Dictionary,
  identifierParts,
  neutralRoles,
  neutralService,
  neutralWords,
  type Vocabulary,
} from './dictionary.ts';
import { type KnownWords, type SchemaShape, schemaShape } from './schema-shape.ts';

/** A query as it is given: a value, or several, for each name. */
type Query = Readonly<Record<string, unknown>>;

/** One direction: from the neutral words to the deployment's, or back. What is given is not changed. */
interface Direction {
  queryName(endpoint: Endpoint, name: string): string;
  query(endpoint: Endpoint, query: Query): Record<string, unknown>;
  body(endpoint: Endpoint, body: unknown): unknown;
  answer(endpoint: Endpoint, answer: unknown): unknown;
  /** A value of this schema, alone: an identifier, or what holds some. */
  at(schema: AnySchema, value: unknown): unknown;
  /** Any text that is one of these identifiers. */
  word(words: KnownWords, text: string): string;
}

/** Both directions. */
interface Directions {
  readonly out: Direction;
  readonly back: Direction;
}

/**
 * The words of one deployment, for requests and answers, both ways. Only identifiers are translated, and what they are
 * is said by the schema at their position; names, messages, queries and errors stay as they are, whatever they hold.
 * `out` and `back` pass on the names of permissions that a service tells or a person writes: this program depends on
 * none of them. Those that it says itself are given to `permission` first.
 */
export interface Translator extends Directions {
  readonly headers: KeyHeaders;
  /** The path template in the deployment's words; the names in braces stay. */
  path(endpoint: Endpoint): string;
  /** A permission in the deployment's words. */
  permission(name: string): string;
  /** A managed role in the deployment's words. */
  role(name: string): string;
  /** A title or a sentence that this program says by itself, with the deployment's labels; never for anybody else's text. */
  says(sentence: string): string;
  /** For a deployment that is neutral inside and speaks these words: names of permissions are translated as well. */
  readonly deployment: Directions;
}

/** A translator. The vocabulary must be free of faults (`openVocabulary`): then nothing is lost there and back. */
export function createTranslator(vocabulary: Vocabulary, over: Contract = contract): Translator {
  const parts = identifierParts(vocabulary);
  const { roles = neutralRoles, service = neutralService, words: own = {}, labels = {}, values = {} } = vocabulary;
  const titles = new Map<string, string>(neutralWords.map((word) => [word, labels[word] ?? own[word] ?? word]));
  const texts = oncePer((words: KnownWords): Dictionary => {
    const known = knownWordsAt(words, over);
    const here = words.place === undefined ? undefined : values[words.place];
    const theirs = (word: string) => (here && Object.hasOwn(here, word) ? (here[word] ?? word) : parts.replace(word));
    return createDictionary(known, theirs, parts.swap);
  });
  const names = oncePer(
    (fields: ReadonlyMap<string, SchemaShape>): Dictionary =>
      createDictionary(fields.keys(), parts.replace, parts.swap),
  );

  function way(direction: 'out' | 'back', hasPermissions: boolean): Direction {
    const word = (words: KnownWords, text: string) =>
      words.sort === 'permission' && !hasPermissions ? text : texts(words)[direction](text);

    function value(input: unknown, shape: SchemaShape): unknown {
      if (typeof input === 'string') return shape.text ? word(shape.text, input) : input;
      if (Array.isArray(input)) return shape.item ? input.map((one) => value(one, shape.item as SchemaShape)) : input;
      return isObject(input) ? members(input, shape) : input;
    }

    function members(object: JsonObject, shape: SchemaShape): JsonObject {
      if (shape.included) return members(object, shapeOfIncluded(object));
      if (shape.fields) return fieldsIn(object, shape.fields);
      if (!shape.values) return object;
      const inner = shape.values;
      return Object.fromEntries(Object.entries(object).map(([name, one]) => [name, value(one, inner)]));
    }

    function fieldsIn(object: object, fields: ReadonlyMap<string, SchemaShape>): Record<string, unknown> {
      const dictionary = names(fields);
      return Object.fromEntries(
        Object.entries(object).map(([name, one]) => {
          const other = dictionary[direction](name);
          const shape = fields.get(direction === 'out' ? name : other);
          return [other, shape ? value(one, shape) : one];
        }),
      );
    }

    /** Known by its kind, which is a neutral word; what is of no known kind is a resource object all the same. */
    function shapeOfIncluded({ type }: Record<string, unknown>): SchemaShape {
      if (typeof type !== 'string') return anyResource;
      const neutral = direction === 'out' ? type : kinds.back(type);
      return over.kinds.get(neutral) ?? anyResource;
    }
    const kinds = createDictionary(over.kinds.keys(), parts.replace, parts.swap);

    function asked(input: unknown, shape: SchemaShape): unknown {
      if (Array.isArray(input)) return input.map((one) => asked(one, shape));
      const words = shape.item?.text ?? shape.text;
      if (typeof input !== 'string' || !words) return input;
      // A list may have been joined already; no identifier has a comma in it.
      const each = input.split(',').map((one) => word(words, one));
      return each.join(',');
    }

    return {
      word,
      at: (schema, input) => value(input, schemaShape(schema)),
      queryName: (endpoint, name) => names(asksOf(endpoint))[direction](name),
      query(endpoint, query) {
        const fields = asksOf(endpoint);
        const dictionary = names(fields);
        return Object.fromEntries(
          Object.entries(query).map(([name, one]) => {
            const other = dictionary[direction](name);
            return [other, asked(one, fields.get(direction === 'out' ? name : other) ?? {})];
          }),
        );
      },
      body: (endpoint, body) => value(body, collectShapes(endpoint).body),
      answer: (endpoint, answer) => value(answer, collectShapes(endpoint).answer),
    };
  }

  return {
    headers: nameKeyHeaders(service),
    path: ({ path }) => path.replace(/[^{}]+(?=\{|$)/g, parts.replace),
    permission: (name) => texts(aPermission).out(name),
    role: (name) => name.replace(new RegExp(`^${neutralRoles}(?= )`), () => roles),
    says: (sentence) => sentence.replace(wholeWord, (word) => titles.get(word) ?? word),
    out: way('out', false),
    back: way('back', false),
    deployment: { out: way('out', true), back: way('back', true) },
  };
}

const wholeWord = new RegExp(`\\b(?:${neutralWords.join('|')})\\b`, 'g');

/** The names that an operation may be asked with. */
const asksOf = (endpoint: Endpoint): ReadonlyMap<string, SchemaShape> =>
  collectShapes(endpoint).query.fields ?? noFields;

const noFields: ReadonlyMap<string, SchemaShape> = new Map();
const aPermission: KnownWords = { sort: 'permission', known: [] };

/** A resource object of a kind that the contract does not know: its names are identifiers, its texts are free. */
const anyResource: SchemaShape = {
  fields: new Map<string, SchemaShape>([
    ['type', { text: { sort: 'word', known: [] } }],
    ['attributes', { fields: new Map() }],
    ['relationships', { fields: new Map() }],
  ]),
};
