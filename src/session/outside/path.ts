import type { ParseResult } from '../../lib/parse-result.ts';

/** Files of this machine, for fields that name one. */
export interface LocalFiles {
  /** Names in a directory as it is typed, those of directories with `/` at the end; undefined where it cannot be read. */
  list(directory: string): Promise<readonly string[] | undefined>;
  /** The columns of a CSV file. */
  header(path: string): Promise<ParseResult<readonly string[]>>;
}

/** What is known of the path in a field. */
export interface FilePath {
  /** Up to the last `/`, as it is typed. */
  readonly directory: string;
  readonly entries: readonly string[];
  /** The file whose first line was read, and its columns. */
  readonly header?: { readonly path: string; readonly read: ParseResult<readonly string[]> };
}
