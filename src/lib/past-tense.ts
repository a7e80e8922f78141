/**
 * The title of an action in the past: `muted`, `added user`, `enabled/disabled`; of two halves the first where `isFirst`,
 * the second where it is false.
 */
export function pastTense(title: string, isFirst?: boolean): string {
  return title.replace(/^[a-z]+(?:\/[a-z]+)*(?=$|[ ,])/, (words) => {
    const [first = '', second, ...others] = words.split('/').map(pastOf);
    if (second === undefined || others.length > 0 || isFirst === undefined)
      return words.split('/').map(pastOf).join('/');
    return isFirst ? first : second;
  });
}

function pastOf(verb: string): string {
  if (verb === 'new') return 'created';
  if (verb === 'undo') return 'undid';
  if (verb.endsWith('y')) return `${verb.slice(0, -1)}ied`;
  return `${verb}${verb.endsWith('e') ? 'd' : 'ed'}`;
}
