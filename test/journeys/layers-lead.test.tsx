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

story('a layer that a key of everywhere opened leads back to the one that it was pressed in', async (user) => {
  await user.opens('monitors');
  await user.presses('P');
  await user.sees('Profiles');
  await user.presses('H');
  await user.sees('Handover');
  await user.presses('esc');
  await user.sees('Profiles');
  await user.presses('?');
  await user.sees('Help');
  await user.presses('q');
  await user.sees('Profiles');
  await user.presses(':');
  await user.sees('Palette');
  await user.presses('esc');
  await user.sees('Profiles');
  // What is open already is not opened twice.
  await user.presses('H');
  await user.sees('Handover');
  await user.presses('!');
  await user.sees('[messages]');
  await user.presses('P');
  await user.sees('Profiles');
  await user.presses('esc');
  await user.sees(/\[2 mon/);
  await user.neverSees('messages]');
});

story('Enter on a line over other layers opens its row, and one step back leads to all of them', async (user) => {
  await user.opens('monitors');
  await user.presses('P');
  await user.sees('Profiles');
  await user.presses('H');
  await user.sees('Handover');
  await user.presses('j', 'return');
  await user.neverSees('Handover');
  await user.presses('q');
  await user.sees('Handover');
  await user.presses('q');
  await user.sees('Profiles');
  await user.presses('q');
  await user.sees(/\[2 mon/);
  await user.neverSees('Profiles');
});

story('what is run from help or palette acts on the list, with no layer left over it', async (user) => {
  await user.opens('monitors');
  await user.presses('H');
  await user.sees('Handover');
  await user.presses(':');
  await user.sees('Palette');
  await user.presses('new', 'return');
  await user.sees('metric against a threshold');
  await user.presses('esc');
  await user.sees(/\[2 mon/);
  await user.neverSees('Handover');
});

story('a menu or a question over a layer leaves the layer in sight above it', async (user) => {
  await user.opens('monitors');
  await user.presses('H');
  await user.sees('Handover');
  await user.presses('T');
  await user.sees(/┌ Handover of [^┌]*┌ Shift/s);
  await user.presses('j');
  await user.sees(/> 2 +last 12h/);
  await user.presses('esc');
  await user.neverSees('Shift');
  await user.sees('Handover of');
});
