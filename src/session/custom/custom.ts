/** A command of a person's own on a row: a program of this machine, started without a shell. */
export interface CustomCommand {
  /** As the keyboard names it. */
  readonly key: string;
  readonly title: string;
  /** The program and its arguments; `{id}`, `{name}`, `{link}` and `{service}` in them are the row's. */
  readonly argv: readonly string[];
  /** Ids of the screens that offer it; all of them when absent. */
  readonly screens?: readonly string[] | undefined;
  /** Whether the command asks before it runs. */
  readonly confirm: boolean;
  /** Whether what it prints is shown. */
  readonly output: 'view' | 'none';
  /** The place of the command among those of the configuration file. */
  readonly at: number;
}

/** What a person has made of the keys, columns and commands of screens; the rest stays as the screens say. */
export interface Custom {
  /** Keys by the id of their action. */
  readonly keys: Readonly<Record<string, string>>;
  /** Ids of the columns that are shown, in their order, by the id of their list. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly commands: readonly CustomCommand[];
}

/** A part of it that is not used: its path in the configuration file, and why. */
export interface Unused {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Whether a person has set anything of it. */
export const isCustom = ({ keys, columns, commands }: Custom): boolean =>
  [keys, columns, commands].some((part) => Object.keys(part).length > 0);
