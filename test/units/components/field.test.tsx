import { expect, test } from 'vitest';
import { FieldInput } from '../../../components/Field.tsx';
import { paint } from '../../../src/lib/paint.ts';
import { drawn } from '../../support/drawn.tsx';
import { theme } from '../../support/line-examples.ts';

const field = (text: string, secret: boolean) => (
  <FieldInput span={{ text: paint(text), field: { secret } }} theme={theme} />
);

test('a field at rest shows its text in its cells, of a secret a mask for each letter, and hears no keys', async () => {
  const screen = drawn(field('a\u001b[31m値  ', false));
  expect(screen.lines()).toEqual(['a␛[31m値']);
  screen.presses('x', '\u007f');
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.lines()).toEqual(['a␛[31m値']);
  screen.turn(field('xxx  ', true));
  expect(screen.lines()).toEqual(['•••']);
  screen.close();
});
