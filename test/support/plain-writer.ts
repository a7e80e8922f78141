import type { FrameWriter } from '../../src/terminal/frame/frame-writer.ts';
import { ESC } from '../../src/terminal/sequences.ts';

/**
 * Erases the screen and writes each frame as it comes. `TEST_PLAIN_WRITER=1` lets the journeys run with it in place of the
 * program's own writer: both must show the same.
 */
export function createPlainWriter(size: { readonly rows: number }): FrameWriter {
  let { rows } = size;
  let shown: string | undefined;
  return {
    forget() {
      shown = undefined;
    },
    resize(next) {
      ({ rows } = next);
      shown = undefined;
    },
    draw(frame) {
      if (frame === shown) return '';
      shown = frame;
      return `${ESC}[0m${ESC}[?7l${ESC}[H${ESC}[J${frame.split('\n').slice(0, rows).join('\r\n')}`;
    },
  };
}
