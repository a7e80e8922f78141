/** How a person is notified: not at all, by the bell, or by a desktop notification of the terminal (OSC 9, OSC 777). */
export const notifyWays = ['off', 'bell', 'osc9', 'osc777'] as const;
export type NotifyWay = (typeof notifyWays)[number];
