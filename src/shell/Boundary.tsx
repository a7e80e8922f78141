import { Component, type ReactNode } from 'react';
import { Lines, type LinesProps } from '../../components/Lines.tsx';
import { noticeBlock } from '../../components/Notice.tsx';
import type { Theme } from '../../components/theme.ts';
import { paint } from '../lib/paint.ts';
import { thrownText } from '../lib/thrown-text.ts';

interface BoundaryProps {
  /** Drawing is tried again when this value changes. */
  readonly of: unknown;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly children: ReactNode;
}

interface Failed {
  readonly of: unknown;
  readonly error?: unknown;
}

/** Draws a sentence in place of a pane that throws; the rest of the frame and the keys go on working. */
export class Boundary extends Component<BoundaryProps, Failed> {
  override state: Failed = { of: this.props.of };

  static getDerivedStateFromError(error: unknown): Partial<Failed> {
    return { error: error ?? 'nothing' };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: Failed): Failed | null {
    return props.of === state.of ? null : { of: props.of, error: undefined };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Lines {...cannotShow(error, this.props)} />;
  }
}

/** The sentence in place of what throws. */
export const cannotShow = (
  error: unknown,
  { width, height, theme }: Pick<BoundaryProps, 'width' | 'height' | 'theme'>,
): LinesProps =>
  noticeBlock({
    text: paint(`this cannot be shown: ${thrownText(error)}; q goes back`),
    tone: 'bad',
    width,
    height,
    theme,
  });
