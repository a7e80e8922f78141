/**
 * `npm run release`: what is given away of this version, in release/: the tarball, the archive for machines like this one, a Dockerfile
 * for the archive, their checksums and, with `-- --url ADDRESS` of the place where they will lie, a formula for Homebrew. Publishes nothing.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { archive, archiveName, manifest, pack, root } from './archive.ts';

/** An image of nothing but the archive; its base has glibc and certificates, and neither shell nor package manager. */
export const dockerfile = (name: string): string => `FROM gcr.io/distroless/cc-debian12:nonroot
ADD --chown=root:root ${name}.tar.gz /opt/
ENV LANG=C.UTF-8 TERM=xterm-256color
# Profiles, journal and drafts. A volume at /home/nonroot keeps them; one at a folder that the image lacks would belong to root.
ENV ORGDECK_CONFIG_DIR=/home/nonroot/orgdeck
ENTRYPOINT ["/opt/${name}/node/bin/node", "/opt/${name}/package/dist/orgdeck.js"]
`;

/** A formula that installs the tarball from this address; Homebrew reads the version in the name of the tarball, and its own Node runs it. */
export const formula = (
  home: string,
  tarball: string,
  digest: string,
  { description, license }: typeof manifest,
): string =>
  `class Orgdeck < Formula
  desc "${description.split(':')[0]?.replace(/^An? (.)/, (_, letter: string) => letter.toUpperCase())}"
  homepage "${home}"
  url "${home}/${tarball}"
  sha256 "${digest}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("lib/node_modules/orgdeck/dist/man/*.1")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/orgdeck --version").strip
    assert_match "wrong", shell_output("#{bin}/orgdeck query check --type composite '1 & 2'", 1)
  end
end
`;

if (import.meta.main) {
  const { url } = parseArgs({ options: { url: { type: 'string' } } }).values;
  const place = join(root, 'release');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  const files = [pack([], place), archive(place)];
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(place, file)))
      .digest('hex');
  writeFileSync(join(place, 'SHA256SUMS'), files.map((file) => `${digest(file)}  ${file}\n`).join(''));
  writeFileSync(join(place, 'Dockerfile'), dockerfile(archiveName));
  const [tarball = ''] = files;
  if (url !== undefined) writeFileSync(join(place, 'orgdeck.rb'), formula(url, tarball, digest(tarball), manifest));
  else process.stderr.write('no formula for Homebrew: --url says where the tarball will lie\n');
  process.stdout.write(`${[...files, 'SHA256SUMS', 'Dockerfile', ...(url ? ['orgdeck.rb'] : [])].join('\n')}\n`);
}
