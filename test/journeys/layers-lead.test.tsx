import { journey } from '../support/journey.tsx';
import { stories } from '../support/stories.ts';

const story = stories(journey, { columns: 100, rows: 24, monitors: 3, issues: 3 });

story(
  'over a layer that shows, the keys of everywhere lead to a screen, the palette, help and other layers',
  async (user) => {
    await user.opens('monitors');
    await user.presses('H');
    await user.sees('Handover');
    await user.presses('!');
    await user.sees('[messages]');
    await user.presses('P');
    await user.sees('Profiles');
    await user.presses('?');
    await user.sees('Help');
    await user.presses('1');
    await user.sees(/\[1 iss/);
    await user.neverSees('Help');
    await user.presses('?', ':');
    await user.neverSees('Help');
  },
);

story('a layer that is typed into keeps its letters and digits', async (user) => {
  await user.opens('monitors');
  await user.presses('?', '/', '1');
  await user.sees('Help');
  await user.sees(/\[2 mon/);
  await user.presses('esc', 'esc', '/', '1');
  await user.sees(/\[2 mon/);
});
