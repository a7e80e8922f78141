import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import { Block } from '../../components/Block.tsx';
import { Lines } from '../../components/Lines.tsx';
import type { Theme } from '../scene/theme.ts';
import type { Session } from '../session/session.ts';
import { readStanding } from './header.ts';
import { scene } from './scene.ts';

export interface AppProps {
  readonly session: Session;
  readonly theme: Theme;
  /** Ids of rows with an unconfirmed edit. */
  readonly pending: () => ReadonlySet<string>;
  /** Whether the terminal is still busy with earlier output. */
  readonly behind: () => boolean;
}

/** The frame of the present moment. */
export function App({ session, theme, pending, behind }: AppProps) {
  useSyncExternalStore(session.store.subscribe, session.store.getState);
  const standing = readStanding(session, behind());
  const { columns, rows, header, blocks, message, hints } = scene(session.now(), {
    theme,
    pending: pending(),
    standing,
  });
  const foot = [...message, ...hints];
  const body = rows - foot.length - (header ? 1 : 0);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {header && <Lines lines={[header.spans]} width={columns} theme={theme} />}
      <Box width={columns} height={body} flexShrink={0}>
        {blocks.map((block) => (
          <Block key={`${block.x} ${block.y}`} block={block} theme={theme} />
        ))}
      </Box>
      <Lines lines={foot.map(({ spans }) => spans)} width={columns} theme={theme} />
    </Box>
  );
}
