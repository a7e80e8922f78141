import { render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { createCanvas } from '../../components/canvas.ts';
import { mount, Outer } from '../../src/shell/show.tsx';
import { codes } from './line-examples.ts';

/** A component on a canvas, with a keyboard that it may hear. */
export function drawn(node: ReactNode) {
  const canvas = createCanvas();
  const tree = (node: ReactNode) => <Outer canvas={canvas}>{node}</Outer>;
  const screen = render(tree(node));
  return {
    frame: canvas.frame,
    lines: () => canvas.frame().replaceAll(codes, '').split('\n'),
    turn: (next: ReactNode) => screen.rerender(tree(next)),
    presses: (...keys: readonly string[]) => {
      for (const key of keys) screen.stdin.write(key);
    },
    close: screen.unmount,
  };
}

/** The first frame of a tree, as the program draws it. */
export function draw(node: ReactNode): string {
  const mounted = mount(node, () => {});
  const frame = mounted.frame();
  mounted.close();
  return frame;
}
