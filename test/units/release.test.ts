import { expect, test } from 'vitest';
import { dockerfile, formula } from '../../package/release.ts';

test('the formula names the tarball and its digest, and describes it in one short line with a capital', () => {
  const about = { version: '1.2.3', description: 'A dashboard: mutes and more', license: 'MIT' };
  const text = formula('https://files.example.test', 'orgdeck-1.2.3.tgz', 'abc', about);
  expect(text).toContain(
    [
      ...['class Orgdeck < Formula', '  desc "Dashboard"', '  homepage "https://files.example.test"'],
      ...['  url "https://files.example.test/orgdeck-1.2.3.tgz"', '  sha256 "abc"', '  license "MIT"', ''],
    ].join('\n'),
  );
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
