import { present } from '../lib/values.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { refuseReadOnly } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { askQuestion, productionQuestion } from './edit-question.ts';
import { followJob } from './follow-job.ts';
import type { Exit } from './io.ts';
import { uploadKinds } from './upload-kinds.ts';

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

/**
 * `orgdeck tables upload FILE --name N [--key COL]`: checks the file, sends it, makes the table and follows it to its
 * end. How far it is goes to stderr; the last line to stdout. Ctrl-C calls it off.
 */
export async function uploadFile(ports: Ports, file: string, flags: UploadFlags): Promise<Exit> {
  const { io } = ports;
  const { name: table, key, tag: tags, number: numbers = [], description } = flags;
  return ports.with(flags, async (connection) => {
    if (connection.settings.readOnly) return refuseReadOnly(io);
    const values = {
      file,
      table,
      types: Object.fromEntries(numbers.map((column) => [column, 'INT32'])),
      ...present({ key, tags: tags && [...tags], description }),
    };
    const { settings } = connection;
    const refused = await askQuestion(
      io,
      settings,
      productionQuestion(settings, `upload ${file} as ${table}`, undefined),
    );
    return refused ?? followJob(io, connection, { kind: uploadKinds.upload, title: `upload ${file}`, values });
  });
}
