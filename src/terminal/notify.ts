import type { NotifyWay } from '../lib/notify-way.ts';
import { stripSequences } from './sequence-filter.ts';
import { BEL, ESC } from './sequences.ts';

const LONGEST = 200;

/**
 * The sequence that announces `text`; empty for `off`. Any control character of the text is gone. Inside tmux
 * and screen the notification is wrapped for passing through, and a bell goes with it, which both always pass.
 */
export function notification(way: NotifyWay, text: string, inside?: 'tmux' | 'screen'): string {
  if (way === 'off') return '';
  if (way === 'bell') return BEL;
  const words = stripSequences(text)
    .replace(/[\s;]+/g, ' ')
    .trim();
  const short = [...words].slice(0, LONGEST).join('');
  // A number directly after `9;` means something else to some terminals: progress bars.
  const sequence =
    way === 'osc9'
      ? `${ESC}]9;${/^\d/.test(short) ? ' ' : ''}${short}${BEL}`
      : `${ESC}]777;notify;orgdeck;${short}${BEL}`;
  if (inside === 'tmux') return `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${ESC}\\${BEL}`;
  return inside === 'screen' ? `${ESC}P${sequence}${ESC}\\${BEL}` : sequence;
}
