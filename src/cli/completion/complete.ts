import type { Command, Option } from 'commander';
import { WordOption } from '../flags.ts';

/** One word that may stand at the cursor. */
export interface Candidate {
  readonly value: string;
  /** One line about it. */
  readonly says?: string;
}

/** Where words come from that are no part of the commands. */
export interface CompletionSources {
  /** Rows of the list with this id: their ids, and their names. */
  rows(list: string): Promise<readonly { readonly id: string; readonly name: string }[]>;
  profiles(): Promise<readonly Candidate[]>;
  operations(): Promise<readonly Candidate[]>;
  screens(): Promise<readonly Candidate[]>;
  /** Types of monitors whose queries can be checked. */
  monitorTypes(): Promise<readonly Candidate[]>;
  /** Named views of the profile. */
  views(): Promise<readonly Candidate[]>;
}

/**
 * What may stand at the cursor, of the commands and flags below `root` and of `words`; `before` are the words behind the
 * program's name. Empty where a shell should offer files.
 */
export async function completeLine(
  root: Command,
  before: readonly string[],
  current: string,
  words: CompletionSources,
): Promise<readonly Candidate[]> {
  const { command, operands, pending } = walk(root, before);
  const starts = ({ value }: Candidate) => value.startsWith(current);
  const values = pending ? (await valuesOf(pending, current, words)).filter(starts) : [];
  if (pending?.required || values.length > 0) return values;
  const [, flag, typed] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const assigned = optionsOf(command).find(({ long }) => long === flag);
  if (assigned && typed !== undefined)
    return (await valuesOf(assigned, typed, words))
      .map(({ value, ...rest }) => ({ value: `${flag}=${value}`, ...rest }))
      .filter(starts);
  if (current.startsWith('-')) return flags(command).filter(starts);
  const below = operands === 0 ? commandsOf(command) : [];
  return [...below, ...(await operandsOf(command, operands, current, words))].filter(starts);
}

/** The command that the words lead to, how many operands follow it, and the option whose value comes next. */
function walk(root: Command, before: readonly string[]) {
  let command = root;
  let operands = 0;
  let pending: Option | undefined;
  for (const word of before) {
    const wasPending = pending;
    pending = undefined;
    if (wasPending?.required) continue;
    if (word.startsWith('-') && word !== '-') {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      if (option?.required || option?.optional) pending = option;
    } else if (!wasPending) {
      const below =
        operands === 0
          ? command.commands.find((one) => one.name() === word || one.aliases().includes(word))
          : undefined;
      if (below) command = below;
      else operands += 1;
    }
  }
  return { command, operands, pending };
}

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

const flags = (command: Command): Candidate[] =>
  optionsOf(command).flatMap(({ long, description }) => (long ? [{ value: long, says: description }] : []));

const commandsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), says: one.description() }));

async function valuesOf(option: Option, typed: string, words: CompletionSources): Promise<readonly Candidate[]> {
  if (option instanceof WordOption) {
    const before = option.isSeveral ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
    const given = before.split(',');
    return option.words.filter((word) => !given.includes(word)).map((word) => ({ value: before + word }));
  }
  if (option.long === '--profile') return words.profiles();
  if (option.long === '--screen') return words.screens();
  if (option.long === '--view') return words.views();
  if (option.long === '--type') return words.monitorTypes();
  return [];
}

async function operandsOf(
  command: Command,
  given: number,
  current: string,
  words: CompletionSources,
): Promise<readonly Candidate[]> {
  const takes = command.registeredArguments;
  const last = takes.at(-1);
  const operand = takes[given] ?? (last?.variadic ? last : undefined);
  const parent = command.parent;
  if (!operand || !parent) return [];
  if (operand.name() === 'command') return given === 0 ? commandsOf(parent) : [];
  if (operand.argChoices) return operand.argChoices.map((value) => ({ value }));
  if (operand.name() === 'operation') return words.operations();
  if (parent.name() === 'profiles' && command.name() !== 'add') return words.profiles();
  if (!/^ids?$/.test(operand.name())) return [];
  const path: string[] = [];
  for (let part = parent; part.parent; part = part.parent) path.unshift(part.name());
  const rows = await words.rows(path.join('.'));
  // Names are offered to whoever begins one: beside the ids they would say everything twice.
  return current.startsWith('name:')
    ? rows.map(({ id, name }) => ({ value: `name:${name}`, says: id }))
    : rows.map(({ id, name }) => ({ value: id.startsWith('-') ? `id:${id}` : id, says: name }));
}
