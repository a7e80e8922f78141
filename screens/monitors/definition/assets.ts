import { type Field, queryField } from '../../../src/describe/field.ts';
import type { FieldDiagnostic, FieldLanguage } from '../../../src/describe/language.ts';
import { arrayOrEmpty, toObject, toText } from '../row.ts';
import { members } from './setting.ts';

/** A runbook as a line of text: name, then address. */
const lineOf = (runbook: unknown): string =>
  `${toText(toObject(runbook).name) ?? ''} ${toText(toObject(runbook).url) ?? ''}`.trim();

const written = /^\s*(\S.*?)\s+(\S+)\s*$/;

/** An absolute URL, or a path within the service (docs/contract/monitors.md#monitor). */
const address = /^(\/|[a-z][a-z\d+.-]*:\/\/[^/])/i;

const incomplete = 'a runbook is a name followed by its URL';

const runbookLines: FieldLanguage = {
  check(text) {
    const found: FieldDiagnostic[] = [];
    let start = 0;
    for (const line of text.split('\n')) {
      if (line.trim() !== '' && !written.test(line))
        found.push({
          verdict: 'wrong',
          message: incomplete,
          hint: 'Disk full https://wiki.example.test/disk',
          start,
          end: start + line.length,
        });
      const url = written.exec(line)?.[2];
      if (url !== undefined && !address.test(url))
        found.push({
          verdict: 'doubtful',
          message: `${url} may not be a URL`,
          hint: 'https://… or, within the service, /…',
          start: start + line.lastIndexOf(url),
          end: start + line.lastIndexOf(url) + url.length,
        });
      start += line.length + 1;
    }
    return found;
  },
  complete: () => undefined,
};

/** Runbooks by name and address; their other members are kept (docs/contract/monitors.md#monitor). */
function runbooksField(label: string, value: unknown): Field<unknown> {
  const stored = arrayOrEmpty(value);
  const field = queryField(label, stored.map(lineOf).join('\n'), async () => runbookLines, {
    hint: 'One per line: name, then URL',
    isProse: true,
  });
  return {
    ...field,
    read(text) {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      if (!lines.every((line) => written.test(line))) return { ok: false, text: incomplete };
      return {
        ok: true,
        value: lines.map((line) => {
          const [, name = '', url = ''] = written.exec(line) ?? [];
          const same = stored.find(
            (runbook) => toText(toObject(runbook).url) === url || toText(toObject(runbook).name) === name,
          );
          return { category: 'runbook', ...toObject(same), name, url };
        }),
      };
    },
  };
}

export const assetsSettings = members({ assets: { label: 'runbooks', rare: true, untold: [], field: runbooksField } });
