import { safeJson } from '../command-messages.ts';

/**
 * A JSON value as YAML in block style. Every text that is not a plain word is written as JSON writes it, which YAML 1.2
 * reads the same, so that no text is ever taken for a number, a date, a truth or a comment.
 */
export function toYaml(value: unknown): string {
  return `${blockOf(value, '').trimStart()}\n`;
}

/** Words that some reader of YAML takes for something other than text. */
const taken = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|e\d+|x[\da-f]+|o[0-7]+)$/i;
const plainWord = /^[A-Za-z_][\w/-]*$/;

const scalarOf = (value: unknown): string =>
  typeof value === 'string' && plainWord.test(value) && !taken.test(value) ? value : safeJson(value ?? null, 0);

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** With a leading line break where it is no scalar. */
function blockOf(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return ` ${scalarOf(value)}`;
  if (isEmpty(value)) return Array.isArray(value) ? ' []' : ' {}';
  if (Array.isArray(value))
    return value.map((item) => `\n${indent}-${hanging(blockOf(item, `${indent}  `), indent)}`).join('');
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `\n${indent}${scalarOf(name)}:${blockOf(member, `${indent}  `)}`)
    .join('');
}

/** The first line of a block goes behind its dash. */
const hanging = (block: string, indent: string): string =>
  block.startsWith(`\n${indent}  `) ? ` ${block.slice(1 + indent.length + 2)}` : block;
