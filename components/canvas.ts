import type { DOMElement } from 'ink';
import { createContext } from 'react';
import { cells } from '../src/lib/text.ts';

/** A line ready to be written: its text with the sequences that style it, and the cells that it takes. */
export interface DrawnLine {
  readonly text: string;
  readonly cells: number;
}

/**
 * Where the lines of a frame come together. Ink lays out boxes and this puts lines into them: a text that Ink drew itself would be
 * taken apart into characters and joined again in every frame, changed or not, which leaves 10 MB of garbage for each key.
 */
export interface Canvas {
  /** Takes the box around everything; its height is that of the frame. */
  readonly root: (box: DOMElement | null) => void;
  /** Puts lines into a box until the returned function is called. */
  put(box: DOMElement, lines: readonly DrawnLine[]): () => void;
  /** Puts the one line of text inside a box into it, as it is at each frame: for components of others. */
  putText(box: DOMElement): () => void;
  /** The frame as it is laid out now, lines joined by line feeds. What lies above or below the outer box is left out. */
  frame(): string;
}

/** The canvas of the frame that a component is part of. */
export const CanvasContext = createContext<Canvas | undefined>(undefined);

export function createCanvas(): Canvas {
  const boxes = new Map<DOMElement, () => readonly DrawnLine[]>();
  const drawBox = (box: DOMElement, lines: () => readonly DrawnLine[]) => {
    boxes.set(box, lines);
    return () => boxes.delete(box);
  };
  const outer: { box: DOMElement | null } = { box: null };
  return {
    root(box) {
      outer.box = box;
    },
    put: (box, lines) => drawBox(box, () => lines),
    putText: (box) =>
      drawBox(box, () => {
        const text = textIn(box);
        return [{ text, cells: cells(text) }];
      }),
    frame() {
      if (outer.box === null) return '';
      const rows = Array.from({ length: outer.box.yogaNode?.getComputedHeight() ?? 0 }, (): Piece[] => []);
      const known = new Map<DOMElement, Place>();
      for (const [box, lines] of boxes) {
        const { x, y } = placeOf(box, known);
        for (const [at, line] of lines().entries()) rows[y + at]?.push({ x, line });
      }
      return rows.map(joinedRow).join('\n');
    },
  };
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where a box is in the frame. Ink's `measureElement` asks the layout for each box around it, and again for each block. */
function placeOf(box: DOMElement, placesByBox: Map<DOMElement, Place>): Place {
  const before = placesByBox.get(box);
  if (before) return before;
  const around = box.parentNode ? placeOf(box.parentNode, placesByBox) : { x: 0, y: 0 };
  const { yogaNode: node } = box;
  const place = node ? { x: around.x + node.getComputedLeft(), y: around.y + node.getComputedTop() } : around;
  placesByBox.set(box, place);
  return place;
}

const textIn = (node: DOMElement): string =>
  node.childNodes.map((child) => (child.nodeName === '#text' ? child.nodeValue : textIn(child))).join('');

interface Piece {
  readonly x: number;
  readonly line: DrawnLine;
}

/** The pieces of a row from left to right, with blanks between them. */
function joinedRow(pieces: Piece[]): string {
  let text = '';
  let index = 0;
  pieces.sort((one, other) => one.x - other.x);
  for (const { x, line } of pieces) {
    text += ' '.repeat(Math.max(0, x - index)) + line.text;
    index = x + line.cells;
  }
  return text.trimEnd();
}
