import { absolute } from '../../lib/moment.ts';
import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { afterName, entryWords, meantSince, nothingDone, shownReport } from '../../session/layers/journal.ts';
import type { LayerOf } from '../../session/layers/layer.ts';
import type { Now } from '../../session/world.ts';
import { listed } from './sentences.ts';
import type { Speech } from './speech.ts';

type Journal = LayerOf<'journal'>;

/** The hand-over of the shift, or the edits of the journal. */
export function journalSpeech(layer: Journal, { context, world }: Now): Speech {
  const report = shownReport(layer);
  return {
    ...(report ? reportSpeech(report, layer.cursor) : editSpeech(layer, context, world.screens)),
    part: report ? 'report' : 'edits',
    ...(layer.since && {
      remarks: [
        { about: 'means', text: paint(meantSince(layer, context)), token: layer.since.line.text },
        { about: 'error', text: layer.since.error ? plain`Error: ${paint(layer.since.error)}` : plain`` },
      ],
      prompt: plain`Shift since: ${paint(layer.since.line.text)}`,
    }),
  };
}

function reportSpeech({ shift, sections }: NonNullable<Journal['report']>, at: number): Speech {
  const texts = sections.flatMap(({ title, items }) =>
    items.map((item) => {
      const { lead, name, did, more } = item;
      const head = [lead, name].filter((part) => part !== undefined).join(' ');
      const what = did === undefined ? head : `${head}${head === '' ? '' : afterName(item)}${did}`;
      return plain`${paint(title)}: ${listed([paint(what), ...more.map((text) => paint(text))])}`;
    }),
  );
  return {
    title: plain`Hand-over, ${paint(shift)}. y copies it, Tab lists all edits`,
    rows: { texts, at, most: Number.POSITIVE_INFINITY, none: paint(nothingDone) },
  };
}

function editSpeech(
  { entries, cursor, unsettled, trouble, isLoading, isRaw }: Journal,
  { zone }: Now['context'],
  screens: Now['world']['screens'],
): Speech {
  const title = isLoading && !isRaw ? plain`Hand-over` : plain`All edits`;
  return {
    title: unsettled ? plain`Edits of an earlier run without a known outcome` : title,
    rows: {
      texts: entries.map((entry) => {
        const { did, target, said } = entryWords(entry, screens);
        const what = plain`${paint(did)} ${paint(target)}`;
        return listed([paint(absolute(entry.at, zone)), paint(entry.outcome), what, paint(said)]);
      }),
      at: cursor,
      none: isLoading ? plain`Loading…` : trouble === undefined ? plain`No edits` : plain`Error: ${paint(trouble)}`,
    },
  };
}
