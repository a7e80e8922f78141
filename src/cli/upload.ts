import type { Progress } from '../describe/job.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import type { House } from './house.ts';
import { type Exit, exits } from './io.ts';
import { runJob } from './jobs.ts';
import { uploadKinds } from './kinds.ts';
import { complain, tell } from './say.ts';

/** Flags of `orgdeck tables upload`. */
export interface UploadFlags extends Flags {
  readonly name: string;
  /** The column of the primary key. */
  readonly key?: string;
  readonly tag?: readonly string[];
  /** Columns that hold whole numbers. */
  readonly number?: readonly string[];
  readonly description?: string;
}

/** Milliseconds between two lines about how far it is. */
const everyMs = 5000;

/**
 * `orgdeck tables upload FILE --name N [--key COL]`: checks the file, sends it, makes the table and follows it to its
 * end. How far it is goes to stderr; the last line to stdout. Ctrl-C calls it off.
 */
export async function uploadFile(house: House, file: string, flags: UploadFlags): Promise<Exit> {
  const { io } = house;
  const { name: table, key, tag: tags, number: numbers = [], description } = flags;
  return house.with(flags, async (connection) => {
    if (connection.settings.readOnly) {
      complain(io, 'this profile is read-only: nothing was sent');
      return exits.failed;
    }
    const stop = new AbortController();
    const told = { at: Number.NEGATIVE_INFINITY, step: '' };
    const progress = ({ step, notes, part }: Progress): void => {
      const now = io.clock.now();
      if (step === told.step && now - told.at < everyMs) return;
      Object.assign(told, { at: now, step });
      const share = part === undefined ? '' : ` ${Math.floor(part * 100)} %`;
      complain(io, [`${step}${share}`, ...notes].join('; '));
    };
    const callOff = () => stop.abort();
    process.once('SIGINT', callOff);
    try {
      const ended = await runJob(
        {
          kind: uploadKinds.upload,
          title: `upload ${file}`,
          values: {
            file,
            table,
            types: Object.fromEntries(numbers.map((column) => [column, 'INT32'])),
            ...(key === undefined ? {} : { key }),
            ...(tags === undefined ? {} : { tags: [...tags] }),
            ...(description === undefined ? {} : { description }),
          },
        },
        { connection, clock: io.clock, random: io.random, env: io.env, signal: stop.signal, progress },
      );
      if (ended.ok) tell(io, [ended.text]);
      else complain(io, ended.text);
      return ended.ok ? exits.done : exits.failed;
    } finally {
      process.off('SIGINT', callOff);
    }
  });
}
