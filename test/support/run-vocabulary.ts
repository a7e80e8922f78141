import { neutralWords } from '../../src/api/vocabulary/dictionary.ts';
import type { Translator } from '../../src/api/vocabulary/translator.ts';
import { labelText, memberName, roleNamed } from '../../src/describe/context.ts';
import { parseExact } from '../../src/lib/json.ts';
import { inventedWords } from './invented.ts';
import { type Message, tap } from './wire-messages.ts';

/** The vocabulary of a service, and a check that only it is used. */
export interface Spoken {
  readonly vocabulary?: Translator | undefined;
  /** Looks at a frame. */
  readonly watch?: (frame: string) => void;
  /** Throws when a neutral word was on the wire or on the screen. */
  check(): void;
  close(): void;
}

/** The vocabulary of this run's journeys; undefined = the neutral one. */
export function wordsOfRun(): Translator | undefined {
  return process.env.ORGDECK_TEST_VOCABULARY === '1' ? inventedWords() : undefined;
}

/** Translates into the vocabulary of this run. */
export const here = {
  /** Part of an identifier: a permission, a path, the name of a member. */
  word: (text: string): string => memberName(text, ofRun()),
  role: (name: string): string => roleNamed(name, ofRun()),
  /** A title or sentence of the program. */
  says: (sentence: string): string => labelText(sentence, ofRun()),
};

const ofRun = () => ({ vocabulary: wordsOfRun() });

/** Checks the wire and the frames of a service with a vocabulary. */
export function spoken(url: string, vocabulary: Translator | undefined): Spoken {
  if (!vocabulary) return { check() {}, close() {} };
  const wire = tap(url);
  const shown = new Set<string>();
  return {
    vocabulary,
    watch(frame) {
      for (const line of frame.split('\n')) if (isNeutral(line)) shown.add(line.trim());
    },
    close: wire.close,
    check() {
      const messages = wire.messages();
      const spoke = messages.some((message) => vocabulary.headers.apiKey.toLowerCase() in message.headers);
      const faults = [
        ...new Set(messages.flatMap(wireFaults)),
        ...[...shown].map((line) => `the screen shows a neutral word: ${line}`),
        ...(spoke ? [] : ['no request was heard']),
      ];
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  };
}

const neutral = new RegExp(`(?<![A-Za-z0-9])(${neutralWords.join('|')})(?![A-Za-z0-9])`, 'i');
const managed = /Service (Admin|Standard|Read Only) Role/;
const isNeutral = (line: string): boolean => neutral.test(line) || managed.test(line);

/** Neutral words in a message, wherever an identifier may stand: names of headers, the first line, names and words in the body. */
export function wireFaults({ from, line, headers, body }: Message): string[] {
  const say = (what: string) => `the ${from} wrote a neutral word: ${what}`;
  const names = Object.keys(headers).filter((name) => name.startsWith('service-'));
  const first = from === 'client' ? decodeURIComponent(line) : '';
  const role = managed.exec(body);
  return [
    ...names.map((name) => say(`header ${name}`)),
    ...(neutral.test(first) ? [say(first)] : []),
    ...(role ? [say(role[0])] : []),
    ...identifiers(parsed(body))
      .filter((text) => neutral.test(text))
      .map((text) => say(`${text} in ${line}`)),
  ];
}

/** Every name in a body, and every text that could be an identifier: one that has no space in it. */
function identifiers(value: unknown): string[] {
  if (typeof value === 'string') return /\s/.test(value) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(identifiers)];
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    // A proxy's page has no identifiers.
    return undefined;
  }
}
