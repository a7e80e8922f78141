import type { Command, Option } from 'commander';
import * as v from 'valibot';
import { screens } from '../../screens/index.ts';
import { endpoints } from '../api/all-endpoints.ts';
import { helpContext } from '../describe/context.ts';
import type { AnyList } from '../describe/screen.ts';
import { directories } from '../profiles/profiles.ts';
import type { Flags, ResolvedSettings } from '../profiles/resolve-settings.ts';
import { savedViews } from '../session/list/resume-session.ts';
import type { Ports } from './command-ports.ts';
import { WordOption } from './flags.ts';
import { readSearch } from './search-flags.ts';
import { keptNamesFile, sessionFile, snapshotFile } from './session-files.ts';

/** One word that may stand at the cursor. */
interface Candidate {
  readonly value: string;
  /** One line about it. */
  readonly says?: string;
}

/** Where words come from that are no part of the commands: rows of the list with an id, and candidates by what they are. */
type CompletionSources = Readonly<
  Record<'profiles' | 'operations' | 'screens' | 'monitorTypes' | 'views', () => Promise<readonly Candidate[]>>
> & { rows(list: string): Promise<readonly Named[]> };

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
  const [, flag = '', typed = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const assigned = optionsOf(command).find(({ long }) => long === flag);
  if (assigned)
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
  if (!/^(ids?|other)$/.test(operand.name())) return [];
  const path: string[] = [];
  for (let part = parent; part.parent; part = part.parent) path.unshift(part.name());
  const rows = await words.rows(path.join('.'));
  // Names are offered to whoever begins one: beside the ids they would say everything twice.
  return current.startsWith('name:')
    ? rows.map(({ id, name }) => ({ value: `name:${name}`, says: id }))
    : rows.map(({ id, name }) => ({ value: id.startsWith('-') ? `id:${id}` : id, says: name }));
}

/**
 * Where completion finds its words: rows are those that the dashboard or a command kept last on this machine, so that a Tab
 * sends nothing and asks for no key. The rows of the demo organization, which is in this process, are read.
 */
export function readCompletionSources(ports: Ports, flags: Flags): CompletionSources {
  return {
    async rows(id) {
      const list = screens.flatMap(({ lists }) => lists).find((one) => one.id === id);
      return list ? readNamedRows(ports, flags, list) : [];
    },
    async profiles() {
      const listing = await ports.profiles.list();
      return listing.ok ? listing.value.profiles.map(({ name, baseUrl }) => ({ value: name, says: baseUrl })) : [];
    },
    operations: async () => endpoints.map(({ id, method, path }) => ({ value: id, says: `${method} ${path}` })),
    screens: async () => screens.map(({ id, title }) => ({ value: id, says: title })),
    async monitorTypes() {
      const { knownTypes } = await import('../query/check-query.ts');
      return knownTypes().map((value) => ({ value }));
    },
    async views() {
      const settings = await ports.resolve(flags);
      if (!settings.ok) return [];
      const session = await sessionFile(locateFiles(ports, settings.value)).read();
      const views = session.ok && session.value ? savedViews(session.value) : [];
      return views.map(({ name, screen }) => ({ value: name, says: screen }));
    },
  };
}

/** Where the dashboard keeps its files for the profile of these settings. */
const locateFiles = (ports: Ports, settings: ResolvedSettings) => ({
  directory: directories(ports.io.env).state,
  redact: (text: string) => text,
  settings,
});

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The ids and names of a list's rows, as they were kept last. */
async function readNamedRows(ports: Ports, flags: Flags, list: AnyList): Promise<readonly Named[]> {
  const named = (rows: readonly unknown[]) => rows.map((row) => ({ id: list.idOf(row), name: list.nameOf(row) }));
  const settings = await ports.resolve(flags);
  if (!settings.ok) return [];
  const { demo, isWelcome } = settings.value;
  // Without a profile a command needs --demo.
  if (isWelcome) return [];
  if (!demo) {
    const place = locateFiles(ports, settings.value);
    const [snapshot, names] = await Promise.all([snapshotFile(place).read(), keptNamesFile(place).read()]);
    const drawn = snapshot.ok ? snapshot.value?.find((one) => one.list === list.id) : undefined;
    const printed = names.ok ? names.value?.[list.id] : undefined;
    if (printed && printed.at > (drawn?.at ?? 0)) return printed.rows.map(([id, name]) => ({ id, name }));
    const { kept } = list;
    return named((drawn?.rows ?? []).filter((row) => kept && v.is(kept, row)));
  }
  const connection = await ports.connect(settings.value);
  if (!connection.ok) return [];
  try {
    const context = { ...helpContext, now: ports.io.clock.now() };
    const asked = readSearch(list, {}, undefined, context);
    if (!asked.ok) return [];
    const result = await connection.value.client.run(list.load(asked.value, context).plan(context));
    return result.ok ? named(result.value.rows) : [];
  } finally {
    await connection.value.close();
  }
}

/**
 * What a shell reads once to complete `orgdeck`. Each hands the line up to the cursor to `orgdeck __complete`, which prints
 * the word as it was typed, then one candidate a line: the value, a tab, and what it means.
 */
export const completionScripts = {
  bash: `# bash completion of orgdeck: source <(orgdeck completion bash)
_orgdeck() {
  local line=\${COMP_LINE:0:COMP_POINT} typed= known= value says quoted at
  local -a values=() meanings=()
  while IFS=$'\\t' read -r value says; do
    if [[ -z $known ]]; then
      typed=$value known=1
    else
      values+=("$value") meanings+=("$says")
    fi
  done < <("\${COMP_WORDS[0]}" __complete "$line" 2>/dev/null)
  # Readline replaces what stands behind the last of these signs, and nothing before it.
  local kept=
  [[ $typed == *[:=]* && $typed != [\\"\\']* ]] && kept=\${typed%"\${typed##*[:=]}"}
  COMPREPLY=()
  for at in "\${!values[@]}"; do
    quoted=\${values[at]}
    # A comma, which %q escapes, needs no quote.
    [[ $typed == [\\"\\']* || \${values[at]} != *[!][:alnum:]_.,:=@%+/-]* ]] || printf -v quoted %q "\${values[at]}"
    quoted=\${quoted#"$kept"}
    # Several are listed with their meanings, of which nothing is inserted.
    if ((\${#values[@]} > 1 && COMP_TYPE != 37 && COMP_TYPE != 42)) && [[ -n \${meanings[at]} ]]; then
      printf -v quoted '%-16s  (%s)' "$quoted" "\${meanings[at]}"
      quoted=\${quoted:0:\${COLUMNS:-80}-2}
    fi
    COMPREPLY+=("$quoted")
  done
}
complete -o default -o nosort -F _orgdeck orgdeck 2>/dev/null || complete -o default -F _orgdeck orgdeck
`,
  zsh: `#compdef orgdeck
# zsh completion of orgdeck: source <(orgdeck completion zsh)
_orgdeck() {
  local -a values shown how
  local value says known= wide=0 at
  while IFS=$'\\t' read -r value says; do
    if [[ -z $known ]]; then
      known=1
    else
      values+=("$value") shown+=("$says")
      (( \${#value} > wide )) && wide=\${#value}
    fi
  done < <("$words[1]" __complete "\${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" 2>/dev/null)
  if (( ! $#values )); then
    _files
    return
  fi
  # One a line where something says what they mean; in the order in which they came, which _describe loses.
  if [[ -n \${(j::)shown} ]]; then
    how=(-l -d shown)
    for at in {1..$#values}; do
      says="\${(r:wide:)values[at]}  \${shown[at]}"
      shown[at]=\${says[1,COLUMNS-1]}
    done
  fi
  compadd -V orgdeck $how -a values
}
compdef _orgdeck orgdeck
`,
  fish: `# fish completion of orgdeck: orgdeck completion fish | source
function __orgdeck_complete
    set -l found (orgdeck __complete (commandline --cut-at-cursor --current-process) 2>/dev/null)
    if test (count $found) -gt 1
        printf '%s\\n' $found[2..-1]
    else
        __fish_complete_path (commandline --current-token)
    end
end
complete --command orgdeck --no-files --keep-order --arguments '(__orgdeck_complete)'
`,
} as const;
