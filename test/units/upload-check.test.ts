import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { CheckOptions } from '../../src/upload/check-csv.ts';
import { isInt32 } from '../../src/upload/check-csv.ts';
import { createDuplicateFinder } from '../../src/upload/duplicate-finder.ts';
import { readHeader } from '../../src/upload/header.ts';
import { layoutParts, maxParts, minPartBytes, rangeOf } from '../../src/upload/part-layout.ts';
import { type JobContext, runUpload } from '../../src/upload/upload-job.ts';
import { faultLines, planUpload } from '../../src/upload/upload-plan.ts';
import { runs } from '../support/runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdeck-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const put = (content: string | Buffer, name = 'file.csv'): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const check = (content: string | Buffer, asked: CheckOptions = { key: 'id' }) => planUpload(put(content), asked);
const faults = async (content: string | Buffer, asked?: CheckOptions): Promise<string[]> => {
  const planned = await check(content, asked);
  return planned.ok ? [] : faultLines(planned.faults);
};

test('a valid file gives its counts and its parts', async () => {
  const planned = await check('id,name,size\r\na,"one, ""1""",1\r\nb,"two\nlines",-7\r\n\r\nc,日本,0\r\n');
  expect(planned).toMatchObject({
    ok: true,
    plan: { headers: ['id', 'name', 'size'], rows: 3, numbers: ['size'], skip: 0, notes: [], partCount: 1 },
  });
  expect(planned.ok && planned.plan.partSize).toBe(planned.ok && planned.plan.file.size);
});

test('a byte order mark is left out and reported', async () => {
  const planned = await check('\ufeffid,name\na,1');
  expect(planned).toMatchObject({ ok: true, plan: { headers: ['id', 'name'], skip: 3, size: 11, partSize: 11 } });
  expect(planned.ok && planned.plan.notes).toEqual(['the byte order mark at the beginning is left out']);
  expect(await faults(Buffer.from('\ufeffid\na', 'utf16le'))).toEqual(['the file is in UTF-16: save it in UTF-8']);
});

test('reports header faults: empty, duplicate, odd, missing key, too many, other separators', async () => {
  expect(await faults('id,,name,name, Size,"Größe"\n1,2,3,4,5,6')).toEqual([
    'line 1: column 2 has no name',
    'line 1: the column "name" is there twice',
    'line 1: the service would call the column " Size" size: write it so',
    'line 1: the service would call the column "Größe" gr__e: write it so',
  ]);
  expect(await faults('name,size\n1,2')).toEqual(['line 1: there is no column "id": the columns are name, size']);
  expect(await faults('id,name\n1,2', { key: 'id', types: { weight: 'INT32' } })).toEqual([
    'line 1: there is no column "weight": the columns are id, name',
  ]);
  const many = (count: number) => ['id', ...Array.from({ length: count - 1 }, (_, at) => `c${at}`)].join(',');
  expect((await faults(`${many(201)}\n${many(201)}`))[0]).toContain('201 columns');
  const warned = await check(`${many(51)}\n${many(51)}`);
  expect(warned.ok && warned.plan.notes).toEqual(['the service may refuse more than 50 columns']);
  expect((await faults('id;name\n1;2'))[0]).toContain('separated by ";"');
  expect((await faults('id\tname\n1\t2'))[0]).toContain('tabs');
  expect((await faults('id,name\r1,2\r3,4'))[0]).toContain('CR alone');
  expect((await faults(`id,${'x'.repeat(57)}\n1,2`))[0]).toContain('cannot keep');
});

test('reports faults of cells, keys and numbers by line', async () => {
  const text = 'id,name,size\n\na,"x\r\ny",1\r\n\nb,2\n,n,3\na,n,4\n  ,n,5\nc,n,big\nd,n,1,2\n';
  expect(await faults(text, { key: 'id', types: { size: 'INT32' } })).toEqual([
    'line 6: has 2 cells, the first line has 3',
    'line 7: the primary key "id" is empty',
    'line 9: the primary key "id" is empty',
    'line 10: "big" in the column "size" is no whole number of 32 bits',
    'line 11: has 4 cells, the first line has 3',
  ]);
  expect(await faults('id,n\na,1\nb,2\n"a",3\nc,4\nb,5')).toEqual([
    'line 4: the primary key "id" is "a", as in line 2',
    'line 6: the primary key "id" is "b", as in line 3',
  ]);
  // The name in the first line is no key.
  expect(await faults('id,n\nid,1\nid,2')).toEqual(['line 3: the primary key "id" is "id", as in line 2']);
  expect(await faults('id,n\nA,1\na,2\na ,3')).toEqual([]);
  expect(await faults('name,n\na,1\na,2', { firstKey: true })).toHaveLength(1);
  expect(await faults('name,n\na,1\na,2', {})).toEqual([]);
  const many = await faults(`id,n\n${'x\n'.repeat(100)}`);
  expect(many).toHaveLength(20);
});

test('reports quotes and bytes that make the rest unreadable', async () => {
  expect(await faults('id,name\na,"one\nb,two\nc,three')).toEqual(['line 2: a quote is opened here and never closed']);
  expect((await faults('id,name\na,1\nb,on"e\n'))[0]).toContain('line 3: a quote stands inside a cell');
  expect((await faults('id,name\na,1\nb,"on"e\n'))[0]).toContain('line 3: a quote ends inside a cell');
  expect((await faults(`id,name\na,"${'x'.repeat(2_000_000)}\n`))[0]).toContain('line 2: a quote is opened here');
  expect(await faults(Buffer.from('id,name\na,ä\nb,\xe4\nc,1', 'latin1'))).toHaveLength(1);
  const mixed = Buffer.concat([Buffer.from('id,name\na,ä\nb,'), Buffer.from([0xe4, 0x41]), Buffer.from('\nc,1\n')]);
  expect(await faults(mixed)).toEqual(['line 3: no text in UTF-8: save the file in UTF-8']);
  expect((await faults('id,name\na,1\nb,\0\n'))[0]).toContain('line 3: a zero byte');
});

test('the header is read without what stands behind it', async () => {
  expect(await readHeader(put('id,name\n1,2\n3,on"e\n'))).toEqual({ ok: true, value: ['id', 'name'] });
});

test('refuses files without rows', async () => {
  expect(await faults('')).toEqual(['the file is empty']);
  expect(await faults('\n\n')).toEqual(['there is no line in the file']);
  expect(await faults('id,name\n')).toEqual(['there is no row below the first line']);
  const faultsOf = async (path: string) => {
    const planned = await planUpload(path);
    return planned.ok ? [] : faultLines(planned.faults);
  };
  expect(await faultsOf(join(folder, 'none.csv'))).toEqual([`there is no file ${join(folder, 'none.csv')}`]);
  expect((await faultsOf(folder))[0]).toContain('not a plain file');
  expect((await faultsOf('/dev/null'))[0]).toContain('not a plain file');
});

test('characters and quotes across chunk borders are read', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 16_370, max: 16_390 }),
      fc.constantFrom('日', '🦊', '""', 'é'),
      async (fill, odd) => {
        const planned = await check(`id,name\na,"${'x'.repeat(fill)}${odd}"\r\nb,2\r\n`);
        expect(planned).toMatchObject({ ok: true, plan: { rows: 2 } });
      },
    ),
    { numRuns: runs(60), seed: 7 },
  ));

test('a repeated key is found in any file, and no other is reported', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 120 }), async (keys) => {
      const planned = await check(`id\n${keys.join('\n')}\n`, { key: 'id', repeats: createDuplicateFinder(5) });
      expect(planned.ok).toBe(new Set(keys).size === keys.length);
    }),
    { numRuns: runs(100), seed: 11 },
  ));

test('twenty faults are found at most, repeated keys and others alike, and five of them told', async () => {
  const repeated = Array.from({ length: 30 }, (_, at) => `k${at % 3}`);
  expect(await faults(['id', ...repeated].join('\n'))).toHaveLength(20);
  expect(await faults(['id', ...repeated.map((key) => `${key},x`)].join('\n'))).toHaveLength(20);
  const told = await runUpload({ file: put('id,name\na\nb\nc\nd\ne\nf\ng\n'), table: 'routes' }, {
    client: { send: () => Promise.reject(new Error('nothing is sent')), origin: 'https://api.example.test' },
    parts: { close: async () => {} },
    signal: new AbortController().signal,
    progress: () => {},
  } as unknown as JobContext);
  expect(told).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^nothing was sent: line 2: .*line 6: [^;]*; and 2 more$/),
  });
});

test('more keys than the table holds are checked in several passes, each key in exactly one', () => {
  const repeats = createDuplicateFinder(8);
  const keys = Array.from({ length: 1500 }, (_, at) => `key ${at}`);
  const twice = keys.filter((_, at) => at % 10 === 0);
  const all = [...keys, ...twice];
  let passes = 0;
  do {
    passes += 1;
    for (const key of all) repeats.note(key);
  } while (repeats.pass());
  expect(passes).toBeGreaterThanOrEqual(8);
  expect(keys.filter(repeats.isSuspect)).toEqual(twice);
  const short = createDuplicateFinder(8);
  for (const key of ['a', 'b', '1x', '2x']) short.note(key);
  expect(short.suspects()).toBe(0);
});

test('parts are neither too small nor too many, and cover the file once', () => {
  for (const size of [1, 4_999_999, 5_000_000, 5_000_001, 90_000_000, 100_000_001, 199_999_999, 200_000_000]) {
    const cut = layoutParts(size);
    if (!cut.ok) throw new Error(cut.text);
    const { partCount, partSize } = cut.value;
    expect(partCount).toBeLessThanOrEqual(maxParts);
    if (partCount > 1) expect(partSize).toBeGreaterThanOrEqual(minPartBytes);
    let at = 0;
    for (let part = 0; part < partCount; part += 1) {
      const { begin, end } = rangeOf(cut.value, size, part);
      expect(begin).toBe(at);
      expect(end).toBeGreaterThan(begin);
      if (part < partCount - 1) expect(end - begin).toBe(partSize);
      at = end;
    }
    expect(at).toBe(size);
  }
  expect(layoutParts(200_000_001)).toMatchObject({ ok: false, text: expect.stringContaining('split it') });
});

test('32-bit integers are accepted in their canonical form', () => {
  for (const text of ['0', '-1', '2147483647', '-2147483648']) expect(isInt32(text)).toBe(true);
  for (const text of ['', ' 1', '1.0', '+1', '01', '-0', '2147483648', '-2147483649', '1e3', '٣'])
    expect(isInt32(text)).toBe(false);
});
