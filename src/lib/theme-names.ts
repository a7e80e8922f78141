/** Colors of the dashboard; `src/scene/theme.ts` says what they look like. */
export const themeNames = ['default', 'light', 'mono', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

export const isThemeName = (text: string): text is ThemeName => (themeNames as readonly string[]).includes(text);
