import { Writable } from 'node:stream';
import type { Output } from './output.ts';

/** What the renderer is given as its standard output: no terminal, so that it sets no modes of its own. */
export type ScreenStream = Writable & {
  readonly columns: number;
  readonly rows: number;
  readonly isTTY: false;
};

/** A stream that gives each write to `take`. */
export function createScreenStream(size: Output['size'], take: (text: string) => void): ScreenStream {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
  const get = (side: 'columns' | 'rows') => ({ get: () => size()[side] });
  return Object.defineProperties(stream, {
    columns: get('columns'),
    rows: get('rows'),
    isTTY: { value: false },
  }) as ScreenStream;
}
