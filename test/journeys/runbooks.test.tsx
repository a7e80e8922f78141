import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasSimple } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const tags = ['service:shop'];
const told = [
  { category: 'runbook', name: 'Runbook: queue is full', url: 'https://wiki.example.test/queue' },
  { category: 'runbook', name: 'Notes', url: '/notebook/7', resource_key: '7', resource_type: 'notebook' },
];

/** `Queue` has two runbooks and names a third one, `Login` names one, `Quiet` has none. */
function organization(service: Simulator): void {
  service.org.monitors.clear();
  hasSimple(service, 'Queue', {
    id: 70,
    priority: 1,
    tags,
    assets: told,
    message: 'Do https://runbooks.test/shop @ann',
  });
  hasSimple(service, 'Login', { id: 71, priority: 2, tags, message: 'see (https://runbooks.test/login)' });
  hasSimple(service, 'Quiet', { id: 72, priority: 3, tags, message: 'look at it' });
}

const setting = { screen: 'monitors', monitors: 0, issues: 0, columns: 120, rows: 40, before: organization } as const;
const story = stories(journey, setting);

story(
  'a detail leads what is to be done with the runbooks: those of the monitor, then the address in its message',
  { web: 'https://web.example.test', columns: 110 },
  async (user) => {
    await user.sees('Queue');
    await user.presses('return');
    await user.sees(/Notes https:\/\/web\.example\.test\/notebook\/7/);
    const screen = await user.screen();
    const places = [
      'What to do',
      'queue is full https://wiki.example.test/queue',
      'Notes',
      'https://runbooks.test/shop',
      'Do https://runbooks.test/shop @ann',
      'Notifies        @ann',
    ].map((text) => screen.indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  },
);

story(
  'o shows the runbooks before the web page, the two below their names; y copies them',
  { web: 'https://web.example.test' },
  async (user) => {
    await user.sees('Queue');
    await user.presses('return');
    await user.sees('queue is full');
    await user.presses('o');
    const lines = (await user.screen()).split('\n').map((line) => line.trim());
    expect(lines.slice(1, 13)).toEqual([
      'Links',
      'Runbook queue is full',
      'https://wiki.example.test/queue',
      '',
      'Runbook Notes',
      'https://web.example.test/notebook/7',
      '',
      'Runbook',
      'https://runbooks.test/shop',
      '',
      'Web page',
      'https://web.example.test/monitors/70',
    ]);
    await user.presses('y');
    expect(user.copied).toEqual([`${lines.slice(2, 13).join('\n')}\n`]);
  },
);

story('without a web address o shows the one runbook alone, and says why there is no link without it', async (user) => {
  await user.sees('Queue');
  await user.presses('/', 'login', 'return', 'o');
  await user.sees(/^Runbook\s*\n?https:\/\/runbooks\.test\/login/m);
  await user.presses('esc', 'q', '/', 'quiet', 'return', 'o');
  await user.sees(/has no web address/);
});

story('the foot of a page of a service names the runbooks of its monitors, and o shows them', async (user) => {
  await user.sees('Queue');
  await user.presses('f');
  await user.sees(/└ Runbook https:\/\/runbooks\.test\/shop and 1 more \(o\) ─+┘/);
  await user.presses('j', 'o');
  const lines = (await user.screen()).split('\n').map((line) => line.trim());
  // That of the line under the cursor is the first.
  expect(lines.slice(2, 7)).toEqual([
    'Runbook',
    'https://runbooks.test/login',
    '',
    'Runbook',
    'https://runbooks.test/shop',
  ]);
});

const opened: string[] = [];
const browses = (url: string): string | undefined => {
  opened.push(url);
  return url.includes('login') ? 'its program is gone' : undefined;
};

story(
  'where there is a browser o opens the one address at once, and asks which of several, a runbook first',
  { web: 'https://web.example.test', browses },
  async (user) => {
    opened.length = 0;
    await user.sees('Queue');
    await user.presses('/', 'quiet', 'return', 'o');
    await user.sees('✓ Opened web page in the browser');
    await user.presses('q', '/', 'queue', 'return', 'o');
    await user.sees('Open in the browser');
    await user.sees(/1 +Runbook +https:\/\/runbooks\.test\/shop/);
    await user.presses('return');
    await user.sees('✓ Opened runbook in the browser');
    await user.presses('o', '2');
    await user.sees('✓ Opened web page in the browser');
    expect(opened).toEqual([
      'https://web.example.test/monitors/72',
      'https://runbooks.test/shop',
      'https://web.example.test/monitors/70',
    ]);
  },
);

story('an address that could not be opened is shown, with why', { browses }, async (user) => {
  await user.sees('Login');
  await user.presses('/', 'login', 'return', 'o');
  await user.sees('Not opened: its program is gone');
  await user.sees(/^https:\/\/runbooks\.test\/login/m);
});
