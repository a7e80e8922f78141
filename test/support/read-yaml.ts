/**
 * Reads YAML as `yamlOf` writes it: block mappings and lists, scalars as JSON writes them, and plain words. Strict: a line
 * that is none of these throws. It stands for the readers of others, which accept all of it (YAML 1.2).
 */
export function readYaml(text: string): unknown {
  const lines = text.split('\n').slice(0, -1);
  const at = { line: 0 };
  const scalar = (written: string): unknown => {
    if (/^[A-Za-z_][\w/-]*$/.test(written) && !/^(true|false|null)$/.test(written)) {
      if (/^(y|n|yes|no|on|off|~|nan|inf)$/i.test(written)) throw new Error(`${written} is ambiguous`);
      return written;
    }
    return JSON.parse(written);
  };
  /** The lines of `depth` as one value; the first may have been cut off its dash. */
  const block = (depth: number): unknown => {
    const isList = /^-( |$)/.test((lines[at.line] ?? '').slice(depth));
    const list: unknown[] = [];
    const object: Record<string, unknown> = {};
    while (at.line < lines.length) {
      const line = lines[at.line] ?? '';
      if (line.slice(0, depth).trim() !== '' || line.length <= depth) break;
      const rest = line.slice(depth);
      if (rest.startsWith(' ')) throw new Error(`unexpected indentation: ${line}`);
      if (isList) {
        if (!rest.startsWith('- ')) break;
        const item = rest.slice(2);
        if (isScalarLine(item)) {
          at.line += 1;
          list.push(scalar(item));
        } else {
          // What follows the dash is the first line of a block.
          lines[at.line] = `${' '.repeat(depth + 2)}${item}`;
          list.push(block(depth + 2));
        }
        continue;
      }
      const [, name = '', value = ''] = /^("(?:[^"\\]|\\.)*"|[A-Za-z_][\w/-]*):(?: (.*))?$/.exec(rest) ?? [];
      if (name === '') throw new Error(`not understood: ${line}`);
      at.line += 1;
      object[scalar(name) as string] = value === '' ? block(depth + 2) : scalar(value);
    }
    return isList ? list : object;
  };
  return lines.length === 1 && isScalarLine(lines[0] ?? '') ? scalar(lines[0] ?? '') : block(0);
}

const isScalarLine = (text: string): boolean =>
  !text.startsWith('- ') && !/^("(?:[^"\\]|\\.)*"|[A-Za-z_][\w/-]*):( |$)/.test(text);
