import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, fileRefusal, quotePath } from '../../lib/private-file.ts';
import { plural } from '../../lib/text.ts';
import { type ConfigFile, configPath } from '../../profiles/config-file.ts';
import { directories } from '../../profiles/directories.ts';
import { type DoctorFact, factAbout } from './fact.ts';

/** Where profiles, journal and configuration are, and whether nobody else may read or write them. */
export async function fileFacts(env: NodeJS.ProcessEnv, config: ConfigFile): Promise<DoctorFact[]> {
  const where = directories(env);
  return [
    await privateFact('profiles', 'profile files', where.config),
    ...(where.state === where.config ? [] : [await privateFact('state', 'journal and state', where.state)]),
    configFact(config),
  ];
}

async function privateFact(id: string, title: string, directory: string): Promise<DoctorFact> {
  const fact = factAbout(id, title);
  try {
    const { mode } = await stat(directory);
    const names = await readdir(directory);
    // Others may read the configuration, which has a fact of its own.
    const paths = names.map((name) => join(directory, name)).filter((path) => path !== configPath(directory));
    const files = await Promise.all(paths.map(async (path) => ({ path, about: await stat(path) })));
    const open = files.filter(
      ({ about, path }) => about.isFile() && fileRefusal(about, path, 'the file') !== undefined,
    );
    const advice = [
      ...((mode & 0o077) === 0 ? [] : [`chmod 700 ${quotePath(directory)}`]),
      ...open.map(({ path }) => `chmod 600 ${quotePath(path)}`),
    ];
    if (advice.length === 0) return fact.ok(`${directory}, readable by you alone`);
    // Others who may only see the names of files see nothing secret.
    const isBad = open.length > 0 || (mode & 0o022) !== 0;
    return fact[isBad ? 'bad' : 'warn'](`others can open ${directory} or files in it`, ...advice);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return fact.ok(`${directory}, created on first use`);
    return fact.bad(
      `${directory} cannot be read (${errorCode(error)})`,
      'check who owns it, or give another directory in ORGDECK_CONFIG_DIR',
    );
  }
}

function configFact({ path, exists, mistakes }: ConfigFile): DoctorFact {
  const fact = factAbout('config', 'configuration');
  if (!exists) return fact.ok(`none (it would be ${path})`);
  if (mistakes.length === 0) return fact.ok(path);
  return fact.warn(
    `${path} has ${plural(mistakes.length, 'mistake')}: those parts are not used`,
    'orgdeck config check',
  );
}
