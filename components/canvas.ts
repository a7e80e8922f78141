import type { DOMElement } from 'ink';
import { createContext } from 'react';
import { cells } from '../src/lib/text.ts';
import type { DrawnLine } from './line.ts';

/**
 * Where the lines of a frame come together. Ink lays out boxes and this puts lines into them: a text that Ink drew itself would be
 * taken apart into characters and joined again in every frame, changed or not.
 */
export interface Canvas {
  /** Takes the box around everything; its height is that of the frame. */
  readonly root: (box: DOMElement | null) => void;
  /** Puts lines into a box until the returned function is called. */
  put(box: DOMElement, lines: readonly DrawnLine[]): () => void;
  /** Puts into a box what is answered at each frame, until the returned function is called. */
  draw(box: DOMElement, blocks: () => readonly PlacedLines[]): () => void;
  /** What `draw` was given answers otherwise: a frame is due. */
  changed(): void;
  /** Puts the one line of text inside a box into it, as it is at each frame: for components of others. */
  putText(box: DOMElement): () => void;
  /** The frame as it is laid out now, lines joined by line feeds. What lies above or below the outer box is left out. */
  frame(): string;
}

/** Lines, and where they begin inside a box. */
interface PlacedLines {
  readonly x: number;
  readonly y: number;
  readonly lines: readonly DrawnLine[];
}

/** The canvas of the frame that a component is part of. */
export const CanvasContext = createContext<Canvas | undefined>(undefined);

export function createCanvas(changed: () => void = () => {}): Canvas {
  const drawings = new Map<DOMElement, () => readonly PlacedLines[]>();
  const draw = (box: DOMElement, blocks: () => readonly PlacedLines[]) => {
    drawings.set(box, blocks);
    return () => drawings.delete(box);
  };
  const outer: { box: DOMElement | null } = { box: null };
  return {
    root(box) {
      outer.box = box;
    },
    put(box, lines) {
      const block = [{ x: 0, y: 0, lines }];
      return draw(box, () => block);
    },
    draw,
    changed,
    putText: (box) =>
      draw(box, () => {
        const text = textIn(box);
        return [{ x: 0, y: 0, lines: [{ text, cells: cells(text) }] }];
      }),
    frame() {
      if (outer.box === null) return '';
      const rows = Array.from({ length: outer.box.yogaNode?.getComputedHeight() ?? 0 }, (): Piece[] => []);
      const known = new Map<DOMElement, Place>();
      for (const [box, blocks] of drawings) {
        const place = placeOf(box, known);
        for (const { x, y, lines } of blocks()) {
          let row = place.y + y;
          for (const line of lines) {
            rows[row]?.push({ x: place.x + x, line });
            row += 1;
          }
        }
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
function placeOf(box: DOMElement, known: Map<DOMElement, Place>): Place {
  const before = known.get(box);
  if (before) return before;
  const around = box.parentNode ? placeOf(box.parentNode, known) : { x: 0, y: 0 };
  const { yogaNode: node } = box;
  const place = node ? { x: around.x + node.getComputedLeft(), y: around.y + node.getComputedTop() } : around;
  known.set(box, place);
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
  let at = 0;
  if (pieces.length > 1) pieces.sort((one, other) => one.x - other.x);
  for (const { x, line } of pieces) {
    if (line.cells === 0) continue;
    text += ' '.repeat(Math.max(0, x - at)) + line.text;
    at = x + line.cells;
  }
  return text.trimEnd();
}
