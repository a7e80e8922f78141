import type { Clock } from '../lib/clock.ts';
import type { Output } from './output.ts';

/** A dragged window reports every step; only the last one in this time counts. */
const RESIZE_MS = 40;
/**
 * Bytes that were on their way when the window changed are wrapped or moved by the terminal. Everything is drawn anew
 * after the first delay, and after the second one for slow machines.
 */
const REDRAW_MS = [120, 600] as const;

/** Follows the size of the terminal; returns the way to stop. `frames` counts those that were drawn. */
export function followSize(
  output: Output,
  clock: Clock,
  screen: { resized(size: ReturnType<Output['size']>): void; redraw(): void; frames(): number },
): () => void {
  let size = output.size();
  let cancelResize: (() => void) | undefined;
  let cancelRedraw: (() => void) | undefined;
  const resized = () => {
    cancelResize = undefined;
    const now = output.size();
    if (now.columns === size.columns && now.rows === size.rows) return;
    size = now;
    screen.resized(size);
    cancelRedraw?.();
    cancelRedraw = clock.after(REDRAW_MS[0], () => {
      screen.redraw();
      const drawn = screen.frames() + 1;
      cancelRedraw = clock.after(REDRAW_MS[1] - REDRAW_MS[0], () => {
        if (screen.frames() > drawn) screen.redraw();
      });
    });
  };
  const unlisten = output.onResize(() => {
    cancelResize ??= clock.after(RESIZE_MS, resized);
  });
  return () => {
    cancelResize?.();
    cancelRedraw?.();
    unlisten();
  };
}
