type Loose = Readonly<Record<string, unknown>>;

/** Each turns a file of one version into the next, beginning with version 0, which said none. */
export type Migrations = readonly ((older: Loose) => Loose)[];

/** A file as this program writes it; `newer` is its version where a newer program wrote it, and then it is as it was. */
export interface UpToDate {
  readonly file: Loose;
  readonly newer?: number;
}

/** Brings the value of a file to the version that is written, which is the number of migrations. Undefined: its version is none. */
export function upToDate(file: Loose, migrations: Migrations): UpToDate | undefined {
  const { version = 0 } = file;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0) return undefined;
  if (version > migrations.length) return { file, newer: version };
  const migrated = migrations.slice(version).reduce((older, migrate) => migrate(older), file);
  return { file: { ...migrated, version: migrations.length } };
}

/** Why a file of a newer version is not written. */
export const newerFile = (path: string, version: number): string =>
  `${path} is of version ${version}, which a newer orgdeck wrote: it is read, and not changed; use that orgdeck, or move the file away`;
