/** A fenced block of a document that a reader may type. */
export interface Block {
  /** Path and line of the fence: `docs/ssh.md:6`. */
  readonly at: string;
  readonly language: string;
  readonly script: string;
  /** What it prints, where the document shows that. */
  readonly prints?: string;
  /** Why no test runs it. */
  readonly notRun?: string;
}

/** Languages of blocks that nobody types into a shell. */
const others = ['json', 'ts', 'yaml', 'text', 'tmux', 'sshd_config'];

/** Languages of blocks that are typed into a shell. */
const shells = /^(sh|bash|fish|console)$/;

/** The commands of a document. `sh`, `bash` and `fish` are scripts; `console` has commands behind `$` and what they print. */
export function blocksOf(path: string, markdown: string): Block[] {
  return fences(path, markdown)
    .filter(({ language }) => shells.test(language))
    .map(({ at, language, body, before }): Block => {
      const reason = /^<!-- not run: (.*?) *-->$/.exec(before)?.[1];
      const notRun = reason === undefined ? {} : { notRun: reason };
      if (language !== 'console') return { at, language, script: body, ...notRun };
      const [typed, printed] = [true, false].map((isTyped) =>
        body.split('\n').filter((line) => line.startsWith('$ ') === isTyped),
      );
      const script = (typed ?? []).map((line) => line.slice(2)).join('\n');
      return { at, language, script, prints: (printed ?? []).join('\n').trim(), ...notRun };
    });
}

/** Blocks of an unknown language, reasons without a word, and commands outside of blocks that are run. */
export function blockFaults(path: string, markdown: string): string[] {
  return fences(path, markdown).flatMap(({ at, language, body, before }) => {
    const isRun = shells.test(language);
    if (!isRun && !others.includes(language))
      return [`${at}: name the language: sh, bash, fish, console, ${others.join(', ')}`];
    if (!isRun && /^\s*(\$ |orgdeck )/m.test(body)) return [`${at}: commands are in a block of sh, bash or console`];
    const comment = /^<!-- not run\b:?(.*)-->$/.exec(before)?.[1];
    return comment !== undefined && comment.trim().length < 10 ? [`${at}: say why it is not run`] : [];
  });
}

interface Fence {
  readonly at: string;
  readonly language: string;
  readonly body: string;
  /** The line above. */
  readonly before: string;
}

const fences = (path: string, markdown: string): Fence[] =>
  [...markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const lines = markdown.slice(0, match.index).split('\n');
    return {
      at: `${path}:${lines.length}`,
      language: match[1] ?? '',
      body: match[2] ?? '',
      before: lines.at(-2) ?? '',
    };
  });
