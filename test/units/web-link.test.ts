import { expect, test } from 'vitest';
import { noWebAddress, webLink } from '../../src/describe/web-link.ts';

test('a link begins with the web address of the profile, which may end with a slash', () => {
  expect(webLink({ web: 'https://app.example.test/' }, '/issues/1')).toBe('https://app.example.test/issues/1');
  expect(webLink({}, '/issues/1')).toBeUndefined();
});

test('without a web address it says how to give one; the demo organisation can have none', () => {
  const said = (name: string) => noWebAddress({ profile: { name, production: false, readOnly: false } });
  expect(said('acme')).toContain('orgdeck profiles edit acme --web-url URL');
  expect(said('demo')).toBe('No link: the demo organisation has no web pages');
});
