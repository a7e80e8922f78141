import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { problemOfAnswer } from '../../src/client/response-problem.ts';
import { failureParts } from '../../src/describe/receipt.ts';
import { paint } from '../../src/lib/paint.ts';
import { layoutToast } from '../../src/scene/edge-lines.ts';
import { keyHints } from '../../src/session/state/state-changes.ts';
import { theme } from '../support/line-examples.ts';

const actions = screens.flatMap((screen) => screen.lists.flatMap((list) => list.actions));

test.each([
  'Forbidden',
  'You do not have the permission to do what the request asks the service to do for you, so ask the people who grant roles',
])('at 80 columns the message of a 403 names every permission whole: %s', (word) => {
  for (const { title, noun, uses } of actions)
    for (const endpoint of uses) {
      const text = JSON.stringify({ errors: [word] });
      const answer = { kind: 'answer', status: 403, headers: {}, text } as never;
      const of = title === 'new' && noun !== undefined ? { noun, name: 'a name that is rather long for it' } : title;
      const parts = failureParts(of, problemOfAnswer(endpoint, answer, 'api.example.test'));
      const drawn = layoutToast({
        parts: (parts ?? []).map((part) =>
          typeof part === 'string' ? { text: paint(part) } : { text: paint(part.name), isName: true },
        ),
        tone: 'bad',
        keys: paint(keyHints.messages),
        width: 80,
        theme: theme,
      });
      const shown = drawn
        .map((line) => line.map((span) => span.text).join(''))
        .join(' ')
        .replace(/\s+/g, ' ');
      for (const name of endpoint.permission) expect(shown).toContain(name);
    }
});
