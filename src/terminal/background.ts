/** Asks a terminal for the color of its background (OSC 11). */
export const backgroundQuery = '\x1b]11;?\x1b\\';

/** Whether a terminal's reply says that its background is light; undefined for any other reply. */
export function isLightBackground(reply: string): boolean | undefined {
  const parts = /^\x1b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(reply);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  // As bright as an eye sees it (ITU-R BT.709).
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}
