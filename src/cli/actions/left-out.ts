/** Actions that are no commands, each with the reason. Every other action of every screen is one. */
export const leftOut: Readonly<Record<string, string>> = {
  'tables.show-rows': 'it only opens another list: orgdeck tables rows list TABLE',
  'tables.upload-file': 'orgdeck tables upload does it',
  'retention.toggle': 'orgdeck retention enable and disable do it, also twice',
  'tables.create-row': 'orgdeck tables add-row does it, also in an empty table',
};
