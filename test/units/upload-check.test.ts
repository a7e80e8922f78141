import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import {
  type CheckOptions,
  createDuplicateFinder,
  isInt32,
  readFileStart,
  readHeader,
} from '../../src/upload/check-csv.ts';
import { type FileSource, identityDifference, linesAt, openSource, readRecords } from '../../src/upload/csv-records.ts';
import { type JobContext, runUpload } from '../../src/upload/upload-job.ts';
import {
  csvProblemLines,
  layoutParts,
  maxParts,
  minPartBytes,
  partRange,
  planUpload,
} from '../../src/upload/upload-plan.ts';
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
  return planned.ok ? [] : csvProblemLines(planned.faults);
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
  expect(await faults(`${many(200)}\n${many(200)}`)).toEqual([]);
  expect(await check(`${many(50)}\n${many(50)}`)).toMatchObject({ ok: true, plan: { notes: [] } });
  const warned = await check(`${many(51)}\n${many(51)}`);
  expect(warned.ok && warned.plan.notes).toEqual(['the service may refuse more than 50 columns']);
  expect((await faults('id;name\n1;2'))[0]).toContain('separated by ";"');
  expect((await faults('id\tname\n1\t2'))[0]).toContain('tabs');
  expect((await faults('id,name\r1,2\r3,4'))[0]).toContain('CR alone');
  const named = (length: number) => faults(`id,${'x'.repeat(length)}\n1,2`);
  expect(await named(60)).toEqual([
    `line 1: the service cannot keep the column name "${'x'.repeat(60)}": use letters, digits and _`,
  ]);
  expect((await named(61))[0]).toContain(`name "${'x'.repeat(59)}…":`);
  // 157 characters, and those of the last column.
  const columns = (last: number) =>
    faults(`a,${'b'.repeat(50)},${'c'.repeat(50)},${'d'.repeat(50)},${'e'.repeat(last)}\n`);
  expect([(await columns(41))[0], (await columns(42))[0]]).toEqual([
    expect.stringMatching(/, e{41}$/),
    expect.stringMatching(/, e{40}…$/),
  ]);
  expect(await faults(',,\n')).toHaveLength(4);
  expect((await faults('id|name\n1|2'))[0]).toContain('separated by "|"');
});

test('reports faults of cells, keys and numbers by line', async () => {
  const text = 'id,name,size\n\na,"x\r\ny",1\r\n\nb,2\n,n,3\na,n,4\n  ,n,5\nc,n,big\nd,n,1,2\n';
  expect(await faults(text, { key: 'id', types: { size: 'INT32' } })).toEqual([
    'line 6: has 2 cells, the first line has 3',
    'line 7: the primary key "id" is empty',
    'line 9: the primary key "id" is empty',
    'line 10: "big" in the column "size" is not a whole number of 32 bits',
    'line 11: has 4 cells, the first line has 3',
  ]);
  expect(await faults('id,n\na,1\nb,2\n"a",3\nc,4\nb,5')).toEqual([
    'line 4: the primary key "id" is "a", as in line 2',
    'line 6: the primary key "id" is "b", as in line 3',
  ]);
  expect(await faults('id,n\n{other},1\n{other},2')).toEqual([
    'line 3: the primary key "id" is "{other}", as in line 2',
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
  expect(await faults(mixed)).toEqual(['line 3: not text in UTF-8: save the file in UTF-8']);
  expect((await faults('id,name\na,1\nb,\0\n'))[0]).toContain('line 3: a zero byte');
});

/** A file that comes in pieces of so many bytes, and how many of them have been asked for. */
function inPieces(content: string | Buffer, by: number) {
  const bytes = Buffer.from(content as string);
  const asked = { pieces: 0 };
  const source: FileSource = {
    identity: { path: 'x.csv', size: bytes.length, modified: '', inode: '' },
    async *bytes(begin, end) {
      for (let at = begin; at < end; at += by) {
        asked.pieces += 1;
        yield bytes.subarray(at, Math.min(end, at + by));
      }
    },
    changed: async () => undefined,
    close: async () => {},
  };
  return { source, asked };
}

const smallPieces = [1, 2, 3, 4, 5, 7] as const;

test.each(smallPieces)('characters of every length are read from pieces of %i bytes', async (by) => {
  const odd = '\u007f\u0080\u07ff\u0800\ud7ff\uffff\u{10000}\u{fffff}\u{10ffff}é日🦊';
  const rows: string[][] = [];
  const places: number[] = [];
  const { source } = inPieces(`id,${odd}\r\n\n${odd},${odd}${odd}`, by);
  const read: number[] = [];
  const flaw = await readRecords({ source, skip: 0, progress: (bytes) => read.push(bytes) }, (cells, place) => {
    rows.push(cells);
    return places.push(place) > 0;
  });
  expect([flaw, rows]).toEqual([
    undefined,
    [
      ['id', odd],
      [odd, odd + odd],
    ],
  ]);
  expect(read.reduce((sum, bytes) => sum + bytes)).toBe(source.identity.size);
  expect([...(await linesAt(source, places)).values()]).toEqual([1, 3]);
});

test.each([
  ['a byte that begins no character', [0xff], 'not text in UTF-8: save the file in UTF-8'],
  ['the rest of a character alone', [0x80, 0x41], 'not text in UTF-8: save the file in UTF-8'],
  ['a character that a letter ends', [0xe4, 0x41], 'not text in UTF-8: save the file in UTF-8'],
  ['a character that is longer than any', [0xf8, 0x88, 0x80, 0x80, 0x80], 'not text in UTF-8: save the file in UTF-8'],
  ['a zero byte', [0x41, 0], 'a zero byte: this is not text in UTF-8'],
])('%s is found in its line, whatever pieces it comes in, also at the end', async (_, bytes, text) => {
  const bad = Buffer.from(bytes);
  for (const rest of ['\nc,d\n', ''])
    for (const by of [...smallPieces, 64]) {
      const content = Buffer.concat([Buffer.from('id,name\na,ä\nb,'), bad, Buffer.from(rest)]);
      const { source } = inPieces(content, by);
      const flaw = await readRecords({ source, skip: 0 }, () => true);
      expect(flaw?.text).toBe(text);
      expect([...(await linesAt(source, [flaw?.place ?? -1])).values()], `${by}`).toEqual([3]);
    }
});

test('the line of a flaw is found in a piece that begins with the end of another line', async () => {
  const { source } = inPieces(
    Buffer.concat([Buffer.from('id\nfine\n'), Buffer.from([0xff, 0x41]), Buffer.from('\nmore')]),
    64,
  );
  const flaw = await readRecords({ source, skip: 2 }, () => true);
  expect([...(await linesAt(source, [flaw?.place ?? -1])).values()]).toEqual([3]);
});

test('a character that the end of the file cuts off is no text', async () => {
  for (const character of ['é', '日', '🦊'])
    expect(await faults(Buffer.from(`id,name\na,${character}`).subarray(0, -1))).toEqual([
      'line 2: not text in UTF-8: save the file in UTF-8',
    ]);
});

test('nothing is read behind a flaw, behind what is enough, or once it is called off', async () => {
  const content = `id\n${'a\n'.repeat(500)}`;
  const asked = async (text: string | Buffer, isMore: boolean, signal?: AbortSignal) => {
    const { source, asked } = inPieces(text, 10);
    await readRecords({ source, skip: 0, signal }, () => isMore);
    return asked.pieces;
  };
  expect(await asked(content, true)).toBe(101);
  expect(await asked(`\0${content}`, true)).toBe(1);
  expect(await asked(content, false)).toBeLessThan(4);
  expect(await asked(content, true, AbortSignal.abort())).toBe(1);
  expect(await faults('id,name\na,1\n', { key: 'id', signal: AbortSignal.abort() })).toEqual(['canceled']);
});

test('a disk that fails is no fault of the file', async () => {
  const { source } = inPieces('id\n', 10);
  const error = Object.assign(new Error('broken'), { code: 'EIO' });
  const broken = {
    ...source,
    bytes: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
  };
  await expect(readRecords({ source: broken, skip: 0 }, () => true)).rejects.toBe(error);
});

test('the line of a place is that of the next text', async () => {
  const { source } = inPieces('a\r\n\r\nb\n\nc', 3);
  const lines = await linesAt(source, [9, 7, 3, 1, 0, 0]);
  expect(Object.fromEntries(lines)).toEqual({ 0: 1, 1: 3, 3: 3, 7: 5, 9: 5 });
  expect((await linesAt(source, [])).size).toBe(0);
});

test.each<[number[], { skip: number } | string]>([
  [[], 'the file is empty'],
  [[0x61], { skip: 0 }],
  [[0xff, 0xfe], 'the file is in UTF-16: save it in UTF-8'],
  [[0xfe, 0xff], 'the file is in UTF-16: save it in UTF-8'],
  [[0xff, 0xff], { skip: 0 }],
  [[0xfe, 0xfe], { skip: 0 }],
  [[0x61, 0xfe], { skip: 0 }],
  [[0x61, 0xff], { skip: 0 }],
  [[0xef, 0xbb, 0xbf], { skip: 3 }],
  [[0xef, 0xbb, 0x61], { skip: 0 }],
  [[0xef, 0x61, 0xbf], { skip: 0 }],
  [[0x61, 0xbb, 0xbf], { skip: 0 }],
])('a file that begins with %j', async (bytes, start) => {
  expect(await readFileStart(inPieces(Buffer.from(bytes), 1).source)).toEqual(start);
});

/** Files that this process has open. */
const openFiles = () => readdirSync('/proc/self/fd').length;

test('the header is read without what stands behind it', async () => {
  expect(await readHeader(put('id,name\n1,2\n3,on"e\n'))).toEqual({ ok: true, value: ['id', 'name'] });
  expect(await readHeader(put('id'))).toEqual({ ok: true, value: ['id'] });
  expect(await readHeader(put('\n\n'))).toMatchObject({ ok: false, text: 'there is no line in the file' });
  expect(await readHeader(put('i"d\n'))).toMatchObject({ ok: false, text: expect.stringContaining('a quote') });
  expect(await readHeader(put(''))).toMatchObject({ ok: false, text: 'the file is empty' });
});

test('no file stays open, whatever comes of it', async () => {
  const before = openFiles();
  await readHeader(put('id\n'));
  await readHeader(folder);
  await check('id\na\n');
  await check('');
  expect(openFiles()).toBeLessThanOrEqual(before);
});

test('a file tells how far it has been read, to its end', async () => {
  const seen: number[] = [];
  await check(`id\n${Array.from({ length: 8000 }, (_, at) => at).join('\n')}\n`, {
    key: 'id',
    progress: (part) => seen.push(part),
  });
  expect(seen).toHaveLength(3);
  expect(seen.at(-1)).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('a piece stays as it is until seven more have been asked for; a file that has become shorter is told', async () => {
  const opened = await openSource(put('abcdefghij'));
  if (!opened.ok) throw new Error(opened.text);
  const pieces: Uint8Array[] = [];
  for await (const piece of opened.value.bytes(0, 10, 1)) {
    pieces.push(piece);
    expect(Buffer.concat(pieces.slice(-8)).toString()).toBe(
      'abcdefghij'.slice(Math.max(0, pieces.length - 8), pieces.length),
    );
  }
  const beyond = async () => {
    for await (const _ of opened.value.bytes(8, 11, 2));
  };
  await expect(beyond()).rejects.toThrow('the file became shorter');
  await opened.value.close();
  const was = { path: 'x', size: 1, modified: '1', inode: '1:1' };
  const changes = [{}, { inode: '1:2', size: 2 }, { size: 2, modified: '2' }, { modified: '2' }];
  expect(changes.map((change) => identityDifference(was, { ...was, ...change }))).toEqual([
    undefined,
    'another file took its place',
    'its size changed from 1 to 2 bytes',
    'it was written to',
  ]);
  expect(await openSource(join(folder, 'file.csv', 'x'))).toMatchObject({ text: expect.stringContaining('(ENOTDIR)') });
});

test('refuses files without rows', async () => {
  expect(await faults('')).toEqual(['the file is empty']);
  expect(await faults('\n\n')).toEqual(['there is no line in the file']);
  expect(await faults('id,name\n')).toEqual(['there is no row below the first line']);
  const faultsOf = async (path: string) => {
    const planned = await planUpload(path);
    return planned.ok ? [] : csvProblemLines(planned.faults);
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
    { numRuns: runs(20), seed: 7 },
  ));

test('every repeated key is found, however many passes it takes', async () => {
  const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
  const repeated = keys.filter((_, at) => at % 12 === 0);
  const told = await faults(['id', ...keys, ...repeated].join('\n'), { key: 'id', repeats: createDuplicateFinder(5) });
  expect(told).toHaveLength(repeated.length);
});

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
  // 204 of the 256 places are used, so that 1500 keys need at least eight passes.
  expect(passes).toBeGreaterThanOrEqual(8);
  expect(passes).toBeLessThanOrEqual(12);
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
      const { begin, end } = partRange(cut.value, size, part);
      expect(begin).toBe(at);
      expect(end).toBeGreaterThan(begin);
      if (part < partCount - 1) expect(end - begin).toBe(partSize);
      at = end;
    }
    expect(at).toBe(size);
  }
  expect(layoutParts(0)).toMatchObject({ ok: false, text: 'the file is empty' });
  expect(layoutParts(200_000_001)).toMatchObject({ ok: false, text: expect.stringContaining('split it') });
});

test('32-bit integers are accepted in their canonical form', () => {
  for (const text of ['0', '-1', '2147483647', '-2147483648']) expect(isInt32(text)).toBe(true);
  for (const text of ['', ' 1', '1.0', '+1', '01', '-0', '2147483648', '-2147483649', '1e3', '٣'])
    expect(isInt32(text)).toBe(false);
});
