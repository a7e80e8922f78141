import { expect, test } from 'vitest';
import { dockerfile, formula } from '../../package/release.ts';

test('the formula names the tarball, its digest and the version, and describes it in one short line', () => {
  const description = 'A dashboard: mutes and more';
  const text = formula('https://files.example.test/orgdeck-1.2.3.tgz', 'abc', {
    version: '1.2.3',
    description,
    license: 'MIT',
  });
  expect(text).toContain('  url "https://files.example.test/orgdeck-1.2.3.tgz"\n  version "1.2.3"\n  sha256 "abc"\n');
  expect(text).toContain('  desc "dashboard"\n');
});

test('the image starts the Node of the archive, not as root, and keeps its files where a volume can be', () => {
  const text = dockerfile('orgdeck-1.2.3-linux-x64');
  expect(text).toContain('ADD --chown=root:root orgdeck-1.2.3-linux-x64.tar.gz /opt/');
  expect(text).toContain(':nonroot\n');
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(text) ?? [];
  expect(JSON.parse(entry)).toEqual([
    '/opt/orgdeck-1.2.3-linux-x64/node/bin/node',
    '/opt/orgdeck-1.2.3-linux-x64/package/dist/orgdeck.js',
  ]);
});
