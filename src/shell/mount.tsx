import { Writable } from 'node:stream';
import { Box, render } from 'ink';
import type { ReactNode } from 'react';
import { CanvasContext, createCanvas } from '../../components/canvas.ts';

/** A tree of components whose frames are handed over. */
export interface Mounted {
  /** Draws another tree, which keeps what is alike. */
  turn(node: ReactNode): void;
  /** What is drawn now. */
  frame(): string;
  /** Resolves when all that was asked for has been handed over. */
  written(): Promise<void>;
  /** Rejects with the error of a component that nothing in the tree caught. */
  readonly failed: Promise<unknown>;
  close(): void;
}

/**
 * Draws components: Ink keeps the tree and lays out its boxes, the canvas puts the lines into them. `frame` is called with each
 * frame, whole, once in a turn of the event loop.
 */
export function mount(node: ReactNode, frame: (frame: string) => void): Mounted {
  const held = { isDue: false, isOpen: true };
  const broken = Promise.withResolvers<never>();
  const hand = () => {
    held.isDue = false;
    try {
      if (held.isOpen) frame(canvas.frame());
    } catch (error) {
      broken.reject(error);
    }
  };
  const due = () => {
    if (!held.isDue) queueMicrotask(hand);
    held.isDue = true;
  };
  const canvas = createCanvas();
  const instance = render(<Outer canvas={canvas}>{node}</Outer>, {
    stdout: nowhere(),
    stdin: process.stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: false,
    isScreenReaderEnabled: false,
    // Without a limit on the frames of a second, which would delay keys.
    debug: true,
    // Comes when the boxes are laid out, just before the components learn of them.
    onRender: due,
  });
  return {
    turn: (next) => instance.rerender(<Outer canvas={canvas}>{next}</Outer>),
    frame: canvas.frame,
    written: () => instance.waitUntilRenderFlush(),
    failed: Promise.race([instance.waitUntilExit(), broken.promise]),
    close() {
      held.isOpen = false;
      instance.unmount();
    },
  };
}

/** A tree on a canvas. Ink draws the boxes of its own flow only: of this one, which is outside, it draws nothing. */
export function Outer({
  canvas,
  children,
}: {
  readonly canvas: ReturnType<typeof createCanvas>;
  readonly children: ReactNode;
}) {
  return (
    <CanvasContext value={canvas}>
      <Box position="absolute" flexDirection="column" ref={canvas.root}>
        {children}
      </Box>
    </CanvasContext>
  );
}

/** Where Ink's own output goes, of which there is none. */
function nowhere(): NodeJS.WriteStream {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  return Object.assign(stream, { columns: 1000, rows: 1000, isTTY: false }) as unknown as NodeJS.WriteStream;
}
