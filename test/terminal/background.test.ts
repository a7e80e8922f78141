import { expect, test } from 'vitest';
import { onStage, type Stage } from '../support/dashboard.ts';

const query = '\u001B]11;?\u001B\\';
/** ANSI numbers of the active border. */
const [cyan, blue] = ['6', '4'];

/** Answers the query for the background in this color; returns the color of the list's border. */
async function border({ pty }: Stage, reply: string): Promise<string> {
  await expect.poll(() => pty.outputSince(0), { timeout: 8000, interval: 5 }).toContain(query);
  pty.presses(`\u001B]11;${reply}\u0007`);
  await pty.sees('live');
  await pty.settles();
  // Queries are asked once; a reply presses no key.
  expect(pty.outputSince(0).split(query)).toHaveLength(2);
  await pty.missesSoon('does nothing here');
  return pty.cell(0, 1).foreground;
}

test.concurrent(
  'a light background brings the light theme',
  onStage(async (stage) => {
    expect(await border(stage, 'rgb:ffff/ffff/f0f0')).toBe(blue);
  }),
);

test.concurrent(
  'a theme that was chosen stays',
  onStage(
    async (stage) => {
      expect(await border(stage, 'rgb:ffff/ffff/ffff')).toBe(cyan);
    },
    { flags: ['--theme', 'default'] },
  ),
);
