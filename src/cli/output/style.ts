import type { TextStyle } from '../../scene/theme.ts';

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** The codes of a color that a theme names: `red`, `redBright`. */
function colorCode(name: string): number | undefined {
  const at = colors.indexOf(name.replace('Bright', ''));
  return at < 0 ? undefined : (name.endsWith('Bright') ? 90 : 30) + at;
}

/** A painted text in a look of the theme, reset behind it. */
export function styled(text: string, { color, bold, dimColor, inverse, underline }: TextStyle): string {
  const codes = [
    bold && 1,
    dimColor && 2,
    underline && 4,
    inverse && 7,
    color !== undefined && colorCode(color),
  ].filter((code) => typeof code === 'number');
  return codes.length === 0 || text.trim() === '' ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`;
}
