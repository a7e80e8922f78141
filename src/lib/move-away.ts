import { lstat, rename } from 'node:fs/promises';

const found = (path: string) => lstat(path).catch(() => undefined);

/** Gives a file a name beside it that no other has and that ends in `.unread`; what is no file stays. Throws what the system throws. */
export async function moveAway(path: string): Promise<void> {
  if (!(await found(path))?.isFile()) return;
  let to = `${path}.unread`;
  for (let at = 2; await found(to); at += 1) to = `${path}.${at}.unread`;
  await rename(path, to);
}
