import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { stories } from '../support/stories.ts';

const story = stories(journey, { monitors: 3, issues: 3, columns: 80, rows: 24 });

const next = /Next try \d\d:\d\d:\d\d UTC · Ctrl-R: try now · !: full error/;

story('every list that cannot be read says why, when it is tried again, and which keys help', async (user, service) => {
  await user.sees(/Issues 1/);
  service.refuses(500, { times: 9999 });
  for (const screen of ['2', '4', '5', '8', '9']) {
    await user.presses(screen);
    await user.sees(/Not loaded: .*500/);
    await user.sees(next);
  }
  service.recovers();
  await user.presses('ctrl+r');
  await user.sees(/1-\d+\/\d+ /);
  await user.neverSees('Next try');
});

story('keys that may not read lead to other keys', async (user, service) => {
  service.refuses(403, { times: 9999, match: 'roles.list' });
  await user.presses('4');
  await user.sees('P: profiles and keys');
  service.recovers();
  service.refuses(401, { times: 9999 });
  await user.presses('5');
  await user.sees('P: profiles and keys');
  // With keys that were refused nothing is sent.
  await user.neverSees('Next try');
});

story(
  'while a list is tried again, why it was not read stays, and the preview has no frame',
  { columns: 120, rows: 40 },
  async (user, service) => {
    service.refuses(500, { times: 9999, match: 'roles.list' });
    await user.presses('4');
    await user.sees(next);
    await user.neverSees('Preview');
    service.recovers();
    service.delays(600, 'roles.list');
    await user.presses('ctrl+r');
    await user.sees('Trying again');
    expect(await user.screen()).toMatch(/Not loaded: .*500/);
    await user.sees(/1-\d+\/\d+ /);
  },
);

story(
  'a detail that cannot be read begins with why and when next, and its tabs do not say that they load',
  async (user, service) => {
    service.refuses(500, { times: 9999, match: 'roles.get' });
    await user.presses('4');
    await user.sees(/1-\d+\/\d+ /);
    await user.presses('return');
    await user.sees(/\[Overview\].*\n│ Details not loaded: .*500.*\n(│ .*\n)?│ Next try \d\d:\d\d:\d\d UTC/);
    await user.sees(/└ Details not loaded · Ctrl-R: try now · !: full error ─/);
    await user.presses(']');
    await user.sees(/PERMISSION .*\n│ {3}Not loaded: .*500/);
    await user.sees(next);
    await user.neverSees('Loading');
    service.recovers();
    await user.presses('ctrl+r');
    await user.loses('ot loaded');
    await user.neverSees('Next try');
  },
);

story('without a connection a detail names the cause once', async (user, service) => {
  await user.presses('4');
  await user.sees(/1-\d+\/\d+ /);
  service.drops(9999);
  await user.presses('ctrl+r');
  await user.sees('Not refreshed');
  await user.presses('return');
  await user.sees(/│ Details not loaded +│\n│ Next try/);
});

story(
  'a picker says that others are loading, why they are missing, and when they are read again',
  async (user, service) => {
    await user.sees(/Issues 1/);
    service.delays(500, 'users.list');
    await user.presses('a');
    await user.sees(/> .* you .*\n(│ .*\n)*└ Loading others ─/);
    await user.loses('Loading others');
    await user.presses('esc');
    service.recovers();
    service.refuses(500, { times: 9999, match: 'users.list' });
    await user.presses('a', 'zz');
    await user.sees(/Not loaded: .*500/);
    await user.sees(/│ {2}Next try \d\d:\d\d:\d\d UTC/);
    await user.neverSees('No match');
    await user.presses('backspace', 'backspace');
    service.recovers();
  },
);

story('a picker with some rows says at its foot that the others could not be read', async (user, service) => {
  await user.sees(/Issues 1/);
  service.refuses(500, { times: 9999, match: 'users.list' });
  await user.presses('a');
  await user.sees(/└ Others not loaded, next try \d\d:\d\d:\d\d UTC: .*…? [─┘]/);
});

story(
  'blocks of a service that cannot be read say why once, load no longer, and when they are read again',
  { before: (service) => service.refuses(500, { times: 9999, match: 'GET /api/v1/monitor' }) },
  async (user, service) => {
    await user.presses(':', 'service shop', 'return');
    await user.sees(/│ {2}monitors cannot be read: .*500/);
    await user.sees(/├ Mutes .*\n│ {2}mutes of monitors cannot be read +│/);
    await user.sees(/├ Edits, .*\n│ {2}edits of monitors cannot be read +│/);
    await user.neverSees('Loading');
    await user.sees(/└─+ Next try \d\d:\d\d:\d\d UTC · Ctrl-R: try now · !: full error ─*┘/);
    service.recovers();
    await user.presses('ctrl+r');
    await user.sees('no monitor is about service:shop');
    await user.neverSees('Next try');
  },
);

story('Home says when its blocks that failed are read again', async (user, service) => {
  await user.sees(/Issues 1/);
  service.refuses(500, { times: 9999, match: 'issues/search' });
  await user.presses('0');
  await user.sees(/issues cannot be read: .*500/);
  await user.sees(/└─* ?.*Ctrl-R: try now ─*┘/);
});
