import { initialQuery } from '../../describe/screen.ts';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';
import { plural } from '../../lib/text.ts';
import type { Flags } from '../../profiles/resolve-settings.ts';
import { tellReceipts } from '../actions/receipts.ts';
import type { Ports } from '../command-ports.ts';
import { askQuestion } from '../edit-question.ts';
import { factsFor, findSome } from '../find-rows.ts';
import { complain, type Exit, endWith, exits, refuseReadOnly, safeJson, tell, usage } from '../io.ts';
import { envelope } from '../output/formats.ts';
import { untilSignal } from '../output/progress.ts';
import { applyChanges, faultsIn, fixedIn, unknownNames, warningsOf } from './apply.ts';
import { changeLines, compareKind, countText, differencesOf, type KindChanges } from './compare.ts';
import { filesOf, foldersIn, organizationOfFiles, readKindFiles, writeKind } from './directory.ts';
import type { FileKind } from './file-kinds.ts';
import {
  type Names,
  type Reading,
  readNames,
  readObjects,
  readOrganization,
  wantedKinds,
} from './organization-objects.ts';

/** What the commands of files are given. */
export interface FileFlags {
  readonly kind?: readonly string[];
  readonly delete?: boolean;
  /** What the service is sure to refuse is sent all the same. */
  readonly anyway?: boolean;
  readonly json?: boolean;
}

/** `export DIR`: writes a file for each object. Nothing is removed but files of objects that are gone. */
export async function exportFiles(ports: Ports, directory: string, flags: Flags & FileFlags): Promise<Exit> {
  return withKinds(ports, flags, async (work, kinds) => {
    const read = await readOrganization(work, kinds);
    if (!read.ok) return failing(ports, read.text);
    const { id, kinds: all } = read.value;
    const owner = await ownerOf(work, directory, id);
    if (!owner.ok) return usage(ports.io, owner.text);
    if (owner.value === 'another')
      return usage(ports.io, `${directory} has the files of another organization: name a new directory`);
    for (const stored of all) {
      const done = await writeKind(directory, id ?? work.connection.client.origin, filesOf(stored));
      if (!done.ok) return failing(ports, done.text);
      const { written, removed } = done.value;
      const gone = removed > 0 ? `, ${plural(removed, 'old file')} removed` : '';
      tell(ports.io, [`${stored.kind.id}: ${plural(written, 'file')}${gone}`]);
    }
    return exits.done;
  });
}

/** `diff DIR`: what differs, a line for each member; 1 where anything does. */
export async function compareFiles(ports: Ports, directory: string, flags: Flags & FileFlags): Promise<Exit> {
  return withKinds(ports, flags, async (work, kinds) => {
    const compared = await comparison(work, directory, kinds);
    if (!compared.ok) return failing(ports, compared.text);
    const { changes } = compared.value;
    const lines = changes.flatMap(changeLines);
    tell(ports.io, [...changes.flatMap(({ notes }) => notes), ...lines]);
    return lines.length === 0 ? exits.done : exits.failed;
  });
}

/** `monitors diff A B`: what differs between two objects of a kind; 1 where anything does. */
export async function compareObjects(
  ports: Ports,
  words: readonly [string, string],
  flags: Flags & FileFlags,
): Promise<Exit> {
  return withKinds(ports, flags, async (work, [kind]) => {
    if (!kind) return exits.usage;
    const { list } = kind;
    const found = await findSome(ports.io, work.connection, work.context, { list, words, asked: initialQuery(list) });
    if (!found.ok) return found.exit;
    if (found.faults.length > 0) return failing(ports, found.faults.map(({ text }) => text).join('; '));
    const names = await readNames(work, [kind]);
    if (!names.ok) return failing(ports, names.text);
    const read = await readObjects(work, kind, found.rows, names.value);
    if (!read.ok) return failing(ports, read.text);
    const [one, other] = read.value;
    if (!one || !other) return usage(ports.io, 'diff compares two: give two IDs');
    const lines = differencesOf(kind, one.content, other.content).flat();
    tell(ports.io, lines);
    return lines.length === 0 ? exits.done : exits.failed;
  });
}

/** `apply DIR`: makes the organization as the files say, by the same edits as a person's; deletes only with `--delete`. */
export async function applyFiles(ports: Ports, directory: string, flags: Flags & FileFlags): Promise<Exit> {
  const { io } = ports;
  return withKinds(ports, flags, async (work, kinds) => {
    const { settings } = work.connection;
    if (settings.readOnly && !settings.dryRun) return refuseReadOnly(io);
    const compared = await comparison(work, directory, kinds);
    if (!compared.ok) return failing(ports, compared.text);
    const { names } = compared.value;
    const changes = deletable(ports, compared.value.changes, flags.delete === true);
    const refused = refusal(ports, changes, names, flags);
    if (refused !== undefined) return failing(ports, refused);
    for (const note of changes.flatMap(({ notes }) => notes)) complain(io, note);
    if (countText(changes) === '') {
      if (flags.json) io.out(`${safeJson(envelope([]))}\n`);
      else tell(io, ['Nothing to apply']);
      return exits.done;
    }
    const stopped = await askQuestion(io, settings, applyQuestion(work, changes, names));
    if (stopped !== undefined) return stopped;
    const isJson = flags.json === true;
    const requests = isJson && settings.dryRun ? ports.keepPreviews() : undefined;
    return untilSignal(io, async (stop) => {
      const receipts = await applyChanges({ ...work, stop }, changes);
      return tellReceipts(io, receipts, { isJson, connection: work.connection, requests });
    });
  });
}

/** Says what of the files cannot be sent, or is sure to be refused; undefined where they may go. */
function refusal({ io }: Ports, changes: readonly KindChanges[], names: Names, { anyway }: FileFlags) {
  const [lost, faults] = [[...unknownNames(changes, names), ...fixedIn(changes)], faultsIn(changes)];
  for (const text of [...lost, ...faults]) complain(io, text);
  if (lost.length > 0) return 'nothing was sent';
  return faults.length > 0 && !anyway ? 'nothing was sent; --anyway sends it' : undefined;
}

/** The changes with or without the deletes; how many objects stay without one is said. */
function deletable({ io }: Ports, changes: readonly KindChanges[], isDeleting: boolean): readonly KindChanges[] {
  if (isDeleting) return changes;
  const kept = changes.reduce((sum, { deletes }) => sum + deletes.length, 0);
  if (kept > 0) complain(io, `kept ${plural(kept, 'object')} without a file; --delete deletes what has none`);
  return changes.map((one) => ({ ...one, deletes: [] }));
}

/** The question before anything is sent, with every change; where something is deleted the profile's name is typed. */
function applyQuestion({ connection: { settings }, context }: Reading, changes: readonly KindChanges[], names: Names) {
  const question = `Apply ${countText(changes)} to ${settings.name}?`;
  const details = [...changes.flatMap(changeLines), ...warningsOf(changes, names, context)];
  const isDeleting = changes.some(({ deletes }) => deletes.length > 0);
  return { question, details, ...(isDeleting && { typed: settings.name }) };
}

async function withKinds(
  ports: Ports,
  flags: Flags & FileFlags,
  work: (applying: Reading, kinds: readonly FileKind[]) => Promise<Exit>,
): Promise<Exit> {
  const kinds = wantedKinds(flags.kind);
  if (!kinds.ok) return usage(ports.io, kinds.text);
  return ports.with(flags, (connection) =>
    work({ io: ports.io, connection, context: factsFor(ports.io, connection) }, kinds.value),
  );
}

const failing = ({ io }: Ports, text: string): Exit => endWith(io, exits.partial, text);

/** Whose files these are. What was exported where no id of an organization could be read is of all at the address. */
async function ownerOf(
  { connection: { client } }: Reading,
  directory: string,
  id: string | undefined,
): Promise<ParseResult<'this' | 'another' | 'nobody'>> {
  const owner = await organizationOfFiles(directory);
  if (owner === undefined) return { ok: true, value: 'nobody' };
  if (owner === id || owner === client.origin) return { ok: true, value: 'this' };
  if (id !== undefined) return { ok: true, value: 'another' };
  return unreadable(
    `${directory} has the files of one organization, and which one this is could not be read: orgdeck doctor says why`,
  );
}

/** The files against the organization; kinds without a folder are left alone. */
async function comparison(
  work: Reading,
  directory: string,
  kinds: readonly FileKind[],
): Promise<ParseResult<{ readonly changes: readonly KindChanges[]; readonly names: Names }>> {
  const there = await foldersIn(directory);
  const wanted = kinds.filter(({ id }) => there.includes(id));
  if (wanted.length === 0)
    return unreadable(
      `${directory} has none of the folders ${kinds.map(({ id }) => id).join(', ')}: orgdeck export writes them`,
    );
  // What is wrong with a file is said before anything is read of the service.
  for (const kind of wanted) {
    const read = await readKindFiles(directory, kind);
    if (!read.ok) return read;
  }
  const stored = await readOrganization(work, wanted);
  if (!stored.ok) return stored;
  const { id, names } = stored.value;
  const owner = await ownerOf(work, directory, id);
  if (!owner.ok) return owner;
  const changes: KindChanges[] = [];
  for (const one of stored.value.kinds) {
    const files = await readKindFiles(directory, one.kind, owner.value !== 'this');
    if (!files.ok) return files;
    const compared = compareKind(files.value, one);
    if (!compared.ok) return compared;
    changes.push(compared.value);
  }
  return { ok: true, value: { changes, names } };
}
