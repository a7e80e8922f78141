import { expect, test } from 'vitest';
import type { Context } from '../../src/describe/context.ts';
import { webLink, whyNoLinks } from '../../src/describe/screen.ts';
import { contextOf } from '../support/plans.ts';

test('a link begins with the web address of the profile, which may end with a slash', () => {
  expect(webLink({ web: 'https://app.example.test/' }, '/issues/1')).toBe('https://app.example.test/issues/1');
  expect(webLink({}, '/issues/1')).toBeUndefined();
});

test('without a web address it says how to give one; the demo organization can have none', () => {
  const list = { link: (row: string, context: Context) => webLink(context, `/rows/${row}`) };
  const said = (name: string, more: Partial<Context> = {}) =>
    whyNoLinks(list, contextOf({ profile: { name, production: false, readOnly: false }, ...more }));
  expect(said('acme')).toContain('orgdeck profiles edit acme --web-url URL');
  expect(said('demo')).toBe('the demo organization has no web pages');
  expect(said('acme', { web: 'https://app.example.test' })).toBeUndefined();
  expect(whyNoLinks({}, contextOf({ web: 'https://app.example.test' }))).toBe('this row has no link');
});
