import { expect, test } from 'vitest';
import type { AnyList } from '../../src/describe/screen.ts';
import { markdownLink, markdownText } from '../../src/lib/paint.ts';
import { rowsMarkdown } from '../../src/session/list/menus.ts';
import { contextOf } from '../support/plans.ts';

test.each([
  ['needs error_tracking_read', 'needs error_tracking_read'],
  ['a [link](http://x) and `code`', 'a \\[link\\](http://x) and \\`code\\`'],
  ['two\nlines\u202e and \u001b[31m color', 'two lines and \\[31m color'],
  ['<b>|~~x~~ # *y*_z_', '\\<b\\>\\|\\~\\~x\\~\\~ \\# \\*y\\*\\_z\\_'],
  ['R&D &lt;b&gt; &#42;', 'R&D \\&lt;b\\&gt; \\&\\#42;'],
])('text of a service is only text: %j', (text, shown) => {
  expect(markdownText(text)).toBe(shown);
});

test('only an http(s) address becomes a link', () => {
  expect(markdownLink('a]b', 'https://web.test/x_(1)')).toBe('[a\\]b](https://web.test/x_%281%29)');
  expect(markdownLink('a', 'javascript:alert(1)')).toBe('a');
  expect(markdownLink('a', undefined)).toBe('a');
});

const things: AnyList = {
  id: 'things',
  title: 'Things',
  load: () => {
    throw new Error('nothing is read');
  },
  idOf: (row: { id: string }) => row.id,
  nameOf: (row: { name: string }) => row.name,
  columns: [
    { id: 'name', title: 'NAME', min: 1, priority: 1, text: (row: { name: string }) => row.name },
    { id: 'tags', title: 'TAGS', min: 1, priority: 3, text: () => '' },
    { id: 'owner', title: 'OWNER', min: 1, priority: 2, text: () => 'R. Vale' },
    { id: 'state', title: 'STATE', min: 1, priority: 1, text: () => 'ALERT' },
    { id: 'service', title: 'SERVICE', min: 1, priority: 4, text: () => 'web' },
    { id: 'count', title: 'COUNT', min: 1, priority: 5, text: () => '2' },
  ],
  actions: [],
  empty: '',
  link: (row: { id: string }, context) => `${context.web}/things/${row.id}`,
};

test('rows are bullets: the most important facts first, the name once, links where there is a web address', () => {
  const rows = [
    { id: '1', name: 'disk *full* on webs' },
    { id: '2', name: 'E02 in web' },
  ];
  const at = Date.UTC(2026, 4, 6, 11, 59, 0);
  expect(rowsMarkdown(things, rows, contextOf({ web: 'https://web.test' }), at).split('\n')).toEqual([
    ...['**Things of test** as of 2026-05-06 11:59:00 UTC', ''],
    '- **[disk \\*full\\* on webs](https://web.test/things/1)** · state ALERT · owner R. Vale · service web · count 2',
    '- **[E02 in web](https://web.test/things/2)** · state ALERT · owner R. Vale · count 2',
  ]);
  expect(rowsMarkdown(things, rows.slice(1), contextOf(), undefined)).toContain('- **E02 in web** · state');
});
