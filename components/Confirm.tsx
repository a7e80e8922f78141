import { type Painted, plain } from '../src/lib/painted.ts';
import { wrap } from '../src/lib/text.ts';
import { Lines } from './Lines.tsx';
import { flow, type Span } from './span.ts';
import type { Theme } from './theme.ts';
import { typing } from './typing.ts';

export interface ConfirmProps {
  readonly question: Painted;
  readonly details?: readonly Painted[];
  /** Return means No. */
  readonly destructive?: boolean;
  /** What Return does, where it means Yes. */
  readonly enter?: Painted;
  /** What must be typed to go on, and what has been. */
  readonly typed?: { readonly wanted: Painted; readonly text: string; readonly cursor: number };
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** A question. Long details are cut so that the answer's line stays visible. */
export function Confirm(props: ConfirmProps) {
  const { width, height, theme } = props;
  const { asks, tells, answer } = partsOf(props);
  const room = Math.max(0, height - asks.length - answer.length - 2);
  const shown =
    tells.length > room
      ? [...tells.slice(0, Math.max(0, room - 1)), [{ text: plain` ${theme.glyphs.ellipsis} and more` }]]
      : tells;
  const body: Span[][] = [...asks, [], ...(room > 0 ? shown : []), ...(shown.length > 0 && room > 0 ? [[]] : [])];
  const lines = [...body.slice(0, Math.max(0, height - answer.length)), ...answer];
  return <Lines lines={lines} width={width} height={height} theme={theme} />;
}

/** How many lines a question needs to be shown in full. */
export function confirmLines(props: Omit<ConfirmProps, 'height'>): number {
  const { asks, tells, answer } = partsOf(props);
  return asks.length + 1 + (tells.length > 0 ? tells.length + 1 : 0) + answer.length;
}

function partsOf({ question, details = [], destructive, enter, typed, width, theme }: Omit<ConfirmProps, 'height'>) {
  const inner = Math.max(1, width - 2);
  const asks = wrap(question, inner).map((line): Span[] => [
    { text: plain` ${line}`, tone: destructive ? 'bad' : 'strong' },
  ]);
  const tells = details.flatMap((detail) => wrap(detail, inner).map((line): Span[] => [{ text: plain` ${line}` }]));
  const keys = enter === undefined ? [keyAnswer()] : enterAnswer(enter, inner);
  return { asks, tells, answer: typed ? typedAnswer(typed, inner, theme) : keys };
}

function keyAnswer(): Span[] {
  return [
    { text: plain` [y]`, tone: 'strong' },
    { text: plain` Yes  ` },
    { text: plain`[N]`, tone: 'strong' },
    { text: plain` No (default)` },
  ];
}

function enterAnswer(enter: Painted, width: number): Span[][] {
  return wrap(plain`Enter: ${enter} · Esc`, width).map((line): Span[] => [{ text: plain` ${line}`, tone: 'strong' }]);
}

function typedAnswer(typed: NonNullable<ConfirmProps['typed']>, width: number, theme: Theme): Span[][] {
  const right = typed.text === typed.wanted;
  return [
    ...flow(
      [
        [{ text: plain`Type ` }, { text: typed.wanted, tone: 'strong' }],
        [{ text: plain`and Enter to confirm,` }],
        [{ text: plain`Esc to cancel:` }],
      ],
      width,
      1,
      theme.glyphs.ellipsis,
    ).map((line): Span[] => [{ text: plain` ` }, ...line]),
    [
      { text: right ? plain` ${theme.glyphs.ok} ` : plain` > `, tone: right ? 'good' : 'dim' },
      ...typing({ text: typed.text, cursor: typed.cursor }, Math.max(1, width - 3), theme),
    ],
  ];
}
